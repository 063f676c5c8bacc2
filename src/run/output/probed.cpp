#include <utility>

#include "trajectory_formats.hpp"

namespace actio::run {
namespace {

// Shows a trajectory the probes in place of the coordinates: means of q and v, sums of p.
class Probed : public Trajectory {
 public:
  Probed(std::vector<Probe> probes, std::unique_ptr<Trajectory> file) : probes_(std::move(probes)), file_(std::move(file)) {
    for (Eigen::VectorXd* x : {&state_.q, &state_.v, &state_.p}) x->resize(static_cast<long>(probes_.size()));
  }
  void observe(const Observation& now) override {
    state_.t = now.state.t;
    for (std::size_t k = 0; k < probes_.size(); ++k) {
      const auto& at = probes_[k].coordinates;
      const auto j = static_cast<long>(k);
      state_.q[j] = now.state.q(at).mean();
      state_.v[j] = now.state.v(at).mean();
      state_.p[j] = now.state.p(at).sum();
    }
    file_->observe({now.step, state_, now.energy, now.momentum, now.ledger, {}, now.measured, now.observed});
  }
  void flush() override { file_->flush(); }
  void finish(std::string_view certificate, std::span<const Observed> observed) override { file_->finish(certificate, observed); }
  std::int64_t sync() override { return file_->sync(); }
  std::string remains() const override { return file_->remains(); }
  void forget() override { file_->forget(); }

 private:
  std::vector<Probe> probes_;
  std::unique_ptr<Trajectory> file_;
  method::Snapshot state_;
};

}  // namespace

TrajectoryHeader of_probes(const TrajectoryHeader& header) {
  TrajectoryHeader out = header;
  out.coordinates.clear();
  out.multipliers.clear();
  for (const Probe& probe : header.probes) out.coordinates.push_back(probe.name);
  return out;
}

std::unique_ptr<Trajectory> show_probes(const TrajectoryHeader& header, std::unique_ptr<Trajectory> file) {
  return std::make_unique<Probed>(header.probes, std::move(file));
}

}  // namespace actio::run
