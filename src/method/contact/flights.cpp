#include "flights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <Eigen/QR>

namespace actio::method {

using Eigen::VectorXd;

namespace {
constexpr double eps_of_root = std::numeric_limits<double>::epsilon();
}  // namespace

void Flights::response(const Snapshot& s, const VectorXd& n, VectorXd& out) {
  zero_.setZero(n.size());
  trial_->start_momentum(s.t, s.q, zero_);
  trial_->snapshot(probe_);
  out = -probe_.v;
  trial_->start_momentum(s.t, s.q, n);
  trial_->snapshot(probe_);
  out += probe_.v;
}

void Flights::take_velocity(Snapshot& s) {
  trial_->start_momentum(s.t, s.q, s.p);
  trial_->snapshot(probe_);
  s.v = probe_.v;
}

void Flights::normals(const Snapshot& s, Eigen::MatrixXd& N, Eigen::MatrixXd* M) {
  N.resize(s.q.size(), static_cast<Eigen::Index>(resting.size()));
  if (M) M->resize(N.rows(), N.cols());
  VectorXd n, m;
  for (std::size_t i = 0; i < resting.size(); ++i) {
    gaps_.gradient(static_cast<std::size_t>(resting[i]), s.q, n);
    N.col(static_cast<Eigen::Index>(i)) = n;
    if (!M) continue;
    response(s, n, m);
    M->col(static_cast<Eigen::Index>(i)) = m;
  }
}

void Flights::move_along(Snapshot& s) {
  if (resting.empty()) return;
  Eigen::MatrixXd N, M;
  normals(s, N, &M);
  const Eigen::MatrixXd A = N.transpose() * M;
  s.p -= N * A.completeOrthogonalDecomposition().solve(VectorXd(N.transpose() * s.v));
  trial_->start_momentum(s.t, s.q, s.p);
  trial_->snapshot(probe_);
  s.v = probe_.v;
}

bool Flights::go(const Snapshot& s, const VectorXd& p, double tau, Snapshot& end) {
  trial_->start_momentum(s.t, s.q, p);
  const BatchReport one = trial_->advance(1, tau, {{}, false});
  if (!one.ok) {
    why = one;
    return false;
  }
  trial_->snapshot(end);
  end.t = s.t + tau;
  if (end.q.allFinite() && end.v.allFinite()) return true;
  why.what = "the next state is not finite";
  return false;
}

bool Flights::flow(const Snapshot& s, double tau, double h, bool release, Snapshot& start, Snapshot& end) {
  start = s;
  if (tau == 0) {
    end = s;
    return true;
  }
  while (!resting.empty()) {
    Eigen::MatrixXd N, M, N1;
    normals(s, N, &M);
    const auto r = static_cast<Eigen::Index>(resting.size());
    VectorXd lambda = VectorXd::Zero(r), g(r), aim(r), last = VectorXd::Constant(r, std::numeric_limits<double>::infinity());
    for (Eigen::Index i = 0; i < r; ++i)
      aim[i] = gaps_.at(static_cast<std::size_t>(resting[static_cast<std::size_t>(i)]), s.q, s.v).g * (1 - tau / h);
    for (int k = 0;; ++k) {
      start.p = s.p + N * lambda;
      if (!go(s, start.p, tau, end)) return false;
      double worst = 0;
      for (Eigen::Index i = 0; i < r; ++i) {
        const Gaps::Value v = gaps_.at(static_cast<std::size_t>(resting[static_cast<std::size_t>(i)]), end.q, end.v);
        g[i] = v.g - aim[i];
        worst = std::max(worst, std::abs(g[i]) / std::max(of_gap(v, tau), std::numeric_limits<double>::min()));
      }
      if (worst <= 1.0 / 16 || (worst <= 1 && !(g.norm() < 0.5 * last.norm()))) break;
      if (k == 50) {
        why.what = "a contact that lasts could not be kept closed: take a smaller step";
        return false;
      }
      last = g;
      normals(end, N1, nullptr);
      lambda -= Eigen::MatrixXd(tau * (N1.transpose() * M)).completeOrthogonalDecomposition().solve(g);
    }
    Eigen::Index least = 0;
    const double weakest = (tau > 0 ? lambda : VectorXd(-lambda)).minCoeff(&least);
    if (release && weakest < -1e-10 * lambda.cwiseAbs().maxCoeff() - 1e-12 * s.p.norm()) {
      resting.erase(resting.begin() + least);
      continue;
    }
    move_along(end);
    return true;
  }
  start.p = s.p;
  return go(s, s.p, tau, end);
}

Flights::Flight Flights::fly(const Snapshot& s, double rem, double h) {
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
      if (!why.what.empty()) return f;
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
  f.E = discrete_energy_(*trial_, f.start, f.end, a, resting.empty());
  f.ok = true;
  return f;
}

std::optional<std::pair<double, double>> Flights::find_below(const Snapshot& s, std::size_t k, const Gaps::Value& from,
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

bool Flights::close_gap(const Snapshot& s, std::size_t k, double low, double high, double at_low, double at_high, double h) {
  double g_low = at_low, g_high = at_high;
  root_ = high;
  for (int i = 0; i < 200; ++i) {
    double x = low - g_low * (high - low) / (g_high - g_low);
    if (i % 8 == 7 || !(std::min(low, high) < x && x < std::max(low, high))) x = 0.5 * (low + high);
    if (x == low || x == high) x = high;
    if (!flow(s, x, h, false, spare_, probe_end_)) return false;
    const Gaps::Value v = gaps_.at(k, probe_end_.q, probe_end_.v);
    root_ = x;
    if (x == high || std::abs(v.g) <= eps_of_root * v.size || std::abs(high - low) <= 2 * eps_of_root * std::abs(x)) return true;
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

}  // namespace actio::method
