#pragma once

namespace actio::algebra {

// While one of these lives, BLAS runs in one thread: those of OpenBLAS wait for one another in loops, which a small factor cannot
// make up for, and which take minutes where other programs have the cores. Of another BLAS nothing is changed.
class OneBlasThread {
 public:
  explicit OneBlasThread(bool wanted);
  OneBlasThread(const OneBlasThread&) = delete;
  ~OneBlasThread();

 private:
  bool wanted_;
};

}  // namespace actio::algebra
