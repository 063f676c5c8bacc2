#pragma once
#include <actio/method/amplification.hpp>
#include <actio/method/composition.hpp>
#include <actio/method/integrator_on.hpp>
#include <actio/method/stepper.hpp>
#include <algorithm>
#include <optional>
#include <vector>

// A stepper behind the virtual boundary, its steps composed where `composition` (gamma_1 .. gamma_s) is not empty.
namespace actio::method {

template <class S>
using SystemOf = std::remove_cvref_t<decltype(std::declval<S&>().system())>;

template <class S>
class IntegratorOf final : public IntegratorOn<SystemOf<S>> {
  static_assert(HasWhatItDeclares<S>::value);
  static constexpr Capabilities can = S::capabilities;
  using Base = IntegratorOn<SystemOf<S>>;
  using Base::distributed;
  using Base::known_;
  using Base::legendre_;
  using Base::p_;
  using Base::q0_;
  using Base::q_;
  using Base::to_eigen;
  using Base::v0_;
  using Base::v_;

 public:
  using System = typename Base::System;
  using Vector = typename S::Vector;

  explicit IntegratorOf(S&& stepper, std::vector<double> composition = {})
      : Base(stepper.system()), stepper_(std::move(stepper)) {
    if (!composition.empty()) substeps_.emplace(std::move(composition));
  }

  void set_reference() override {
    if constexpr (can.transforms_time) stepper_.set_reference(state_);
  }
  double physical_step(const Snapshot& at, double h) const override {
    if constexpr (can.transforms_time) {
      State there = state_;
      there.t = at.t;
      Base::from_eigen(at.q, there.q);
      return stepper_.physical_step(there, h);
    } else {
      return Integrator::physical_step(at, h);
    }
  }

  BatchReport advance(long steps, double h, const BatchOptions& how) override {
    known_ = false;
    const long factorised = factorisations(), iterated = Base::linear_iterations();
    BatchReport batch = steps_of(steps, h, how);
    batch.factorisations = factorisations() - factorised;
    batch.linear_iterations = Base::linear_iterations() - iterated;
    return batch;
  }

  bool change_momenta(core::FunctionRef<bool(std::span<double>)> change) override {
    if constexpr (!Base::has_numbers || can.on_a_manifold) {
      return Integrator::change_momenta(change);
    } else if constexpr (requires { state_.p; } && !can.tangent_momenta) {
      known_ = false;
      return Base::with_numbers(state_.p, change);
    } else {
      known_ = false;
      stepper_.phase(state_, q_, p_);
      if (!Base::with_numbers(p_, change)) return false;
      if constexpr (requires { state_.p; })
        state_.p = p_;
      else
        legendre_.velocity(state_.t, q_, p_, state_.v);
      return true;
    }
  }
  bool make_tangent(std::span<double> p) override {
    if constexpr (can.tangent_momenta && Base::has_numbers) {
      known_ = false;
      Base::take(p, v_);
      if (!stepper_.make_tangent(state_, v_)) return false;
      Base::with_numbers(v_, [&](std::span<double> x) {
        std::copy(x.begin(), x.end(), p.begin());
        return true;
      });
    }
    return true;
  }
  BatchReport advance_around(double h, const BatchOptions& how, core::FunctionRef<bool()> between) override {
    if constexpr (can.two_halves && Base::has_numbers) {
      known_ = false;
      BatchReport batch;
      batch.work = how.work;
      begin_steps_of(h);
      const StepReport step = stepper_.step(state_, h, between);
      batch.iterations = step.iterations;
      if (!step.converged) {
        note_failure(step, batch);
        return batch;
      }
      state_.t = t_start_.high + (static_cast<double>(++count_) * h + t_start_.low);
      batch.worst_residual = std::sqrt(step.increment_squared);
      batch.steps = 1;
      return batch;
    } else {
      return Integrator::advance_around(h, how, between);
    }
  }

  SystemProperties properties() const override {
    SystemProperties properties = Base::properties();
    if constexpr (can.on_a_manifold) {
      properties.constraints = stepper_.constraints();
      properties.linear = false;
    }
    return properties;
  }

  void conjugate_coordinates(double h, Eigen::VectorXd& x, Eigen::VectorXd& p) const override {
    known_ = false;
    stepper_.conjugate_coordinates(state_, h, q_, p_);
    to_eigen(q_, x);
    to_eigen(p_, p);
  }

  Correction project() override {
    if constexpr (can.on_a_manifold) {
      known_ = false;
      const auto report = stepper_.project(state_);
      return {report.found, report.position, report.velocity};
    } else {
      return Base::project();
    }
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

  bool path(std::vector<double>& nodes, Eigen::MatrixXd& W) const override {
    if constexpr (can.path) {
      const auto* stages = substeps_ ? nullptr : stepper_.path(state_);
      if (!stages) return false;
      nodes = stepper_.path_nodes();
      W.resize(Base::size(), static_cast<Eigen::Index>(nodes.size()));
      Eigen::VectorXd one;
      for (std::size_t j = 0; j < nodes.size(); ++j) {
        Base::to_eigen((*stages)[j], one);
        W.col(static_cast<Eigen::Index>(j)) = one;
      }
      return true;
    } else {
      return Integrator::path(nodes, W);
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

  std::unique_ptr<Integrator> clone() const override { return std::make_unique<IntegratorOf>(*this); }

 private:
  using State = typename S::State;

  // Compiled once, for all that is not the loop over steps of a few coordinates.
  [[gnu::noinline]] StepReport one_step(State& x, double h) const { return stepper_.step(x, h); }
  [[gnu::noinline]] StepReport composed_step(State& x, double h) const {
    return substeps_->template step<can.transforms_time>([this](State& y, double step) { return one_step(y, step); }, x, h);
  }
  StepReport step_of_any_kind(State& x, double h) const { return substeps_ ? composed_step(x, h) : one_step(x, h); }
  [[gnu::always_inline]] StepReport inlined_step(State& x, double h) {
    if constexpr (System::Space::static_size)
      return stepper_.step(x, h);
    else
      return one_step(x, h);
  }
  double residual(double h) {
    if (!substeps_) return stepper_.residual(before_, state_, h);
    return substeps_->residual([this](State& x, double step) { return one_step(x, step); }, stepper_, before_, h);
  }

  void begin(double t) override {
    state_ = stepper_.start(t, q_, p_);
    t_start_ = {t, 0};
    count_ = 0;
    h_ = 0;
    known_ = false;
  }

  // Time is t_start + count h, not a sum of roundings.
  void begin_steps_of(double h) {
    if (h == h_) return;
    t_start_.add_product(static_cast<double>(count_), h_);
    t_start_ = {t_start_.value(), t_start_.low - (t_start_.value() - t_start_.high)};
    count_ = 0;
    h_ = h;
  }

  BatchReport steps_of(long steps, double h, const BatchOptions& how) {
    BatchReport batch;
    batch.work = how.work;
    double increment = 0;
    begin_steps_of(h);
    const bool composed = substeps_.has_value();
    const bool worked = system::is_forced(stepper_.system()) || Base::moved_by_constraints();
    if constexpr (can.many_steps) {
      if (!worked) {
        stepper_.many_steps(state_, steps, count_, t_start_, h);
        count_ += steps;
        state_.t = t_start_.high + (static_cast<double>(count_) * h + t_start_.low);
        batch.steps = steps;
        return batch;
      }
    }
    for (long k = 0; k < steps; ++k) {
      if constexpr (can.transforms_time)
        if (state_.t >= how.until) {
          steps = k;
          break;
        }
      const double t = state_.t;
      const bool measured = how.residual && k + 1 == steps;
      if (worked || measured) before_ = state_;
      const StepReport step = composed ? composed_step(state_, h) : inlined_step(state_, h);
      batch.iterations += step.iterations;
      if (!step.converged) [[unlikely]] {
        batch.steps = k;
        note_failure(step, batch);
        return batch;
      }
      if (worked) [[unlikely]]
        batch.work += work(h);
      // At the times the step itself had: a load may jump between them and the compensated one.
      if (measured) batch.worst_residual = residual(h);
      if constexpr (can.transforms_time)
        batch.took(state_.t - t);
      else
        state_.t = t_start_.high + (static_cast<double>(++count_) * h + t_start_.low);
      increment = std::max(increment, step.increment_squared);
    }
    batch.steps = steps;
    batch.worst_residual = std::max(batch.worst_residual, std::sqrt(increment));
    return batch;
  }
  [[gnu::noinline, gnu::cold]] void note_failure(const StepReport& step, BatchReport& batch) const {
    batch.ok = false;
    batch.failed_residual = std::sqrt(step.increment_squared);
    if constexpr (can.explains_failure)
      batch.what = S::failure;
    else
      batch.what = "Newton's method found no solution of the step's equations; a shorter step may have one";
    if constexpr (distributed)
      if (const std::string why = stepper_.system().why_unsolved(); !why.empty()) batch.what = why;
  }

  // The work in the step from before_ to state_: by the stepper, else along the cubic through both ends.
  [[gnu::noinline]] Work work(double h) {
    if constexpr (can.work) {
      return substeps_ ? substeps_->work([this](State& x, double step) { return one_step(x, step); }, stepper_, before_, h)
                       : stepper_.work(before_, state_, h);
    } else if constexpr (system::Forced<System>) {
      ends_of(before_, q_, p_, v_);
      q0_ = q_;
      v0_ = v_;
      ends_of(state_, q_, p_, v_);
      return Base::work_along_cubic(before_.t, state_.t, h);
    } else {
      return {};
    }
  }
  double state_of_stepper(Vector& q, Vector& p, Vector& v) const override {
    ends_of(state_, q, p, v);
    return state_.t;
  }
  [[gnu::noinline]] void ends_of(const State& state, Vector& q, Vector& p, Vector& v) const {
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

  long factorisations() const {
    if constexpr (can.factorisations)
      return stepper_.factorisations();
    else
      return 0;
  }

  mutable S stepper_;
  State state_{}, before_{};
  mutable std::optional<Substeps<State>> substeps_;  // where steps are composed
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
