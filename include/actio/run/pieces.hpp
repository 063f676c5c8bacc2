#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace actio::run {

// Several processes that write one output together, each a piece, the first also what is of all: each has the whole of what is
// observed, and calls the same functions.
struct Pieces {
  long process = 0, processes = 1;
  std::vector<std::int32_t> owner{};  // (n) of coordinate i: a cell is of the process that owns its first node
  // What the first process says that does not say "", on all. All of them call it, and wait for one another.
  std::function<std::string(const std::string& mine)> first_error = [](const std::string& mine) { return mine; };
};

}  // namespace actio::run
