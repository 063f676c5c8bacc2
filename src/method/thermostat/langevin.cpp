#include "langevin.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <actio/core/settled_mean.hpp>

#include "../around.hpp"
#include "momentum_flow.hpp"

namespace actio::method {

namespace {

using system::Thermostat;

// Draws of one step.
enum Draw : std::uint32_t { first, second, lifted_first, lifted_second, direction };

class Langevin final : public IntegratorAround {
 public:
  Langevin(const system::Model& model, std::unique_ptr<Integrator> steps)
      : IntegratorAround(std::move(steps)),
        thermostat_(model.thermostat),
        noise_(thermostat_->seed, thermostat_->member),
        flow_(model, *thermostat_, steps_->share()) {
    const SystemProperties properties = steps_->properties();
    constrained_ = properties.constraints > 0;
    freedoms_ = steps_->size() - static_cast<long>(steps_->fixed_dofs().size()) - properties.constraints;
  }
  Langevin(const Langevin& other)
      : IntegratorAround(other),
        thermostat_(other.thermostat_),
        noise_(other.noise_),
        flow_(other.flow_),
        constrained_(other.constrained_),
        freedoms_(other.freedoms_),
        step_(other.step_),
        h_(other.h_),
        kinetic_(other.kinetic_),
        square_(other.square_),
        along_(other.along_) {}
  ~Langevin() override = default;

  BatchReport advance(long steps, double h, const BatchOptions& how) override {
    if (how.first >= 0) step_ = how.first;
    h_ = h;
    BatchReport all;
    all.work = how.work;
    for (long k = 0; k < steps; ++k, ++step_) {
      const Work before = all.work;
      const BatchReport one = step(h, {all.work, how.residual && k + 1 == steps}, all.work);
      all.count(one);
      if (!one.ok) {
        all.work = before;
        all.ok = false;
        all.failed_residual = one.failed_residual;
        all.what = one.what;
        return all;
      }
      ++all.steps;
    }
    return all;
  }

  void start(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) override {
    step_ = 0;
    steps_->start(t, q, v);
  }
  void start_momentum(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& p) override {
    step_ = 0;
    steps_->start_momentum(t, q, p);
  }
  SystemProperties properties() const override {
    SystemProperties out = steps_->properties();
    out.thermostat = true;
    return out;
  }
  Eigen::MatrixXd amplification(double h) const override { return steps_->amplification(h); }
  std::unique_ptr<Integrator> clone() const override { return std::make_unique<Langevin>(*this); }
  const Integrator& without_noise() const override { return *steps_; }
  // Of the noise only the number of the step: it is counted, not streamed.
  void archive(core::Archive& a) override {
    steps_->archive(a);
    a(step_, h_, kinetic_, square_, along_);
  }

  // Along v = M^(-1/2) (+-1, +-1, ...), over which v'V''v has the mean that is the Laplacian of V in the metric of the mass.
  void look_at_temperature() override {
    if (constrained_ || h_ == 0) return;
    const double length = 1e-3 * std::abs(h_) * std::sqrt(thermostat_->kT > 0 ? thermostat_->kT : 1);
    p_.assign(static_cast<std::size_t>(flow_.size()), 0.0);
    xi_.resize(p_.size());
    flow_.signs(noise_, static_cast<std::uint64_t>(step_), direction, xi_);
    flow_.add_thermal(length, xi_, p_);
    double square = 0, along = 0;
    if (!steps_->curvature(p_, square, along)) return;
    square_.add(square);
    along_.add(along / (length * length));
  }

  std::optional<Bath> bath() const override {
    Bath out;
    out.scheme = name_of(thermostat_->scheme);
    out.seed = thermostat_->seed;
    out.kT = thermostat_->kT;
    out.slowest = flow_.slowest();
    out.fastest = flow_.fastest();
    out.freedoms = freedoms_;
    if (freedoms_ > 0) {
      const core::MeanAndError kinetic = kinetic_.mean();
      const double per_freedom = 2 / static_cast<double>(freedoms_);
      out.kinetic = {per_freedom * kinetic.value, per_freedom * kinetic.error};
    }
    const core::MeanAndError ratio = core::SettledMean::ratio(square_, along_);
    out.configurational = {ratio.value, ratio.error};
    return out;
  }

 private:
  // `work` gets what the noise and the friction did.
  BatchReport step(double h, const BatchOptions& how, Work& work) {
    switch (thermostat_->scheme) {
      case Thermostat::Scheme::baoab:
        return around(h, how, work);
      case Thermostat::Scheme::gla:
        return then(h, how, work, first);
      case Thermostat::Scheme::obabo:
        break;
    }
    BatchOptions after = how;
    const auto keep = [&](std::span<double> p) {
      before_.assign(p.begin(), p.end());
      return true;
    };
    const auto go_back = [&](std::span<double> p) {
      std::copy(before_.begin(), before_.end(), p.begin());
      return true;
    };
    if (!steps_->change_momenta(keep) || !flow(h / 2, first, after.work, false)) return failed(how.work);
    BatchReport report = then(h / 2, after, work, second, h);
    if (!report.ok) steps_->change_momenta(go_back);
    return report;
  }
  BatchReport around(double h, const BatchOptions& how, Work& work) {
    Work exchanged;
    BatchReport report = steps_->advance_around(h, how, [&] { return flow(h, first, exchanged, true); });
    work = report.work;
    work += exchanged;
    return report;
  }
  // A step of `step` (h where it is 0), then the flow over h.
  BatchReport then(double h, const BatchOptions& how, Work& work, Draw draw, double step = 0) {
    BatchReport report = steps_->advance(1, step == 0 ? h : step, how);
    if (!report.ok) return report;
    work = report.work;
    if (!flow(h, draw, work, true)) return failed(how.work);
    return report;
  }
  BatchReport failed(const Work& work) const {
    BatchReport report;
    report.ok = false;
    report.work = work;
    report.what = "the noise of the thermostat finds no momenta along the constraints: their Jacobian has lost rank";
    return report;
  }

  // `measured`: the kinetic energy after it is one of those that tell the temperature.
  bool flow(double h, Draw draw, Work& work, bool measured) {
    return steps_->change_momenta([&](std::span<double> p) {
      const auto step = static_cast<std::uint64_t>(step_);
      MomentumFlow::Exchange done;
      if (!constrained_) {
        done = flow_(p, h, noise_, step, draw);
        std::array<double, 3> sums{done.noise, done.friction, done.kinetic};
        steps_->add_up(sums);
        done = {sums[0], sums[1], sums[2]};
      } else if (!constrained_flow(p, h, step, draw, done)) {
        return false;
      }
      work.heat += done.noise;
      work.dissipated += done.friction;
      if (measured) kinetic_.add(done.kinetic);
      return true;
    });
  }

  // Friction with one rate commutes with the projection P on momenta along the constraints, and P after the flow is the flow
  // along them. With several rates p first gets a thermal part (1 - P) M^(1/2) xi: then its law is that of free momenta, which
  // the flow keeps, and P makes that along the constraints of it again.
  bool constrained_flow(std::span<double> p, double h, std::uint64_t step, Draw draw, MomentumFlow::Exchange& done) {
    if (!steps_->make_tangent(p)) return false;
    std::array<double, 3> sums{flow_.kinetic(p), flow_.loss(p, h), 0};
    if (!flow_.one_rate()) {
      p_.assign(p.size(), 0.0);
      xi_.resize(p.size());
      flow_.normals(noise_, step, draw + lifted_first, xi_);
      flow_.add_thermal(std::sqrt(thermostat_->kT), xi_, p_);
      xi_ = p_;
      if (!steps_->make_tangent(p_)) return false;
      for (std::size_t i = 0; i < p.size(); ++i) p[i] += xi_[i] - p_[i];
    }
    (void)flow_(p, h, noise_, step, draw);
    if (!steps_->make_tangent(p)) return false;
    sums[2] = flow_.kinetic(p);
    steps_->add_up(sums);
    const auto [before, friction, after] = sums;
    done = {after - before + friction, friction, after};
    return true;
  }

  std::shared_ptr<const Thermostat> thermostat_;
  core::Noise noise_;
  MomentumFlow flow_;
  bool constrained_ = false;
  long freedoms_ = 0;
  long step_ = 0;
  double h_ = 0;
  core::SettledMean kinetic_, square_, along_;
  std::vector<double> before_, p_, xi_;
};

}  // namespace

std::unique_ptr<Integrator> with_thermostat(const system::Model& model, std::unique_ptr<Integrator> steps) {
  if (!model.thermostat || !model.thermostat->acts()) return steps;
  return std::make_unique<Langevin>(model, std::move(steps));
}

}  // namespace actio::method
