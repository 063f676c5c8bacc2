#include <actio/invariant/accuracy.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include <actio/invariant/scales.hpp>
#include <actio/invariant/thresholds.hpp>

#include "extrapolate.hpp"
#include "numbers.hpp"

namespace actio::invariant {

namespace {

using Eigen::VectorXd;
using method::Snapshot;

// sqrt(sum |dp_i dv_i|): the size of a change of motion, in the units of the root of an energy whatever the coordinates are.
double size_of(const VectorXd& dp, const VectorXd& dv) { return std::sqrt(dp.cwiseAbs().dot(dv.cwiseAbs())); }

double distance(const Snapshot& a, const Snapshot& b) { return size_of(a.p - b.p, a.v - b.v); }

}  // namespace

struct AccuracyProbe::Parts {
  Parts(const method::Integrator& integrator, const Scales& units) : system(integrator.clone()), s(units) {}
  std::unique_ptr<method::Integrator> system;
  Scales s;

  // The state `count` steps of h after (q, p), with its energy less what moving constraints and the solver's residual put in;
  // false where there is none.
  bool advance(const Snapshot& from, long count, double h, Snapshot& to, double* energy = nullptr, double* residual = nullptr) {
    try {
      system->start_momentum(from.t, from.q, from.p);
      system->set_reference();
      const auto report = system->advance(count, h);
      if (!report.ok) return false;
      system->snapshot(to);
      const auto& w = report.work;
      if (energy) *energy = system->energy() - (w.constraints + w.residual);
      if (residual) *residual = std::max(*residual, report.worst_residual);
    } catch (const std::exception&) { return false; }
    return to.q.allFinite() && to.v.allFinite() && to.p.allFinite() && (!energy || std::isfinite(*energy));
  }
};

AccuracyProbe::AccuracyProbe(const method::Integrator& system, std::span<const Snapshot> states, std::span<const double> h,
                             int order, bool autonomous, const Scales& units)
    : states_(states), h_(h), claimed_(order), autonomous_(autonomous) {
  if (!states.empty() && units.usable) parts_ = std::make_unique<Parts>(system, units);
}

AccuracyProbe::~AccuracyProbe() = default;

void AccuracyProbe::measure(std::size_t which, const AccuracyEffort& effort) {
  if (!parts_) return;
  Parts& parts = *parts_;
  const Snapshot& at = states_[which];
  const double h = h_[h_.size() == 1 ? 0 : which];
  if (effort.draws < 0) return;
  Snapshot one, two;
  double residual = 0;
  if (!parts.advance(at, 1, h, one, nullptr, &residual) || !parts.advance(at, 2, h / 2, two, nullptr, &residual)) return;
  // What rounding leaves of velocities and momenta, and of velocities that are differences of positions.
  const auto rounding = [&](const Snapshot& to, double step) {
    const VectorXd v = at.v.cwiseAbs() + to.v.cwiseAbs() + at.q.cwiseAbs() / std::abs(step);
    const VectorXd p =
        (at.p.cwiseAbs() + to.p.cwiseAbs()).cwiseMax(v.cwiseProduct(parts.s.p).cwiseQuotient(parts.s.v.cwiseMax(1e-300)));
    return (4 * eps + residual) * size_of(p, v);
  };
  const double changed = distance(two, at), off = distance(one, two);
  const double error = off <= 8 * rounding(two, h / 2) || changed == 0 ? 0 : off / changed;
  result_.typical = error;
  if (!(error <= result_.error)) result_.error = error;

  if (effort.order && claimed_ > 0) {
    result_.order_tried = true;
    // Shorter and shorter steps, until the differences show the order that is claimed, or are round-off. A lower order must show
    // clearly, from several lengths of steps and down to the shortest: while a sudden load makes modes swing whose periods the
    // steps do not resolve, differences fall by less. One length will do where the differences are small already.
    std::array<Snapshot, 4> by;
    double step = h;
    int low = 0;
    double found = Accuracy::none, coarse = 0;
    for (int tries = 0; tries < 12; ++tries, step /= 4) {
      bool all = true;
      for (std::size_t k = 0; k < by.size() && all; ++k)
        all = parts.advance(at, 1L << k, step / static_cast<double>(1L << k), by[k], nullptr, &residual);
      if (!all) continue;
      const double blur = rounding(by[3], step / 8);
      const std::array<double, 3> d{distance(by[0], by[1]), distance(by[1], by[2]), distance(by[2], by[3])};
      if (!(d[0] <= 0.1 * distance(by[3], at))) continue;  // not short enough
      if (!(d[1] > 100 * blur)) break;
      const double first = std::log2(d[0] / d[1]), second = d[2] > 30 * blur ? std::log2(d[1] / d[2]) : first;
      const bool lower = second < claimed_ - threshold::order;
      const bool shown = d[2] > 30 * blur ? std::abs(first - second) < (lower ? 0.1 : 0.25) : !lower;
      low = shown && lower ? low + 1 : 0;
      coarse = d[0] / distance(by[3], at);
      found = shown ? second : Accuracy::none;
      if (shown && low == 0) break;
    }
    if (low == 1 && coarse > 0.01) found = Accuracy::none;
    if (!(found <= result_.order) && !std::isnan(found)) result_.order = found;
  }

  const auto properties = parts.system->properties();
  if (!(properties.energy && properties.lagrangian)) return;
  std::mt19937_64 random(20000514 + which);
  VectorXd force;
  bool off_here = false, on_here = false;
  for (int draw = 0; draw < effort.draws; ++draw) {
    Snapshot z = at;
    try {
      const bool kept = properties.constraints > 0 && !properties.prescribed;
      for (long i = 0; draw > 0 && i < z.v.size(); ++i)
        z.v[i] += parts.s.v[i] * (0x1p-52 * static_cast<double>(random() >> 11) - 1.0);
      if (draw > 0 || kept) {
        parts.system->start(z.t, z.q, z.v);
        if (kept && !parts.system->project().found) continue;
        parts.system->snapshot(z);
      }
    } catch (const std::exception&) { continue; }
    if (!z.p.allFinite()) continue;
    // A step so short that what the forces change is proportional to it.
    Snapshot a, b;
    double x = 1, power = 0;
    bool found = false;
    for (int tries = 0; tries < 10 && !found; ++tries, x /= 4) {
      if (!parts.advance(z, 1, x * h, a) || !parts.advance(z, 1, x * h / 2, b)) continue;
      const VectorXd rate_a = (a.p - z.p) / (x * h), rate_b = (b.p - z.p) / (x * h / 2);
      power = rate_b.cwiseAbs().dot(z.v.cwiseAbs());
      if ((rate_a - rate_b).cwiseAbs().dot(z.v.cwiseAbs()) <= 0.2 * power || power == 0) found = true;
    }
    if (!found || !(power > 0) || !std::isfinite(power)) continue;
    x *= 4;
    if (properties.forced) parts.system->applied(z.t, z.q, z.v, force);
    const double forces = properties.forced ? force.dot(z.v) * h : 0;  // their work, as the rates below a step
    // E and q after y steps, once each.
    std::vector<std::pair<double, std::pair<double, VectorXd>>> seen;
    const auto after = [&](double y) -> const std::pair<double, VectorXd>* {
      for (const auto& [at_y, value] : seen)
        if (at_y == y) return &value;
      double energy = 0;
      if (!parts.advance(z, 1, y * h, a, &energy)) return nullptr;
      seen.emplace_back(y, std::pair{energy, a.q});
      return &seen.back().second;
    };
    const auto energy_after = [&](double y, VectorXd& out) {
      const auto* found_there = after(y);
      if (found_there) out.setConstant(1, found_there->first);
      return found_there != nullptr;
    };
    const auto place_after = [&](double y, VectorXd& out) {
      const auto* found_there = after(y);
      if (found_there) out = found_there->second;
      return found_there != nullptr;
    };
    const auto lagrangian = [&](double y, VectorXd& out) {
      out.resize(1);
      try {
        parts.system->start(z.t + y * h, z.q, z.v);
        parts.system->snapshot(b);
        out[0] = b.p.dot(z.v) - parts.system->energy();
      } catch (const std::exception&) { return false; }
      return std::isfinite(out[0]);
    };
    const double scale = power * std::abs(h), blur = rounding_of_energy(*parts.system, z.t, z.q, z.v);
    // Power gained or lost, and what resolves it, from differences that begin at y.
    const auto power_off = [&](double y) -> std::pair<double, double> {
      Derivative rate = differentiate(energy_after, y, {5, 1e-10});
      if (rate.errors.size() == 0) return {0, std::numeric_limits<double>::infinity()};
      rate.value[0] -= forces;
      if (!autonomous_) {  // dE/dt = -dL/dt at fixed q, v
        const Derivative own = differentiate(lagrangian, y, {5, 1e-10});
        if (own.errors.size() == 0) return {0, std::numeric_limits<double>::infinity()};
        rate.value += own.value;
        rate.error += own.error;
      }
      return {std::abs(rate.value[0]) / scale, (rate.error + (eps * std::abs(seen.back().second.first) + 16 * blur) / y) / scale};
    };
    // Positions, each beside the momentum of its own motion.
    const VectorXd weight = parts.s.p + z.p.cwiseAbs();
    const double motion = weight.dot(z.v.cwiseAbs());
    const auto place_off = [&](double y) -> std::pair<double, double> {
      const Derivative moved = differentiate(place_after, y, {5, 1e-10});
      if (moved.errors.size() == 0) return {0, std::numeric_limits<double>::infinity()};
      const VectorXd rounded = (moved.errors + (eps / y) * z.q.cwiseAbs()) / std::abs(h);
      return {weight.dot((moved.value / h - z.v).cwiseAbs()) / motion, weight.dot(rounded) / motion};
    };
    // What is off must be so from ever shorter steps: differences of a strongly curved flow may agree by chance, twice even. And
    // what was off must be seen not to be, twice.
    const auto judge = [&](const auto& difference) {
      auto [value, floor] = difference(x);
      const auto seen_off = [](double found_off, double resolves) {
        return found_off > threshold::inconsistency + threshold::of_floor * resolves;
      };
      int clean = seen_off(value, floor) ? 0 : 2;
      double y = x / 8;
      for (int k = 0; k < 4 && clean < 2; ++k, y /= 8) {
        const auto [again, finer] = difference(y);
        const bool still = seen_off(again, finer);
        if (clean == 0 || still) {
          floor = again > 0.5 * value ? std::max(floor, finer) : std::max(finer, 0.2 * value);
          value = again;
        } else {
          floor = std::max(floor, finer);
        }
        clean = still ? 0 : clean + 1;
      }
      take(value, floor, off_here, on_here);
    };
    judge(power_off);
    if (motion > 0) judge(place_off);
  }
  result_.states_off += off_here;
  result_.states_on += on_here && !off_here;
}

void AccuracyProbe::take(double value, double floor, bool& off_here, bool& on_here) {
  if (!(floor <= threshold::inconsistency_resolved)) return;
  // The worst of what does not agree, else the best resolved of what does.
  const bool off = value > threshold::inconsistency + threshold::of_floor * floor;
  const bool before = result_.inconsistency > threshold::inconsistency + threshold::of_floor * result_.floor;
  (off ? off_here : on_here) = true;
  if (std::isnan(result_.inconsistency) || (off && !before) ||
      (off == before && (off ? value > result_.inconsistency : floor < result_.floor))) {
    result_.inconsistency = value;
    result_.floor = floor;
  }
}

void AccuracyProbe::ring(std::size_t which) {
  if (!parts_) return;
  constexpr int steps = 16;
  const Snapshot& at = states_[which];
  const double h = h_[h_.size() == 1 ? 0 : which];
  const VectorXd& natural = parts_->s.v;
  Eigen::VectorXi alternates = Eigen::VectorXi::Zero(natural.size());
  Snapshot before = at, now;
  try {
    parts_->system->start_momentum(at.t, at.q, at.p);
    for (int k = 0; k < steps; ++k, std::swap(before, now)) {
      if (const auto report = parts_->system->advance(1, h); !report.ok) return;
      parts_->system->snapshot(now);
      for (long i = 0; i < natural.size(); ++i) {
        const double moved = (now.q[i] - before.q[i]) / h, v = std::min(std::abs(now.v[i]), std::abs(before.v[i]));
        alternates[i] += now.v[i] * before.v[i] < 0 && v > 1e-3 * natural[i] && std::abs(moved) < 0.1 * v;
      }
    }
  } catch (const std::exception&) { return; }
  result_.ringing = std::max(result_.ringing, static_cast<long>((alternates.array() == steps).count()));
}

void AccuracyProbe::together(std::size_t which, long steps) {
  if (!parts_ || claimed_ <= 0) return;
  const Snapshot& at = states_[which];
  const double h = h_[h_.size() == 1 ? 0 : which];
  const double motion = size_of(parts_->s.p, parts_->s.v);
  // One by one: each moves by about h times its mean velocity.
  {
    Snapshot before = at, now;
    try {
      parts_->system->start_momentum(at.t, at.q, at.p);
      for (long k = 0; k < steps; ++k, std::swap(before, now)) {
        if (const auto report = parts_->system->advance(1, h); !report.ok) break;
        parts_->system->snapshot(now);
        const VectorXd v = 0.5 * before.v + 0.5 * now.v, moved = (now.q - before.q) / h;
        const double path = parts_->s.p.dot(v.cwiseAbs());
        result_.slips += path > 0.1 * parts_->s.p.dot(parts_->s.v) && parts_->s.p.dot((moved - v).cwiseAbs()) > 0.5 * path;
      }
    } catch (const std::exception&) { return; }
  }
  std::array<Snapshot, 4> by;
  double residual = 0;
  for (std::size_t k = 0; k < by.size(); ++k)
    if (!parts_->advance(at, steps << k, h / static_cast<double>(1L << k), by[k], nullptr, &residual)) return;
  const double d[3] = {distance(by[0], by[1]), distance(by[1], by[2]), distance(by[2], by[3])};
  const double blur = (eps * std::sqrt(static_cast<double>(steps)) + residual * static_cast<double>(steps)) * motion * 1e3;
  if (!(d[0] <= 0.05 * motion) || !(d[2] > blur)) return;
  result_.together = std::log2(d[0] / d[1]);
  result_.together_finer = std::log2(d[1] / d[2]);
}

}  // namespace actio::invariant
