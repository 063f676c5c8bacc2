#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <vector>

#include <actio/core/error.hpp>
#include <actio/core/parallel.hpp>

// Loops by several threads.
namespace actio::core {
namespace {

class Parallel : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_threads(GetParam()); }
  void TearDown() override { set_threads(before_); }

 private:
  int before_ = threads();
};

TEST_P(Parallel, every_index_is_taken_once_and_one_phase_after_another) {
  constexpr std::array<long, 4> counts{5000, 1, 0, 3000};
  std::array<std::vector<int>, 4> taken;
  for (std::size_t phase = 0; phase < 4; ++phase) taken[phase].resize(static_cast<std::size_t>(counts[phase]));
  std::array<std::atomic<long>, 4> done{};
  std::atomic<int> late = 0;
  std::vector<std::atomic<int>> busy(static_cast<std::size_t>(GetParam()));
  parallel_phases(counts, [&](long phase, long i, int slot) {
    if (slot < 0 || slot >= GetParam() || busy.at(static_cast<std::size_t>(slot)).exchange(1) != 0) ++late;
    for (long earlier = 0; earlier < phase; ++earlier)
      if (done[static_cast<std::size_t>(earlier)] != counts[static_cast<std::size_t>(earlier)]) ++late;
    ++taken[static_cast<std::size_t>(phase)][static_cast<std::size_t>(i)];
    ++done[static_cast<std::size_t>(phase)];
    busy[static_cast<std::size_t>(slot)] = 0;
  });
  EXPECT_EQ(late, 0);
  for (const auto& phase : taken)
    for (const int times : phase) EXPECT_EQ(times, 1);
}

TEST_P(Parallel, ranges_make_up_the_whole) {
  for (const long n : {0L, 1L, 199L, 200L, 1001L, 100000L}) {
    std::vector<int> taken(static_cast<std::size_t>(n));
    std::atomic<int> short_ones = 0;
    parallel_ranges(n, 100, [&](long begin, long end) {
      if (end - begin < 100 && n >= 100) ++short_ones;
      for (long i = begin; i < end; ++i) ++taken[static_cast<std::size_t>(i)];
    });
    EXPECT_EQ(short_ones, 0) << n;
    for (const int times : taken) EXPECT_EQ(times, 1) << n;
  }
}

TEST_P(Parallel, an_error_comes_out_as_it_was_thrown_and_the_next_loop_runs) {
  try {
    parallel_for(1000, [](long i, int) {
      if (i == 700) throw InputError("element 700 is inverted");
    });
    FAIL();
  } catch (const InputError& error) { EXPECT_NE(std::string_view(error.what()).find("element 700"), std::string_view::npos); }
  std::atomic<long> sum = 0;
  parallel_for(100, [&](long i, int) { sum += i; });
  EXPECT_EQ(sum, 4950);
}

INSTANTIATE_TEST_SUITE_P(Threads, Parallel, testing::Values(1, 2, 8));

}  // namespace
}  // namespace actio::core
