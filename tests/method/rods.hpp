#pragma once
#include <actio/algebra/dense.hpp>
#include <actio/algebra/kkt_of.hpp>
#include <actio/system/mechanical.hpp>
#include <actio/system/with_constraints.hpp>
#include <cmath>
#include <memory>
#include <vector>

// Chains of unit masses on rods in the plane, q = (x1, y1, x2, y2, ...), the first held at the origin, on any space.
namespace actio::tests {

// V = sum_i y_i + c/4 sum_i x_i^4
template <class SpaceType>
struct Weight {
  using Space = SpaceType;
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  long n;
  double c = 0;
  double value(const Vector& q) const {
    double sum = 0;
    for (long i = 0; i < n; i += 2) sum += q[i + 1] + c / 4 * q[i] * q[i] * q[i] * q[i];
    return sum;
  }
  void gradient(const Vector& q, Vector& g) const {
    for (long i = 0; i < n; i += 2) {
      g[i] = c * q[i] * q[i] * q[i];
      g[i + 1] = 1;
    }
  }
  void hessian(const Vector& q, Matrix& H) const {
    Space::clear(H);
    for (long i = 0; i < n; i += 2) H.coeffRef(i, i) = 3 * c * q[i] * q[i];
  }
};

// g_k = (|q_k - q_(k-1)|^2 - L^2)/2; `doubled`: the first once more at the end, twice as large.
template <int count_or_dynamic, bool doubled = false>
struct Rods {
  static constexpr bool static_size = count_or_dynamic != Eigen::Dynamic;
  static constexpr bool redundant = doubled;
  static constexpr int count = count_or_dynamic;
  template <class Q, class G>
  void value(double, const Q& q, G& g) const {
    for (long k = 0; k < links; ++k) {
      const double x = q[2 * k] - (k ? q[2 * k - 2] : 0), y = q[2 * k + 1] - (k ? q[2 * k - 1] : 0);
      g[k] = (x * x + y * y - length * length) / 2;
    }
    if constexpr (doubled) g[links] = 2 * g[0];
  }
  template <class Q, class J>
  void jacobian(double, const Q& q, J& G) const {
    for (long k = 0; k < (doubled ? links + 1 : links); ++k) {
      const long l = k == links ? 0 : k;
      const double s = k == links ? 2 : 1, x = s * (q[2 * l] - (l ? q[2 * l - 2] : 0)),
                   y = s * (q[2 * l + 1] - (l ? q[2 * l - 1] : 0));
      if constexpr (std::is_same_v<J, algebra::SparseJacobian>) {
        double* row = G.valuePtr() + G.outerIndexPtr()[k];
        if (l) {
          *row++ = -x;
          *row++ = -y;
        }
        *row++ = x;
        *row++ = y;
      } else {
        for (long i = 0; i < 2 * links; ++i) G(k, i) = 0;
        if (l) G(k, 2 * l - 2) = -x, G(k, 2 * l - 1) = -y;
        G(k, 2 * l) = x, G(k, 2 * l + 1) = y;
      }
    }
  }
  algebra::SparseJacobian pattern() const {
    std::vector<Eigen::Triplet<double>> entries;
    const int rows = static_cast<int>(doubled ? links + 1 : links);
    for (int k = 0; k < rows; ++k) {
      const int l = k == links ? 0 : k;
      for (int i = l ? 2 * l - 2 : 0; i < 2 * l + 2; ++i) entries.emplace_back(k, i, 1.0);
    }
    algebra::SparseJacobian G(rows, 2 * links);
    G.setFromTriplets(entries.begin(), entries.end());
    return G;
  }
  long links = count;
  double length = 1;
};
// with `count` a function
template <bool doubled = false>
struct RodsOfAnyNumber : Rods<Eigen::Dynamic, doubled> {
  long count() const { return this->links + (doubled ? 1 : 0); }
};

template <class Space>
Space space_of_chain(long links) {
  if constexpr (std::is_same_v<Space, algebra::SparseSpace>) {
    auto pattern = std::make_shared<algebra::SparseMatrix>(2 * links, 2 * links);
    pattern->setIdentity();
    pattern->makeCompressed();
    Space space;
    space.n = 2 * links;
    space.pattern = std::shared_ptr<const algebra::SparseMatrix>(std::move(pattern));
    return space;
  } else {
    return {2 * links};
  }
}

template <class Space, bool doubled = false>
auto chain(long links, double length = 1, double c = 0) {
  system::Mechanical weight(Weight<Space>{2 * links, c}, system::UnitMass{}, space_of_chain<Space>(links));
  RodsOfAnyNumber<doubled> rods;
  rods.links = links;
  rods.length = length;
  return system::WithConstraints(std::move(weight), rods);
}
// Fixed sizes
template <int links>
auto short_chain(double length = 1, double c = 0) {
  using Space = algebra::DenseSpace<2 * links>;
  return system::WithConstraints(system::Mechanical(Weight<Space>{2 * links, c}), Rods<links>{links, length});
}

// q on a slope: q_k = k L (cos a, sin a)
template <class Space>
typename Space::Vector slope(const Space& space, double length, double a) {
  auto q = space.vector();
  for (long i = 0; i < q.size(); i += 2) {
    const auto k = static_cast<double>(i / 2 + 1);
    q[i] = k * length * std::cos(a);
    q[i + 1] = k * length * std::sin(a);
  }
  return q;
}

}  // namespace actio::tests
