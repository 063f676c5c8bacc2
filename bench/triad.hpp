#pragma once
#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>
#include <vector>

// a = b + s c over arrays far larger than the caches, by all threads: what memory can do on this machine, now.
//   J. D. McCalpin, STREAM.
namespace bench {

class Triad {
 public:
  Triad() : a_(length, 0.0), b_(length, 1.0), c_(length, 2.0) {}

  // One pass; keeps the best so far.
  void run(int threads) {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::thread> all;
    for (int k = 0; k < threads; ++k)
      all.emplace_back([this, k, threads] {
        double* a = a_.data();
        const double *b = b_.data(), *c = c_.data();
        for (long i = length * k / threads; i < length * (k + 1) / threads; ++i) a[i] = b[i] + 3 * c[i];
      });
    for (auto& thread : all) thread.join();
    const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    best_ = std::min(best_, s);
  }
  double gigabytes_a_second() const { return 24e-9 * length / best_; }

 private:
  static constexpr long length = 20'000'000;  // 3 x 160 MB
  std::vector<double> a_, b_, c_;
  double best_ = std::numeric_limits<double>::infinity();
};

}  // namespace bench
