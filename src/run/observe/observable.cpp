#include <actio/run/observable.hpp>
#include <actio/system/kinetic_energy.hpp>
#include <actio/system/model.hpp>
#include <array>
#include <cctype>

#include <fmt/format.h>

namespace actio::run {
namespace {

constexpr std::array reductions_known{ReduceType{Reduce::mean, "mean", false, false},
                                      ReduceType{Reduce::rms, "rms", false, false},
                                      ReduceType{Reduce::largest, "largest", false, false},
                                      ReduceType{Reduce::smallest, "smallest", false, false},
                                      ReduceType{Reduce::histogram, "histogram", false, false, true},
                                      ReduceType{Reduce::radial_distribution, "radial-distribution", false, false, true},
                                      ReduceType{Reduce::autocorrelation, "autocorrelation", true, true},
                                      ReduceType{Reduce::mean_square_displacement, "mean-square-displacement", true, true}};
constexpr std::array combines{CombineType{Combine::sum, "sum"}, CombineType{Combine::mean, "mean"},
                              CombineType{Combine::rms, "rms"}, CombineType{Combine::largest, "largest"},
                              CombineType{Combine::smallest, "smallest"}};

std::string identifier(std::string name) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

}  // namespace

std::span<const ReduceType> reduce_types() { return reductions_known; }
const ReduceType& type_of(Reduce kind) { return reductions_known[static_cast<std::size_t>(kind)]; }
std::span<const CombineType> combine_types() { return combines; }

std::vector<Quantity> quantities_of(const system::Model& model) {
  using Kind = Quantity::Kind;
  std::vector<Quantity> out{{Kind::energy, "energy"},
                            {Kind::kinetic_energy, "kinetic_energy"},
                            {Kind::potential_energy, "potential_energy"},
                            {Kind::temperature, "temperature"},
                            {Kind::discrete_energy, "discrete_energy"},
                            {Kind::stopped_at, "stopped_at"}};
  for (std::size_t k = 0; k < model.symmetries.size(); ++k) {
    const std::string name = identifier(model.symmetries[k].name);
    out.push_back({Kind::momentum, name, k});
    out.push_back({Kind::discrete_momentum, "discrete_" + name, k});
  }
  return out;
}

std::string why_undefined(Quantity::Kind kind, const system::Model& model) {
  using Kind = Quantity::Kind;
  if (kind == Kind::momentum || kind == Kind::discrete_momentum) return "";
  if (kind == Kind::stopped_at) return "only members of an ensemble with a stop have it";
  const bool equations = !model.equations.empty();
  if (equations && (kind != Kind::energy || model.measured_energy.empty()))
    return kind == Kind::energy ? "equations have no energy unless system.energy declares one"
                                : "equations have no kinetic energy";
  if (kind == Kind::energy || kind == Kind::discrete_energy) return "";
  if (const std::string why = system::why_no_kinetic_energy(model); !why.empty()) return why;
  if (kind != Kind::temperature) return "";
  if (model.least_squares) return "constraints may be redundant, so the number of degrees of freedom is not known";
  const long freedom = model.size() - static_cast<long>(model.fixed_dofs.size()) - model.constraint_count();
  return freedom > 0 ? "" : "the constraints leave no degree of freedom";
}

}  // namespace actio::run
