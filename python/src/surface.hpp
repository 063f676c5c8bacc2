#pragma once
#include <vector>

#include <actio/io/problem.hpp>

namespace actio::python {

// The outer faces of all solids, seen from outside: for each corner, the number of its node's first coordinate (the other two
// follow it). Empty where there are more than `most`.
std::vector<std::vector<long>> surface(const io::Problem& problem, long most);

}  // namespace actio::python
