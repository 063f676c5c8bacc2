#include <actio/method/log_hamiltonian.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "../around.hpp"
#include "with_system.hpp"

namespace actio::method {
namespace {

// Steps of midpoint, each as long as E_d(q0, q1, h) = -dLd/dh asks that is one number for all (Kane, Marsden, Ortiz 1999):
//
//   p0 = -D1 Ld(q0, q1, h),   E_d(q0, q1, h) = E,   p1 = D2 Ld(q0, q1, h)
//
// (q, p) -> (q1, p1) has the generating function ext_h Ld + E h: symplectic for each E. Of midpoint E_d = L_v . w - L at the
// middle of the step, w = (q1 - q0)/h, and E_d = H - h^2 D/8 + O(h^3), D = v'V''v + grad V' M^-1 grad V: where D <= 0 a step that
// has E need not exist.
class SymplecticEnergyMomentumSteps final : public IntegratorAround {
 public:
  explicit SymplecticEnergyMomentumSteps(std::unique_ptr<Integrator> midpoint)
      : IntegratorAround(std::move(midpoint)), trial_(steps_->clone()) {}
  SymplecticEnergyMomentumSteps(const SymplecticEnergyMomentumSteps& other)
      : IntegratorAround(other), trial_(other.trial_->clone()), E_(other.E_), known_(other.known_) {}

  void set_reference() override { known_ = false; }  // at the first step from here

  BatchReport advance(long steps, double h, const BatchOptions& how) override {
    BatchReport all;
    all.work = how.work;
    Snapshot at;
    steps_->snapshot(at);
    for (long k = 0; k < steps && !(at.t >= how.until); ++k) {
      double step = h;
      if (!known_) {
        BatchReport one;
        if (const auto E = discrete_energy(at, h, one)) {
          E_ = *E;
          known_ = true;
        } else {
          return failed(all, one.what, one.failed_residual);
        }
      } else {
        BatchReport why;
        const auto found = solve(at, h, all, why);
        if (!found) return failed(all, why.what, why.failed_residual);
        step = *found;
      }
      const BatchReport one = steps_->advance(1, step, {all.work, measured(how, k, steps, at.t + step)});
      all.count(one);
      if (!one.ok) return failed(all, one.what, one.failed_residual);
      all.took(step);
      ++all.steps;
      steps_->snapshot(at);
    }
    return all;
  }

  double physical_step(const Snapshot& s, double h) const override {
    if (!known_) return h;
    const double guess = first_guess(s, h);
    return guess > 0 ? std::copysign(guess, h) : h;
  }
  std::unique_ptr<Integrator> clone() const override { return std::make_unique<SymplecticEnergyMomentumSteps>(*this); }
  void archive(core::Archive& a) override {
    steps_->archive(a);
    a(E_, known_);
  }

 private:
  // E_d of the step of h from a state; nothing where there is no such step.
  std::optional<double> discrete_energy(const Snapshot& at, double h, BatchReport& report) const {
    trial_->start_momentum(at.t, at.q, at.p);
    BatchReport one = trial_->advance(1, h, {{}, false});
    report.count(one);
    if (!one.ok) {
      report.ok = false;
      report.what = one.what;
      report.failed_residual = one.failed_residual;
      return {};
    }
    trial_->snapshot(end_);
    trial_->start(at.t + h / 2, 0.5 * (at.q + end_.q), (end_.q - at.q) / h);
    return trial_->energy();
  }

  // sqrt(8 (H - E)/D); not above 0 where there is none
  double first_guess(const Snapshot& at, double h) const {
    D_ = curvature_at(at, h);
    trial_->start_momentum(at.t, at.q, at.p);
    const double above = trial_->energy() - E_;
    return above * D_ > 0 ? std::sqrt(8 * above / D_) : -1;
  }
  // D, with v'V''v by forces where v leads in a small part of a step of h, there and back.
  double curvature_at(const Snapshot& at, double h) const {
    trial_->start_momentum(at.t, at.q, at.p);
    const double part = 1e-2 * std::abs(h);
    p_.assign(at.p.begin(), at.p.end());
    for (double& p : p_) p *= part;
    double square = 0, along = 0;
    if (!trial_->curvature(p_, square, along)) return std::numeric_limits<double>::quiet_NaN();
    return along / (part * part) + square;
  }

  // The step with E_d = E in the direction of h, by the secant rule from the first guess, within a factor of 4 of it.
  std::optional<double> solve(const Snapshot& at, double h, BatchReport& all, BatchReport& why) const {
    const double guess = first_guess(at, h), sign = std::copysign(1.0, h);
    const auto none = [&] {
      why.what = fmt::format(
          "no step near {:.3g} has the discrete energy of those before it, {:.6g}: D = v'V''v + |grad V|^2 is {:.3g} there, and "
          "must stay above 0 and change little in a step (docs/energy-of-a-step.md)",
          guess, E_, D_);
      return std::nullopt;
    };
    if (!(guess > 0)) return none();
    const auto off = [&](double size) -> std::optional<double> {
      BatchReport one;
      const auto E = discrete_energy(at, sign * size, one);
      all.count(one);
      if (!E) return {};
      return *E - E_;
    };
    double a = guess, b = 1.01 * guess;
    auto fa = off(a), fb = off(b);
    if (!fa || !fb) return none();
    const double round_off = 8 * std::numeric_limits<double>::epsilon() * (std::abs(E_) + std::abs(at.p.dot(at.v)));
    for (int k = 0; k < 60; ++k) {
      if (std::abs(*fb) <= round_off || b == a || *fb == *fa) break;
      double next = b - *fb * (b - a) / (*fb - *fa);
      if (!std::isfinite(next)) return none();
      next = std::clamp(next, 0.5 * b, 2 * b);
      if (next > 4 * guess || next < 0.25 * guess) return none();
      if (std::abs(next - b) <= 4 * std::numeric_limits<double>::epsilon() * b) break;
      a = b;
      fa = fb;
      b = next;
      fb = off(b);
      if (!fb) return none();
    }
    if (!(std::abs(*fb) <= 1e-9 * std::abs(D_) * b * b + 32 * round_off)) return none();
    all.energy_off = std::max(all.energy_off, std::abs(*fb));
    all.energy_round_off = std::max(all.energy_round_off, round_off);
    return sign * b;
  }

  std::unique_ptr<Integrator> trial_;
  double E_ = 0;
  bool known_ = false;
  mutable double D_ = 0;
  mutable Snapshot end_;
  mutable std::vector<double> p_;
};

}  // namespace

ACTIO_MAKE(LogHamiltonian)

template <>
std::unique_ptr<Integrator> make(const SymplecticEnergyMomentum&, const system::Model& model, const BuildOptions& options,
                                 std::vector<double>) {
  return std::make_unique<SymplecticEnergyMomentumSteps>(make_integrator(model, {Midpoint{}, false, {}}, options));
}

}  // namespace actio::method
