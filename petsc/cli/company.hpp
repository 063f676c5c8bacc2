#pragma once
#include <petscsys.h>

#include <atomic>
#include <memory>

#include <actio/petsc/partition.hpp>

#include "session.hpp"

namespace actio::petsc {

// All processes of comm, which run one problem together: the integrator is spread over them, the first writes what they do not
// all write a piece of, and its clock and everybody's interrupts count for all. Lives as long as what it gives.
class Together {
 public:
  explicit Together(MPI_Comm comm);
  const cli::Company& company() const { return company_; }

 private:
  MPI_Comm comm_;
  Partition partition_;
  std::atomic<bool> stop_ = false;
  cli::Company company_;
};

}  // namespace actio::petsc
