#pragma once
#include <Eigen/Core>
#include <actio/algebra/sparse.hpp>
#include <actio/expr/kernel.hpp>
#include <actio/system/model.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace actio::method {

// Small motions u about a state q at rest, M u'' + V''(q) u = 0, of the coordinates that are neither fixed nor prescribed.
// Friction and forces without a potential are left out.
struct Linearisation {
  std::string why_not;               // "", or why there is none
  algebra::SparseMatrix M, K;        // (m x m), both triangles, of one pattern; K = V''(q)
  std::vector<std::int32_t> moving;  // the coordinate of each row

  bool done() const { return why_not.empty(); }
};

// At time t and positions q (n), for a system with a mass and a potential; its constraints may only prescribe coordinates.
// Systems of more coordinates that move, or with more entries of V'', than these get a reason in place of matrices.
Linearisation linearise(const system::Model& model, double t, const Eigen::VectorXd& q, const expr::CompileOptions& options = {},
                        long most_coordinates = 1L << 30, long most_entries = 1L << 30);

}  // namespace actio::method
