#pragma once
#include <actio/run/observable.hpp>
#include <span>
#include <string>

// The reductions of a run and the extremes of its columns, for those who read.
namespace actio::cli {

// One line a column that is one number, with its largest absolute value; one a reduction and more of a histogram; "" where there
// are none.
std::string observed_text(std::span<const run::Observed> observed);

}  // namespace actio::cli
