#pragma once
#include <actio/algebra/small.hpp>
#include <actio/core/error.hpp>
#include <actio/core/sum.hpp>
#include <actio/discrete/acceleration.hpp>
#include <actio/discrete/projection.hpp>
#include <actio/method/integrator.hpp>
#include <actio/system/assembled.hpp>
#include <actio/system/constrained.hpp>
#include <algorithm>
#include <cmath>
#include <concepts>
#include <optional>

// What an integrator does with its system alone, whatever its stepper: starts, energies, forces, projections. Compiled once for
// each system (src/method/shared.hpp), not for each method.
namespace actio::method {

template <class SystemType>
class IntegratorOn : public Integrator {
  static_assert(system::Lagrangian<SystemType>,
                "the system of a stepper has lagrangian, derivatives, tangent and separable (system/lagrangian.hpp)");

 public:
  using System = SystemType;
  using Vector = typename System::Space::Vector;

  long size() const override { return q_.size(); }

  void start(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) override {
    from_eigen(q, q_);
    from_eigen(v, v_);
    impose_prescribed(t);
    legendre_.momentum(t, q_, v_, p_);
    begin(t);
  }
  void start_momentum(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& p) override {
    from_eigen(q, q_);
    from_eigen(p, p_);
    begin(t);
  }

  void snapshot(Snapshot& out) const override {
    out.t = update_cache();
    to_eigen(q_, out.q);
    to_eigen(p_, out.p);
    to_eigen(v_, out.v);
  }

  SystemProperties properties() const override {
    const System& system = legendre_.system();
    SystemProperties properties{system::is_forced(system), system::is_linear(system), true};
    if constexpr (system::Forced<System>) properties.friction = system.dissipative();
    if constexpr (has_model) properties.energy = system.model().has_energy;
    properties.lagrangian = !system::is_implicit(system);
    if constexpr (system::Constrained<System>) properties.constraints = system.constraints();
    if constexpr (system::can_prescribe<System>) {
      if (system.prescribed() > 0) {
        properties.constraints = system.prescribed();
        properties.prescribed = true;
      }
    }
    return properties;
  }

  double energy() const override {
    using algebra::dot;
    const double t = update_cache();
    if (energy_known_) return energy_;
    const double energy = dot(v_, p_) - legendre_.system().lagrangian(t, q_, v_);
    if constexpr (has_model && !distributed) {  // what a user's function says may change from call to call, and may fail
      energy_ = energy;
      const auto& code = legendre_.system().model().callbacks;
      energy_known_ = !code || code->built_in();
    }
    return energy;
  }

  double energy_terms(double h) const override {
    if constexpr (has_model) {
      update_cache();
      return legendre_.system().energy_terms(h, q_, v_);
    } else {
      return Integrator::energy_terms(h);
    }
  }
  std::span<const std::int32_t> fixed_dofs() const override {
    if constexpr (has_model)
      return legendre_.system().model().dirichlet;
    else
      return {};
  }

  void applied(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& F) override {
    F.setZero(q.size());
    if constexpr (system::Forced<System>) {
      if (!legendre_.system().forced()) return;
      from_eigen(q, q_);
      from_eigen(v, v_);
      legendre_.system().applied(t, q_, v_, p_);
      to_eigen(p_, F);
      known_ = false;
    }
  }

  // By forces at q + v and q - v for the velocity v of p, which should be small.
  bool curvature(std::span<const double> p, double& square, double& along) const override {
    if constexpr (has_numbers && has_model && system::Separable<System>) {
      System& system = legendre_.system();
      if (!system.separable()) return false;
      using algebra::dot;
      const double t = update_cache();
      const Vector q = q_;
      Vector direction = q, f = q, a = q;
      take(p, direction);
      system.velocity(direction, a);
      direction = a;
      system.force(t, q, f);
      system.velocity(f, a);
      square = dot(f, a);
      a = q + direction;
      system.force(t, a, f);
      along = -dot(f, direction);
      a = q - direction;
      system.force(t, a, f);
      along = 0.5 * (along + dot(f, direction));
      return std::isfinite(square) && std::isfinite(along);
    } else {
      return Integrator::curvature(p, square, along);
    }
  }

  std::vector<std::int32_t> share() const override {
    if constexpr (distributed)
      return legendre_.system().share();
    else
      return {};
  }
  void add_up(std::span<double> sums) const override {
    if constexpr (distributed) legendre_.system().add_up(sums);
  }

  // Onto the constraints, where there are any.
  Correction project() override {
    if (system::has_prescribed(legendre_.system())) return moved_;
    if constexpr (system::Constrained<System>) {
      if (!system::is_constrained(legendre_.system())) return {};
      const double t = update_cache();
      known_ = false;
      const auto report = onto_constraints(t);
      if (!report.found) return {false, 0, 0};
      legendre_.momentum(t, q_, v_, p_);
      begin(t);
      return {true, report.position, report.velocity};
    }
    return {};
  }

 protected:
  explicit IntegratorOn(const System& system) : legendre_(system), q_(system.space().vector()), p_(q_), v_(q_) {}
  // Its first projection finds out what it needs on its own: what it does must not hang on where the run projected before.
  IntegratorOn(const IntegratorOn& other)
      : legendre_(other.legendre_),
        q_(other.q_),
        p_(other.p_),
        v_(other.v_),
        q0_(other.q0_),
        v0_(other.v0_),
        known_(other.known_),
        qm_(other.qm_),
        vm_(other.vm_),
        t_(other.t_),
        moved_(other.moved_) {}
  IntegratorOn& operator=(const IntegratorOn&) = delete;
  ~IntegratorOn() override = default;

  // The stepper's state becomes the start at t from q_ and p_.
  virtual void begin(double t) = 0;
  // The time, position, momentum and velocity of the stepper's state.
  virtual double state_of_stepper(Vector& q, Vector& p, Vector& v) const = 0;

  // The system was made from a model, not written in C++ (system/mechanical.hpp, system/lagrangian_of.hpp).
  static constexpr bool has_model = requires(const System& system) { system.model(); };
  // The numbers of a vector are distributed over processes, and the system knows where they are.
  static constexpr bool distributed = requires(const System& system, const Vector& x, Eigen::VectorXd& all) {
    system.gather(x, all);
  };
  static constexpr bool in_memory = !distributed && requires(Vector & x) {
    { x.data() } -> std::same_as<double*>;
  };
  static constexpr bool has_numbers = in_memory || distributed;
  // f(numbers of x on this process)
  bool with_numbers(Vector& x, core::FunctionRef<bool(std::span<double>)> f) const {
    if constexpr (distributed)
      return legendre_.system().with_numbers(x, f);
    else
      return f({x.data(), static_cast<std::size_t>(x.size())});
  }
  void take(std::span<const double> numbers, Vector& x) const {
    with_numbers(x, [&](std::span<double> to) {
      std::copy(numbers.begin(), numbers.end(), to.begin());
      return true;
    });
  }
  void from_eigen(const Eigen::VectorXd& from, Vector& to) const {
    if constexpr (distributed)
      legendre_.system().scatter(from, to);
    else
      to = from;
  }
  void to_eigen(const Vector& from, Eigen::VectorXd& to) const {
    if constexpr (distributed)
      legendre_.system().gather(from, to);
    else
      to = algebra::eigen(from);
  }

  // q_, p_ and v_ of the state, once a state: of most methods v takes a solve with the mass. Returns the time.
  double update_cache() const {
    if (!known_) {
      t_ = state_of_stepper(q_, p_, v_);
      energy_known_ = false;
    }
    known_ = true;
    return t_;
  }

  // The system's constraints or prescribed coordinates do work.
  bool moved_by_constraints() const {
    const System& system = legendre_.system();
    if constexpr (system::can_prescribe<System>)
      if (system.prescribed_moves()) return true;
    if constexpr (system::Constrained<System>) return system::is_constrained(system) && system.moving();
    return false;
  }

  // The work in a step from q0_, v0_ at t0 to q_, v_ at t1, by Simpson's rule along the cubic through both ends. Changes p_.
  [[gnu::noinline]] Work work_along_cubic(double t0, double t1, double h) {
    Work sum;
    if constexpr (system::Forced<System>) {
      qm_ = 0.5 * q0_ + 0.5 * q_ + (h / 8) * v0_ - (h / 8) * v_;
      vm_ = (1.5 / h) * q_ - (1.5 / h) * q0_ - 0.25 * v0_ - 0.25 * v_;
      const auto add = [&](double weight, double t, const Vector& q, const Vector& v) {
        using algebra::dot;
        legendre_.system().external(t, q, v, p_);
        const double external = dot(p_, v);
        legendre_.system().applied(t, q, v, p_);
        sum.external += weight * h * external;
        sum.dissipated += weight * h * (external - dot(p_, v));
      };
      add(1.0 / 6, t0, q0_, v0_);
      add(2.0 / 3, t0 + h / 2, qm_, vm_);
      add(1.0 / 6, t1, q_, v_);
      known_ = false;
    }
    return sum;
  }

  long linear_iterations() const {
    if constexpr (distributed)
      return legendre_.system().linear_iterations();
    else
      return 0;
  }

  mutable discrete::Acceleration<System> legendre_;
  mutable Vector q_, p_, v_;
  Vector q0_{}, v0_{};          // of the work of a step
  mutable bool known_ = false;  // q_, p_, v_ are those of the state

 private:
  discrete::StartReport onto_constraints(double t) {
    if constexpr (System::Space::static_size) {
      Eigen::VectorXd q = algebra::eigen(q_), v = algebra::eigen(v_);
      const discrete::StartReport report = discrete::project(legendre_.system().model(), t, q, v);
      q_ = q;
      v_ = v;
      return report;
    } else {
      if (!projection_) projection_.emplace(legendre_.system());
      return discrete::project(*projection_, legendre_.system(), t, q_, v_);
    }
  }

  // Prescribed coordinates of q_ and v_ where they are at t, and in moved_ how far that was.
  void impose_prescribed(double t) {
    if constexpr (system::can_prescribe<System>) {
      System& system = legendre_.system();
      if (system.prescribed() == 0) return;
      using algebra::dot;
      Vector q = q_, v = v_;
      system.impose_motion(t, 0, 0, q_, v_, p_);
      q -= q_;
      v -= v_;
      moved_ = {true, std::sqrt(dot(q, q)), std::sqrt(dot(v, v))};
    }
  }

  // Of systems with vectors of any size that may have constraints.
  struct NoProjection {
    explicit NoProjection(const System&) {}
  };
  template <class T>
  struct ProjectionFor {
    using type = NoProjection;
  };
  template <system::Constrained T>
  requires(!T::Space::static_size) struct ProjectionFor<T> {
    using type = discrete::Projection<T>;
  };
  std::optional<typename ProjectionFor<System>::type> projection_;
  Vector qm_{}, vm_{};                 // of the work of a step
  mutable double t_ = 0, energy_ = 0;  // where known_
  mutable bool energy_known_ = false;
  Correction moved_;  // at the last start
};

}  // namespace actio::method
