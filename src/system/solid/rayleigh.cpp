#include <array>

#include <actio/expr/kernel.hpp>
#include <actio/system/solid.hpp>

namespace actio::system {
namespace {

// d2W/dF2 at F = 1, the lower triangle.
std::vector<double> tangent_at_rest(const Model& model, const Term& term) {
  expr::Graph g = term.graph;
  std::array<expr::Id, 9> F{};
  for (std::size_t k = 0; k < 9; ++k) F[k] = g.column(static_cast<int>(k));
  const std::array sources{expr::KernelSource{"tangent", &g, expr::hessian(g, term.value, F), false, 9, 9}};
  expr::CompileOptions options;
  options.compiler = "none";
  const expr::Module module = expr::Module::build(sources, options);
  std::vector<double> uniforms{0}, out(45);
  uniforms.insert(uniforms.end(), model.parameters.begin(), model.parameters.end());
  uniforms.resize(uniforms.size() + model.signals.size(), 0);
  const std::array<double, 9> unit{1, 0, 0, 0, 1, 0, 0, 0, 1};
  module.single(0)(uniforms.data(), unit.data(), unit.data(), out.data());
  return out;
}

// phi = b/2 dF/dt : A : dF/dt
Term friction(const Model& model, const Term& term, double b) {
  const std::vector<double> A = tangent_at_rest(model, term);
  Term out = term;
  out.velocities = true;
  out.graph = {};
  expr::Graph& g = out.graph;
  out.value = g.constant(0);
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j <= i; ++j) {
      const double a = (i == j ? 0.5 : 1.0) * b * A[static_cast<std::size_t>(i * (i + 1) / 2 + j)];
      if (a != 0) out.value = g.add(out.value, g.mul(g.constant(a), g.mul(g.column(9 + i), g.column(9 + j))));
    }
  return out;
}

}  // namespace

void add_rayleigh(Model& model, const SolidBody& solid, double a, double b) {
  if (b != 0)
    for (const Term& term : model.terms)
      if (is_of(term, solid)) model.dissipation.push_back(friction(model, term, b));
  if (a == 0) return;
  const long n = model.size(), last = solid.offset + 3 * solid.mesh->points.cols();
  std::vector<Eigen::Triplet<double, int>> entries;
  for (int j = static_cast<int>(solid.offset); j < static_cast<int>(last); ++j) {
    if (model.mass.kind == MassMatrix::Kind::diagonal) {
      entries.emplace_back(j, j, a * model.mass.diagonal[j]);
      continue;
    }
    for (Eigen::SparseMatrix<double>::InnerIterator it(model.mass.full, j); it; ++it)
      entries.emplace_back(static_cast<int>(it.row()), j, a * it.value());
  }
  Eigen::SparseMatrix<double> D(n, n);
  D.setFromTriplets(entries.begin(), entries.end());
  if (model.damping.size() > 0) {
    model.damping.conservativeResize(n, n);
    D += model.damping;
  }
  model.damping = std::move(D);
}

}  // namespace actio::system
