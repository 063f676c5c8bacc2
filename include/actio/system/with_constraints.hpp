#pragma once
#include <actio/algebra/kkt_of.hpp>
#include <actio/system/constrained.hpp>
#include <utility>

// Holonomic constraints g(t, q) = 0 for any system of your own, by a small struct:
//
//   struct Rods {                                             // a double pendulum in the plane, q = (x1, y1, x2, y2)
//     static constexpr int count = 2;                         // m
//     template <class G>
//     void value(double, const Vector& q, G& g) const {       // g (m)
//       g[0] = (q[0] * q[0] + q[1] * q[1] - 1) / 2;
//       ...
//     }
//     template <class G>
//     void jacobian(double, const Vector& q, G& J) const {    // every entry of dg/dq (m x n)
//       J(0, 0) = q[0], J(0, 1) = q[1], J(0, 2) = 0, J(0, 3) = 0;
//       ...
//     }
//     template <class G>
//     void rate(double t, const Vector& q, G& g_t) const;     // dg/dt (m); left out where g does not depend on t
//   };
//   actio::system::WithConstraints system(actio::system::Mechanical{Gravity{}}, Rods{});
//
// On a space of a size known at run time `count` may be a function; on a sparse one the struct also has a `pattern() const`, an
// algebra::SparseJacobian with an entry wherever the Jacobian may have one, and jacobian() sets the values of one with that
// pattern. `static constexpr bool redundant = true;` allows rows that depend on one another: of the multipliers that do, the
// smallest. A struct with a type KktSolver and a `kkt_solver() const` brings a linear algebra of its own (algebra/kkt.hpp).
namespace actio::system {

namespace detail {
template <class C>
constexpr bool redundant_rows() {
  if constexpr (requires { C::redundant; }) return C::redundant;
  return false;
}
template <class Space, class C>
struct KktOfConstraints;
template <class Space, class C>
requires requires { typename C::KktSolver; }
struct KktOfConstraints<Space, C> {
  using type = typename C::KktSolver;
  static type make(const Space&, const C& constraints, long) { return constraints.kkt_solver(); }
};
template <int N, class C>
requires(N != Eigen::Dynamic) struct KktOfConstraints<algebra::DenseSpace<N>, C> {
  using type = algebra::DenseKkt<N, C::count>;
  static type make(const algebra::DenseSpace<N>&, const C&, long m) {
    if constexpr (requires { type(m, true); })
      return type(m, redundant_rows<C>());
    else
      return type(redundant_rows<C>());
  }
};
template <class C>
struct KktOfConstraints<algebra::DenseSpace<Eigen::Dynamic>, C> {
  using type = algebra::DenseKkt<Eigen::Dynamic, Eigen::Dynamic>;
  static type make(const algebra::DenseSpace<Eigen::Dynamic>& space, const C&, long m) {
    return type(space.n, m, redundant_rows<C>());
  }
};
template <class C>
struct KktOfConstraints<algebra::SparseSpace, C> {
  using type = algebra::SparseKkt;
  static type make(const algebra::SparseSpace& space, const C& constraints, long) {
    return type(space, constraints.pattern(), redundant_rows<C>());
  }
};
}  // namespace detail

// S with the constraints of a struct C: everything that S answers, and what `Constrained` asks (system/constrained.hpp).
template <Lagrangian S, class C>
class WithConstraints : public S {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  using KktSolver = typename detail::KktOfConstraints<Space, C>::type;
  using Multipliers = typename KktSolver::Multipliers;
  using Jacobian = typename KktSolver::Jacobian;

  explicit WithConstraints(S system, C constraints) : S(std::move(system)), constraints_(std::move(constraints)) {}

  static constexpr bool linear() { return false; }  // the tangent of the constraints changes

  // m, the number of constraints
  long constraints() const {
    if constexpr (requires { constraints_.count(); })
      return constraints_.count();
    else
      return constraints_.count;
  }
  // True where C has a rate(): g depends on t.
  static constexpr bool moving() {
    return requires(const C& c, const Vector& q, Multipliers& g) { c.rate(0.0, q, g); };
  }
  // Solves the equations of a step with multipliers, for this space and these constraints (algebra/kkt.hpp).
  KktSolver kkt_solver() const { return detail::KktOfConstraints<Space, C>::make(this->space(), constraints_, constraints()); }
  // g(t, q) (m)
  void constraint(double t, const Vector& q, Multipliers& g) { constraints_.value(t, q, g); }
  // g and dg/dt (m each), G = dg/dq (m x n)
  [[gnu::always_inline]] void constraint_tangent(double t, const Vector& q, Multipliers& g, Multipliers& g_t, Jacobian& G) {
    constraints_.value(t, q, g);
    constraints_.jacobian(t, q, G);
    if constexpr (moving())
      constraints_.rate(t, q, g_t);
    else
      g_t = 0.0 * g;
  }

 private:
  C constraints_;
};

}  // namespace actio::system
