#include <actio/run/dense_output.hpp>

#include <actio/core/error.hpp>
#include <actio/discrete/rotation.hpp>
#include <actio/system/bodies.hpp>
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "../observe/accelerations.hpp"
#include "velocity_polynomial.hpp"

namespace actio::run {
namespace {

using discrete::Matrix3;
using discrete::Vector3;
constexpr auto exponential = discrete::Retraction::exponential;

// What a datum of an end counts for in q - q0 and, by the slope, in h v. w = (q1 - q0)/h; a0, a1: less those of the cubic.
struct Shares {
  double w, v0, v1, a0, a1;       // of (q - q0)/h; the last two of h a
  double dw, dv0, dv1, da0, da1;  // their slopes
  explicit Shares(double s) {
    const double r = 1 - s;
    w = s * s * (3 - 2 * s);
    v0 = s * r * r;
    v1 = -s * s * r;
    dw = 6 * s * r;
    dv0 = r * (1 - 3 * s);
    dv1 = s * (3 * s - 2);
    a0 = 0.5 * s * s * r * r * r;
    a1 = 0.5 * s * s * s * r * r;
    da0 = 0.5 * s * r * r * (2 - 5 * s);
    da1 = 0.5 * s * s * r * (3 - 5 * s);
  }
};

// A body's turn in a step.
struct Turn {
  const system::Body* body = nullptr;
  Matrix3 start;
  Vector3 angle, slope0, slope1;  // log R0'R1 [rad]; h times the slopes at both ends
};

Vector3 axis_of(const Matrix3& hat) { return {hat(2, 1), hat(0, 2), hat(1, 0)}; }

void put_rotation(const system::Body& body, const Matrix3& R, Eigen::VectorXd& x) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) x[body.rotation + 3 * i + j] = R(i, j);
}

void take(const method::Snapshot& from, method::Snapshot& to) {  // without the momenta
  to.t = from.t;
  to.q = from.q;
  to.v = from.v;
}

bool same_state(const method::Snapshot& a, const method::Snapshot& b) {
  return a.t == b.t && a.q.size() == b.q.size() && a.q == b.q && a.v == b.v;
}

}  // namespace

struct DenseOutput::Parts {
  std::vector<system::Body> bodies;
  std::optional<Accelerations> accelerations;
  double t0 = 0, h = 0;
  method::Snapshot before, after;
  Eigen::VectorXd w, a0, a1, of_cubic0, of_cubic1;  // a0, a1 of the equations
  bool known = false, quintic = false;              // a1 is that of `after`
  std::vector<Turn> turns;
  bool by_path = false;
  VelocityPolynomial polynomial;
  Eigen::MatrixXd data;  // v0, W_1 .., v1, h a0, h a1
  mutable Eigen::VectorXd in_velocity, in_position;

  Parts(const system::Model& model, const expr::CompileOptions& options) : bodies(model.bodies) {
    if (model.constraints.empty() && bodies.empty()) accelerations.emplace(model, options);
  }

  void step(const method::Snapshot& from, const method::Snapshot& to) {
    const bool follows = known && same_state(after, from);
    if (follows)
      std::swap(before, after);
    else
      take(from, before);
    take(to, after);
    t0 = from.t;
    h = to.t - from.t;
    w = (to.q - from.q) / h;
    turn();
    quintic = known = by_path = false;
    if (!accelerations) return;
    if (follows)
      std::swap(a0, a1);
    else
      (*accelerations)(from.t, from.q, from.v, a0);
    (*accelerations)(to.t, to.q, to.v, a1);
    known = true;
    of_cubic0 = (6 * w - 4 * from.v - 2 * to.v) / h;
    of_cubic1 = (-6 * w + 2 * from.v + 4 * to.v) / h;
    const double apart = (a0 - of_cubic0).squaredNorm() + (a1 - of_cubic1).squaredNorm();
    quintic = apart <= 0.25 * (a0.squaredNorm() + a1.squaredNorm());  // false of NaN
  }

  void path(std::span<const double> nodes, const Eigen::MatrixXd& W) {
    if (W.cols() < (accelerations ? 5 : 3) || (accelerations && !quintic)) return;
    if (!polynomial.is_of(nodes, quintic)) polynomial = VelocityPolynomial(nodes, quintic);
    data.resize(W.rows(), polynomial.data());
    data.col(0) = before.v;
    data.middleCols(1, W.cols()) = W;
    data.col(W.cols() + 1) = after.v;
    if (quintic) {
      data.col(W.cols() + 2) = h * a0;
      data.col(W.cols() + 3) = h * a1;
    }
    by_path = true;
  }

  void turn() {
    turns.clear();
    for (const system::Body& body : bodies) {
      Turn& one = turns.emplace_back();
      one.body = &body;
      one.start = system::rotation_of(body, before.q);
      const Matrix3 end = system::rotation_of(body, after.q);
      const Eigen::AngleAxisd turned(Matrix3(one.start.transpose() * end));
      one.angle = turned.angle() * turned.axis();
      one.slope0 = h * axis_of(one.start.transpose() * system::rotation_of(body, before.v));
      one.slope1 =
          h * (discrete::inverse_tangent(exponential, one.angle) * axis_of(end.transpose() * system::rotation_of(body, after.v)));
    }
  }

  void at(double s, method::Snapshot& out) const {
    if (s == 0 || s == 1) {
      const method::Snapshot& end = s == 0 ? before : after;
      out.t = end.t;
      out.q = end.q;
      out.v = end.v;
      return;
    }
    out.t = t0 + s * h;
    if (by_path) {
      polynomial.shares(s, in_velocity, in_position);
      out.v = data * in_velocity;
      out.q = before.q + h * (data * in_position);
      return;
    }
    const Shares of(s);
    out.q = before.q + h * (of.w * w + of.v0 * before.v + of.v1 * after.v);
    out.v = of.dw * w + of.dv0 * before.v + of.dv1 * after.v;
    if (quintic) {
      out.q += h * h * (of.a0 * (a0 - of_cubic0) + of.a1 * (a1 - of_cubic1));
      out.v += h * (of.da0 * (a0 - of_cubic0) + of.da1 * (a1 - of_cubic1));
    }
    for (const Turn& one : turns) {
      const Vector3 x = of.w * one.angle + of.v0 * one.slope0 + of.v1 * one.slope1;
      const Vector3 dx = (of.dw * one.angle + of.dv0 * one.slope0 + of.dv1 * one.slope1) / h;
      const Matrix3 R = one.start + one.start * discrete::rotation_increment(exponential, x);
      put_rotation(*one.body, R, out.q);
      put_rotation(*one.body, R * discrete::hat(discrete::tangent(exponential, x) * dx), out.v);
    }
  }
};

DenseOutput::DenseOutput(const system::Model& model, const expr::CompileOptions& options)
    : parts_(std::make_unique<Parts>(model, options)) {}
DenseOutput::~DenseOutput() = default;
DenseOutput::DenseOutput(DenseOutput&&) noexcept = default;
DenseOutput& DenseOutput::operator=(DenseOutput&&) noexcept = default;

int DenseOutput::order() const { return parts_->accelerations ? 6 : 4; }
void DenseOutput::step(const method::Snapshot& before, const method::Snapshot& after) { parts_->step(before, after); }
void DenseOutput::path(std::span<const double> nodes, const Eigen::MatrixXd& W) { parts_->path(nodes, W); }
void DenseOutput::at(double s, method::Snapshot& out) const { parts_->at(s, out); }

void DenseTrajectory::add(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) { states_.push_back({t, q, v, {}}); }

void DenseTrajectory::at(double t, method::Snapshot& out) {
  if (states_.empty() || !(t >= states_.front().t && t <= states_.back().t))
    throw core::InputError(states_.empty() ? "nothing was observed"
                                           : fmt::format("t = {} is outside of what was observed, {} to {}", t, states_.front().t,
                                                         states_.back().t));
  const auto later = std::ranges::upper_bound(states_, t, {}, &method::Snapshot::t);
  const auto begin = static_cast<std::size_t>(later - states_.begin()) - 1;
  const method::Snapshot& before = states_[begin];
  if (t == before.t) {
    out = before;
    return;
  }
  const method::Snapshot& after = states_[begin + 1];
  if (from_ != begin + 1) dense_.step(before, after);
  from_ = begin + 1;
  dense_.at((t - before.t) / (after.t - before.t), out);
}

void StatesWithin::step(const method::Integrator& integrator, const method::Snapshot& before, const method::Snapshot& after,
                        long steps) {
  of_.step(before, after);
  if (integrator.path(nodes_, path_)) of_.path(nodes_, path_);
  steps_ = steps;
  if (!copy_) copy_ = integrator.without_noise().clone();
}

const method::Snapshot& StatesWithin::at(double s) {
  of_.at(s, state_);
  const double t = state_.t;
  copy_->start(t, state_.q, state_.v);
  if (copy_->properties().constraints > 0 && !copy_->project().found)
    throw core::RunError(steps_, t, "between two steps, no state near the cubic through both satisfies the constraints",
                         "take shorter steps");
  copy_->snapshot(state_);
  state_.t = t;
  return state_;
}

}  // namespace actio::run
