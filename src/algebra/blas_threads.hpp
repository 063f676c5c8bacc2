#pragma once

namespace actio::algebra {

// While one of these lives, OpenBLAS runs in one thread: Actio's own call it side by side. Another BLAS is not changed.
class OneBlasThread {
 public:
  OneBlasThread();
  OneBlasThread(const OneBlasThread&) = delete;
  ~OneBlasThread();

 private:
  bool wanted_;
};

}  // namespace actio::algebra
