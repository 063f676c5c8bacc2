#include <actio/system/solid.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <Eigen/LU>

namespace actio::system {
namespace {

// det F at a point of an element.
double det_at(const Term& term, long point, long e, const Eigen::VectorXd& q) {
  const Interpolation& of = *term.interpolation;
  Eigen::Matrix3d H = Eigen::Matrix3d::Zero(), inverse;  // dx_i/dxi_M, dxi_M/dX_K
  for (long a = 0; a < of.nodes; ++a)
    for (long i = 0; i < 3; ++i)
      for (long M = 0; M < 3; ++M)
        H(i, M) += q[term.dofs[static_cast<std::size_t>((3 * a + i) * term.elements + e)]] *
                   of.slopes[static_cast<std::size_t>((point * of.nodes + a) * 3 + M)];
  for (long k = 0; k < 9; ++k) inverse(k / 3, k % 3) = of.inverse[static_cast<std::size_t>((point * 9 + k) * term.elements + e)];
  return (H * inverse).determinant();
}

}  // namespace

std::string inside_out(const Model& model, const Eigen::VectorXd& q) {
  const Term* worst = nullptr;
  long element = 0;
  double least = 0;
  for (const Term& term : model.terms) {
    if (!term.interpolation) continue;
    for (long e = 0; e < term.elements; ++e)
      for (long p = 0; p < term.interpolation->points; ++p) {
        const double det = det_at(term, p, e, q);
        if (!(det < least)) continue;
        worst = &term;
        element = e;
        least = det;
      }
  }
  if (!worst) return "";
  const auto& cells = worst->interpolation->cells;
  std::string number = fmt::format("{}", element), kind = "element";
  for (const SolidBody& solid : model.solids) {
    if (!is_of(*worst, solid) || cells.empty()) continue;
    const auto [block, cell] = cells[static_cast<std::size_t>(element)];
    const CellBlock& of = solid.mesh->blocks[static_cast<std::size_t>(block)];
    kind = name_of(of.cell);
    if (!of.numbers.empty()) number = fmt::format("{} of the mesh file", of.numbers[static_cast<std::size_t>(cell)]);
  }
  return fmt::format("element {}, a {} of {}, is inverted: det F is {:.3g} at a point of it", number, kind, worst->name, least);
}

}  // namespace actio::system
