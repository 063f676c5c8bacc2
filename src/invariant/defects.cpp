#include <actio/invariant/defects.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "extrapolate.hpp"
#include "motion.hpp"

namespace actio::invariant {

namespace {

using Eigen::VectorXd;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Units of q and p in which a step of the run is of order one: ten steps' motion, and the momentum.
struct Units {
  double q = 0, p = 0;
};

Units units(const method::Integrator& system, std::span<const method::Snapshot> states, double h) {
  Motion m = motion(states, h);
  Units u;
  for (const auto& s : states) {
    u.q = std::max(u.q, 10 * std::abs(h) * rms(s.v));
    u.p = std::max(u.p, rms(s.p));
  }
  if (u.q >= m.q && u.p > 0) return u;
  // At rest, or nearly: the momentum of that motion in ten steps, less of it where the Lagrangian has no value so fast.
  auto probe = system.clone();
  for (int k = 0; k < 8; ++k, m.q /= 10, m.v /= 10) {
    try {
      method::Snapshot s;
      probe->start(states[0].t, states[0].q, VectorXd::Constant(system.size(), m.v));
      probe->snapshot(s);
      if (const double p = rms(s.p); p > 0 && std::isfinite(p)) return {m.q, p};
    } catch (const std::exception&) { continue; }
  }
  return {nan, nan};
}

// Phi and, if asked, its own coordinates before and after, near one state, as functions of z = (q / u.q, p / u.p). Where
// constraints are kept Phi starts from z projected onto them, pi(z): the form is then compared on what pi makes of tangent
// vectors.
class StepMap {
 public:
  StepMap(const method::Integrator& system, const Units& u, bool own)
      : system_(system.clone()),
        u_(u),
        own_(own),
        projected_(system.nature().constraints > 0 && !system.nature().driven),
        n_(system.size()) {}

  bool projected() const { return projected_; }
  // Of the step h: (Phi(z + x d)) or, with own coordinates, that, own(z + x d), own(Phi(z + x d)): (2n) or (6n); with constraints
  // Phi(pi(z + x d)) and pi(z + x d): (4n).
  bool operator()(const method::Snapshot& at, double h, const VectorXd& d, double x, VectorXd& out) {
    q_ = at.q + x * u_.q * d.head(n_);
    p_ = at.p + x * u_.p * d.tail(n_);
    out.resize(own_ ? 6 * n_ : projected_ ? 4 * n_ : 2 * n_);
    try {
      system_->start_momentum(at.t, q_, p_);
      if (projected_) {
        if (!system_->project().found) return false;
        system_->snapshot(after_);
        out.segment(2 * n_, n_) = after_.q / u_.q;
        out.segment(3 * n_, n_) = after_.p / u_.p;
      }
      if (own_) put_own(h, out, 2 * n_);
      if (const auto report = system_->advance(1, h); !report.ok) return false;
      system_->snapshot(after_);
      if (own_) put_own(h, out, 4 * n_);
    } catch (const std::exception&) { return false; }
    out.head(n_) = after_.q / u_.q;
    out.segment(n_, n_) = after_.p / u_.p;
    return out.allFinite();
  }

 private:
  void put_own(double h, VectorXd& out, long offset) {
    system_->own_coordinates(h, x_, p_);
    out.segment(offset, n_) = x_ / u_.q;
    out.segment(offset + n_, n_) = p_ / u_.p;
  }
  std::unique_ptr<method::Integrator> system_;
  Units u_;
  bool own_, projected_;
  long n_;
  VectorXd q_, p_, x_;
  method::Snapshot after_;
};

// omega(a, b) = a_q . b_p - a_p . b_q of the part at `offset`.
double omega(const VectorXd& a, const VectorXd& b, long offset, long n) {
  return a.segment(offset, n).dot(b.segment(offset + n, n)) - a.segment(offset + n, n).dot(b.segment(offset, n));
}

// What errors of a and b make of omega(a, b) at most, to first order.
double error_of(const Derivative& a, const Derivative& b) { return a.error * b.value.norm() + b.error * a.value.norm(); }
// The same from the parts: positions meet momenta alone, |da_q . b_p| <= |da_q| |b_p| and so on. In a stiff system momenta are
// far larger than positions, in value and error, but never meet. The parts follow one another: q, p, and q, p of other
// coordinates.
double error_by_parts(const Derivative& a, const Derivative& b, long n) {
  if (a.errors.size() == 0 || b.errors.size() == 0) return error_of(a, b);
  double most = 0;
  for (long at = 0; at < a.value.size(); at += 2 * n) {
    const auto meet = [&](const Derivative& one, const Derivative& other) {
      return one.errors.segment(at, n).norm() * other.value.segment(at + n, n).norm() +
             one.errors.segment(at + n, n).norm() * other.value.segment(at, n).norm();
    };
    most += meet(a, b) + meet(b, a);
  }
  return most;
}

// Sums of squares over pairs: |after - before|^2 and |before|^2, and the error of the first.
struct Sums {
  double defect = 0, form = 0, floor = 0;
  void add(double before, double after, double error) {
    defect += (after - before) * (after - before);
    form += before * before;
    floor += error * error;
  }
};

void include(Defect& worst, const Sums& sums, double form) {
  const double value = std::sqrt(sums.defect) / form, floor = std::sqrt(sums.floor) / form;
  if (std::isnan(worst.value) || value > worst.value) worst = {value, floor};
}

double normal(std::mt19937_64& random) {  // Box-Muller, the same on every platform
  const double u = 0x1p-53 * (static_cast<double>(random() >> 11) + 0.5), v = 0x1p-53 * static_cast<double>(random() >> 11);
  return std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * v);
}

// Of the k-th state.
double step_of(std::span<const double> h, std::size_t k) { return h[h.size() == 1 ? 0 : k]; }

double largest(std::span<const double> h) {
  double most = 0;
  for (const double x : h) most = std::max(most, std::abs(x));
  return most;
}

}  // namespace

Symplecticity symplecticity(const method::Integrator& system, std::span<const method::Snapshot> states, std::span<const double> h,
                            bool own) {
  Symplecticity result;
  result.canonical.value = result.own.value = nan;
  if (states.empty() || system.size() == 0) return result;
  const long n = system.size();
  const Units u = units(system, states, largest(h));
  if (!(u.q > 0) || !(u.p > 0) || !std::isfinite(u.q) || !std::isfinite(u.p)) return result;
  StepMap map(system, u, own);
  std::mt19937_64 random(20000512);
  const bool full = n <= 12;
  // A coordinate that never moves is no part of the phase space.
  std::vector<bool> is_fixed(static_cast<std::size_t>(n), false);
  for (const auto i : system.fixed()) is_fixed[static_cast<std::size_t>(i)] = true;
  const long free = n - static_cast<long>(system.fixed().size());
  // Each direction of each state costs some ten steps: fewer where a step is dear.
  const long directions = full ? 2 * n : (n > 10000 ? 2 : 4);
  const std::size_t begin = n > 10000 && states.size() > 2 ? states.size() - 2 : 0;

  for (std::size_t which = begin; which < states.size(); ++which) {
    const method::Snapshot& at = states[which];
    const double step = step_of(h, which);
    std::vector<Derivative> d;
    std::vector<VectorXd> tangent;
    for (long k = 0; k < directions; ++k) {
      if (full && is_fixed[static_cast<std::size_t>(k % n)]) continue;
      VectorXd z = VectorXd::Zero(2 * n);
      if (full)
        z[k] = 1;
      else
        for (long i = 0; i < 2 * n; ++i)
          if (const double x = normal(random); !is_fixed[static_cast<std::size_t>(i % n)]) z[i] = x;
      d.push_back(differentiate([&](double x, VectorXd& out) { return map(at, step, z, x, out); }, 0.1));
      tangent.push_back(std::move(z));
      if (d.back().value.size() == 0) break;
      // Random motions of a large system may tear at it as no run does, and each step of them is dear: nothing is told here.
      if (!full && !(d.back().error * d.back().value.norm() < tangent.back().squaredNorm())) {
        result.canonical = result.own = {nan, std::numeric_limits<double>::infinity()};
        return result;
      }
    }
    if (d.empty() || d.back().value.size() == 0) continue;
    Sums canonical, mine;
    const auto error = [&](std::size_t i, std::size_t j) { return full ? error_of(d[i], d[j]) : error_by_parts(d[i], d[j], n); };
    long pairs = 0;
    for (std::size_t i = 0; i < d.size(); ++i)
      for (std::size_t j = 0; j < i; ++j, ++pairs) {
        const double before = map.projected() ? omega(d[i].value, d[j].value, 2 * n, n) : omega(tangent[i], tangent[j], 0, n);
        canonical.add(before, omega(d[i].value, d[j].value, 0, n), error(i, j));
        if (own) mine.add(omega(d[i].value, d[j].value, 2 * n, n), omega(d[i].value, d[j].value, 4 * n, n), error(i, j));
      }
    // All pairs of basis vectors: the strict triangle, with |J|^2 = n there. Random pairs of unit normal vectors u, v:
    // the mean of (u' E v)^2 is |E|^2.
    const double form = full ? std::sqrt(static_cast<double>(free)) : std::sqrt(2.0 * static_cast<double>(free * pairs));
    include(result.canonical, canonical, map.projected() ? std::sqrt(canonical.form) : form);
    if (own) include(result.own, mine, full ? std::sqrt(mine.form) : form);
  }
  return result;
}

double reversibility(const method::Integrator& system, std::span<const method::Snapshot> states, std::span<const double> h) {
  if (states.empty()) return nan;
  double position = 0, velocity = 0;
  for (const auto& s : states) {
    velocity = std::max(velocity, s.v.lpNorm<Eigen::Infinity>());
    position = std::max(position, s.q.lpNorm<Eigen::Infinity>());
  }
  auto step = system.clone();
  method::Snapshot s;
  if (position == 0 && velocity == 0) {  // at rest until now: where a step goes
    for (std::size_t which = 0; which < states.size(); ++which) {
      try {
        step->start(states[which].t, states[which].q, states[which].v);
        if (const auto report = step->advance(1, step_of(h, which)); !report.ok) continue;
        step->snapshot(s);
      } catch (const std::exception&) { continue; }
      velocity = std::max(velocity, s.v.lpNorm<Eigen::Infinity>());
      position = std::max(position, s.q.lpNorm<Eigen::Infinity>());
    }
  }
  const double ten = 10 * largest(h);
  // A step rounds velocities to eps |f| h: with forces that cancel, far more than eps of a small velocity.
  const double share = ten * velocity < 1e-6 * position ? 1 : 1e-3;
  position += ten * velocity;
  velocity = std::max(velocity, share * position / ten);
  const auto relative = [](const VectorXd& x, double size) {
    const double largest = x.lpNorm<Eigen::Infinity>();
    return largest > 0 ? largest / std::max(size, 1e-300) : largest;
  };
  double worst = nan;
  for (std::size_t which = 0; which < states.size(); ++which) {
    const method::Snapshot& at = states[which];
    const double one = step_of(h, which);
    try {
      step->start(at.t, at.q, at.v);
      if (const auto report = step->advance(1, one); !report.ok) continue;
      step->snapshot(s);
      step->start_momentum(s.t, s.q, s.p);
      if (const auto report = step->advance(1, -one); !report.ok) continue;
      step->snapshot(s);
    } catch (const std::exception&) { continue; }
    const double distance = std::max(relative(s.q - at.q, position), relative(s.v - at.v, velocity));
    if (std::isnan(worst) || distance > worst) worst = distance;
  }
  return worst;
}

}  // namespace actio::invariant
