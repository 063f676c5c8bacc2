#pragma once

namespace actio::algebra {

// While one of these lives, OpenBLAS, and the loops of CHOLMOD that OpenMP would share out, run in one thread: threads of both
// wait for one another in loops, which a small factor cannot make up for, and which take minutes where other programs have the
// cores. Of another BLAS or OpenMP nothing is changed.
class OneBlasThread {
 public:
  explicit OneBlasThread(bool wanted);
  OneBlasThread(const OneBlasThread&) = delete;
  ~OneBlasThread();

 private:
  bool wanted_;
  int levels_ = -1;  // of parallel regions that OpenMP nested in this thread before; -1: unknown
};

}  // namespace actio::algebra
