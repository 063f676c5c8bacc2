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
  std::mutex mutex;
  int wanted = 0, before = 1;
};
Threads& threads() {
  static Threads all;
  return all;
}

}  // namespace

OneBlasThread::OneBlasThread() : wanted_(threads().get && threads().set) {
  if (!wanted_) return;
  const std::scoped_lock lock(threads().mutex);
  if (threads().wanted++ > 0) return;
  threads().before = threads().get();
  if (threads().before > 1) threads().set(1);
}

OneBlasThread::~OneBlasThread() {
  if (!wanted_) return;
  const std::scoped_lock lock(threads().mutex);
  if (--threads().wanted == 0 && threads().before > 1) threads().set(threads().before);
}

}  // namespace actio::algebra
