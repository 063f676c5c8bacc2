#pragma once
#include <array>
#include <vector>

#include <actio/expr/kernel.hpp>
#include <actio/io/problem.hpp>

// Energies and generators of a model by the interpreter, element after element: slow, and independent of how runs evaluate.
namespace actio::io::test {

// Straight lines between the samples, 0 outside.
inline double at(const system::Signal& signal, double t) {
  if (t < signal.t.front() || t > signal.t.back()) return 0;
  std::size_t k = 1;
  while (k + 1 < signal.t.size() && signal.t[k] < t) ++k;
  if (signal.t.size() == 1) return signal.value[0];
  const double s = (t - signal.t[k - 1]) / (signal.t[k] - signal.t[k - 1]);
  return (1 - s) * signal.value[k - 1] + s * signal.value[k];
}

// The value at element e, from positions, velocities and accelerations (as many as are given), then data.
inline double at_element(const system::ElementFunction& f, const std::vector<const Eigen::VectorXd*>& state, long e,
                         const std::vector<double>& uniforms) {
  std::vector<double> x;
  for (const Eigen::VectorXd* y : state)
    for (long l = 0; l < f.locals; ++l) x.push_back((*y)[f.dof(l, e)]);
  for (std::size_t k = 0; k < f.data.size(); ++k) x.push_back(f.datum(k, e));
  std::vector<const double*> columns;
  for (const double& number : x) columns.push_back(&number);
  const std::array sources{expr::KernelSource{"value", &f.graph, {f.value}, true, static_cast<int>(x.size()), 0}};
  expr::CompileOptions options;
  options.compiler = "none";
  double out = 0;
  double* y = &out;
  const expr::Module module = expr::Module::build(sources, options);
  module.batch(0)(1, uniforms.data(), columns.data(), &y);
  return out;
}

inline std::vector<double> uniforms_of(const system::Model& model, double t) {
  std::vector<double> uniforms{t};
  uniforms.insert(uniforms.end(), model.parameters.begin(), model.parameters.end());
  for (const system::Signal& signal : model.signals) uniforms.push_back(at(signal, t));
  return uniforms;
}

// sum over e of a term's value
inline double value_of(const system::Model& model, const system::Term& term, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                       double t = 0) {
  double sum = 0;
  for (long e = 0; e < term.elements; ++e)
    sum += at_element(term, term.velocities ? std::vector{&q, &v} : std::vector{&q}, e, uniforms_of(model, t));
  return sum;
}

// E = 1/2 v'Mv + V + sum of v . dL/dv - L [J]
inline double energy(const system::Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v, double t = 0) {
  double sum = 0;
  if (model.mass.kind == system::MassMatrix::Kind::diagonal) sum += 0.5 * v.dot(model.mass.diagonal.cwiseProduct(v));
  if (model.mass.kind == system::MassMatrix::Kind::full) sum += 0.5 * v.dot(model.mass.full * v);
  if (model.stiffness.size() > 0) sum += 0.5 * q.dot(model.stiffness * q);
  for (const system::Term& term : model.terms) {
    if (!term.lagrangian) {
      sum += value_of(model, term, q, v, t);
      continue;
    }
    system::Term legendre = term;  // v . dL/dv - L as one expression
    std::vector<expr::Id> velocities;
    for (long l = 0; l < term.locals; ++l) velocities.push_back(legendre.graph.column(static_cast<int>(term.locals + l)));
    const std::vector<expr::Id> p = expr::gradient(legendre.graph, term.value, velocities);
    legendre.value = legendre.graph.neg(term.value);
    for (std::size_t l = 0; l < p.size(); ++l)
      legendre.value = legendre.graph.add(legendre.value, legendre.graph.mul(velocities[l], p[l]));
    sum += value_of(model, legendre, q, v, t);
  }
  return sum;
}

// F(t, q, v) [N] (n)
inline Eigen::VectorXd force(const system::Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v, double t) {
  Eigen::VectorXd f = Eigen::VectorXd::Zero(model.size());
  for (const system::Force& part : model.forces)
    for (long e = 0; e < part.elements; ++e)
      f[part.rows[static_cast<std::size_t>(e)]] += at_element(part, {&q, &v}, e, uniforms_of(model, t));
  return f;
}

// f(a, v, q, t) (n)
inline Eigen::VectorXd balance(const system::Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                               const Eigen::VectorXd& a, double t) {
  Eigen::VectorXd r = Eigen::VectorXd::Zero(model.size());
  for (const system::Equation& part : model.equations)
    for (long e = 0; e < part.elements; ++e)
      r[part.rows[static_cast<std::size_t>(e)]] += at_element(part, {&q, &v, &a}, e, uniforms_of(model, t));
  return r;
}

// phi(t, q, v) [W]
inline double dissipation(const system::Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v, double t = 0) {
  double sum = model.damping.size() > 0 ? 0.5 * v.dot(model.damping * v) : 0;
  for (const system::Term& term : model.dissipation) sum += value_of(model, term, q, v, t);
  return sum;
}

// xi(q)
inline Eigen::VectorXd generator(const system::Model& model, const system::Symmetry& symmetry, const Eigen::VectorXd& q) {
  Eigen::VectorXd xi = Eigen::VectorXd::Zero(model.size());
  for (const system::GeneratorBlock& block : symmetry.blocks)
    for (long e = 0; e < block.elements; ++e)
      xi[block.rows[static_cast<std::size_t>(e)]] = at_element(block, {&q}, e, uniforms_of(model, 0));
  return xi;
}

inline Eigen::VectorXd vector(std::initializer_list<double> entries) {
  Eigen::VectorXd out(static_cast<long>(entries.size()));
  std::copy(entries.begin(), entries.end(), out.data());
  return out;
}

}  // namespace actio::io::test
