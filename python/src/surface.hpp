#pragma once
#include <utility>
#include <vector>

#include <Eigen/Core>

#include <actio/io/problem.hpp>

namespace actio::python {

// For pictures of a problem's solids: the faces that belong to one cell alone, each as the first coordinates of its corners seen
// from outside, and the places of all nodes at rest (n).
std::pair<std::vector<std::vector<long>>, Eigen::VectorXd> surface(const io::Problem& problem);

}  // namespace actio::python
