#include <actio/method/kepler_flow.hpp>

#include <algorithm>

#include <actio/core/error.hpp>
#include <actio/core/sum.hpp>
#include <actio/system/fast_part.hpp>

namespace actio::method {
namespace {

// A number as what is stored and what rounding took from it.
void store(long double x, double& high, double& low) {
  high = static_cast<double>(x);
  low = static_cast<double>(x - static_cast<long double>(high));
}

void add_kept(double& to, double& taken, double x) {
  core::Sum sum{to, taken};
  sum.add(x);
  to = sum.high + sum.low;
  taken = sum.low - (to - sum.high);
}

}  // namespace

KeplerFlow::KeplerFlow(const system::Model& model) {
  if (const std::string why = system::why_no_fast_part(model); !why.empty()) throw core::InputError(why);
  const system::FastPart& part = *model.fast;
  points_ = static_cast<long>(part.points.size());
  axes_ = part.points[0][2] < 0 ? 2 : 3;
  std::vector<double> mu;
  double sum = 0;
  at_.resize(static_cast<std::size_t>(axes_ * points_));
  for (long i = 0; i < points_; ++i) {
    const auto& point = part.points[static_cast<std::size_t>(i)];
    const double m = model.mass.diagonal[point[0]];
    for (int axis = 0; axis < axes_; ++axis)
      at_[static_cast<std::size_t>(axis * points_ + i)] = point[static_cast<std::size_t>(axis)];
    sum += m;
    mass_.push_back(m);
    inside_.push_back(sum);
    share_.push_back(m / sum);
    over_mass_.push_back(1 / m);
    over_inside_.push_back(1 / sum);
    if (i > 0) mu.push_back(part.gravitational_constant * sum);
  }
  flow_ = solve::KeplerFlow(mu);
  stride_ = flow_.stride();
  q_ = v_ = f_ = Eigen::VectorXd::Zero(model.size());
  a_.assign(static_cast<std::size_t>(3 * stride_ + 3), 0.0);
}

// In extended precision: what is kept beside the sums begins with what rounding would take here.
void KeplerFlow::enter(const Eigen::VectorXd& q, const Eigen::VectorXd& p, double* z) const {
  using Real = long double;
  std::fill(z, z + rows(), 0.0);
  double* centre = z + flow_.rows();
  for (int axis = 0; axis < axes_; ++axis) {
    Real first = 0, momentum = 0, mass = 0;  // of those inside
    for (long i = 0; i < points_; ++i) {
      const long at = at_[static_cast<std::size_t>(axis * points_ + i)];
      const Real m = mass_[static_cast<std::size_t>(i)];
      if (i > 0) {
        double* x = z + axis * stride_ + i - 1;
        store(Real(q[at]) - first / mass, x[0], x[6 * stride_]);
        store(Real(p[at]) / m - momentum / mass, x[3 * stride_], x[9 * stride_]);
      }
      first += m * Real(q[at]);
      momentum += Real(p[at]);
      mass += m;
    }
    store(first / mass, centre[axis], centre[6 + axis]);
    store(momentum / mass, centre[3 + axis], centre[9 + axis]);
  }
  flow_.settle(z);
}

void KeplerFlow::leave(const double* z, Eigen::VectorXd& q, Eigen::VectorXd& p) const {
  using Real = long double;
  const double* centre = z + flow_.rows();
  for (int axis = 0; axis < axes_; ++axis) {
    Real R = Real(centre[axis]) + Real(centre[6 + axis]), V = Real(centre[3 + axis]) + Real(centre[9 + axis]), mass = 0;
    for (const double m : mass_) mass += Real(m);
    for (long i = points_ - 1; i >= 0; --i) {
      const long at = at_[static_cast<std::size_t>(axis * points_ + i)];
      const Real m = mass_[static_cast<std::size_t>(i)];
      Real u = 0, w = 0;
      if (i > 0) {
        const double* x = z + axis * stride_ + i - 1;
        u = Real(x[0]) + Real(x[6 * stride_]);
        w = Real(x[3 * stride_]) + Real(x[9 * stride_]);
        R -= m / mass * u;
        V -= m / mass * w;
      }
      q[at] = static_cast<double>(R + u);
      p[at] = static_cast<double>(m * (V + w));
      mass -= m;
    }
  }
}

void KeplerFlow::positions(const double* z, Eigen::VectorXd& q) const {
  const double* centre = z + flow_.rows();
  for (int axis = 0; axis < axes_; ++axis) {
    const double* u = z + axis * stride_ - 1;  // of point i at i
    const long* at = at_.data() + axis * points_;
    double R = centre[axis];
    for (long i = points_ - 1; i > 0; --i) {
      R -= share_[static_cast<std::size_t>(i)] * u[i];
      q[at[i]] = R + u[i];
    }
    q[at[0]] = R;
  }
}

// Of u_i: f_i/m_i - (f_0 + ... + f_(i-1))/eta_(i-1)
void KeplerFlow::accelerations(const Eigen::VectorXd& f) {
  for (int axis = 0; axis < axes_; ++axis) {
    double* a = a_.data() + axis * stride_ - 1;
    const long* at = at_.data() + axis * points_;
    double sum = f[at[0]];
    for (long i = 1; i < points_; ++i) {
      const auto k = static_cast<std::size_t>(i);
      a[i] = f[at[i]] * over_mass_[k] - sum * over_inside_[k - 1];
      sum += f[at[i]];
    }
    a_[static_cast<std::size_t>(3 * stride_ + axis)] = sum * over_inside_.back();
  }
}

void KeplerFlow::drift_centre(double* z, double dt) const {
  double* centre = z + flow_.rows();
  for (int axis = 0; axis < axes_; ++axis) add_kept(centre[axis], centre[6 + axis], dt * centre[3 + axis]);
}
void KeplerFlow::kick_centre(double* z, double dt) const {
  double* centre = z + flow_.rows();
  for (int axis = 0; axis < axes_; ++axis)
    add_kept(centre[3 + axis], centre[9 + axis], dt * a_[static_cast<std::size_t>(3 * stride_ + axis)]);
}

}  // namespace actio::method
