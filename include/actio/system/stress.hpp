#pragma once
#include <Eigen/Core>
#include <actio/expr/kernel.hpp>
#include <actio/system/element_block.hpp>
#include <actio/system/model.hpp>
#include <actio/system/solid_element.hpp>
#include <cstdint>
#include <span>
#include <vector>

// Cauchy's stress in the elements of solids, from their energies W(F) [J/m^3] per volume at rest:
//
//   sigma = P F'/J,  P = dW/dF,  J = det F
//
// and P itself where it is symmetric at any F, so that W is a function of the small strain (linear-elastic). An element has the
// mean over its current volume (for a small strain: its volume at rest), by its points: sum w P F'/sum w J. Bonet, Wood,
// Nonlinear Continuum Mechanics for Finite Element Analysis (2008), chapter 5. Friction is not in it: what viscosity and damping
// add.
namespace actio::system {

using SevenRows = Eigen::Matrix<double, 7, Eigen::Dynamic>;
using StressRows = Eigen::Matrix<double, 6, Eigen::Dynamic>;  // XX YY ZZ XY YZ XZ [Pa], as in ParaView

// sqrt(3/2 s:s) of the deviator s of a stress XX YY ZZ XY YZ XZ.
double von_mises(const Eigen::Vector<double, 6>& sigma);

class ElementStress {
 public:
  // For these elements; those of a solid whose energy is not among the model's terms have no stress.
  ElementStress(const Model& model, std::span<const SolidElement> elements, const expr::CompileOptions& options = {});
  // The integrals of XX YY ZZ XY YZ XZ [N m], and the volume [m^3], (7 x elements), at the state q (n).
  void operator()(double t, const Eigen::VectorXd& q, SevenRows& out);

 private:
  struct Part {
    Batch batch;
    expr::BatchKernel kernel;
    std::vector<long> at;  // columns of what comes out
  };
  std::vector<Part> parts_;
  std::vector<double> uniforms_;
  expr::Module module_;
  ElementBlock block_;
  long elements_ = 0;
};

// That of cells: one of lower dimension has the mean of the elements it bounds, NaN where there are none.
class CellStress {
 public:
  // For these cells, of any dimension.
  CellStress(const Model& model, std::span<const SolidElement> cells, const expr::CompileOptions& options = {});
  // For all cells of all solids, in the order of solids, blocks and cells.
  explicit CellStress(const Model& model, const expr::CompileOptions& options = {});
  long cells() const { return static_cast<long>(around_.first.size()) - 1; }
  void operator()(double t, const Eigen::VectorXd& q, StressRows& out);

 private:
  struct Around {
    std::vector<SolidElement> elements;  // once each
    std::vector<std::size_t> first{0};   // of the elements of each cell
    std::vector<std::int32_t> of{};      // numbers in `elements`
  };
  static Around around(const Model& model, std::span<const SolidElement> cells);
  CellStress(const Model& model, Around around, const expr::CompileOptions& options);
  Around around_;
  ElementStress elements_;
  SevenRows integrals_;
};

}  // namespace actio::system
