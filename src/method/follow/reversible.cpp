#include <cmath>

#include <fmt/format.h>

#include "../around.hpp"
#include "follow.hpp"
#include "time_scale.hpp"

namespace actio::method {
namespace {

// Steps of a symmetric method, each of a size that is a state of its own (E. Hairer and G. Soederlind, SIAM J. Sci. Comput. 26
// (2005) 1838):
//
//   rho' = rho + h/2 G(x0),   a step of h/rho',   rho1 = rho' + h/2 G(x1),   G = -d log(sigma)/dt,   rho = sigma(q_ref)/sigma(q)
//
// x1, rho1 with -h give x0, rho0: a symmetric map, which is reversible where the method is. No symplectic form is kept, and every
// momentum that steps of any size keep.
class ReversibleSteps final : public IntegratorAround {
 public:
  ReversibleSteps(TimeScale scale, std::unique_ptr<Integrator> steps)
      : IntegratorAround(std::move(steps)), scale_(std::move(scale)) {}
  ReversibleSteps(const ReversibleSteps&) = default;

  void start(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) override {
    steps_->start(t, q, v);
    begin();
  }
  void start_momentum(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& p) override {
    steps_->start_momentum(t, q, p);
    begin();
  }
  void set_reference() override {
    steps_->set_reference();
    reference_ = 0;
    begin();
  }
  Correction project() override {
    const Correction moved = steps_->project();
    begin();
    return moved;
  }

  BatchReport advance(long steps, double h, const BatchOptions& how) override {
    BatchReport all;
    all.work = how.work;
    for (long k = 0; k < steps && !(at_.t >= how.until); ++k) {
      const double rho = rho_ + 0.5 * h * G_, step = h / rho;
      if (!(rho > 0) || !std::isfinite(step))
        return failed(all, fmt::format("sigma changes by {:.2g} times itself within a step", std::abs(h * G_ / rho_)));
      if (at_.t + step == at_.t) return failed(all, "sigma has become so small that a step does not change the time");
      const BatchReport one = steps_->advance(1, step, {all.work, measured(how, k, steps, at_.t + step)});
      all.count(one);
      if (!one.ok) return failed(all, one.what, one.failed_residual);
      all.work = one.work;
      all.took(step);
      ++all.steps;
      steps_->snapshot(at_);
      const TimeScale::Look now = scale_.look(at_.t, at_.q, at_.v);
      G_ = -now.rate;
      rho_ = rho + 0.5 * h * G_;
      const double off = rho_ * now.sigma / reference_;  // 1 but for terms of h^2
      if (!(off > 0.1) || !(off < 10)) return failed(all, off_by(now.sigma, off));
    }
    return all;
  }

  double physical_step(const Snapshot& s, double h) const override {
    return reference_ > 0 ? h * scale_.sigma(s.t, s.q) / reference_ : h;
  }
  double energy_terms(double h) const override { return steps_->energy_terms(now(h)); }
  void multipliers(double h, Eigen::VectorXd& lambda) const override { steps_->multipliers(now(h), lambda); }
  void conjugate_coordinates(double h, Eigen::VectorXd& x, Eigen::VectorXd& p) const override {
    steps_->conjugate_coordinates(now(h), x, p);
  }
  bool path(std::vector<double>& nodes, Eigen::MatrixXd& W) const override { return steps_->path(nodes, W); }
  const Integrator& of_equal_steps() const override { return *steps_; }
  std::unique_ptr<Integrator> clone() const override { return std::make_unique<ReversibleSteps>(*this); }
  void archive(core::Archive& a) override {
    steps_->archive(a);
    a(reference_, rho_, G_);
    if (a.reading()) steps_->snapshot(at_);
  }
  bool restarts() const override { return steps_->restarts(); }

 private:
  static std::string off_by(double sigma, double off) {
    if (!(sigma > 0) || !std::isfinite(sigma))
      return fmt::format("sigma has become {:.6g}; it must be positive and finite", sigma);
    if (!(off > 0)) return "sigma changes by more than itself within a step";
    return fmt::format("the steps have become {:.2g} times what sigma says: it changes too much within a step", 1 / off);
  }
  // Of the next step of h.
  double now(double h) const { return h / (rho_ + 0.5 * h * G_); }
  void begin() {
    steps_->snapshot(at_);
    const TimeScale::Look now = scale_.look(at_.t, at_.q, at_.v);
    if (!(reference_ > 0)) {
      check_sigma(now.sigma);
      reference_ = now.sigma;
    }
    rho_ = reference_ / now.sigma;
    G_ = -now.rate;
  }

  mutable TimeScale scale_;
  double reference_ = 0;  // sigma where a step of h is h long; 0: at the next start
  double rho_ = 1, G_ = 0;
  Snapshot at_;
};

}  // namespace

std::unique_ptr<Integrator> reversible_steps(const system::Model& model, const Spec& spec, const BuildOptions& options) {
  return std::make_unique<ReversibleSteps>(TimeScale(model, *spec.control, options.compile),
                                           make_integrator(model, without_control(spec), options));
}

}  // namespace actio::method
