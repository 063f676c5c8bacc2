#include <actio/discrete/body_coordinates.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include <actio/core/error.hpp>
#include <actio/system/bodies.hpp>

#include "owners.hpp"

namespace actio::discrete {
namespace {

using RowMatrix3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

}  // namespace

BodyCoordinates::BodyCoordinates(const system::Model& model, const system::MassMatrix& mass)
    : n_(model.size()), places_(static_cast<std::size_t>(model.size())) {
  if (const std::string why = not_of_bodies(model); !why.empty()) throw core::InputError(why);
  const auto owner = owners_of_rotations(model);
  for (long i = 0; i < n_;) {
    if (const long b = owner[static_cast<std::size_t>(i)]; b >= 0) {
      const Matrix3& inertia = model.bodies[static_cast<std::size_t>(b)].inertia;
      bodies_.push_back({i, k_, inertia, system::ambient_inertia(inertia), inertia.inverse()});
      std::fill_n(places_.begin() + i, 9, Place{k_, 3});
      i += 9;
      k_ += 3;
      continue;
    }
    if (runs_.empty() || runs_.back().from + runs_.back().length != i) runs_.push_back({i, k_, 0});
    ++runs_.back().length;
    places_[static_cast<std::size_t>(i++)] = {k_++, 1};
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (const Body& b : bodies_)
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c) entries.emplace_back(static_cast<int>(b.at) + a, static_cast<int>(b.at) + c, b.inertia(a, c));
  const auto add = [&](long i, long j, double value) {
    if (owner[static_cast<std::size_t>(i)] >= 0 || owner[static_cast<std::size_t>(j)] >= 0) return;
    entries.emplace_back(static_cast<int>(place(i).at), static_cast<int>(place(j).at), value);
  };
  if (mass.kind == system::MassMatrix::Kind::diagonal)
    for (long i = 0; i < n_; ++i) add(i, i, mass.diagonal[i]);
  else
    for (long j = 0; j < n_; ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator it(mass.full, j); it; ++it) add(it.row(), j, it.value());
  mass_.resize(k_, k_);
  mass_.setFromTriplets(entries.begin(), entries.end());
}

void BodyCoordinates::retract(Retraction tau, const Vector& q0, double h, const Vector& w, Vector& q1) const {
  for (const Run& r : runs_) q1.segment(r.from, r.length) = q0.segment(r.from, r.length) + h * w.segment(r.at, r.length);
  for (const Body& b : bodies_) {
    const RowMatrix3 R0 = rotation(q0, b);
    RowMatrix3 R = R0 + R0 * rotation_increment(tau, h * omega(w, b));
    const Matrix3 D = R.transpose() * R - Matrix3::Identity();
    R -= 0.5 * (R * D);
    rotation(q1, b) = R;
  }
}

void BodyCoordinates::velocity(const Vector& q, const Vector& w, Vector& v) const {
  for (const Run& r : runs_) v.segment(r.from, r.length) = w.segment(r.at, r.length);
  for (const Body& b : bodies_) rotation(v, b).noalias() = rotation(q, b) * hat(omega(w, b));
}

void BodyCoordinates::pull(const Vector& q, const Vector& f, Vector& r) const {
  for (const Run& o : runs_) r.segment(o.at, o.length) = f.segment(o.from, o.length);
  for (const Body& b : bodies_) omega(r, b) = axial(rotation(q, b).transpose() * rotation(f, b));
}

void BodyCoordinates::push_momentum(const Vector& q, const Vector& mu, Vector& p) const {
  for (const Run& r : runs_) p.segment(r.from, r.length) = mu.segment(r.at, r.length);
  for (const Body& b : bodies_) rotation(p, b).noalias() = rotation(q, b) * (hat(b.inverse_inertia * omega(mu, b)) * b.J);
}

bool BodyCoordinates::make_rotations(Vector& q) const {
  std::vector<RowMatrix3> near;
  for (const Body& b : bodies_) {
    RowMatrix3 R = rotation(q, b);
    if (!R.allFinite() || !(R.determinant() > 0)) return false;
    // R <- (R + R'^-1)/2, to the polar factor
    for (int k = 0; k < 60; ++k) {
      const RowMatrix3 next = 0.5 * (R + R.inverse().transpose());
      const double moved = (next - R).norm();
      R = next;
      if (!(moved > 1e-9)) break;
    }
    const Matrix3 D = R.transpose() * R - Matrix3::Identity();
    R -= 0.5 * (R * D);
    if (!(D.norm() < 1e-6)) return false;
    near.push_back(R);
  }
  for (std::size_t k = 0; k < bodies_.size(); ++k) rotation(q, bodies_[k]) = near[k];
  return true;
}

}  // namespace actio::discrete
