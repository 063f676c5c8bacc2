#include <array>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <actio/system/reactions.hpp>
#include <actio/system/stress.hpp>

#include "trajectory_formats.hpp"

namespace actio::run {

std::vector<std::string> measured_names(const TrajectoryHeader& header) {
  std::vector<std::string> out;
  for (const system::Support& support : header.supports)
    for (std::size_t i = 0; i < 3; ++i)
      if (support.of[i].prescribes()) out.push_back(fmt::format("reaction/{}.{}", support.name, "xyz"[i]));
  for (const StressProbe& probe : header.stresses)
    for (const char* component : {"xx", "yy", "zz", "xy", "yz", "xz", "von_mises"})
      out.push_back(fmt::format("stress/{}.{}", probe.name, component));
  return out;
}

// Numbers of each state: the forces of supports, the stress at probes.
class Measures {
 public:
  explicit Measures(const TrajectoryHeader& header) : names_(measured_names(header)) {
    const system::Model& model = *header.model;
    if (!header.supports.empty()) reactions_.emplace(model, header.supports, header.compile);
    std::vector<system::SolidElement> elements;
    std::map<std::array<std::int32_t, 3>, long> number;
    for (const StressProbe& probe : header.stresses) {
      auto& of = means_.emplace_back();
      for (const system::SolidElement& e : probe.elements) {
        const auto [at, fresh] = number.try_emplace({e.solid, e.block, e.cell}, static_cast<long>(elements.size()));
        if (fresh) elements.push_back(e);
        of.push_back(at->second);
      }
    }
    if (!elements.empty()) stress_.emplace(model, elements, header.compile);
    values_.resize(names_.size());
  }
  const std::vector<std::string>& names() const { return names_; }
  std::span<const double> operator()(const Observation& now) {
    std::span out(values_);
    if (reactions_) {
      const std::size_t count = reactions_->names().size();
      (*reactions_)(now.state.t, now.state.q, now.state.v, now.multipliers, out.first(count));
      out = out.subspan(count);
    }
    if (stress_) (*stress_)(now.state.t, now.state.q, integrals_);
    for (const std::vector<long>& of : means_) {
      const Eigen::Vector<double, 7> sum = integrals_(Eigen::all, of).rowwise().sum();
      const Eigen::Vector<double, 6> sigma = sum.head<6>() / sum[6];
      for (std::size_t k = 0; k < 6; ++k) out[k] = sigma[static_cast<long>(k)];
      out[6] = system::von_mises(sigma);
      out = out.subspan(7);
    }
    return values_;
  }

 private:
  std::optional<system::Reactions> reactions_;
  std::optional<system::ElementStress> stress_;
  std::vector<std::vector<long>> means_;  // the elements of each probe
  std::vector<std::string> names_;
  std::vector<double> values_;
  system::SevenRows integrals_;
};

namespace {

class Measured : public Trajectory {
 public:
  Measured(std::shared_ptr<Measures> measures, std::unique_ptr<Trajectory> file)
      : measures_(std::move(measures)), file_(std::move(file)) {}
  void observe(const Observation& now) override {
    file_->observe({now.step, now.state, now.energy, now.momentum, now.ledger, now.multipliers, (*measures_)(now), now.observed});
  }
  void flush() override { file_->flush(); }
  void finish(std::string_view certificate, std::span<const Observed> observed) override { file_->finish(certificate, observed); }
  std::int64_t sync() override { return file_->sync(); }
  std::string remains() const override { return file_->remains(); }
  void forget() override { file_->forget(); }

 private:
  std::shared_ptr<Measures> measures_;
  std::unique_ptr<Trajectory> file_;
};

}  // namespace

std::shared_ptr<Measures> measures(const TrajectoryHeader& header) {
  if (!header.model || (header.supports.empty() && header.stresses.empty())) return nullptr;
  return std::make_shared<Measures>(header);
}

const std::vector<std::string>& names_of(const Measures& measures) { return measures.names(); }

std::unique_ptr<Trajectory> show_measures(std::shared_ptr<Measures> measures, std::unique_ptr<Trajectory> file) {
  return std::make_unique<Measured>(std::move(measures), std::move(file));
}

}  // namespace actio::run
