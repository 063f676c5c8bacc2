#include <actio/invariant/defects.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <actio/invariant/scales.hpp>
#include <actio/invariant/thresholds.hpp>

#include "extrapolate.hpp"
#include "numbers.hpp"

namespace actio::invariant {

namespace {

using Eigen::VectorXd;

// Phi and, if asked, its own coordinates before and after, near one state, in canonical units: q_i sqrt(p/q), p_i sqrt(q/p) with
// the scales of each coordinate, so that omega is sum dq_i ^ dp_i as in the coordinates themselves. Where constraints are kept
// Phi starts from z projected onto them, pi(z): the form is then compared on what pi makes of tangent vectors.
class StepMap {
 public:
  StepMap(const method::Integrator& system, const Scales& s, bool own)
      : system_(system.clone()),
        unit_(VectorXd::Zero(system.size())),
        size_(unit_),
        own_(own),
        projected_(system.properties().constraints > 0 && !system.properties().prescribed),
        n_(system.size()) {
    for (long i = 0; i < n_; ++i)
      if (s.q[i] > 0) {
        unit_[i] = std::sqrt(s.p[i]) / std::sqrt(s.q[i]);
        size_[i] = std::sqrt(s.p[i]) * std::sqrt(s.q[i]);
      }
  }

  bool projected() const { return projected_; }
  // sqrt of the action of each coordinate's motion: a direction of natural size has entries size_i xi_i, in q and in p.
  const VectorXd& size() const { return size_; }
  // Of the step h: (Phi(z + x d)) or, with own coordinates, that, own(z + x d), own(Phi(z + x d)): (2n) or (6n); with constraints
  // Phi(pi(z + x d)) and pi(z + x d): (4n).
  bool operator()(const method::Snapshot& at, double h, const VectorXd& d, double x, VectorXd& out) {
    q_ = at.q;
    p_ = at.p;
    for (long i = 0; i < n_; ++i)
      if (unit_[i] > 0) {
        q_[i] += x * d[i] / unit_[i];
        p_[i] += x * d[n_ + i] * unit_[i];
      }
    out.resize(own_ ? 6 * n_ : projected_ ? 4 * n_ : 2 * n_);
    try {
      system_->start_momentum(at.t, q_, p_);
      if (projected_) {
        if (!system_->project().found) return false;
        // Again: what the first leaves is the square of how far it went, and would be taken for a part of the map. Where that is
        // rounding already the state stays.
        (void)system_->project();
        system_->snapshot(after_);
        put(after_.q, after_.p, out, 2 * n_);
      }
      if (own_) put_own(h, out, 2 * n_);
      if (const auto report = system_->advance(1, h); !report.ok) return false;
      system_->snapshot(after_);
      if (own_) put_own(h, out, 4 * n_);
    } catch (const std::exception&) { return false; }
    put(after_.q, after_.p, out, 0);
    return out.allFinite();
  }

 private:
  void put(const VectorXd& q, const VectorXd& p, VectorXd& out, long offset) const {
    out.segment(offset, n_) = q.cwiseProduct(unit_);
    for (long i = 0; i < n_; ++i) out[offset + n_ + i] = unit_[i] > 0 ? p[i] / unit_[i] : 0;
  }
  void put_own(double h, VectorXd& out, long offset) {
    system_->conjugate_coordinates(h, x_, p_);
    put(x_, p_, out, offset);
  }
  std::unique_ptr<method::Integrator> system_;
  VectorXd unit_, size_;
  bool own_, projected_;
  long n_;
  VectorXd q_, p_, x_;
  method::Snapshot after_;
};

// omega(a, b) = a_q . b_p - a_p . b_q of the part at `offset`.
double omega(const VectorXd& a, const VectorXd& b, long offset, long n) {
  return a.segment(offset, n).dot(b.segment(offset + n, n)) - a.segment(offset + n, n).dot(b.segment(offset, n));
}

// What errors of a and b make of omega(a, b) at most, to first order, entry by entry: positions meet their own momenta alone. The
// parts follow one another: q, p, and q, p of other coordinates.
double error_of(const Derivative& a, const Derivative& b, long n) {
  if (a.errors.size() == 0 || b.errors.size() == 0) return a.error * b.value.norm() + b.error * a.value.norm();
  double most = 0;
  for (long at = 0; at < a.value.size(); at += 2 * n) {
    const auto meet = [&](const Derivative& one, const Derivative& other) {
      return one.errors.segment(at, n).dot(other.value.segment(at + n, n).cwiseAbs()) +
             one.errors.segment(at + n, n).dot(other.value.segment(at, n).cwiseAbs());
    };
    most += meet(a, b) + meet(b, a);
  }
  return most;
}

// Sums of squares over pairs: |after - before|^2 and |before|^2, and the error of the first; each pair in units of `size`.
struct Sums {
  double defect = 0, form = 0, floor = 0;
  void add(double before, double after, double error, double size) {
    defect += (after - before) / size * ((after - before) / size);
    form += before / size * (before / size);
    floor += error / size * (error / size);
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

double largest_step(std::span<const double> h) {
  double most = 0;
  for (const double x : h) most = std::max(most, std::abs(x));
  return most;
}

// Coordinates whose actions are within 1e4 of one another, the largest first; at most three groups.
std::vector<std::vector<long>> groups(const VectorXd& size) {
  std::vector<long> order;
  for (long i = 0; i < size.size(); ++i)
    if (size[i] > 0) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](long a, long b) { return size[a] > size[b]; });
  std::vector<std::vector<long>> out;
  for (const long i : order) {
    if (out.empty() || (size[i] < 1e-2 * size[out.back().front()] && out.size() < 3)) out.emplace_back();
    out.back().push_back(i);
  }
  return out;
}

constexpr long most_full = 12;  // coordinates of which the whole matrix is measured
constexpr double good = 1e-11;  // a relative error below which differences are not refined

// The first difference, in units of the natural size, shortened to how far the map bends. Up to two levels estimate their error
// as that of the coarser difference, so they are short enough for that to be below the resolution asked for; more extrapolate.
double first_difference(int levels) { return levels <= 2 ? 3e-4 : levels == 3 ? 0.01 : 0.03; }

// What extrapolation takes out of a curved map: of differences at d with bend r, r^2 remains of one, r^4 of two, and of a form of
// many coordinates the square root of their number times that, for the form of two random vectors is as much smaller than they
// are.
double bend(int levels) { return levels <= 2 ? 3e-5 : levels == 3 ? 3e-3 : 0.1; }

// Whether it may be that of a kink, or is not known.
bool doubtful(const Defect& d) {
  return d.value < 1e-4 && (d.value > threshold::defect + threshold::of_floor * d.floor || d.floor > threshold::defect_resolved);
}
// A step is a function of its state: measured again it has the same defect but for rounding.
bool repeats(const Defect& again, const Defect& d) {
  return std::isnan(d.value) ||
         (std::abs(again.value - d.value) <= 0.1 * d.value + 1e-12 && std::abs(again.floor - d.floor) <= 0.1 * d.floor + 1e-12);
}

Symplecticity none_found() {
  Symplecticity s;
  s.canonical.value = s.own.value = nan;
  return s;
}
}  // namespace

struct SymplecticityProbe::Parts {
  const method::Integrator& system;
  StepMap map;
  std::vector<std::vector<long>> parts;
  bool full, own;

  // At a state, by differences that begin with `first`. False when a step could not be taken, or nothing is free to move.
  bool measure(const method::Snapshot& at, double step, const VectorXd& unmoved, std::mt19937_64 random, const Effort& effort,
               double first, Symplecticity& here);
};

SymplecticityProbe::SymplecticityProbe(const method::Integrator& system, std::span<const method::Snapshot> states,
                                       std::span<const double> h, bool own, const Scales& units)
    : states_(states), h_(h), own_(own), found_(states.size(), none_found()) {
  if (!units.usable) return;
  StepMap map(system, units, own);
  auto parts = groups(map.size());
  parts_ = std::make_unique<Parts>(Parts{system, std::move(map), std::move(parts), system.size() <= most_full, own});
}

SymplecticityProbe::~SymplecticityProbe() = default;

long SymplecticityProbe::cost(const method::Integrator& system, const Effort& effort) {
  const long n = system.size(), vectors = n <= most_full ? 2 * n : effort.tangents;
  return 2 * vectors * std::min(effort.levels, 3) + 1;
}

void SymplecticityProbe::begin(std::size_t which) {
  if (!parts_ || begun_ == which) return;
  begun_ = which;
  if (!parts_->map(states_[which], step_of(h_, which), VectorXd::Zero(2 * parts_->system.size()), 0, unmoved_))
    unmoved_.resize(0);
}

// A defect of the step is the same whatever the differences; one of a kink that they straddle, as where a pair enters a switch,
// is not, and shorter ones are free of it. Steps that are not always the same are not given another chance.
void SymplecticityProbe::measure(std::size_t which, const Effort& effort) {
  if (!parts_ || no_freedom_) return;
  begin(which);
  double first = first_difference(effort.levels);
  Symplecticity here = none_found(), again = none_found();
  // Differs from state to state, not from run to run nor with the states measured before.
  const std::mt19937_64 random(20000512 + which);
  const auto measured = [&](Symplecticity& out) {
    return parts_->measure(states_[which], step_of(h_, which), unmoved_, random, effort, first, out);
  };
  if (!measured(here)) {
    no_freedom_ = here.no_freedom;
    return;
  }
  const bool doubt = doubtful(here.canonical) || doubtful(here.own);
  if (doubt && measured(again) && repeats(again.canonical, here.canonical) && repeats(again.own, here.own))
    for (int shorter = 0; shorter < 2; ++shorter) {
      first /= 8;
      if (!measured(again)) break;
      if (doubtful(here.canonical) && !doubtful(again.canonical)) here.canonical = again.canonical;
      if (doubtful(here.own) && !doubtful(again.own)) here.own = again.own;
      if (!doubtful(here.canonical) && !doubtful(here.own)) break;
    }
  found_[which] = here;
}

bool SymplecticityProbe::Parts::measure(const method::Snapshot& at, double step, const VectorXd& unmoved, std::mt19937_64 random,
                                        const Effort& effort, double first, Symplecticity& here) {
  const long n = system.size();
  const VectorXd& size = map.size();
  const auto derivative = [&](const VectorXd& z) {
    const auto moved = [&](double x, VectorXd& out) {
      if (x != 0) return map(at, step, z, x, out);
      out = unmoved;
      return out.size() > 0;
    };
    auto d = differentiate(moved, first, {effort.levels, good, bend(effort.levels), 0.1 * z.norm()});
    if (d.first > 0) first = d.first;  // others bend about as much
    return d;
  };
  double reach = 0;  // of the tangent vectors that the constraints leave, relative
  const auto add = [&](const std::vector<Derivative>& d, const std::vector<VectorXd>& tangent, std::size_t i, std::size_t j,
                       double unit, Sums& canonical, Sums& mine) {
    // Errors of the entries bound that of the form; where they move along what it does not see, as under constraints, it is far
    // less, and what coarser differences make of it tells.
    const double bound = error_of(d[i], d[j], n);
    const auto put = [&](Sums& sums, long from, long to) {
      const auto before = [&](const VectorXd& a, const VectorXd& b) {
        return from > 0 ? omega(a, b, from, n) : omega(tangent[i], tangent[j], 0, n);
      };
      const VectorXd &a = d[i].value, &b = d[j].value, &c = d[i].coarser, &e = d[j].coarser;
      const double defect = omega(a, b, to, n) - before(a, b);
      double error = bound;
      if (c.size() > 0 && e.size() > 0)
        error = std::min(error, std::abs(defect - (omega(c, e, to, n) - before(c, e))));
      else
        error = threshold::one_difference * std::abs(defect);
      sums.add(before(a, b), omega(a, b, to, n), error, unit);
    };
    put(canonical, map.projected() ? 2 * n : 0, 0);
    if (own) put(mine, 2 * n, 4 * n);
  };
  const auto measured = [&](std::vector<Derivative>& d, const VectorXd& z) {
    d.push_back(derivative(z));
    if (d.back().value.size() == 0) return false;
    reach = std::max(reach, map.projected() ? d.back().value.segment(2 * n, 2 * n).norm() / z.norm() : 1.0);
    return true;
  };

  here = none_found();
  if (full) {
    std::vector<Derivative> d;
    std::vector<VectorXd> tangent;
    std::vector<double> unit;
    for (long k = 0; k < 2 * n; ++k) {
      if (size[k % n] == 0) continue;
      VectorXd z = VectorXd::Zero(2 * n);
      z[k] = size[k % n];
      if (!measured(d, z)) return false;
      unit.push_back(z[k]);
      tangent.push_back(std::move(z));
    }
    Sums canonical, mine;
    for (std::size_t i = 0; i < d.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) add(d, tangent, i, j, unit[i] * unit[j], canonical, mine);
    // The strict triangle of the pairs of basis vectors, with |J|^2 = n there.
    const double form = std::sqrt(static_cast<double>(d.size()) / 2);
    include(here.canonical, canonical, map.projected() ? std::sqrt(canonical.form) : form);
    if (own) include(here.own, mine, std::sqrt(mine.form));
  } else {
    for (const std::vector<long>& group : parts) {
      std::vector<Derivative> d;
      std::vector<VectorXd> tangent;
      double actions = 0;  // sum of squares of size^2, in units of the largest
      const double largest_size = size[group.front()];
      for (const long i : group) actions += std::pow(size[i] / largest_size, 4);
      for (int k = 0; k < effort.tangents; ++k) {
        VectorXd z = VectorXd::Zero(2 * n);
        for (const long i : group) {
          z[i] = size[i] * normal(random);
          z[n + i] = size[i] * normal(random);
        }
        if (!measured(d, z)) return false;
        tangent.push_back(std::move(z));
      }
      Sums canonical, mine;
      long pairs = 0;
      for (std::size_t i = 0; i < d.size(); ++i)
        for (std::size_t j = 0; j < i; ++j, ++pairs) add(d, tangent, i, j, largest_size * largest_size, canonical, mine);
      // Pairs of normal vectors u, v of natural size: the mean of (u' E v)^2 is |E|^2 in those units.
      const double form = std::sqrt(2 * actions * static_cast<double>(pairs));
      include(here.canonical, canonical, map.projected() ? std::sqrt(canonical.form) : form);
      if (own) include(here.own, mine, form);
    }
  }
  here.no_freedom = reach < 1e-6;
  return !here.no_freedom;
}

Symplecticity SymplecticityProbe::result() const {
  Symplecticity out = none_found();
  const auto take = [](Defect& worst, const Defect& d) {
    if (std::isnan(worst.value) || d.value > worst.value) worst = d;
  };
  for (const Symplecticity& at : found_) {
    take(out.canonical, at.canonical);
    take(out.own, at.own);
  }
  out.no_freedom = no_freedom_;
  return out;
}

Symplecticity symplecticity(const method::Integrator& system, std::span<const method::Snapshot> states, std::span<const double> h,
                            bool own) {
  const Scales units = scales(system, states, largest_step(h));
  SymplecticityProbe probe(system, states, h, own, units);
  for (std::size_t k = 0; k < states.size(); ++k) probe.measure(k);
  return probe.result();
}

double reversibility(const method::Integrator& system, std::span<const method::Snapshot> states, std::span<const double> h,
                     std::span<const std::size_t> only) {
  if (states.empty()) return nan;
  std::vector<std::size_t> all(only.begin(), only.end());
  if (all.empty())
    for (std::size_t k = 0; k < states.size(); ++k) all.push_back(k);
  double position = 0, velocity = 0;
  for (const auto& s : states) {
    velocity = std::max(velocity, s.v.lpNorm<Eigen::Infinity>());
    position = std::max(position, s.q.lpNorm<Eigen::Infinity>());
  }
  auto step = system.clone();
  method::Snapshot s;
  if (position == 0 && velocity == 0) {  // at rest until now: where a step goes
    for (const std::size_t which : all) {
      try {
        step->start(states[which].t, states[which].q, states[which].v);
        if (const auto report = step->advance(1, step_of(h, which)); !report.ok) continue;
        step->snapshot(s);
      } catch (const std::exception&) { continue; }
      velocity = std::max(velocity, s.v.lpNorm<Eigen::Infinity>());
      position = std::max(position, s.q.lpNorm<Eigen::Infinity>());
    }
  }
  const double ten = 10 * largest_step(h);
  // A step rounds velocities to eps |f| h: with forces that cancel, far more than eps of a small velocity.
  const double share = ten * velocity < 1e-6 * position ? 1 : 1e-3;
  position += ten * velocity;
  velocity = std::max(velocity, share * position / ten);
  const auto relative = [](const VectorXd& x, double size) {
    const double largest = x.lpNorm<Eigen::Infinity>();
    return largest > 0 ? largest / std::max(size, 1e-300) : largest;
  };
  double worst = nan;
  for (const std::size_t which : all) {
    const method::Snapshot& at = states[which];
    const double one = step_of(h, which);
    try {
      step->start(at.t, at.q, at.v);
      if (const auto report = step->advance(1, one); !report.ok) continue;
      step->snapshot(s);
      // The size of a step that follows the motion may be a state too.
      if (&step->of_equal_steps() == step.get()) step->start_momentum(s.t, s.q, s.p);
      if (const auto report = step->advance(1, -one); !report.ok) continue;
      step->snapshot(s);
    } catch (const std::exception&) { continue; }
    const double distance = std::max(relative(s.q - at.q, position), relative(s.v - at.v, velocity));
    if (std::isnan(worst) || distance > worst) worst = distance;
  }
  return worst;
}

}  // namespace actio::invariant
