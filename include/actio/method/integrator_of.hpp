#pragma once
#include <actio/algebra/small.hpp>
#include <actio/core/error.hpp>
#include <actio/core/sum.hpp>
#include <actio/discrete/acceleration.hpp>
#include <actio/discrete/projection.hpp>
#include <actio/method/amplification.hpp>
#include <actio/method/composition.hpp>
#include <actio/method/integrator.hpp>
#include <actio/method/stepper.hpp>
#include <actio/system/assembled.hpp>
#include <actio/system/constrained.hpp>
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

// A stepper behind the virtual boundary, its steps composed where `composition` (gamma_1 .. gamma_s) is not empty.
namespace actio::method {

template <class S>
class IntegratorOf final : public Integrator {
  static_assert(HasWhatItDeclares<S>::value);
  static_assert(system::Lagrangian<std::remove_cvref_t<decltype(std::declval<S&>().system())>>,
                "the system of a stepper has lagrangian, derivatives, tangent and separable (system/lagrangian.hpp)");
  static constexpr Capabilities can = S::capabilities;

 public:
  using System = std::remove_cvref_t<decltype(std::declval<S&>().system())>;
  using Vector = typename S::Vector;

  explicit IntegratorOf(S stepper, std::vector<double> composition = {})
      : stepper_(std::move(stepper)), legendre_(stepper_.system()), q_(stepper_.system().space().vector()), p_(q_), v_(q_) {
    if (!composition.empty()) substeps_.emplace(std::move(composition));
  }

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

  BatchReport advance(long steps, double h, const BatchOptions& how) override {
    known_ = false;
    const long factorised = factorisations(), iterated = linear_iterations();
    BatchReport batch = steps_of(steps, h, how);
    batch.factorisations = factorisations() - factorised;
    batch.linear_iterations = linear_iterations() - iterated;
    return batch;
  }

  void snapshot(Snapshot& out) const override {
    update_cache();
    out.t = state_.t;
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
    if constexpr (can.on_a_manifold) {
      properties.constraints = stepper_.constraints();
      properties.linear = false;
    }
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
    update_cache();
    return dot(v_, p_) - legendre_.system().lagrangian(state_.t, q_, v_);
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

  void conjugate_coordinates(double h, Eigen::VectorXd& x, Eigen::VectorXd& p) const override {
    known_ = false;
    stepper_.conjugate_coordinates(state_, h, q_, p_);
    to_eigen(q_, x);
    to_eigen(p_, p);
  }

  // Onto the constraints, where there are any.
  Correction project() override {
    if (system::has_prescribed(stepper_.system())) return moved_;
    if constexpr (can.on_a_manifold) {
      known_ = false;
      const auto report = stepper_.project(state_);
      return {report.found, report.position, report.velocity};
    } else if constexpr (system::Constrained<System>) {
      if (!system::is_constrained(stepper_.system())) return {};
      update_cache();
      known_ = false;
      const auto report = onto_constraints();
      if (!report.found) return {false, 0, 0};
      legendre_.momentum(state_.t, q_, v_, p_);
      begin(state_.t);
      return {true, report.position, report.velocity};
    }
    return {};
  }
  void multipliers(double h, Eigen::VectorXd& lambda) const override {
    lambda.resize(0);
    if constexpr (can.reactions) {
      if (system::has_prescribed(stepper_.system())) {
        known_ = false;
        if (stepper_.reactions(state_, q_)) stepper_.system().multipliers(q_, lambda);
        return;
      }
    }
    if (substeps_) h *= substeps_->first();  // between the last substep and the first of the next step
    if constexpr (can.on_a_manifold) {
      if (!stepper_.multipliers(state_, h, lambda)) lambda.resize(0);
    } else if constexpr (can.multipliers) {
      auto of = stepper_.system().kkt_solver().multipliers();
      if (!stepper_.multipliers(state_, h, of)) return;
      if constexpr (distributed) {
        stepper_.system().gather_multipliers(of, lambda);
      } else {
        const Eigen::VectorXd all = algebra::eigen(of);
        lambda = all.head(stepper_.system().constraints());  // a space of a few coordinates has room for more
      }
    }
  }

  bool keeps_momentum(std::size_t symmetry) const override {
    if constexpr (can.selects_momenta)
      return stepper_.keeps_momentum(symmetry);
    else
      return Integrator::keeps_momentum(symmetry);
  }

  Eigen::MatrixXd amplification(double h) const override {
    if constexpr (distributed)
      return Integrator::amplification(h);
    else
      return system::has_prescribed(stepper_.system())
                 ? Integrator::amplification(h)
                 : method::amplification(
                       stepper_, [this](State& x, double step) { return step_of_any_kind(x, step); }, h);
  }

  void archive(core::Archive& a) override {
    a(state_, t_start_.high, t_start_.low, h_, count_);
    if (h_ == 0) a(v_);  // from which a start's velocity is found
    a.part(stepper_).part(legendre_);
    if (a.reading()) known_ = false;
  }
  bool restarts() const override { return can.restarts; }

  // Its first projection finds out what it needs on its own: what it does must not hang on where the run projected before.
  std::unique_ptr<Integrator> clone() const override {
    auto copy = std::make_unique<IntegratorOf>(*this);
    copy->projection_.reset();
    return copy;
  }

 private:
  using State = typename S::State;

  // Compiled once, for all that is not the loop over steps.
  [[gnu::noinline]] StepReport one_step(State& x, double h) const { return stepper_.step(x, h); }
  [[gnu::noinline]] StepReport composed_step(State& x, double h) const {
    return substeps_->step([this](State& y, double step) { return one_step(y, step); }, x, h);
  }
  StepReport step_of_any_kind(State& x, double h) const { return substeps_ ? composed_step(x, h) : one_step(x, h); }
  double residual(double h) {
    if (!substeps_) return stepper_.residual(before_, state_, h);
    return substeps_->residual([this](State& x, double step) { return one_step(x, step); }, stepper_, before_, h);
  }

  // The system was made from a model, not written in C++ (system/mechanical.hpp, system/lagrangian_of.hpp).
  static constexpr bool has_model = requires(const System& system) { system.model(); };
  // The numbers of a vector are distributed over processes, and the system knows where they are.
  static constexpr bool distributed = requires(const System& system, const Vector& x, Eigen::VectorXd& all) {
    system.gather(x, all);
  };
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

  discrete::StartReport onto_constraints() {
    if constexpr (System::Space::static_size) {
      Eigen::VectorXd q = algebra::eigen(q_), v = algebra::eigen(v_);
      const discrete::StartReport report = discrete::project(stepper_.system().model(), state_.t, q, v);
      q_ = q;
      v_ = v;
      return report;
    } else {
      if (!projection_) projection_.emplace(stepper_.system());
      return discrete::project(*projection_, stepper_.system(), state_.t, q_, v_);
    }
  }

  // Prescribed coordinates of q_ and v_ where they are at t, and in moved_ how far that was.
  void impose_prescribed(double t) {
    if constexpr (system::can_prescribe<System>) {
      System& system = stepper_.system();
      if (system.prescribed() == 0) return;
      using algebra::dot;
      Vector q = q_, v = v_;
      system.impose_motion(t, 0, 0, q_, v_, p_);
      q -= q_;
      v -= v_;
      moved_ = {true, std::sqrt(dot(q, q)), std::sqrt(dot(v, v))};
    }
  }

  void begin(double t) {
    state_ = stepper_.start(t, q_, p_);
    t_start_ = {t, 0};
    count_ = 0;
    h_ = 0;
    known_ = false;
  }

  BatchReport steps_of(long steps, double h, const BatchOptions& how) {
    BatchReport batch;
    batch.work = how.work;
    double increment = 0;
    if (h != h_) {  // time is t_start + count h, not a sum of roundings
      t_start_.add_product(static_cast<double>(count_), h_);
      t_start_ = {t_start_.value(), t_start_.low - (t_start_.value() - t_start_.high)};
      count_ = 0;
      h_ = h;
    }
    const bool composed = substeps_.has_value();
    const bool worked = system::is_forced(stepper_.system()) || moved_by_constraints();
    for (long k = 0; k < steps; ++k) {
      const bool measured = how.residual && k + 1 == steps;
      if (worked || measured) before_ = state_;
      const StepReport step = composed ? composed_step(state_, h) : stepper_.step(state_, h);
      batch.iterations += step.iterations;
      if (!step.converged) [[unlikely]] {
        batch.ok = false;
        batch.steps = k;
        batch.failed_residual = std::sqrt(step.increment_squared);
        if constexpr (can.explains_failure)
          batch.what = S::failure;
        else
          batch.what = "Newton's method found no solution of the step's equations; a shorter step may have one";
        if constexpr (distributed)
          if (const std::string why = stepper_.system().why_unsolved(); !why.empty()) batch.what = why;
        return batch;
      }
      if (worked) [[unlikely]]
        batch.work += work(h);
      // At the times the step itself had: a load may jump between them and the compensated one.
      if (measured) batch.worst_residual = residual(h);
      state_.t = t_start_.high + (static_cast<double>(++count_) * h + t_start_.low);
      increment = std::max(increment, step.increment_squared);
    }
    batch.steps = steps;
    batch.worst_residual = std::max(batch.worst_residual, std::sqrt(increment));
    return batch;
  }

  bool moved_by_constraints() {
    if constexpr (system::can_prescribe<System>)
      if (stepper_.system().prescribed_moves()) return true;
    if constexpr (system::Constrained<System>) return system::is_constrained(stepper_.system()) && stepper_.system().moving();
    return false;
  }

  // The work in the step from before_ to state_: by the stepper, else by Simpson's rule along the cubic through both ends.
  [[gnu::noinline]] Work work(double h) {
    Work sum;
    if constexpr (can.work) {
      sum = substeps_ ? substeps_->work([this](State& x, double step) { return one_step(x, step); }, stepper_, before_, h)
                      : stepper_.work(before_, state_, h);
    } else if constexpr (system::Forced<System>) {
      ends_of(before_, q_, p_, v_);
      q0_ = q_;
      v0_ = v_;
      ends_of(state_, q_, p_, v_);
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
      add(1.0 / 6, before_.t, q0_, v0_);
      add(2.0 / 3, before_.t + h / 2, qm_, vm_);
      add(1.0 / 6, state_.t, q_, v_);
      known_ = false;
    }
    return sum;
  }
  void ends_of(const State& state, Vector& q, Vector& p, Vector& v) const {
    stepper_.phase(state, q, p);
    if constexpr (can.on_a_manifold)
      stepper_.velocity(state, v);
    else if constexpr (requires { state.v; })
      v = state.v;
    else {
      if constexpr (requires { state.w; })  // a guess that is a matter of the state alone
        if (state.h != 0) v = 1.0 * state.w;
      legendre_.velocity(state.t, q, p, v);
    }
  }

  // q_, p_ and v_ of the state, once a state: of most methods v takes a solve with the mass.
  void update_cache() const {
    if (known_) return;
    ends_of(state_, q_, p_, v_);
    known_ = true;
  }

  long factorisations() const {
    if constexpr (can.factorisations)
      return stepper_.factorisations();
    else
      return 0;
  }

  long linear_iterations() const {
    if constexpr (distributed)
      return legendre_.system().linear_iterations();
    else
      return 0;
  }

  mutable S stepper_;
  mutable discrete::Acceleration<System> legendre_;
  State state_{}, before_{};
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
  mutable std::optional<Substeps<State>> substeps_;  // where steps are composed
  mutable Vector q_, p_, v_;
  Vector q0_{}, v0_{}, qm_{}, vm_{};  // of the work of a step
  mutable bool known_ = false;        // q_, p_, v_ are those of the state
  Correction moved_;                  // at the last start
  core::Sum t_start_;
  double h_ = 0;
  long count_ = 0;
};

// A stepper of your own, its steps composed where gamma_1 .. gamma_s are given, for run::integrate to run and certify:
//
//   auto integrator = method::make_integrator(method::VariationalStepper(Ld));
//   run::Task task{"", {"my method", {.order = 4}}, q0, v0, {.step = 0.05, .steps = 10000}};
//   auto certificate = run::integrate(*integrator, momentum, task);
template <class S>
std::unique_ptr<Integrator> make_integrator(S stepper, std::vector<double> composition = {}) {
  static_assert(IsStepper<S>::value);
  return std::make_unique<IntegratorOf<S>>(std::move(stepper), std::move(composition));
}

}  // namespace actio::method
