#include <actio/method/explicit_steps.hpp>
#include <algorithm>

#include "../expr/compiled_text.hpp"
#include "../expr/emit.hpp"
#include "lanes/system.hpp"

namespace actio::method {

std::string ExplicitSteps::text(const system::Model& model, const std::optional<SplittingCoefficients>& coefficients) {
  const lanes::System system{&model, {}, nullptr};
  const lanes::Forces forces = lanes::forces_of(model, false);
  return "#define ACTIO_LANES 1\n" + expr::declarations(false, false) +
         (coefficients ? lanes::splitting_text(system, forces, *coefficients) : lanes::kick_drift_kick_text(system, forces));
}

std::optional<ExplicitSteps> ExplicitSteps::make(const system::Model& model,
                                                 const std::optional<SplittingCoefficients>& coefficients,
                                                 std::vector<double> gamma, const expr::CompileOptions& options) {
  std::size_t forces = 1;  // in the text
  if (coefficients)
    forces = static_cast<std::size_t>(
        std::count_if(coefficients->kick.begin(), coefficients->kick.end(), [](double b) { return b != 0; }));
  if (model.size() > lanes::most_explicit || !lanes::no_steps_with(model).empty() ||
      forces * lanes::operations(model) > lanes::most_operations)
    return {};
  auto code = std::make_shared<expr::CompiledText>(expr::CompiledText::build(text(model, coefficients), options));
  ExplicitSteps steps;
  steps.start_ = reinterpret_cast<Start>(code->symbol("steps_start"));
  steps.make_ = reinterpret_cast<Make>(code->symbol("steps_make"));
  if (steps.start_ == nullptr || steps.make_ == nullptr) return {};
  steps.code_ = std::move(code);
  steps.rows_ = (coefficients ? 2 : 3) * model.size();
  steps.carries_force_ = !coefficients;
  steps.uniforms_ = lanes::uniforms_of(model);
  steps.gamma_ = gamma.empty() ? std::vector{1.0} : std::move(gamma);
  steps.part_.resize(steps.gamma_.size());
  steps.begin_.resize(steps.gamma_.size());
  return steps;
}

void ExplicitSteps::start(double t, double* x) const { start_(t, uniforms_.data(), x); }

void ExplicitSteps::make(long count, long first, core::Sum start, double h, double* x) const {
  double begin = 0;
  for (std::size_t j = 0; j < gamma_.size(); ++j) {
    begin_[j] = begin;
    part_[j] = gamma_[j] * h;
    begin += part_[j];
  }
  make_(count, first, start.high, start.low, h, static_cast<long>(gamma_.size()), part_.data(), begin_.data(), uniforms_.data(),
        x);
}

}  // namespace actio::method
