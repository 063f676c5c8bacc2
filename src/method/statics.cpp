#include <fmt/format.h>

#include <actio/algebra/sparse.hpp>
#include <actio/core/error.hpp>
#include <actio/method/statics.hpp>
#include <actio/system/assembled.hpp>
#include <actio/system/solid.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace actio::method {
namespace {

using Eigen::VectorXd;
using Space = algebra::SparseSpace;

constexpr double least_step = 1.0 / 1024;  // of the load
constexpr int most_iterations = 25;

[[noreturn]] void none(const std::string& why) {
  throw core::InputError(fmt::format("no static start: {}", why), "without initial.static the start is where [initial] puts it");
}

void need_statics(const system::Model& model) {
  if (!model.equations.empty()) none("there are equations in place of a Lagrangian");
  if (!model.bodies.empty()) none("there are rigid bodies");
  if (model.mass.kind == system::MassMatrix::Kind::none ||
      std::any_of(model.terms.begin(), model.terms.end(), [](const auto& term) { return term.velocities; }))
    none("the Lagrangian is not 1/2 v'Mv - V(q)");
  for (const system::Constraint& c : model.constraints)
    if (static_cast<long>(c.dofs.size()) != c.elements) none("there are constraints between coordinates");
}

// What constraints of one coordinate give is fixed.
system::Model held(system::Model model) {
  for (const system::Constraint& c : model.constraints) model.fixed.insert(model.fixed.end(), c.dofs.begin(), c.dofs.end());
  model.constraints.clear();
  std::sort(model.fixed.begin(), model.fixed.end());
  model.fixed.erase(std::unique(model.fixed.begin(), model.fixed.end()), model.fixed.end());
  model.symmetries.clear();
  return model;
}

// How far nodes that are given have gone from a mesh at rest: d (n), zero for others. Empty where the others are not at rest, as
// the start follows them then.
VectorXd driven_by(const system::Model& model, const VectorXd& q0) {
  const VectorXd rest = system::rest_of(model);
  if (rest.size() != q0.size()) return {};
  VectorXd others = q0 - rest, d = VectorXd::Zero(q0.size());
  for (const system::Constraint& c : model.constraints)
    for (const std::int32_t i : c.dofs) d[i] = std::exchange(others[i], 0.0);
  return others.isZero(0) && !d.isZero(0) ? d : VectorXd();
}

class Solve {
 public:
  Solve(const system::Model& model, double t, const VectorXd& q0, VectorXd driven, const expr::CompileOptions& options)
      : model_(model),
        compiled_(system::compile(model, options, false)),
        system_(compiled_, system::layout<Space>(*compiled_, system::Entries::all)),
        K_(system_.space().matrix()),
        solver_(system_.space().solver()),
        rest_(VectorXd::Zero(q0.size())),
        t_(t),
        start_(q0),
        driven_(std::move(driven)) {}

  Statics operator()() {
    Statics out{start_};
    if (driven_.size() > 0) out.q -= driven_;
    VectorXd r0;
    residual(out.q, r0);
    if (!r0.allFinite()) none("the forces at [initial] are not finite");
    forces_ = r0.norm() + (driven_.size() > 0 ? drag(out.q, r0).norm() : 0);
    if (forces_ == 0) return out;
    VectorXd good = out.q;
    double s = 0, step = 1;
    while (s < 1) {
      const double next = std::min(1.0, s + step);
      if (drive(next - s, next, out.q) && newton((1 - next) * r0, next == 1 ? 1e-10 : 1e-4, out)) {
        good = out.q;
        s = next;
        ++out.load_steps;
        inside_out_.clear();
        step *= 2;
        continue;
      }
      out.q = good;
      step /= 2;
      if (step < least_step)
        throw core::InputError(
            fmt::format("no static start: Newton's method finds no equilibrium beyond {:.3g} % of the forces at the start{}{}",
                        100 * s, inside_out_.empty() ? "" : "; of one it does find ", inside_out_),
            free_ ? "the stiffness is singular: something moves freely; hold more of it"
            : driven_.size() == 0
                ? "the structure may buckle or tear there: lower the loads, or start nearer"
                : "the structure may buckle or tear there: lower the loads, drive it less far, or start nearer");
    }
    out.moved = (out.q - start_).cwiseAbs().maxCoeff();
    return out;
  }

 private:
  // r and, in K_, dr/dq
  void residual(const VectorXd& q, VectorXd& r) {
    r.resize(q.size());
    system_.stiffness(t_, q, 0, 1, r, K_);
    if (system_.forced()) {
      force_.resize(q.size());
      system_.applied_tangent(t_, q, rest_, -1, 0, force_, K_);
      r += force_;
    }
    r = -r;
  }

  // K_fd d at q, by a difference of r; K_ is that at q thereafter.
  VectorXd drag(const VectorXd& q, const VectorXd& r) {
    const double small = 1e-7 * q.lpNorm<Eigen::Infinity>() / driven_.lpNorm<Eigen::Infinity>();
    VectorXd moved;
    residual(q + small * driven_, moved);
    const VectorXd out = (moved - r) / small;
    residual(q, moved);
    return out;
  }

  // Driven places go on by `part` of their way, and the others as they would on a stiffness that stays: -K_ff^-1 K_fd d.
  bool drive(double part, double to, VectorXd& q) {
    if (driven_.size() == 0) return true;
    VectorXd r, dq(q.size());
    residual(q, r);
    const VectorXd f = drag(q, r);
    if (!f.allFinite() || !solver_.factor(K_)) {
      free_ = f.allFinite();
      return false;
    }
    solver_.solve(f, dq);
    if (!dq.allFinite() || singular() || far(dq)) return false;
    q += part * (driven_ - dq);
    if (to == 1)
      for (const std::int32_t i : compiled_->fixed) q[i] = start_[i];
    residual(q, r);
    return r.allFinite();
  }

  // r(q) = goal, until an increment is `close` of the way from the start, or round-off.
  bool newton(const VectorXd& goal, double close, Statics& out) {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    VectorXd r, dq(out.q.size()), trial;
    residual(out.q, r);
    for (int k = 0; k < most_iterations; ++k) {
      ++out.iterations;
      r -= goal;
      if (r.norm() == 0) return true;
      if (!solver_.factor(K_)) {
        free_ = true;
        return false;
      }
      solver_.solve(r, dq);
      if (!dq.allFinite() || singular() || far(dq)) return false;
      double part = 1;
      for (trial = out.q - dq, residual(trial, r); !r.allFinite(); residual(trial, r)) {  // an element inside out
        if ((part /= 2) < least_step) return false;
        trial = out.q - part * dq;
      }
      out.q = trial;
      const double moved = part * dq.norm();
      const bool balanced = (r - goal).norm() <= 1e-3 * forces_;
      if (part < 1 || !(moved <= 64 * eps * start_.norm() || (balanced && moved <= close * (out.q - start_).norm()))) continue;
      const std::string inside_out =
          system::inside_out(model_, out.q);  // an energy that is finite there has equilibria of no body
      if (inside_out.empty()) return true;
      inside_out_ = inside_out;
      return false;
    }
    return false;
  }

  // Where no pivots tell: away by many times its places.
  bool far(const VectorXd& dq) {
    const double size = start_.norm();
    if (size == 0 || dq.norm() < 1e8 * size) return false;
    return free_ = true;
  }

  bool singular() {
    if (!system_.space().symmetric || std::string_view(solver_.method()) == "L U") return false;
    solver_.pivots(pivots_);
    pivots_ = pivots_.cwiseAbs();
    for (const std::int32_t i : compiled_->fixed) pivots_[i] = 0;
    const double most = pivots_.maxCoeff();
    for (const std::int32_t i : compiled_->fixed) pivots_[i] = most;
    const double least = pivots_.minCoeff();
    free_ = !(least > 1e-13 * most);
    return free_;
  }

  const system::Model& model_;
  std::shared_ptr<const system::CompiledModel> compiled_;
  system::Assembled<Space> system_;
  algebra::SparseMatrix K_;
  algebra::SparseSolver solver_;
  VectorXd force_, rest_, pivots_;
  double t_;
  VectorXd start_;
  VectorXd driven_;         // how far of it nodes are driven, put on in steps as loads are; or empty
  double forces_ = 0;       // |r| there, and what driven nodes pull
  bool free_ = false;       // the last matrix was singular
  std::string inside_out_;  // of an equilibrium of a load beyond the last good one
};

}  // namespace

Statics equilibrium(const system::Model& model, double t, const VectorXd& q0, const expr::CompileOptions& options) {
  need_statics(model);
  return Solve(held(model), t, q0, driven_by(model, q0), options)();
}

}  // namespace actio::method
