#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <actio/core/sum.hpp>
#include <actio/discrete/galerkin.hpp>
#include <actio/expr/operations.hpp>

#include "../../system/differentiate.hpp"
#include "../around.hpp"
#include "../lanes/system.hpp"
#include "follow.hpp"
#include "time_scale.hpp"

namespace actio::method {
namespace {

using Eigen::VectorXd;
using expr::Graph;
using expr::Id;

// K = s (T + V - H0), s = sigma(q)/sigma(q_ref), as the Lagrangian it has in dq/dtau = s v:
//
//   L = 1/2 u'Mu/s - s (V - H0)
//
// H0 and 1/sigma(q_ref) are two more coordinates, which never move: a state says what they are.
system::Model transformed(const system::Model& model, const StepControl& control) {
  const long n = model.size(), all = n + 2;
  system::Part V = system::minus_potential_of(model);
  system::Term sum{control.sum};
  const system::Part S = system::sum_of({sum}, model, false, false);
  Graph& g = V.graph;
  std::vector<Id> q, u, uniforms;
  for (long i = 0; i < n; ++i) q.push_back(g.column(static_cast<int>(i)));
  const Id H0 = g.column(static_cast<int>(n)), unit = g.column(static_cast<int>(n + 1));
  for (long i = 0; i < n; ++i) u.push_back(g.column(static_cast<int>(all + i)));
  for (std::size_t k = 0; k <= model.parameters.size() + model.signals.size(); ++k)
    uniforms.push_back(g.uniform(static_cast<int>(k)));
  const Id sigma = g.pow(expr::substitute(g, S.graph, S.values[0], q, uniforms), g.constant(control.power));
  const Id s = g.mul(unit, sigma);
  Id twice_T = g.constant(0);
  const auto add = [&](long i, long j, double m) {
    twice_T = g.add(twice_T, g.mul(g.constant(m), g.mul(u[static_cast<std::size_t>(i)], u[static_cast<std::size_t>(j)])));
  };
  if (model.mass.kind == system::MassMatrix::Kind::diagonal) {
    for (long i = 0; i < n; ++i) add(i, i, model.mass.diagonal[i]);
  } else {
    for (long j = 0; j < model.mass.full.outerSize(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator it(model.mass.full, j); it; ++it) add(it.row(), j, it.value());
  }
  const Id L = g.add(g.div(g.mul(g.constant(0.5), twice_T), s), g.mul(s, g.add(V.values[0], H0)));

  system::Model out;
  out.title = model.title;
  out.families = {{"q", all, 0, true}};
  out.parameter_names = model.parameter_names;
  out.parameters = model.parameters;
  out.fixed_dofs = model.fixed_dofs;
  out.fixed_dofs.push_back(static_cast<std::int32_t>(n));
  out.fixed_dofs.push_back(static_cast<std::int32_t>(n + 1));
  system::Term& term = out.terms.emplace_back();
  term.name = "transformed";
  term.lagrangian = term.velocities = true;
  term.value = L;
  term.graph = std::move(g);
  term.locals = all;
  for (long i = 0; i < all; ++i) term.dofs.push_back(static_cast<std::int32_t>(i));
  return out;
}

discrete::Galerkin rule_of(const Spec& spec) {
  if (const auto* gauss = std::get_if<Gauss>(&spec.choice)) return discrete::Galerkin::gauss(gauss->stages);
  if (const auto* lobatto = std::get_if<Lobatto>(&spec.choice)) return discrete::Galerkin::lobatto(lobatto->degree);
  return discrete::Galerkin::gauss(1);  // midpoint
}

// A step of the method on K, which for H0 = H and from a state with that energy is a step of the motion with time run through at
// dt = s dtau; the time by the method's own quadrature. Symplectic in (q, p) for each H0, and in (t, -H0) with it.
class PoincareSteps final : public IntegratorAround {
 public:
  PoincareSteps(const system::Model& model, const Spec& spec, TimeScale scale, std::unique_ptr<Integrator> steps)
      : IntegratorAround(std::move(steps)),
        scale_(std::move(scale)),
        rule_(rule_of(spec)),
        fixed_(model.fixed_dofs),
        n_(model.size()),
        x_(VectorXd::Zero(n_ + 2)),
        u_(VectorXd::Zero(n_ + 2)) {}
  PoincareSteps(const PoincareSteps&) = default;

  long size() const override { return n_; }
  std::span<const std::int32_t> fixed_dofs() const override { return fixed_; }
  SystemProperties properties() const override {
    SystemProperties out;
    out.linear = false;
    return out;
  }
  void applied(double, const VectorXd& q, const VectorXd&, VectorXd& F) override { F.setZero(q.size()); }
  double energy() const override {
    steps_->snapshot(inner_);
    return H0_ + steps_->energy() / ratio(inner_.q);
  }
  double energy_terms(double) const override { return 0; }
  bool curvature(std::span<const double> p, double& square, double& along) const override {
    return Integrator::curvature(p, square, along);
  }

  void start(double t, const VectorXd& q, const VectorXd& v) override {
    if (!known_) reference_at(q, [&] { take(t, q, ratio(q) * v); });
    take(t, q, ratio(q) * v);
  }
  void start_momentum(double t, const VectorXd& q, const VectorXd& p) override {
    const auto begin = [&] {
      x_ << q, H0_, 1 / reference_;
      u_ << p, 0, 0;
      steps_->start_momentum(0, x_, u_);
      t_ = {t, 0};
    };
    if (!known_) reference_at(q, begin);
    begin();
  }
  void set_reference() override {
    Snapshot s;
    snapshot(s);
    known_ = false;
    start_momentum(s.t, s.q, s.p);
  }

  void snapshot(Snapshot& out) const override {
    steps_->snapshot(inner_);
    out.t = t_.value();
    out.q = inner_.q.head(n_);
    out.p = inner_.p.head(n_);
    out.v = inner_.v.head(n_) / ratio(inner_.q);
  }
  void conjugate_coordinates(double h, VectorXd& x, VectorXd& p) const override {
    steps_->conjugate_coordinates(h, x, p);
    x.conservativeResize(n_);
    p.conservativeResize(n_);
  }

  BatchReport advance(long steps, double h, const BatchOptions& how) override {
    BatchReport all;
    all.work = how.work;
    VectorXd Q(n_);
    for (long k = 0; k < steps && !(t_.value() >= how.until); ++k) {
      steps_->snapshot(inner_);
      before_.q = inner_.q.head(n_);
      before_.h = h;
      const BatchReport one = steps_->advance(1, h, {{}, measured(how, k, steps, t_.value() + 2 * h * ratio(inner_.q))});
      all.count(one);
      if (!one.ok) return failed(all, one.what, one.failed_residual);
      before_.stages = steps_->path(nodes_, W_);
      if (!before_.stages) {  // midpoint
        steps_->snapshot(inner_);
        W_ = (inner_.q.head(n_) - before_.q) / h;
      }
      double took = 0;
      for (std::size_t i = 0; i < rule_.nodes.size(); ++i) {
        Q = before_.q;
        for (Eigen::Index j = 0; j < W_.cols(); ++j) Q += h * rule_.A[i][static_cast<std::size_t>(j)] * W_.col(j).head(n_);
        const double s = ratio(Q);
        if (!(s > 0) || !std::isfinite(s))
          return failed(all, fmt::format("sigma has become {:.6g}; it must be positive and finite", s * reference_));
        took += h * rule_.weights[i] * s;
      }
      if (t_.value() + took == t_.value()) return failed(all, "sigma has become so small that a step does not change the time");
      t_.add(took);
      before_.took = took;
      all.took(took);
      ++all.steps;
    }
    return all;
  }

  double physical_step(const Snapshot& s, double h) const override { return known_ ? h * ratio(s.q) : h; }
  bool scale_changes_along(double t, const VectorXd& q, const VectorXd& xi) const override {
    return scale_.change_along(t, q, xi) > 1e-9;
  }
  // Velocities at times of which the path in the fictitious time says where they are: dt = s(q(c)) h dc.
  bool path(std::vector<double>& nodes, Eigen::MatrixXd& W) const override {
    if (!before_.stages) return false;
    static const discrete::Galerkin at = discrete::Galerkin::gauss(discrete::Galerkin::most);
    nodes = at.path_nodes;
    W.resize(n_, static_cast<Eigen::Index>(nodes.size()));
    VectorXd q(n_), w(n_);
    double c = 0, t = 0;  // of the node before
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const double aim = nodes[k] * before_.took;
      double next = std::max(c, nodes[k]), spent = 0;
      for (int again = 0; again < 8; ++again) {  // Newton's method, from the node before by a quadrature
        spent = 0;
        for (std::size_t i = 0; i < at.nodes.size(); ++i) {
          stage_path(c + at.nodes[i] * (next - c), q, w);
          spent += at.weights[i] * (next - c) * before_.h * ratio(q);
        }
        stage_path(next, q, w);
        const double step = (aim - t - spent) / (before_.h * ratio(q));
        next += step;
        if (!(std::abs(step) > 1e-15)) break;
      }
      stage_path(next, q, w);
      W.col(static_cast<Eigen::Index>(k)) = w / ratio(q);
      t = aim;
      c = next;
    }
    return W.allFinite();
  }
  std::unique_ptr<Integrator> clone() const override { return std::make_unique<PoincareSteps>(*this); }
  void archive(core::Archive& a) override {
    steps_->archive(a);
    a(t_.high, t_.low, H0_, reference_, known_);
    if (a.reading()) before_.stages = false;
  }

 private:
  // Where the last step was after c of its fictitious time, and dq/dtau there.
  void stage_path(double c, VectorXd& q, VectorXd& w) const {
    q = before_.q;
    w.setZero(n_);
    for (int j = 0; j < rule_.degree; ++j) {
      double integral = 0;
      for (int i = 0; i < rule_.degree; ++i)
        integral +=
            c * rule_.beta[static_cast<std::size_t>(i)] * rule_.basis(j, c * rule_.path_nodes[static_cast<std::size_t>(i)]);
      q += before_.h * integral * W_.col(j).head(n_);
      w += rule_.basis(j, c) * W_.col(j).head(n_);
    }
  }
  // s(q)
  double ratio(const VectorXd& q) const { return scale_.sigma(0, q.head(n_)) / reference_; }
  // The state that `begin` starts becomes the one whose energy is H0, where a step of h begins as h long.
  template <class Begin>
  void reference_at(const VectorXd& q, Begin&& begin) {
    H0_ = 0;
    reference_ = 1;
    reference_ = scale_.sigma(0, q);
    check_sigma(reference_);
    known_ = true;
    begin();
    H0_ = energy();
  }
  void take(double t, const VectorXd& q, const VectorXd& u) {
    x_ << q, H0_, 1 / reference_;
    u_ << u, 0, 0;
    steps_->start(0, x_, u_);
    t_ = {t, 0};
  }

  mutable TimeScale scale_;
  discrete::Galerkin rule_;
  std::vector<std::int32_t> fixed_;
  long n_;
  double H0_ = 0, reference_ = 1;
  bool known_ = false;  // these are of a state
  core::Sum t_;
  std::vector<double> nodes_;
  Eigen::MatrixXd W_;
  struct {
    VectorXd q;
    double h = 0, took = 0;  // in the fictitious time, and in time [s]
    bool stages = false;     // W_ are those of a path of the method
  } before_;                 // the last step
  VectorXd x_, u_;
  mutable Snapshot inner_;
};

}  // namespace

std::unique_ptr<Integrator> poincare_steps(const system::Model& model, const Spec& spec, const BuildOptions& options) {
  const Spec inner = without_control(spec);
  return std::make_unique<PoincareSteps>(model, spec, TimeScale(model, *spec.control, options.compile),
                                         make_integrator(transformed(model, *spec.control), inner, options));
}

}  // namespace actio::method
