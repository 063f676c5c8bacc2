#pragma once
#include <petscsys.h>

#include <atomic>
#include <memory>

#include <actio/petsc/partition.hpp>

#include "session.hpp"

namespace actio::petsc {

// All processes of comm, which run one problem together: the integrator is distributed over them, the first writes what they do
// not all write a piece of, and its clock and everybody's interrupts count for all. Lives as long as what it gives.
class MpiExecution {
 public:
  explicit MpiExecution(MPI_Comm comm);
  const cli::Execution& execution() const { return execution_; }

 private:
  MPI_Comm comm_;
  Partition partition_;
  std::atomic<bool> stop_ = false;
  cli::Execution execution_;
};

}  // namespace actio::petsc
