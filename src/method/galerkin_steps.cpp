#include <actio/method/galerkin_steps.hpp>
#include <actio/system/callbacks.hpp>
#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "../expr/compiled_text.hpp"
#include "../expr/emit.hpp"
#include "../expr/program.hpp"
#include "../expr/statement.hpp"
#include "../system/differentiate.hpp"
#include "lanes/angles.hpp"
#include "lanes/factor_text.hpp"
#include "lanes/system.hpp"

namespace actio::method {
namespace {

using expr::Graph;
using expr::Id;

constexpr long most_coordinates = 24, most_with_velocities = 8;

// L and its derivatives over the system's own coordinates: columns q, then v.
struct Derivatives {
  Graph graph;
  std::vector<Id> f, p;  // L_q + F; L_v, empty where it is M v
  std::vector<Id> M;     // L_vv, the lower triangle by rows
};

Derivatives derivatives_of(const system::Model& model) {
  const long n = model.size();
  Derivatives out;
  if (!lagrangian_needs_velocity(model)) {
    lanes::Forces forces = lanes::forces_of(model, false);
    out.graph = std::move(forces.graph);
    out.f = std::move(forces.f);
    return out;
  }
  system::Part L = system::sum_of(model.terms, model, true, true);
  Graph& g = L.graph;
  std::vector<Id> q, v;
  for (long i = 0; i < n; ++i) q.push_back(g.column(static_cast<int>(i)));
  for (long i = 0; i < n; ++i) v.push_back(g.column(static_cast<int>(n + i)));
  Id value = L.values[0];
  const auto add = [&](double share, Id a, Id b) { value = g.add(value, g.mul(g.constant(share), g.mul(a, b))); };
  const auto at = [](const std::vector<Id>& x, long i) { return x[static_cast<std::size_t>(i)]; };
  if (model.mass.kind == system::MassMatrix::Kind::diagonal)
    for (long i = 0; i < n; ++i) add(0.5 * model.mass.diagonal[i], at(v, i), at(v, i));
  if (model.mass.kind == system::MassMatrix::Kind::full)
    for (long j = 0; j < n; ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator it(model.mass.full, j); it; ++it)
        add(0.5 * it.value(), at(v, it.row()), at(v, j));
  for (long j = 0; j < model.stiffness.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator it(model.stiffness, j); it; ++it)
      add(-0.5 * it.value(), at(q, it.row()), at(q, j));
  out.f = expr::gradient(g, value, q);
  out.p = expr::gradient(g, value, v);
  out.M = expr::hessian(g, value, v);
  out.graph = std::move(g);
  return out;
}

// Of stages side by side, as many as the widest vectors have: padded with copies of the last one. Compilers leave loops over four
// scalar.
long lanes_of(long stages) { return stages <= 1 ? 1 : 8; }

class Text {
 public:
  template <class... A>
  void line(fmt::format_string<A...> format, A&&... a) {
    add(format, fmt::make_format_args(a...));
  }
  Text(const system::Model& model, const discrete::Galerkin& rule)
      : model_(model), rule_(rule), of_(derivatives_of(model)), n_(model.size()), m_(rule.degree), lanes_(lanes_of(m_)) {
    std::vector<bool> fixed(static_cast<std::size_t>(n_), false);
    for (const std::int32_t i : model.fixed_dofs) fixed[static_cast<std::size_t>(i)] = true;
    for (long i = 0; i < n_; ++i)
      if (!fixed[static_cast<std::size_t>(i)]) free_.push_back(i);
    for (long i = 0; i < n_; ++i) names_.columns.push_back(fmt::format("q{}", i));
    for (long i = 0; i < n_; ++i) names_.columns.push_back(fmt::format("v{}", i));
    names_.uniforms.emplace_back("t");
    for (std::size_t k = 0; k < model.parameters.size(); ++k) names_.uniforms.push_back(fmt::format("u[{}]", k + 1));
  }

  std::string operator()() {
    tables();
    line("long galerkin_step(double t0, double h, const double *restrict predict, const double *restrict u, double *restrict q,");
    line("                   double *restrict p, double *restrict q_low, double *restrict p_low, double *restrict mean,");
    line("                   double *restrict W) {{");
    for (const long i : free_) line("double w{0}[{1}], f{0}[{1}], p{0}[{1}];", i, lanes_);
    if (!of_.M.empty()) pairs([&](long k) { line("double m{}[{}];", k, lanes_); });
    line("double changes[{0}], sizes[{0}];", lanes_);
    const Evaluation evaluation(*this, true);
    const bool angles = !evaluation.angles.empty();
    if (angles) text_ += evaluation.angles.arrays(lanes_);
    line("double floor = 0, last = 0, slowest = 0;");
    for (const long i : free_) line("floor += q[{0}] * q[{0}];", i);
    line("floor *= 256 * 0x1p-104 * {} / (h * h);", m_);
    loop();
    for (const long i : free_) line("w{}[l] = {};", i, sum("predict[{0} + l]", "W[{1}]", i));
    line("}}");
    line("long it = 1, done = 0;");
    if (angles) line("long near = 0;");
    line("for (; it <= 60 && !done; ++it) {{");
    if (angles) {
      line("if (near) {{");
      evaluate(evaluation, Sines::near);
      line("}} else {{");
      evaluate(evaluation, Sines::kept);
      line("}}");
    } else {
      evaluate(evaluation, Sines::called);
    }
    increments();
    // squares: of the increment, and of w
    line("const double d = {}, z = {};", total("changes"), total("sizes"));
    line("if (!(d < __builtin_inf()) || !(z < __builtin_inf())) return 0;");
    if (angles) {
      line("const double turned = near ? {} : 0;", total("moved"));
      line("near = h * h * d < {0} && turned < {0};", lanes::Angles::nearest);
      line("if (turned < {}) {{", lanes::Angles::nearest);
    }
    line("if (d == 0) done = 1;");
    line("else if (it > 1 && last <= z && (d <= 0x1p-62 * z || d <= floor)) {{");
    line("const double x = __builtin_sqrt(d), of = __builtin_sqrt(last);");
    line("if (x < of && d <= 0x1p-62 * (of - x) * __builtin_sqrt(z)) done = 1;");  // theta/(1 - theta) of it is left
    line("else if ((d > 0.49 * last || (it > 2 && d > 0.0625 * last && d > 2.25 * slowest * last)) &&");
    line("         (d <= 0x1p-98 * z || d <= floor)) done = 1;");
    line("}}");
    if (angles) line("}}");
    line(
        "if (!done && it > 1 && last <= z && (d > 1e6 * last || (it > 8 && d > 0.25 * last && d > 0x1p-98 * z && d > floor))) "
        "return 0;");
    line("if (it > 1 && d > slowest * last) slowest = d / last;");
    line("last = d;");
    line("if (done && d > 0x1p-104 * z) done = 2;");
    line("}}");
    line("if (!done) return 0;");
    if (!of_.p.empty()) {  // else the W_j are made of these forces
      line("if (done == 2) {{");
      evaluate(Evaluation(*this, false), Sines::called);
      line("}}");
    }
    for (long i = 0; i < n_; ++i) line("mean[{}] = 0;", i);
    for (const long i : free_) {
      line("{{ double rate = 0, slope = 0;");
      for (long k = 0; k < m_; ++k)
        line("rate += {0} * f{1}[{2}]; slope += {0} * w{1}[{2}];", number(rule_.weights[static_cast<std::size_t>(k)]), i, k);
      line("mean[{}] = slope;", i);
      compensated("p", "rate", i);
      compensated("q", "slope", i);
      for (long j = 0; j < m_; ++j) line("W[{}] = w{}[{}];", i * lanes_ + j, i, j);
      line("}}");
    }
    line("return it - 1;");
    line("}}");
    return std::move(text_);
  }

 private:
  void add(fmt::string_view format, fmt::format_args arguments) {
    fmt::vformat_to(std::back_inserter(text_), format, arguments);
    text_ += '\n';
  }
  static std::string number(double x) { return fmt::format("{:a}", x); }
  void loop() {
    line("ACTIO_INDEPENDENT");
    line("for (int l = 0; l < {}; ++l) {{", lanes_);
  }
  // The terms of a product with a table, by rows of lanes; `other` is of coordinate i at stage j.
  std::string sum(const char* table, const char* other, long i) const {
    std::string out;
    for (long j = 0; j < m_; ++j)
      out += fmt::format("{}{} * {}", j == 0 ? "" : " + ", fmt::format(fmt::runtime(table), j * lanes_, i, j),
                         fmt::format(fmt::runtime(other), i, i * lanes_ + j, j));
    return out;
  }
  void tables() {
    const auto table = [&](const char* name, auto&& entry) {
      std::string values;
      for (long j = 0; j < m_; ++j)
        for (long l = 0; l < lanes_; ++l)
          values += number(entry(static_cast<std::size_t>(j), static_cast<std::size_t>(std::min(l, m_ - 1)))) + ", ";
      line("static const double {}[] = {{{}}};", name, values);
    };
    table("in_path", [&](std::size_t j, std::size_t l) { return rule_.A[l][j]; });
    table("in_force", [&](std::size_t k, std::size_t l) { return rule_.Abar[l][k]; });
    std::string nodes;
    for (long l = 0; l < lanes_; ++l) nodes += number(rule_.nodes[static_cast<std::size_t>(std::min(l, m_ - 1))]) + ", ";
    line("static const double nodes[] = {{{}}};", nodes);
  }
  // The sum over the stages of what a lane holds of each, by pairs.
  std::string total(const char* array) const {
    std::vector<std::string> parts;
    for (long l = 0; l < m_; ++l) parts.push_back(fmt::format("{}[{}]", array, l));
    for (; parts.size() > 1; parts.resize((parts.size() + 1) / 2))
      for (std::size_t k = 0; 2 * k < parts.size(); ++k)
        parts[k] = 2 * k + 1 < parts.size() ? fmt::format("({} + {})", parts[2 * k], parts[2 * k + 1]) : parts[2 * k];
    return parts[0];
  }
  // f, and p and M of L, at a stage.
  struct Evaluation {
    std::vector<std::string> names;
    bool momenta;
    expr::Program program;
    expr::Statements statements;
    lanes::Angles angles;
    Evaluation(const Text& text, bool with_momenta)
        : momenta(with_momenta && !text.of_.p.empty()),
          program(lowered(text)),
          statements(program, text.names_),
          angles(program, statements) {}
    Evaluation(const Evaluation&) = delete;

   private:
    expr::Program lowered(const Text& text) {
      std::vector<Id> outputs;
      const auto put = [&](const char* letter, const std::vector<Id>& from, long k) {
        names.push_back(fmt::format("{}{}", letter, k));
        outputs.push_back(from[static_cast<std::size_t>(k)]);
      };
      for (const long i : text.free_) put("a", text.of_.f, i);
      if (momenta) {
        for (const long i : text.free_) put("b", text.of_.p, i);
        text.pairs([&](long k) { put("c", text.of_.M, k); });
      }
      return expr::lower(text.of_.graph, outputs);
    }
  };
  enum class Sines : char { called, kept, near };  // by calls; by calls, for a series about them; by that series
  // At all stages.
  void evaluate(const Evaluation& of, Sines sines) {
    loop();
    line("const double t = t0 + nodes[l] * h; (void)t;");
    for (long i = 0; i < n_; ++i)
      if (std::ranges::find(free_, i) == free_.end()) {
        line("const double q{0} = q[{0}], v{0} = 0; (void)q{0}; (void)v{0};", i);
      } else {
        line("const double q{0} = q[{0}] + h * ({1}); (void)q{0};", i, sum("in_path[{0} + l]", "w{0}[{2}]", i));
        line("const double v{0} = w{0}[l]; (void)v{0};", i);
      }
    for (const std::string& name : of.names) line("double {};", name);
    line("{{");
    for (Id i = 0; i < static_cast<Id>(of.program.code.size()); ++i) {
      text_ += sines == Sines::called ? of.statements.definition(i)
               : sines == Sines::kept ? of.angles.exact(i)
                                      : of.angles.near(i);
      if (sines == Sines::kept) text_ += of.angles.keep(i);
      if (sines == Sines::near) text_ += of.angles.turn(i);
    }
    if (sines == Sines::near) line("moved[l] = {};", of.angles.moved());
    for (std::size_t k = 0; k < of.names.size(); ++k) line("{} = {};", of.names[k], of.statements.number(of.program.outputs[k]));
    line("}}");
    for (const long i : free_) line("f{0}[l] = a{0};", i);
    if (of.momenta) {
      for (const long i : free_) line("p{0}[l] = b{0};", i);
      pairs([&](long k) { line("m{0}[l] = c{0};", k); });
    }
    line("}}");
  }
  // w -= L_vv^-1 (L_v - p - h Abar f)
  void increments() {
    loop();
    const long free = static_cast<long>(free_.size());
    const auto at = [&](long k) { return free_[static_cast<std::size_t>(k)]; };
    for (long k = 0; k < free; ++k) {
      const long i = at(k);
      const std::string impulse = fmt::format("p[{}] + h * ({})", i, sum("in_force[{0} + l]", "f{0}[{2}]", i));
      if (of_.p.empty())
        line("const double d{0} = w{1}[l] - ({2}){3};", k, i, impulse, over_mass(i));
      else
        line("const double r{0} = p{1}[l] - ({2});", k, i, impulse);
    }
    if (!of_.p.empty()) solve();
    std::string change, size;
    for (long k = 0; k < free; ++k) {
      line("w{0}[l] -= d{1};", at(k), k);
      change += fmt::format("{}d{} * d{}", k == 0 ? "" : " + ", k, k);
      size += fmt::format("{}w{}[l] * w{}[l]", k == 0 ? "" : " + ", at(k), at(k));
    }
    line("changes[l] = {}; sizes[l] = {};", change, size);
    line("}}");
  }
  // f(place of L_vv among those of all coordinates), of those that move
  template <class F>
  void pairs(F&& f) const {
    for (const long i : free_)
      for (const long j : free_)
        if (j <= i) f(i * (i + 1) / 2 + j);
  }
  // M d = r, of those that move
  void solve() {
    const long free = static_cast<long>(free_.size());
    lanes::FactorText<Text> K(*this, free);
    for (long k = 0; k < free; ++k) line("double d{};", k);
    line("{{");
    for (long k = 0; k < free; ++k)
      for (long j = 0; j <= k; ++j) {
        const long row = free_[static_cast<std::size_t>(k)], column = free_[static_cast<std::size_t>(j)];
        K.mark(k, j);
        line("double k{}_{} = m{}[l];", k, j, row * (row + 1) / 2 + column);
      }
    K.factor();
    K.solve();
    line("}}");
  }
  std::string over_mass(long i) const {
    if (model_.mass.diagonal[i] == 1) return "";
    return fmt::format(" * u[{}]", 1 + model_.parameters.size() + static_cast<std::size_t>(n_ + i));
  }
  // x += h rate, with what rounding takes in x_low (Knuth's exact sum of two)
  void compensated(const char* x, const char* rate, long i) {
    line("{{ const double low = {0}_low[{1}] + h * {2}, old = {0}[{1}], total = old + low, part = total - old;", x, i, rate);
    line("{0}_low[{1}] = (low - part) - ((total - part) - old); {0}[{1}] = total; }}", x, i);
  }

  const system::Model& model_;
  const discrete::Galerkin& rule_;
  Derivatives of_;
  long n_, m_, lanes_;
  std::vector<long> free_;  // coordinates that are not fixed
  expr::LeafNames names_;
  std::string text_;
};

bool takes(const system::Model& model) {
  if (!model.equations.empty() || !model.constraints.empty() || !model.penalised.empty() || !model.bodies.empty() ||
      !model.solids.empty() || model.callbacks || !model.library.empty() || !model.signals.empty() ||
      !model.dissipation.empty() || model.damping.nonZeros() > 0)
    return false;
  const long free = model.size() - static_cast<long>(model.fixed_dofs.size());
  const bool velocities = lagrangian_needs_velocity(model);
  if (velocities ? !model.forces.empty() || free > most_with_velocities
                 : model.mass.kind != system::MassMatrix::Kind::diagonal || force_needs_velocity(model) ||
                       model.size() > most_coordinates)
    return false;
  if (free == 0) return false;
  bool interpolated = false;
  system::for_each_function(model, [&](const auto& function) {
    if constexpr (requires { function.interpolation; }) interpolated = interpolated || function.interpolation;
  });
  return !interpolated && lanes::operations(model) <= lanes::most_operations;
}

}  // namespace

std::string GalerkinSteps::text(const system::Model& model, const discrete::Galerkin& rule, bool vector_functions) {
  return expr::declarations(vector_functions, true) + Text(model, rule)();
}

std::optional<GalerkinSteps> GalerkinSteps::make(const system::Model& model, const discrete::Galerkin& rule,
                                                 const expr::CompileOptions& options) {
  if (!rule.collocated || !takes(model)) return {};
  auto code =
      std::make_shared<expr::CompiledText>(expr::CompiledText::build(text(model, rule, options.vector_functions), options));
  GalerkinSteps out;
  out.step_ = reinterpret_cast<Step>(code->symbol("galerkin_step"));
  if (out.step_ == nullptr) return {};
  out.code_ = std::move(code);
  out.rule_ = rule;
  out.lanes_ = lanes_of(rule.degree);
  out.uniforms_ = lanes::uniforms_of(model);
  out.W_.resize(static_cast<std::size_t>(model.size() * out.lanes_));
  out.predict_.resize(static_cast<std::size_t>(rule.degree * out.lanes_));
  return out;
}

bool GalerkinSteps::step(double t, double h, double h_last, const State& state, int& iterations) const {
  const double ratio = h / h_last;
  if (ratio != ratio_) {
    for (long j = 0; j < rule_.degree; ++j)
      for (long l = 0; l < lanes_; ++l)
        predict_[static_cast<std::size_t>(j * lanes_ + l)] = rule_.basis(
            static_cast<int>(j), 1 + rule_.path_nodes[static_cast<std::size_t>(std::min<long>(l, rule_.degree - 1))] * ratio);
    ratio_ = ratio;
  }
  const long took =
      step_(t, h, predict_.data(), uniforms_.data(), state.q, state.p, state.q_low, state.p_low, state.mean, W_.data());
  iterations = static_cast<int>(took);
  return took > 0;
}

}  // namespace actio::method
