#include <actio/run/consistent_start.hpp>

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <Eigen/SparseCholesky>

#include <actio/core/error.hpp>
#include <actio/discrete/projection.hpp>
#include <actio/system/constraint_error.hpp>

namespace actio::run {
namespace {

using Eigen::VectorXd;

std::string names(const system::Model& model, const std::vector<long>& which) {
  std::vector<std::string> out;
  for (const long k : which) {
    if (out.size() == 6) {
      out.push_back(fmt::format("{} more", which.size() - 6));
      break;
    }
    out.push_back(fmt::format("\"{}\"", model.constraint_name(k)));
  }
  return fmt::format("{}", fmt::join(out, ", "));
}

struct Off {
  double distance = 0, speed = 0;  // the largest, in the units of q and v
  long at = 0, along = 0;          // where
  bool on = true, tangent = true;  // each is small beside the coordinates of its constraint
};

Off off(invariant::ConstraintMap& constraints, double t, const VectorXd& q, const VectorXd& v) {
  VectorXd g, rate, slope, still, length, velocity;
  constraints(t, q, VectorXd::Zero(q.size()), g, still, slope);  // g_t
  constraints(t, q, v, g, rate, slope);
  constraints.sizes(q, length);
  constraints.sizes(v, velocity);
  Off out;
  for (long k = 0; k < g.size(); ++k) {
    const double distance = g[k] == 0 ? 0 : std::abs(g[k]) / slope[k], speed = rate[k] == 0 ? 0 : std::abs(rate[k]) / slope[k];
    if (!(distance <= out.distance)) out.distance = distance, out.at = k;
    if (!(speed <= out.speed)) out.speed = speed, out.along = k;
    out.on = out.on && distance <= start_tolerance * length[k];
    out.tangent = out.tangent && (speed == 0 || speed <= start_tolerance * (velocity[k] + std::abs(still[k]) / slope[k]));
  }
  return out;
}

void need_independent(const system::Model& model, invariant::ConstraintMap& constraints, double t, const VectorXd& q) {
  if (model.least_squares) return;
  const std::vector<long> dependent = redundant(constraints, t, q);
  if (dependent.empty()) return;
  if (dependent.size() == 1)
    throw system::ConstraintError(
        dependent[0],
        fmt::format("the constraint {} has no gradient at the start, so no constraint force can act", names(model, dependent)),
        "start elsewhere, or write it so that its value changes in proportion to the distance from it");
  throw system::ConstraintError(
      dependent.back(),
      fmt::format("the constraints {} depend on one another at the start: their multipliers are not determined",
                  names(model, dependent)),
      "remove a redundant one, or set system.redundant = \"least-squares\", which takes the smallest multipliers");
}

}  // namespace

std::vector<long> redundant(invariant::ConstraintMap& constraints, double t, const VectorXd& q) {
  const long m = constraints.size();
  if (m == 0) return {};
  VectorXd g, rate, slope;
  constraints(t, q, VectorXd::Zero(q.size()), g, rate, slope);
  std::vector<long> out;
  for (long k = 0; k < m; ++k)
    if (!(slope[k] > 0)) out.push_back(k);  // depends on nothing that moves
  if (!out.empty()) return out;
  // y with G'y = 0 by inverse iteration on G G' of unit rows, from a start that has some of every y.
  constexpr double shift = 1e-13, least = 1e-7;
  const Eigen::SparseMatrix<double> G = slope.cwiseInverse().asDiagonal() * constraints.jacobian(t, q);
  Eigen::SparseMatrix<double> S = G * Eigen::SparseMatrix<double>(G.transpose()), one(m, m);
  one.setIdentity();
  S += shift * one;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(S);
  VectorXd y(m);
  for (long k = 0; k < m; ++k) y[k] = 1 + 0.5 * std::sin(1.7 * static_cast<double>(k) + 0.3);
  for (int k = 0; k < 4; ++k) {
    y = solver.solve(y);
    if (!y.allFinite()) break;
    y.normalize();
  }
  if (!y.allFinite() || VectorXd(G.transpose() * y).norm() > least) return {};
  const double largest = y.cwiseAbs().maxCoeff();
  for (long k = 0; k < m; ++k)
    if (std::abs(y[k]) > 1e-4 * largest) out.push_back(k);
  return out;
}

method::Correction make_consistent(const system::Model& model, invariant::ConstraintMap& constraints,
                                   method::Integrator& integrator, double t, bool project, VectorXd& q, VectorXd& v) {
  const bool penalised = project && constraints.penalised();
  if (integrator.properties().constraints == 0 && !penalised) return {};
  const auto good = [](const Off& o) { return o.on && o.tangent; };
  Off now = off(constraints, t, q, v);
  method::Correction correction;
  if (!good(now) && !project) {
    const bool apart = !now.on;
    throw StartError(
        !apart,
        apart ? fmt::format("the start is not on the constraints: it is {:.2e} away from \"{}\"", now.distance,
                            model.constraint_name(now.at))
              : fmt::format("the initial velocity is not tangent to the constraints: the rate of \"{}\" is {:.2e}",
                            model.constraint_name(now.along), now.speed),
        "correct [initial], or set initial.project = true, which projects the start onto them; the certificate says how far");
  }
  if (project) {
    need_independent(model, constraints, t, q);
    if (penalised) {
      const discrete::StartReport report = constraints.project(t, q, v);
      correction = {report.found, report.position, report.velocity};
      now = off(constraints, t, q, v);
    } else {
      integrator.start(t, q, v);
      correction = integrator.project();
    }
    if (correction.found && !penalised) {
      method::Snapshot s;
      integrator.snapshot(s);
      q = s.q;
      v = s.v;
      now = off(constraints, t, q, v);
    }
    if (!correction.found || !good(now))
      throw StartError(
          false,
          fmt::format("no position near the start satisfies the constraints: projecting it ends {:.2e} away from \"{}\"",
                      now.distance, model.constraint_name(now.at)),
          "the constraints may contradict one another; or start nearer to them");
  }
  if (!penalised) need_independent(model, constraints, t, q);
  return correction;
}

}  // namespace actio::run
