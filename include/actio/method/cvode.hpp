#pragma once
#include <actio/algebra/small.hpp>
#include <actio/discrete/acceleration.hpp>
#include <actio/method/catalogue/comparison.hpp>
#include <actio/method/stepper.hpp>
#include <memory>
#include <span>

// SUNDIALS CVODE, variable-order Adams with functional iteration, for comparison. h is the output interval; the solver chooses
// its own steps inside. Keeps nothing; energy and momentum drift with the tolerances.
namespace actio::method {

// y' = f(t, y), y of size m. rhs returns false when y is not admissible.
class CvodeAdamsSolver {
 public:
  using RightSide = bool (*)(void* self, double t, const double* y, double* dy);
  CvodeAdamsSolver(long m, double rtol, double atol);
  ~CvodeAdamsSolver();
  CvodeAdamsSolver(CvodeAdamsSolver&&) noexcept;
  // Advances y from t to t1; `restart` forgets the history. Returns the number of right-hand sides, or -1 on failure.
  long advance(RightSide rhs, void* self, bool restart, double t, double t1, std::span<double> y);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

template <system::Lagrangian S>
class CvodeAdamsStepper {
 public:
  using Space = typename S::Space;
  using Vector = typename Space::Vector;
  struct State {
    double t = 0;
    Vector q, v;
    void archive(core::Archive& a) { a(t, q, v); }
  };

  static constexpr Capabilities capabilities{.explains_failure = true, .restarts = true};
  static constexpr const char* failure = "CVODE cannot reach its tolerances: raise method.rtol or method.atol";

  CvodeAdamsStepper(S system, CvodeAdams tolerances)
      : acceleration_(std::move(system)),
        tolerances_(tolerances),
        n_(acceleration_.system().space().n),
        solver_(2 * n_, tolerances.rtol, tolerances.atol),
        y_(2 * n_),
        q_(acceleration_.system().space().vector()),
        v_(q_),
        a_(q_) {}
  CvodeAdamsStepper(const CvodeAdamsStepper& other) : CvodeAdamsStepper(other.acceleration_.system(), other.tolerances_) {}

  S& system() { return acceleration_.system(); }
  // The solver keeps its history to itself: after a state was archived it begins a new one.
  static constexpr bool restarts = true;
  void archive(core::Archive& a) {
    restart_ = true;
    a(acceleration_);
    if (system::is_implicit(system())) a(a_);
  }

  State start(double t, const Vector& q, const Vector& p) {
    State x{t, q, 0.0 * p};
    acceleration_.velocity(t, q, p, x.v);
    restart_ = true;
    return x;
  }

  StepReport step(State& x, double h) {
    for (long i = 0; i < n_; ++i) {
      y_[i] = x.q[i];
      y_[n_ + i] = x.v[i];
    }
    const auto rhs = [](void* self, double t, const double* y, double* dy) {
      return static_cast<CvodeAdamsStepper*>(self)->right_side(t, y, dy);
    };
    const long calls = solver_.advance(rhs, this, restart_, x.t, x.t + h, {y_.data(), static_cast<std::size_t>(2 * n_)});
    if (calls < 0) return {0, false, 0};
    restart_ = false;
    x.q = y_.head(n_);
    x.v = y_.tail(n_);
    x.t += h;
    return {static_cast<int>(calls), true, 0};
  }

  void phase(const State& x, Vector& q, Vector& p) {
    q = x.q;
    acceleration_.momentum(x.t, x.q, x.v, p);
  }
  double residual(const State&, const State&, double) const { return 0; }
  void conjugate_coordinates(const State& x, double, Vector& q, Vector& p) { phase(x, q, p); }

 private:
  bool right_side(double t, const double* y, double* dy) {
    q_ = Eigen::Map<const Eigen::VectorXd>(y, n_);
    v_ = Eigen::Map<const Eigen::VectorXd>(y + n_, n_);
    if (!acceleration_(t, q_, v_, a_)) return false;
    Eigen::Map<Eigen::VectorXd>(dy, n_) = algebra::eigen(v_);
    Eigen::Map<Eigen::VectorXd>(dy + n_, n_) = algebra::eigen(a_);
    return true;
  }

  discrete::Acceleration<S> acceleration_;
  CvodeAdams tolerances_;
  long n_;
  CvodeAdamsSolver solver_;
  Eigen::VectorXd y_;
  Vector q_, v_, a_;
  bool restart_ = true;
};

template <system::Lagrangian S, class Use>
auto with_stepper(const CvodeAdams& method, S system, Use&& use) {
  return use(CvodeAdamsStepper<S>(std::move(system), method));
}

}  // namespace actio::method
