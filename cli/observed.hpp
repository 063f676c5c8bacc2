#pragma once
#include <actio/run/observable.hpp>
#include <span>
#include <string>

// The reductions of a run, for those who read.
namespace actio::cli {

// One line a reduction and more of a histogram, each with its end; "" where there are none.
std::string observed_text(std::span<const run::Observed> observed);

}  // namespace actio::cli
