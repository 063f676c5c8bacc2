#include <dlfcn.h>
#include <gtest/gtest.h>

#include "../../src/algebra/blas_threads.hpp"

#include <thread>
#include <vector>

namespace actio::algebra {
namespace {

TEST(BlasThreads, are_one_while_that_is_wanted_and_as_many_as_before_behind_it) {
  const auto get = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
  const auto set = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (!get || !set) GTEST_SKIP() << "BLAS is not OpenBLAS";
  const int given = get();
  set(2);
  const int two = get();  // one, where OpenBLAS was built for one
  {
    const OneBlasThread wanted;
    EXPECT_EQ(get(), 1);
    {
      const OneBlasThread once_more;
      EXPECT_EQ(get(), 1);
    }
    EXPECT_EQ(get(), 1);
  }
  EXPECT_EQ(get(), two);
  std::vector<std::thread> others;
  for (int k = 0; k < 4; ++k)
    others.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        const OneBlasThread wanted;
        if (get() != 1) ADD_FAILURE() << get();
      }
    });
  for (std::thread& other : others) other.join();
  EXPECT_EQ(get(), two);
  set(given);
}

}  // namespace
}  // namespace actio::algebra
