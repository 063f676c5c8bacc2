#pragma once
#include <actio/run/integrate.hpp>
#include <optional>

// Follows the constraints of a run, and the rotations of its bodies: how far from them it is, and what their multipliers are.
namespace actio::run {

class KeptConstraints {
 public:
  KeptConstraints(method::Integrator& integrator, const Task& task, const Options& options);

  bool kept() const { return kept_; }
  bool moving() const { return kept_ && map_.moving(); }
  bool averages() const { return averages_; }
  void average(const method::Snapshot& s);  // after every step
  void observe(const method::Snapshot& s, double h);
  // At the state observed last (m without those of rotations), empty where none are asked for.
  std::span<const double> multipliers() const {
    return {lambda_.data(), lambda_.size() == 0 ? 0 : static_cast<std::size_t>(map_.size() - map_.of_rotations())};
  }
  // At the state of another integrator, by a step of h after it.
  std::span<const double> multipliers_at(const method::Integrator& there, double h, Eigen::VectorXd& lambda) const;
  std::optional<invariant::Certificate::Constraints> report() const;
  std::optional<invariant::Certificate::Rotations> rotations(long steps) const;  // of a run of so many steps
  void archive(core::Archive& a);

 private:
  method::Integrator& integrator_;
  const Task& task_;
  invariant::ConstraintMap map_;
  bool kept_, wanted_, averages_;
  invariant::Certificate::Constraints seen_;
  invariant::Certificate::Rotations turned_;
  double position_ = 0, velocity_ = 0;  // the largest of the run, of coordinates in constraints
  Eigen::VectorXd g_, rate_, slope_, size_, lambda_;
  std::optional<PenaltyMultipliers> penalty_;
};

}  // namespace actio::run
