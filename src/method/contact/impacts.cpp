#include "impacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <actio/core/sum.hpp>

#include "../around.hpp"
#include "flights.hpp"

namespace actio::method {
namespace {

using Eigen::VectorXd;
using Flight = Flights::Flight;

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double pile_up = 1e-3;               // flights to come that add up to less of a step are a contact that lasts
constexpr double negligible = 1e-10;           // of the energy, where an impact is too slow for its law
constexpr long most_impacts = 10'000;          // in a step
constexpr std::size_t most_rows = 10'000'000;  // of the table

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
        flights_(model, steps_->clone(), std::move(energy), options),
        forced_(steps_->properties().forced) {
    for (std::size_t k = 0; k < flights_.gaps().size(); ++k) inelastic_ = inelastic_ || flights_.gaps().restitution(k) < 1;
  }
  ContactSteps(const ContactSteps& o)
      : IntegratorAround(o),
        flights_(o.flights_),
        forced_(o.forced_),
        inelastic_(o.inelastic_),
        t_(o.t_),
        at_(o.at_),
        from_(o.from_),
        sizes_(o.sizes_) {}

  void start(double t, const VectorXd& q, const VectorXd& v) override {
    steps_->start(t, q, v);
    begin(t);
  }
  // Laws of a step are measured from states that begin so: where a gap is 0, they may not be, for the step has a kink there.
  void start_momentum(double t, const VectorXd& q, const VectorXd& p) override {
    steps_->start_momentum(t, q, p);
    begin(t);
    for (std::size_t k = 0; k < flights_.gaps().size(); ++k)
      if (touches(from_[k], 0)) throw core::InputError(fmt::format("the gap of {} is 0 or less", flights_.gaps().name(k)));
  }
  void set_reference() override {
    seen_ = {};
    sizes_.assign(flights_.gaps().size(), 0);
    for (std::size_t k = 0; k < flights_.gaps().size(); ++k) need_open(flights_.gaps(), k, from_[k]);
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
    for (std::size_t k = 0; k < flights_.gaps().size(); ++k)
      if (const Gaps::Value along = flights_.gaps().at(k, q, xi); std::abs(along.rate) > 1e-9 * along.speed) return true;
    return false;
  }
  const Impacts* impacts() const override { return &seen_; }
  // An impact costs an error of h^2, once, which is no sign of the method's order.
  const Integrator& of_equal_steps() const override { return *steps_; }
  std::unique_ptr<Integrator> clone() const override { return std::make_unique<ContactSteps>(*this); }
  bool restarts() const override { return steps_->restarts(); }
  void archive(core::Archive& a) override {
    steps_->archive(a);
    a(t_.high, t_.low, flights_.resting, sizes_);
    a(seen_.count, seen_.table, seen_.lost, seen_.lowest, seen_.lowest_gap, seen_.resting, seen_.h);
    a(seen_.within.t, seen_.within.q, seen_.within.v, seen_.within.p);
    if (!a.reading()) return;
    steps_->snapshot(at_);
    at_.t = t_.value();
    flights_.gaps()(at_.q, at_.v, from_);
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
  void begin(double t) {
    steps_->snapshot(at_);
    at_.t = t;
    t_ = {t, 0};
    flights_.resting.clear();
    flights_.gaps()(at_.q, at_.v, from_);
  }
  bool nothing_happens(const std::vector<Gaps::Value>& a, const std::vector<Gaps::Value>& b, double h) const {
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (touches(a[k], h) && approaches(a[k], h)) return false;
      if (b[k].g < -of_gap(b[k], h) || may_dip(a[k], b[k], h)) return false;
    }
    return true;
  }

  BatchReport step(double h, const BatchOptions& how) {
    if (flights_.resting.empty()) {
      const BatchReport free = steps_->advance(1, h, how);
      if (!free.ok) return free;
      steps_->snapshot(next_);
      flights_.gaps()(next_.q, next_.v, to_);
      if (nothing_happens(from_, to_, h)) {
        std::swap(at_, next_);
        std::swap(from_, to_);
        t_.add(h);
        at_.t = t_.value();
        return free;
      }
    }
    const std::vector<long> resting = flights_.resting;
    fresh_.clear();
    lost_ = 0;
    BatchReport all = step_with_impacts(h, how);
    if (!all.ok) {
      flights_.resting = resting;
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
    flights_.why = {};
    const auto fail = [&](std::string what) { return failed(all, std::move(what), flights_.why.failed_residual); };
    Flight f = flights_.fly(at_, rem, h);
    for (long events = 0;; ++events) {
      if (!f.ok) return fail(flights_.why.what);
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
                        most_impacts, flights_.gaps().name(static_cast<std::size_t>(f.hit))));
      Snapshot s = f.end;
      const auto k = static_cast<std::size_t>(f.hit);
      if (f.rests) {
        if (!come_to_rest(s, k, s.t, all.work)) return fail(no_slope(k));
        f = flights_.fly(s, rem, h);
        continue;
      }
      ++impacts;
      share = (h - rem) / h;
      const Flight before = f;
      if (std::string what = collide(before, s, k, rem, h, all.work, f); !what.empty()) return fail(std::move(what));
      const double e = flights_.gaps().restitution(k);
      if (piles_up(k, rem, h)) {
        if (!settle(s, h, all.work)) return fail(flights_.why.what.empty() ? no_slope(k) : flights_.why.what);
        recent_.clear();
        f = flights_.fly(s, rem, h);
        continue;
      }
      if (e < 1 && f.ok && f.hit == before.hit && !f.rests && std::abs(f.tau) <= pile_up * (1 - e) * std::abs(h)) {
        // By the velocities, which rounding of positions does not blur: 2 v_n over the acceleration of the gap.
        const double parts = flights_.gaps().at(k, s.q, s.v).rate, meets = flights_.gaps().at(k, f.end.q, f.end.v).rate;
        const double flight = f.tau == 0 ? 0 : 2 * parts / (parts - meets) * f.tau;
        if (!come_to_rest(s, k, s.t + flight / (1 - e), all.work)) return fail(no_slope(k));
        f = flights_.fly(s, rem, h);
      }
    }
    const bool first = impacts == 1 && h > 0 && share > 0.25 && share < 0.75 && flights_.resting.empty() && fresh_.size() == 1;
    if (first) {
      seen_.within = at_;
      seen_.h = h;
    }
    t_.add(h);
    steps_->start_momentum(t_.value(), f.end.q, f.end.p);
    steps_->snapshot(at_);
    at_.t = t_.value();
    flights_.gaps()(at_.q, at_.v, from_);
    for (const Impact& one : fresh_) {
      seen_.count += one.lasts ? 0 : 1;
      if (seen_.table.size() < most_rows) seen_.table.push_back(one);
    }
    seen_.lost += lost_;
    return all;
  }

  void note_gaps(double h) {
    seen_.resting = static_cast<long>(flights_.resting.size());
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
        flights_.gaps().name(k));
  }

  // The impact of gap k at `s`, the end of `before`; then s is after it, and `next` is the flight that follows. Why not, else "".
  std::string collide(const Flight& before, Snapshot& s, std::size_t k, double rem, double h, Work& work, Flight& next) {
    VectorXd n, m;
    flights_.gaps().gradient(k, s.q, n);
    flights_.response(s, n, m);
    const double nm = n.dot(m), vn = n.dot(s.v), e = flights_.gaps().restitution(k);
    if (!(nm > 0) || !std::isfinite(nm) || vn == 0) return no_slope(k);
    const double plain = -(1 + e) * vn / nm;
    const Snapshot minus = s;
    const std::vector<long> resting = flights_.resting;
    const auto leave = [&](double lambda) {
      flights_.resting = resting;
      s.p = minus.p + lambda * n;
      flights_.take_velocity(s);
      std::erase_if(flights_.resting, [&](long i) {
        const Gaps::Value v = flights_.gaps().at(static_cast<std::size_t>(i), s.q, s.v);
        return std::abs(v.rate) > rounding_of_gap * v.speed;
      });
      next = flights_.fly(s, rem, h);
      return next.ok;
    };
    double lambda = plain;
    if (!leave(lambda)) return flights_.why.what;
    if (e < 1 || forced_ || !resting.empty() || !flights_.resting.empty()) {
      const double lost = 0.5 * (1 - e * e) * vn * vn / nm;
      lost_ += lost;
      work.dissipated += lost;
    } else {
      const double size = std::abs(before.E) + std::abs(minus.p.dot(minus.v)), off = std::abs(next.E - before.E);
      const bool solved = solve(leave, before.E, -vn, size, next, lambda) && std::abs(lambda / plain - 1) < 0.25;
      if (!solved && !flights_.why.what.empty()) return flights_.why.what;
      if (!solved && !(off <= negligible * size))
        return fmt::format(
            "no momentum after the impact of {} at t = {:.10g} has the discrete energy of the motion before it: the steps are "
            "not "
            "accurate enough for an impact as slow as this. Take a smaller step, or gauss with more stages",
            flights_.gaps().name(k), s.t);
      lambda = solved ? lambda : plain;
      if (!solved && !leave(lambda)) return flights_.why.what;
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
           std::ranges::all_of(
               recent_, [&](const auto& one) { return flights_.gaps().restitution(static_cast<std::size_t>(one.first)) < 1; });
  }
  // Then all of them at once with restitution 0: the momentum nearest in the metric of the mass of which none of those gaps
  // closes. The contacts that this takes a force at last.
  bool settle(Snapshot& s, double h, Work& work) {
    std::vector<long> those = flights_.resting;
    for (const auto& one : recent_) those.push_back(one.first);
    std::ranges::sort(those);
    those.erase(std::unique(those.begin(), those.end()), those.end());
    const std::vector<long> before = std::exchange(flights_.resting, those);
    Eigen::MatrixXd N, M;
    flights_.normals(s, N, &M);
    const double sign = h > 0 ? 1 : -1;
    const Eigen::MatrixXd A = N.transpose() * M;
    const VectorXd b = sign * (N.transpose() * s.v);
    if (!(A.diagonal().minCoeff() > 0)) return false;
    VectorXd lambda = VectorXd::Zero(b.size());
    bool settled = false;
    for (int sweep = 0; sweep < 10'000 && !settled; ++sweep) {
      double most = 0;
      for (Eigen::Index i = 0; i < b.size(); ++i) {
        const double next = std::max(0.0, lambda[i] - (A.row(i).dot(lambda) + b[i]) / A(i, i));
        most = std::max(most, std::abs(next - lambda[i]));
        lambda[i] = next;
      }
      settled = !(most > 1e-14 * lambda.maxCoeff());
    }
    if (!settled) {
      flights_.why.what =
          fmt::format("{} contacts pile up, and the impulses that bring them to rest together were not found", b.size());
      return false;
    }
    const double energy = flights_.energy(s);
    s.p += sign * (N * lambda);
    flights_.take_velocity(s);
    flights_.resting.clear();
    for (Eigen::Index i = 0; i < b.size(); ++i)
      if (lambda[i] > 1e-10 * lambda.maxCoeff()) flights_.resting.push_back(those[static_cast<std::size_t>(i)]);
    flights_.move_along(s);
    const double lost = energy - flights_.energy(s);
    lost_ += lost;
    work.dissipated += lost;
    for (const long k : flights_.resting)
      if (std::ranges::find(before, k) == before.end()) fresh_.push_back({s.t, k, 0, 0, 0, true});
    return true;
  }

  // From here gap k stays 0, at `t` in the table; its rate goes.
  bool come_to_rest(Snapshot& s, std::size_t k, double t, Work& work) {
    VectorXd n, m;
    flights_.gaps().gradient(k, s.q, n);
    flights_.response(s, n, m);
    if (!(n.dot(m) > 0)) return false;
    flights_.resting.push_back(static_cast<long>(k));
    const double before = flights_.energy(s);
    flights_.move_along(s);
    const double lost = before - flights_.energy(s);
    lost_ += lost;
    work.dissipated += lost;
    fresh_.push_back({t, static_cast<long>(k), 0, 0, 0, true});
    return true;
  }

  mutable Flights flights_;
  bool forced_ = false, inelastic_ = false;
  core::Sum t_;
  Snapshot at_, next_;
  std::vector<Gaps::Value> from_, to_;  // at at_
  std::vector<double> sizes_;           // of each gap, what it was added up from at most
  Impacts seen_;
  // Of the step that is being made.
  std::vector<Impact> fresh_;
  std::vector<std::pair<long, double>> recent_;  // contacts, and how much of the step was to come
  double lost_ = 0;
};

}  // namespace

std::unique_ptr<Integrator> with_contacts(const system::Model& model, const Spec& spec, const BuildOptions& options) {
  system::Model free = model;
  free.contacts.clear();
  return std::make_unique<ContactSteps>(model, make_integrator(free, spec, options), DiscreteEnergy(spec), options.compile);
}

}  // namespace actio::method
