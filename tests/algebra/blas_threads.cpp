#include <dlfcn.h>
#include <gtest/gtest.h>

#include "../../src/algebra/blas_threads.hpp"

#include <thread>
#include <vector>

namespace actio::algebra {
namespace {

TEST(BlasThreads, are_one_where_that_is_wanted_and_as_many_as_before_behind_it) {
  const auto get = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
  const auto set = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (!get || !set) GTEST_SKIP() << "BLAS is not OpenBLAS";
  const int given = get();
  set(2);
  const int two = get();  // one, where OpenBLAS was built for one
  {
    const OneBlasThread not_wanted(false);
    EXPECT_EQ(get(), two);
    const OneBlasThread wanted(true);
    EXPECT_EQ(get(), 1);
    {
      const OneBlasThread once_more(true);
      EXPECT_EQ(get(), 1);
    }
    EXPECT_EQ(get(), 1);
  }
  EXPECT_EQ(get(), two);
  std::vector<std::thread> others;
  for (int k = 0; k < 4; ++k)
    others.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        const OneBlasThread wanted(true);
        if (get() != 1) ADD_FAILURE() << get();
      }
    });
  for (std::thread& other : others) other.join();
  EXPECT_EQ(get(), two);
  set(given);
}

TEST(BlasThreads, share_no_loops_of_openmp_where_one_is_wanted) {
  const auto levels = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "omp_get_max_active_levels"));
  if (!levels) GTEST_SKIP() << "there is no OpenMP";
  const int before = levels();
  {
    const OneBlasThread not_wanted(false);
    EXPECT_EQ(levels(), before);
    const OneBlasThread wanted(true);
    EXPECT_EQ(levels(), 0);
    {
      const OneBlasThread once_more(true);
      EXPECT_EQ(levels(), 0);
    }
    EXPECT_EQ(levels(), 0);
  }
  EXPECT_EQ(levels(), before);
}

}  // namespace
}  // namespace actio::algebra
