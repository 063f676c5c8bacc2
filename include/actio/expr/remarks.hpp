#pragma once
#include <string>
#include <vector>

// What building kernels had to say that no caller asked for, but a user wants to know.
namespace actio::expr {

// Keeps a sentence until it is asked for; one that was kept or given out already is not kept again.
void remark(const std::string& sentence);
// Those that were kept since the last call, in their order.
std::vector<std::string> remarks();

}  // namespace actio::expr
