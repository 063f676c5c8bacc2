#include "impacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>

#include <Eigen/QR>

#include <fmt/format.h>

#include <actio/core/sum.hpp>
#include <actio/discrete/galerkin.hpp>
#include <actio/method/contact.hpp>
#include <actio/method/discrete_nodes.hpp>
#include <actio/system/callbacks.hpp>
#include <actio/system/thermostat.hpp>

#include "../around.hpp"
#include "discrete_energy.hpp"
#include "gaps.hpp"

namespace actio::method {
namespace {

using Eigen::VectorXd;

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double rounding = 64 * eps;          // of a gap, relative to what it is added up from
constexpr double pile_up = 1e-3;               // flights to come that add up to less of a step are a contact that lasts
constexpr double negligible = 1e-10;           // of the energy, where an impact is too slow for its law
constexpr long most_impacts = 10'000;          // in a step
constexpr std::size_t most_rows = 10'000'000;  // of the table

// At the start of a run.
void need_open(const Gaps& gaps, std::size_t k, const Gaps::Value& v) {
  if (v.g >= -rounding * v.size) return;
  if (std::isnan(v.g)) throw core::InputError(fmt::format("the gap of {} is not a number at the start", gaps.name(k)));
  throw core::InputError(fmt::format("the gap of {} is {:.6g} at the start: what touches there overlaps", gaps.name(k), v.g),
                         "move the start to where every gap is 0 or more, or turn the sign of the gap: it is positive outside");
}

// Steps of a method with the impacts of a model's contacts within them (R. C. Fetecau, J. E. Marsden, M. Ortiz, M. West, SIAM J.
// Appl. Dyn. Syst. 2 (2003) 381). In a step of h the first gap g that comes to 0 does so at t + a h:
//
//   p0 = -D1 Ld(q0, q, a h),   g(q) = 0                                                   for q, a
//   p- = D2 Ld(q0, q, a h),   p- + lambda dg/dq = -D1 Ld(q, q1, (1-a) h)
//   Ed(q, q1, (1-a) h) = Ed(q0, q, a h),   Ed = -d Ld/dh                                  for q1, lambda
//
// which are the conditions for Ld(q0, q, a h) + Ld(q, q1, (1-a) h) to be stationary in q on the contact and in a: so the map is
// symplectic through the impact, and conserves a momentum along whose symmetry g does not change. Where another impact follows
// within the step, q1 is that of the next one. With restitution e < 1, or where forces act beside a potential,
//
//   lambda = -(1 + e) v_n / (dg/dq M^-1 dg/dq'),   v_n = dg/dq v-                          v_n+ = -e v_n-
//
// and so where an impact is so slow that no lambda near this one has Ed, if it has it to 1e-10 of the energy.
//
// Impacts at one time are taken one after the other, the gap of the lowest number first. Where the flights after an impact with e
// < 1 would add up to less than 1e-3 of a step, the contact lasts: v_n = 0, and g = 0 is kept by lambda >= 0 at both ends of each
// step as RATTLE does, until lambda would be below 0 or another impact parts them. Where the impacts of several contacts pile up,
// they are taken at once with restitution 0.
class ContactSteps final : public IntegratorAround {
 public:
  ContactSteps(const system::Model& model, std::unique_ptr<Integrator> steps, DiscreteEnergy energy,
               const expr::CompileOptions& options)
      : IntegratorAround(std::move(steps)),
        trial_(steps_->clone()),
        gaps_(model, options),
        discrete_energy_(std::move(energy)),
        forced_(steps_->properties().forced) {
    for (std::size_t k = 0; k < gaps_.size(); ++k) inelastic_ = inelastic_ || gaps_.restitution(k) < 1;
  }
  ContactSteps(const ContactSteps& o)
      : IntegratorAround(o),
        trial_(o.trial_->clone()),
        gaps_(o.gaps_),
        discrete_energy_(o.discrete_energy_),
        forced_(o.forced_),
        inelastic_(o.inelastic_),
        t_(o.t_),
        at_(o.at_),
        from_(o.from_),
        resting_(o.resting_),
        sizes_(o.sizes_) {}

  void start(double t, const VectorXd& q, const VectorXd& v) override {
    steps_->start(t, q, v);
    begin(t);
  }
  // Laws of a step are measured from states that begin so: where a gap is 0, they may not be, for the step has a kink there.
  void start_momentum(double t, const VectorXd& q, const VectorXd& p) override {
    steps_->start_momentum(t, q, p);
    begin(t);
    for (std::size_t k = 0; k < gaps_.size(); ++k)
      if (touches(from_[k], 0)) throw core::InputError(fmt::format("the gap of {} is 0 or less", gaps_.name(k)));
  }
  void set_reference() override {
    seen_ = {};
    sizes_.assign(gaps_.size(), 0);
    for (std::size_t k = 0; k < gaps_.size(); ++k) need_open(gaps_, k, from_[k]);
  }
  void snapshot(Snapshot& out) const override { out = at_; }
  Correction project() override {
    const Correction moved = steps_->project();
    steps_->snapshot(at_);
    begin(at_.t);
    return moved;
  }
  SystemProperties properties() const override {
    SystemProperties out = steps_->properties();
    out.contacts = true;
    out.inelastic = inelastic_;
    out.forced = out.forced || inelastic_;
    out.linear = false;
    return out;
  }
  bool scale_changes_along(double, const VectorXd& q, const VectorXd& xi) const override {
    for (std::size_t k = 0; k < gaps_.size(); ++k)
      if (const Gaps::Value along = gaps_.at(k, q, xi); std::abs(along.rate) > 1e-9 * along.speed) return true;
    return false;
  }
  const Impacts* impacts() const override { return &seen_; }
  // An impact costs an error of h^2, once, which is no sign of the method's order.
  const Integrator& of_equal_steps() const override { return *steps_; }
  std::unique_ptr<Integrator> clone() const override { return std::make_unique<ContactSteps>(*this); }
  bool restarts() const override { return steps_->restarts(); }
  void archive(core::Archive& a) override {
    steps_->archive(a);
    a(t_.high, t_.low, resting_, sizes_);
    a(seen_.count, seen_.table, seen_.lost, seen_.lowest, seen_.lowest_gap, seen_.resting, seen_.h);
    a(seen_.within.t, seen_.within.q, seen_.within.v, seen_.within.p);
    if (!a.reading()) return;
    steps_->snapshot(at_);
    at_.t = t_.value();
    gaps_(at_.q, at_.v, from_);
  }

  BatchReport advance(long steps, double h, const BatchOptions& how) override {
    BatchReport all;
    all.work = how.work;
    for (long k = 0; k < steps; ++k) {
      BatchReport one = step(h, {all.work, how.residual && (how.first < 0 || k + 1 == steps)});
      all.count(one);
      if (!one.ok) return failed(all, std::move(one.what), one.failed_residual);
      all.work = one.work;
      ++all.steps;
      note_gaps(h);
    }
    return all;
  }

 private:
  // A motion without impacts, to the end of the step or to one.
  struct Flight {
    double tau = 0;
    Snapshot start, end;  // the momentum of the start with lambda
    long hit = -1;        // the gap that came to 0; -1: none
    bool rests = false;   // which stays 0
    double E = 0;         // discrete energy
    bool ok = true;
  };

  void begin(double t) {
    steps_->snapshot(at_);
    at_.t = t;
    t_ = {t, 0};
    resting_.clear();
    gaps_(at_.q, at_.v, from_);
  }
  bool held(std::size_t k) const { return std::ranges::find(resting_, static_cast<long>(k)) != resting_.end(); }
  static double of_gap(const Gaps::Value& v, double h) { return rounding * (v.size + v.speed * std::abs(h)); }
  static bool touches(const Gaps::Value& v, double h) { return v.g <= of_gap(v, h); }
  static bool approaches(const Gaps::Value& v, double h) { return (h > 0 ? v.rate : -v.rate) < -rounding * v.speed; }
  // Of a flight whose gap is positive at both ends: it may be below 0 between them, as far as the tangents at both ends tell.
  static bool may_dip(const Gaps::Value& a, const Gaps::Value& b, double h) {
    const double r0 = h > 0 ? a.rate : -a.rate, r1 = h > 0 ? b.rate : -b.rate, all = std::abs(h);
    if (!(r0 < 0 && r1 > 0)) return false;
    const double meet = std::clamp((b.g - a.g - r1 * all) / (r0 - r1), 0.0, all);
    return a.g + r0 * meet < 0.5 * std::min(a.g, b.g);
  }
  bool nothing_happens(const std::vector<Gaps::Value>& a, const std::vector<Gaps::Value>& b, double h) const {
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (touches(a[k], h) && approaches(a[k], h)) return false;
      if (b[k].g < -of_gap(b[k], h) || may_dip(a[k], b[k], h)) return false;
    }
    return true;
  }

  BatchReport step(double h, const BatchOptions& how) {
    if (resting_.empty()) {
      const BatchReport free = steps_->advance(1, h, how);
      if (!free.ok) return free;
      steps_->snapshot(next_);
      gaps_(next_.q, next_.v, to_);
      if (nothing_happens(from_, to_, h)) {
        std::swap(at_, next_);
        std::swap(from_, to_);
        t_.add(h);
        at_.t = t_.value();
        return free;
      }
    }
    const std::vector<long> resting = resting_;
    fresh_.clear();
    lost_ = 0;
    BatchReport all = step_with_impacts(h, how);
    if (!all.ok) {
      resting_ = resting;
      steps_->start_momentum(at_.t, at_.q, at_.p);
    }
    return all;
  }

  BatchReport step_with_impacts(double h, const BatchOptions& how) {
    BatchReport all;
    all.work = how.work;
    all.steps = 1;
    double rem = h, share = -1;  // of the step, where the last impact is
    recent_.clear();
    long impacts = 0;
    why_ = {};
    const auto fail = [&](std::string what) { return failed(all, std::move(what), why_.failed_residual); };
    Flight f = fly(at_, rem, h);
    for (long events = 0;; ++events) {
      if (!f.ok) return fail(why_.what);
      if (f.tau != 0) {
        steps_->start_momentum(f.start.t, f.start.q, f.start.p);
        const BatchReport one = steps_->advance(1, f.tau, {all.work, how.residual});
        all.count(one);
        if (!one.ok) return fail(one.what);
        all.work = one.work;
      }
      rem = f.hit < 0 ? 0 : rem - f.tau;
      if (f.hit < 0) break;
      if (events > most_impacts)
        return fail(
            fmt::format("there are more than {} impacts in one step, the last of {}: several contacts pile up, and do not "
                        "come to rest together; a shorter step may divide them",
                        most_impacts, gaps_.name(static_cast<std::size_t>(f.hit))));
      Snapshot s = f.end;
      const auto k = static_cast<std::size_t>(f.hit);
      if (f.rests) {
        if (!come_to_rest(s, k, s.t, all.work)) return fail(no_slope(k));
        f = fly(s, rem, h);
        continue;
      }
      ++impacts;
      share = (h - rem) / h;
      const Flight before = f;
      if (std::string what = collide(before, s, k, rem, h, all.work, f); !what.empty()) return fail(std::move(what));
      const double e = gaps_.restitution(k);
      if (piles_up(k, rem, h)) {
        if (!settle(s, h, all.work)) return fail(no_slope(k));
        recent_.clear();
        f = fly(s, rem, h);
        continue;
      }
      if (e < 1 && f.ok && f.hit == before.hit && !f.rests && std::abs(f.tau) <= pile_up * (1 - e) * std::abs(h)) {
        // By the velocities, which rounding of positions does not blur: 2 v_n over the acceleration of the gap.
        const double parts = gaps_.at(k, s.q, s.v).rate, meets = gaps_.at(k, f.end.q, f.end.v).rate;
        const double flight = f.tau == 0 ? 0 : 2 * parts / (parts - meets) * f.tau;
        if (!come_to_rest(s, k, s.t + flight / (1 - e), all.work)) return fail(no_slope(k));
        f = fly(s, rem, h);
      }
    }
    const bool first = impacts == 1 && h > 0 && share > 0.25 && share < 0.75 && resting_.empty() && fresh_.size() == 1;
    if (first) {
      seen_.within = at_;
      seen_.h = h;
    }
    t_.add(h);
    steps_->start_momentum(t_.value(), f.end.q, f.end.p);
    steps_->snapshot(at_);
    at_.t = t_.value();
    gaps_(at_.q, at_.v, from_);
    for (const Impact& one : fresh_) {
      seen_.count += one.lasts ? 0 : 1;
      if (seen_.table.size() < most_rows) seen_.table.push_back(one);
    }
    seen_.lost += lost_;
    return all;
  }

  void note_gaps(double h) {
    seen_.resting = static_cast<long>(resting_.size());
    sizes_.resize(from_.size());
    for (std::size_t k = 0; k < from_.size(); ++k) {
      sizes_[k] = std::max({sizes_[k], from_[k].size + from_[k].speed * std::abs(h), std::numeric_limits<double>::min()});
      const double of = from_[k].g / (eps * sizes_[k]);
      if (!(of < seen_.lowest)) continue;
      seen_.lowest = of;
      seen_.lowest_gap = from_[k].g;
    }
  }

  std::string no_slope(std::size_t k) const {
    return fmt::format(
        "the gap of {} has no slope where it is 0: write one that changes its sign there, as a distance less radii",
        gaps_.name(k));
  }

  // M^-1 n at a state.
  void response(const Snapshot& s, const VectorXd& n, VectorXd& out) {
    zero_.setZero(n.size());
    trial_->start_momentum(s.t, s.q, zero_);
    trial_->snapshot(probe_);
    out = -probe_.v;
    trial_->start_momentum(s.t, s.q, n);
    trial_->snapshot(probe_);
    out += probe_.v;
  }
  void take_velocity(Snapshot& s) {
    trial_->start_momentum(s.t, s.q, s.p);
    trial_->snapshot(probe_);
    s.v = probe_.v;
  }

  // The impact of gap k at `s`, the end of `before`; then s is after it, and `next` is the flight that follows. Why not, else "".
  std::string collide(const Flight& before, Snapshot& s, std::size_t k, double rem, double h, Work& work, Flight& next) {
    VectorXd n, m;
    gaps_.gradient(k, s.q, n);
    response(s, n, m);
    const double nm = n.dot(m), vn = n.dot(s.v), e = gaps_.restitution(k);
    if (!(nm > 0) || !std::isfinite(nm) || vn == 0) return no_slope(k);
    const double plain = -(1 + e) * vn / nm;
    const Snapshot minus = s;
    const std::vector<long> resting = resting_;
    const auto leave = [&](double lambda) {
      resting_ = resting;
      s.p = minus.p + lambda * n;
      take_velocity(s);
      std::erase_if(resting_, [&](long i) {
        const Gaps::Value v = gaps_.at(static_cast<std::size_t>(i), s.q, s.v);
        return std::abs(v.rate) > rounding * v.speed;
      });
      next = fly(s, rem, h);
      return next.ok;
    };
    double lambda = plain;
    if (!leave(lambda)) return why_.what;
    if (e < 1 || forced_ || !resting.empty() || !resting_.empty()) {
      const double lost = 0.5 * (1 - e * e) * vn * vn / nm;
      lost_ += lost;
      work.dissipated += lost;
    } else {
      const double size = std::abs(before.E) + std::abs(minus.p.dot(minus.v)), off = std::abs(next.E - before.E);
      const bool solved = solve(leave, before.E, -vn, size, next, lambda) && std::abs(lambda / plain - 1) < 0.25;
      if (!solved && !why_.what.empty()) return why_.what;
      if (!solved && !(off <= negligible * size))
        return fmt::format(
            "no momentum after the impact of {} at t = {:.10g} has the discrete energy of the motion before it: the steps are "
            "not "
            "accurate enough for an impact as slow as this. Take a smaller step, or gauss with more stages",
            gaps_.name(k), s.t);
      lambda = solved ? lambda : plain;
      if (!solved && !leave(lambda)) return why_.what;
    }
    fresh_.push_back({s.t, static_cast<long>(k), lambda, vn, n.dot(s.v), false});
    return "";
  }

  // The lambda with which the flight after an impact has the discrete energy E, by the secant rule from `lambda`.
  template <class Leave>
  static bool solve(Leave& leave, double E, double slope, double size, const Flight& next, double& lambda) {
    double x = lambda, fx = next.E - E, best = std::abs(fx);
    double best_x = x;
    for (int k = 0; k < 50 && std::abs(fx) > 0.5 * eps * size; ++k) {
      const double step = -fx / slope;
      if (!std::isfinite(step) || x + step == x) break;
      if (!leave(x + step)) return false;
      const double f = next.E - E, secant = (f - fx) / step;
      if (std::isfinite(secant) && secant != 0 && std::abs(f) > 64 * eps * size) slope = secant;
      x += step;
      fx = f;
      if (std::abs(f) < best) {
        best = std::abs(f);
        best_x = x;
      } else if (best <= 64 * eps * size) {
        break;
      }
    }
    if (best_x != x && !leave(best_x)) return false;
    lambda = best_x;
    return best <= 1e-11 * size;
  }

  // Many impacts with hardly a time between them, none without loss: one of a contact, with `rem` of the step to come.
  bool piles_up(std::size_t k, double rem, double h) {
    constexpr std::size_t many = 64;
    recent_.emplace_back(static_cast<long>(k), rem);
    if (recent_.size() > many) recent_.erase(recent_.begin());
    return recent_.size() == many && std::abs(recent_.front().second - rem) <= pile_up * std::abs(h) &&
           std::ranges::all_of(recent_,
                               [&](const auto& one) { return gaps_.restitution(static_cast<std::size_t>(one.first)) < 1; });
  }
  // Then all of them at once with restitution 0: the momentum nearest in the metric of the mass of which none of those gaps
  // closes. The contacts that this takes a force at last.
  bool settle(Snapshot& s, double h, Work& work) {
    std::vector<long> those = resting_;
    for (const auto& one : recent_) those.push_back(one.first);
    std::ranges::sort(those);
    those.erase(std::unique(those.begin(), those.end()), those.end());
    const std::vector<long> before = std::exchange(resting_, those);
    Eigen::MatrixXd N, M;
    normals(s, N, &M);
    const double sign = h > 0 ? 1 : -1;
    const Eigen::MatrixXd A = N.transpose() * M;
    const VectorXd b = sign * (N.transpose() * s.v);
    if (!(A.diagonal().minCoeff() > 0)) return false;
    VectorXd lambda = VectorXd::Zero(b.size());
    for (int sweep = 0; sweep < 10'000; ++sweep) {
      double most = 0;
      for (Eigen::Index i = 0; i < b.size(); ++i) {
        const double next = std::max(0.0, lambda[i] - (A.row(i).dot(lambda) + b[i]) / A(i, i));
        most = std::max(most, std::abs(next - lambda[i]));
        lambda[i] = next;
      }
      if (!(most > 1e-14 * lambda.maxCoeff())) break;
    }
    trial_->start_momentum(s.t, s.q, s.p);
    const double energy = trial_->energy();
    s.p += sign * (N * lambda);
    take_velocity(s);
    resting_.clear();
    for (Eigen::Index i = 0; i < b.size(); ++i)
      if (lambda[i] > 1e-10 * lambda.maxCoeff()) resting_.push_back(those[static_cast<std::size_t>(i)]);
    move_along(s);
    trial_->start_momentum(s.t, s.q, s.p);
    const double lost = energy - trial_->energy();
    lost_ += lost;
    work.dissipated += lost;
    for (const long k : resting_)
      if (std::ranges::find(before, k) == before.end()) fresh_.push_back({s.t, k, 0, 0, 0, true});
    return true;
  }

  // From here gap k stays 0, at `t` in the table; its rate goes.
  bool come_to_rest(Snapshot& s, std::size_t k, double t, Work& work) {
    VectorXd n, m;
    gaps_.gradient(k, s.q, n);
    response(s, n, m);
    if (!(n.dot(m) > 0)) return false;
    resting_.push_back(static_cast<long>(k));
    trial_->start_momentum(s.t, s.q, s.p);
    const double before = trial_->energy();
    move_along(s);
    const double lost = before - trial_->energy();
    lost_ += lost;
    work.dissipated += lost;
    fresh_.push_back({t, static_cast<long>(k), 0, 0, 0, true});
    return true;
  }

  // The normals of the contacts that last, and M^-1 of them.
  void normals(const Snapshot& s, Eigen::MatrixXd& N, Eigen::MatrixXd* M) {
    N.resize(s.q.size(), static_cast<Eigen::Index>(resting_.size()));
    if (M) M->resize(N.rows(), N.cols());
    VectorXd n, m;
    for (std::size_t i = 0; i < resting_.size(); ++i) {
      gaps_.gradient(static_cast<std::size_t>(resting_[i]), s.q, n);
      N.col(static_cast<Eigen::Index>(i)) = n;
      if (!M) continue;
      response(s, n, m);
      M->col(static_cast<Eigen::Index>(i)) = m;
    }
  }
  // Velocities along the contacts that last, the shortest way in the metric of the mass; trial_ is there too.
  void move_along(Snapshot& s) {
    if (resting_.empty()) return;
    Eigen::MatrixXd N, M;
    normals(s, N, &M);
    const Eigen::MatrixXd A = N.transpose() * M;
    s.p -= N * A.completeOrthogonalDecomposition().solve(VectorXd(N.transpose() * s.v));
    trial_->start_momentum(s.t, s.q, s.p);
    trial_->snapshot(probe_);
    s.v = probe_.v;
  }

  bool go(const Snapshot& s, const VectorXd& p, double tau, Snapshot& end) {
    trial_->start_momentum(s.t, s.q, p);
    const BatchReport one = trial_->advance(1, tau, {{}, false});
    if (!one.ok) {
      why_ = one;
      return false;
    }
    trial_->snapshot(end);
    end.t = s.t + tau;
    if (end.q.allFinite() && end.v.allFinite()) return true;
    why_.what = "the next state is not finite";
    return false;
  }
  // From s over tau, with the contacts that last: g = 0 at the end of a step of h by forces lambda >= 0 at its start, then
  // velocities along them. `release`: those whose lambda would be below 0 last no longer.
  bool flow(const Snapshot& s, double tau, double h, bool release, Snapshot& start, Snapshot& end) {
    start = s;
    if (tau == 0) {
      end = s;
      return true;
    }
    while (!resting_.empty()) {
      Eigen::MatrixXd N, M, N1;
      normals(s, N, &M);
      const auto r = static_cast<Eigen::Index>(resting_.size());
      VectorXd lambda = VectorXd::Zero(r), g(r), aim(r), last = VectorXd::Constant(r, std::numeric_limits<double>::infinity());
      for (Eigen::Index i = 0; i < r; ++i)
        aim[i] = gaps_.at(static_cast<std::size_t>(resting_[static_cast<std::size_t>(i)]), s.q, s.v).g * (1 - tau / h);
      for (int k = 0;; ++k) {
        start.p = s.p + N * lambda;
        if (!go(s, start.p, tau, end)) return false;
        double worst = 0;
        for (Eigen::Index i = 0; i < r; ++i) {
          const Gaps::Value v = gaps_.at(static_cast<std::size_t>(resting_[static_cast<std::size_t>(i)]), end.q, end.v);
          g[i] = v.g - aim[i];
          worst = std::max(worst, std::abs(g[i]) / std::max(of_gap(v, tau), std::numeric_limits<double>::min()));
        }
        if (worst <= 1.0 / 16 || (worst <= 1 && !(g.norm() < 0.5 * last.norm()))) break;
        if (k == 50) {
          why_.what = "a contact that lasts could not be kept closed: take a smaller step";
          return false;
        }
        last = g;
        normals(end, N1, nullptr);
        lambda -= Eigen::MatrixXd(tau * (N1.transpose() * M)).completeOrthogonalDecomposition().solve(g);
      }
      Eigen::Index least = 0;
      const double weakest = (tau > 0 ? lambda : VectorXd(-lambda)).minCoeff(&least);
      if (release && weakest < -1e-10 * lambda.cwiseAbs().maxCoeff() - 1e-12 * s.p.norm()) {
        resting_.erase(resting_.begin() + least);
        continue;
      }
      move_along(end);
      return true;
    }
    start.p = s.p;
    return go(s, s.p, tau, end);
  }

  // To the first impact after s, or over `rem`.
  Flight fly(const Snapshot& s, double rem, double h) {
    Flight f;
    std::vector<Gaps::Value> from;
    gaps_(s.q, s.v, from);
    const auto here = [&](long hit, bool rests) {
      f.start = f.end = s;
      f.tau = 0;
      f.hit = hit;
      f.rests = rests;
      f.ok = true;
      trial_->start_momentum(s.t, s.q, s.p);
      f.E = trial_->energy();
      return f;
    };
    for (std::size_t k = 0; k < from.size(); ++k)
      if (!held(k) && touches(from[k], h) && approaches(from[k], h)) return here(static_cast<long>(k), false);
    if (rem == 0) return here(-1, false);
    f.ok = false;
    if (!flow(s, rem, h, true, f.start, f.end)) return f;
    double a = rem;
    bool elsewhere = false;  // trial_ has flown another time since
    for (std::size_t k = 0; k < from.size(); ++k) {
      if (held(k)) continue;
      const Gaps::Value end = gaps_.at(k, f.end.q, f.end.v);
      double low = 0, high = a, at_low = from[k].g, at_high = end.g;
      if (!(at_high < -of_gap(end, h))) {
        if (touches(from[k], h) || !may_dip(from[k], end, a)) continue;
        elsewhere = true;
        const auto below = find_below(s, k, from[k], end, a, h);
        if (!why_.what.empty()) return f;
        if (!below) continue;
        std::tie(high, at_high) = *below;
      }
      elsewhere = true;
      if (touches(from[k], h)) {
        low = high;
        at_low = -1;
        for (int halvings = 0; halvings < 50 && !(at_low > 0); ++halvings) {
          low *= 0.5;
          if (!flow(s, low, h, false, spare_, probe_end_)) return f;
          const Gaps::Value there = gaps_.at(k, probe_end_.q, probe_end_.v);
          if (there.g > 0.5 * of_gap(there, low)) {
            at_low = there.g;
          } else {
            high = low;
            at_high = there.g;
          }
        }
        if (!(at_low > 0)) return here(static_cast<long>(k), true);
      }
      if (!close_gap(s, k, low, high, at_low, at_high, h)) return f;
      a = root_;
      f.hit = static_cast<long>(k);
      f.end = probe_end_;
    }
    f.tau = a;
    if (elsewhere && !flow(s, a, h, false, f.start, f.end)) return f;
    f.E = discrete_energy_(*trial_, f.start, f.end, a, resting_.empty());
    f.ok = true;
    return f;
  }

  // A time at which a gap that is open at 0 and a is below 0, and the gap there; none where it is not.
  std::optional<std::pair<double, double>> find_below(const Snapshot& s, std::size_t k, const Gaps::Value& from,
                                                      const Gaps::Value& end, double a, double h) {
    double low = 0, high = a, r_low = from.rate, r_high = end.rate;
    for (int i = 0; i < 60 && std::abs(high - low) > 1e-9 * std::abs(a); ++i) {
      double x = low - r_low * (high - low) / (r_high - r_low);
      if (i % 3 == 2 || !(std::min(low, high) < x && x < std::max(low, high))) x = 0.5 * (low + high);
      if (!flow(s, x, h, false, spare_, probe_end_)) return {};
      const Gaps::Value v = gaps_.at(k, probe_end_.q, probe_end_.v);
      if (v.g < -of_gap(v, h)) return std::pair{x, v.g};
      if (!(v.rate != 0)) return {};
      ((v.rate < 0) == (from.rate < 0) ? low : high) = x;
      ((v.rate < 0) == (from.rate < 0) ? r_low : r_high) = v.rate;
    }
    return {};
  }

  // root_: when gap k is 0 between low, where it is open, and high, and probe_end_ the state there. Regula falsi, the weight of
  // an end that stays cut as Anderson and Bjorck do.
  bool close_gap(const Snapshot& s, std::size_t k, double low, double high, double at_low, double at_high, double h) {
    double g_low = at_low, g_high = at_high;
    root_ = high;
    for (int i = 0; i < 200; ++i) {
      double x = low - g_low * (high - low) / (g_high - g_low);
      if (i % 8 == 7 || !(std::min(low, high) < x && x < std::max(low, high))) x = 0.5 * (low + high);
      if (x == low || x == high) x = high;
      if (!flow(s, x, h, false, spare_, probe_end_)) return false;
      const Gaps::Value v = gaps_.at(k, probe_end_.q, probe_end_.v);
      root_ = x;
      if (x == high || std::abs(v.g) <= eps * v.size || std::abs(high - low) <= 2 * eps * std::abs(x)) return true;
      if (v.g > 0) {
        const double cut = 1 - v.g / g_low;
        low = x;
        if (last_side_ == 1) g_high *= cut > 0 ? cut : 0.5;
        g_low = v.g;
        last_side_ = 1;
      } else {
        const double cut = 1 - v.g / g_high;
        high = x;
        if (last_side_ == -1) g_low *= cut > 0 ? cut : 0.5;
        g_high = v.g;
        last_side_ = -1;
      }
    }
    return true;
  }

  std::unique_ptr<Integrator> trial_;
  mutable Gaps gaps_;
  DiscreteEnergy discrete_energy_;
  bool forced_ = false, inelastic_ = false;
  core::Sum t_;
  Snapshot at_, next_, probe_, probe_end_, spare_;
  std::vector<Gaps::Value> from_, to_;  // at at_
  std::vector<long> resting_;           // contacts that last
  std::vector<double> sizes_;           // of each gap, what it was added up from at most
  Impacts seen_;
  // Of the step that is being made.
  std::vector<Impact> fresh_;
  std::vector<std::pair<long, double>> recent_;  // contacts, and how much of the step was to come
  double lost_ = 0, root_ = 0;
  int last_side_ = 0;
  BatchReport why_;
  VectorXd zero_;
};

}  // namespace

void check_open(const system::Model& model, const VectorXd& q, const expr::CompileOptions& options) {
  if (model.contacts.empty()) return;
  Gaps gaps(model, options);
  for (std::size_t k = 0; k < gaps.size(); ++k) need_open(gaps, k, gaps.at(k, q, VectorXd::Zero(q.size())));
}

std::string contact_name(const system::Model& model, long number) {
  for (const system::Contact& contact : model.contacts) {
    if (number < contact.elements) return contact.elements == 1 ? contact.name : fmt::format("{}[{}]", contact.name, number);
    number -= contact.elements;
  }
  return "";
}

std::string takes_no_contacts(const system::Model& model, const Spec& spec) {
  if (model.contacts.empty()) return "";
  const std::string name = spec.name();
  if (!model.equations.empty()) return "contacts need a Lagrangian, not equations f(x'', x', x, t) = 0";
  if (!model.bodies.empty() || !model.solids.empty())
    return "contacts are of coordinates and points: those of rigid bodies and solids are not known yet";
  if (!model.constraints.empty())
    return "contacts beside constraints are not known yet: take coordinates that need no constraints, or constraint_method = "
           "\"penalty\"";
  if (model.thermostat && model.thermostat->acts()) return "a thermostat takes no contacts: the time of an impact would be noise";
  if (spec.control || spec.transforms_time()) return "contacts need steps of one size: these follow the motion";
  const bool time = (model.callbacks && model.callbacks->time) ||
                    std::ranges::any_of(model.terms, [&](const auto& term) { return depends_on_time(model, term); });
  if (time) return "contacts need a potential that does not depend on the time; forces may";
  const bool of_polynomials = std::holds_alternative<Gauss>(spec.choice) || std::holds_alternative<Lobatto>(spec.choice);
  if (!spec.composed && spec.keeps() == Keeps::canonical && !spec.traits().minimises &&
      (of_polynomials || discrete_nodes(spec).has_value()))
    return "";
  return fmt::format(
      "{} takes no contacts: an impact divides a step in two, which methods with a discrete Lagrangian of positions can: verlet, "
      "variational, midpoint, gauss and lobatto, not composed",
      name);
}

std::unique_ptr<Integrator> with_contacts(const system::Model& model, const Spec& spec, const BuildOptions& options) {
  system::Model free = model;
  free.contacts.clear();
  return std::make_unique<ContactSteps>(model, make_integrator(free, spec, options), DiscreteEnergy(spec), options.compile);
}

}  // namespace actio::method
