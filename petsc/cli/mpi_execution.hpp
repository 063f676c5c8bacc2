#pragma once
#include <petscsys.h>

#include <atomic>

#include <actio/petsc/partition.hpp>

#include <actio/session/execution.hpp>

namespace actio::petsc {

// All processes of comm, which run one problem together: the integrator is distributed over them, the first writes what they do
// not all write a piece of, and its clock and everybody's interrupts count for all. Lives as long as what it gives.
class MpiExecution final : public session::Execution {
 public:
  explicit MpiExecution(MPI_Comm comm);
  long distributed_over() const override { return processes_; }
  std::uint32_t partition_checksum() const override;
  std::unique_ptr<method::Integrator> integrator(const system::Model& model, const method::Spec& spec,
                                                 const method::BuildOptions& options) override;
  method::Statics equilibrium(const io::Problem& problem, const method::BuildOptions& options) override;
  void before(const std::function<void()>& f) override;
  void alone(long step, double t, const std::function<void()>& f) override;
  void save(long step, double t, std::string_view state, const std::function<void(std::string_view)>& write) override;
  std::string saved_state(std::string record) const override;
  std::unique_ptr<run::Trajectory> output(
      bool in_pieces, const std::function<std::unique_ptr<run::Trajectory>(const run::Pieces&)>& open) override;
  double clock() override;
  const std::atomic<bool>& stop() override { return stop_; }

 private:
  run::Pieces pieces() const;

  MPI_Comm comm_;
  int processes_ = 1, rank_ = 0;
  Partition partition_;
  const std::atomic<bool>& interrupted_;
  std::atomic<bool> stop_ = false;
};

}  // namespace actio::petsc
