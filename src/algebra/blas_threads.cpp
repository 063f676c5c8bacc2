#include "blas_threads.hpp"

#include <dlfcn.h>

#include <mutex>

namespace actio::algebra {
namespace {

// The number of OpenBLAS is the whole program's: the first that wants one thread writes down how many there were, the last
// restores them.
struct Threads {
  using Get = int (*)();
  using Set = void (*)(int);
  Get get = reinterpret_cast<Get>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
  Set set = reinterpret_cast<Set>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  Get get_levels = reinterpret_cast<Get>(dlsym(RTLD_DEFAULT, "omp_get_max_active_levels"));
  Set set_levels = reinterpret_cast<Set>(dlsym(RTLD_DEFAULT, "omp_set_max_active_levels"));
  std::mutex mutex;
  int wanted = 0, before = 1;
};
Threads& threads() {
  static Threads all;
  return all;
}

}  // namespace

OneBlasThread::OneBlasThread(bool wanted) : wanted_(wanted && threads().get && threads().set) {
  if (wanted && threads().get_levels && threads().set_levels) {
    levels_ = threads().get_levels();
    threads().set_levels(0);  // this thread's own
  }
  if (!wanted_) return;
  const std::scoped_lock lock(threads().mutex);
  if (threads().wanted++ > 0) return;
  threads().before = threads().get();
  if (threads().before > 1) threads().set(1);
}

OneBlasThread::~OneBlasThread() {
  if (levels_ >= 0) threads().set_levels(levels_);
  if (!wanted_) return;
  const std::scoped_lock lock(threads().mutex);
  if (--threads().wanted == 0 && threads().before > 1) threads().set(threads().before);
}

}  // namespace actio::algebra
