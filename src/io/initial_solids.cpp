#include <array>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <actio/expr/kernel.hpp>

#include "field.hpp"
#include "parts.hpp"
#include "values.hpp"

// Where solids start: at their meshes and at rest, or displaced, with a velocity field and a spin.
namespace actio::io {
namespace {

void read_one(const Value& table, const std::string& path, const SymbolTable& symbols, const system::Model& model,
              const system::SolidBody& solid, Eigen::VectorXd& q0, Eigen::VectorXd& v0) {
  const Section section(symbols.document(), table, path, keys_of_table("initial.solid"));
  const Eigen::Matrix3Xd& X = solid.mesh->points;
  const long n = X.cols();
  const auto values = [&](const char* key, bool place) -> Eigen::Matrix3Xd {
    const Value* value = section.find(key);
    if (!value) return Eigen::Matrix3Xd::Zero(3, n);
    const OfField allowed{false, false, place, "this is evaluated once, from X, Y, Z and parameters"};
    Eigen::Matrix3Xd out = values_at(symbols, read_field(symbols, *value, section.path(key), allowed), X);
    if (!out.allFinite()) symbols.document().fail(value->place, fmt::format("{} is not finite everywhere", section.path(key)));
    return out;
  };
  Eigen::Map<Eigen::Matrix3Xd> x(q0.data() + solid.offset, 3, n), v(v0.data() + solid.offset, 3, n);
  x += values("displacement", true);
  v += values("velocity", true);
  if (!section.find("angular_velocity")) return;
  const Eigen::Vector3d spin = values("angular_velocity", false).col(0);
  Eigen::VectorXd m = model.mass.diagonal;  // or the sums of its rows
  if (model.mass.kind == system::MassMatrix::Kind::full) m = model.mass.full * Eigen::VectorXd::Ones(model.mass.full.cols());
  const Eigen::Map<const Eigen::Matrix3Xd> mass(m.data() + solid.offset, 3, n);
  const Eigen::Vector3d centre = x.cwiseProduct(mass).rowwise().sum() / mass.row(0).sum();
  for (long a = 0; a < n; ++a) v.col(a) += spin.cross(Eigen::Vector3d(x.col(a) - centre));
}

}  // namespace

void read_initial_solids(const Section* initial, const SymbolTable& symbols, const system::Model& model, Eigen::VectorXd& q0,
                         Eigen::VectorXd& v0) {
  for (const system::SolidBody& solid : model.solids)
    q0.segment(solid.offset, 3 * solid.mesh->points.cols()) = solid.mesh->points.reshaped();
  const Value* given = initial ? initial->find("solid") : nullptr;
  if (!given) return;
  const std::string path = initial->path("solid");
  if (model.solids.empty())
    initial->document().fail(initial->place_of("solid"), fmt::format("there is {}, but no solid", path),
                             "[system.solid] has its mesh");
  if (model.solids.size() == 1) return read_one(*given, path, symbols, model, model.solids.front(), q0, v0);
  std::vector<std::string> names;
  for (const auto& solid : model.solids) names.push_back(solid.name);
  const Section by_name(initial->document(), *given, path, names);
  for (const auto& solid : model.solids)
    if (const Value* one = by_name.find(solid.name)) read_one(*one, by_name.path(solid.name), symbols, model, solid, q0, v0);
}

// g = x - X - d(t): x becomes X + d, and its velocity -dg/dt.
void start_prescribed(const system::Model& model, long prescribed, double t, Eigen::VectorXd& q0, Eigen::VectorXd& v0) {
  const auto& constraints = model.penalised.empty() ? model.constraints : model.penalised;
  expr::CompileOptions options;
  options.compiler = "none";
  std::vector<double> uniforms{t};
  uniforms.insert(uniforms.end(), model.parameters.begin(), model.parameters.end());
  for (long k = 0; k < prescribed; ++k) {
    const system::Constraint& c = constraints[static_cast<std::size_t>(k)];
    expr::Graph g = c.graph;
    const std::vector<expr::Id> rate = expr::gradient(g, c.value, std::array{g.uniform(0)});
    const auto n = static_cast<std::size_t>(c.elements);
    std::vector<double> at(n), value(n), slope(n);
    for (std::size_t e = 0; e < n; ++e) at[e] = q0[c.dofs[e]];
    std::vector<const double*> columns{at.data()};
    for (const auto& column : c.data) columns.push_back(column.data());
    const std::array sources{expr::KernelSource{"driven", &g, {c.value, rate[0]}, true, static_cast<int>(columns.size()), 0}};
    const std::array<double*, 2> out{value.data(), slope.data()};
    expr::Module::build(sources, options).batch(0)(c.elements, uniforms.data(), columns.data(), out.data());
    for (std::size_t e = 0; e < n; ++e) {
      q0[c.dofs[e]] -= value[e];
      v0[c.dofs[e]] = -slope[e];
    }
  }
}

}  // namespace actio::io
