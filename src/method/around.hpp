#pragma once
#include <actio/method/integrator.hpp>
#include <utility>

namespace actio::method {

// An integrator that does something about the steps of another, and asks that one for all else.
class IntegratorAround : public Integrator {
 public:
  long size() const override { return steps_->size(); }
  void start(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) override { steps_->start(t, q, v); }
  void start_momentum(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& p) override { steps_->start_momentum(t, q, p); }
  void snapshot(Snapshot& out) const override { steps_->snapshot(out); }
  SystemProperties properties() const override { return steps_->properties(); }
  double energy() const override { return steps_->energy(); }
  double energy_terms(double h) const override { return steps_->energy_terms(h); }
  std::span<const std::int32_t> fixed_dofs() const override { return steps_->fixed_dofs(); }
  void applied(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& F) override {
    steps_->applied(t, q, v, F);
  }
  void conjugate_coordinates(double h, Eigen::VectorXd& x, Eigen::VectorXd& p) const override {
    steps_->conjugate_coordinates(h, x, p);
  }
  bool keeps_momentum(std::size_t symmetry) const override { return steps_->keeps_momentum(symmetry); }
  Correction project() override { return steps_->project(); }
  void multipliers(double h, Eigen::VectorXd& lambda) const override { steps_->multipliers(h, lambda); }
  bool curvature(std::span<const double> p, double& square, double& along) const override {
    return steps_->curvature(p, square, along);
  }

 protected:
  explicit IntegratorAround(std::unique_ptr<Integrator> steps) : steps_(std::move(steps)) {}
  IntegratorAround(const IntegratorAround& other) : Integrator(other), steps_(other.steps_->clone()) {}
  IntegratorAround& operator=(const IntegratorAround&) = delete;

  static BatchReport failed(BatchReport all, std::string what, double residual = 0) {
    all.ok = false;
    all.what = std::move(what);
    all.failed_residual = residual;
    return all;
  }
  // Whether the residual of step k of a batch is measured, which ends at t or so [s]: in a run by nothing that hangs on where
  // batches end, else always.
  static bool measured(const BatchOptions& how, long k, long steps, double t) {
    return (how.residual && (how.first < 0 || k + 1 == steps)) || t >= how.until;
  }

  std::unique_ptr<Integrator> steps_;
};

}  // namespace actio::method
