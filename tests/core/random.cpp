#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <actio/core/random.hpp>

namespace actio::core {
namespace {

// The known answers of the authors' Random123 library.
TEST(Philox, gives_the_published_answers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}),
            (std::array<std::uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (std::array<std::uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// n draws: the mean of m-th powers lies within five of its own deviations.
TEST(Draw, has_the_moments_of_its_distribution) {
  constexpr int n = 100000;
  double u1 = 0, u2 = 0, g1 = 0, g2 = 0, g4 = 0;
  for (int i = 0; i < n; ++i) {
    const Draw d = draw(7, 3, static_cast<std::uint64_t>(i));
    u1 += d.uniform;
    u2 += d.uniform * d.uniform;
    g1 += d.normal;
    g2 += d.normal * d.normal;
    g4 += std::pow(d.normal, 4);
  }
  const double five = 5 / std::sqrt(n);
  EXPECT_NEAR(u1 / n, 1.0 / 2, five * std::sqrt(1.0 / 12));
  EXPECT_NEAR(u2 / n, 1.0 / 3, five * std::sqrt(4.0 / 45));
  EXPECT_NEAR(g1 / n, 0, five);
  EXPECT_NEAR(g2 / n, 1, five * std::sqrt(2));
  EXPECT_NEAR(g4 / n, 3, five * std::sqrt(96));
}

// By log, sqrt and cos of the numbers that Philox gives, in long double.
TEST(Draw, is_the_normal_number_of_Box_and_Muller) {
  for (std::uint32_t k = 0; k < 20000; ++k) {
    const auto bits = philox({k, 0, 3, 0}, {7, 0});
    const auto unit = [](std::uint32_t high, std::uint32_t low) {
      return (static_cast<long double>((std::uint64_t{high} << 20) | (low >> 12)) + 0.5L) * 0x1p-52L;
    };
    const long double r = std::sqrt(-2 * std::log(unit(bits[0], bits[1]))),
                      angle = 6.283185307179586476925287L * unit(bits[2], bits[3]);
    const Draw d = draw(7, 3, k);
    EXPECT_EQ(d.uniform, static_cast<double>(unit(bits[0], bits[1])));
    EXPECT_NEAR(d.normal, static_cast<double>(r * std::cos(angle)), 4e-16 * static_cast<double>(r));
  }
}

// To the bit: whatever part of them is asked for, and of however many steps at once.
TEST(Noise, depends_on_seed_step_coordinate_draw_and_member_alone) {
  const Noise noise(42);
  constexpr long n = 201, steps = 5;
  std::vector<double> all(n * steps);
  const std::uint64_t step = (std::uint64_t{3} << 32) - 2;  // across the end of 32 bits
  noise.normals(step, steps, 1, 0, n, all.data());
  for (long s = 0; s < steps; ++s)
    for (const auto& [first, count] : {std::pair{0L, n}, {0L, 1L}, {1L, 1L}, {7L, 120L}, {64L, 64L}, {200L, 1L}}) {
      std::vector<double> some(static_cast<std::size_t>(count));
      noise.normals(step + static_cast<std::uint64_t>(s), 1, 1, first, count, some.data());
      EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin() + s * n + first)) << s << ' ' << first;
    }
  for (const int apart : {1, 2, 3, 7}) {  // neighbours, one of each pair, both kinds of it
    std::vector<std::int32_t> some;
    for (std::int32_t i = 0; i < n; ++i)
      if (apart == 1 || i % apart != 1) some.push_back(i);
    std::vector<double> x(some.size());
    noise.normals(step, 1, some, x.data());
    for (std::size_t k = 0; k < some.size(); ++k)
      EXPECT_EQ(x[k], all[static_cast<std::size_t>(some[k])]) << apart << ' ' << some[k];
  }
  std::vector<double> sorted = all;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end());  // no number comes twice
  const auto first_of = [](const Noise& of, std::uint64_t at, std::uint32_t draw) {
    double x = 0;
    of.normals(at, 1, draw, 0, 1, &x);
    return x;
  };
  const double x = first_of(noise, 0, 0);
  EXPECT_EQ(x, first_of(Noise(42, 0), 0, 0));
  for (const double other :
       {first_of(Noise(43), 0, 0), first_of(Noise(42 + (std::uint64_t{1} << 32)), 0, 0), first_of(Noise(42, 1), 0, 0),
        first_of(noise, 1, 0), first_of(noise, 0, 1), first_of(noise, std::uint64_t{1} << 32, 0), draw(42, 0, 0).normal})
    EXPECT_NE(x, other);
}

// Seeds, steps, coordinates and draws beside one another: neither they nor their squares are correlated.
TEST(Noise, is_uncorrelated_between_neighbours) {
  constexpr long n = 100000;
  std::vector<double> x(n + 1), y(n);
  Noise(42).normals(0, 1, 0, 0, n + 1, x.data());
  const auto correlation = [&](const double* a, const double* b) {
    double sum = 0, squares = 0;
    for (long i = 0; i < n; ++i) {
      sum += a[i] * b[i];
      squares += (a[i] * a[i] - 1) * (b[i] * b[i] - 1) / 2;
    }
    return std::max(std::abs(sum), std::abs(squares)) / std::sqrt(static_cast<double>(n));
  };
  EXPECT_LT(correlation(x.data(), x.data() + 1), 5);
  Noise(43).normals(0, 1, 0, 0, n, y.data());
  EXPECT_LT(correlation(x.data(), y.data()), 5);
  Noise(42).normals(1, 1, 0, 0, n, y.data());
  EXPECT_LT(correlation(x.data(), y.data()), 5);
  Noise(42).normals(0, 1, 1, 0, n, y.data());
  EXPECT_LT(correlation(x.data(), y.data()), 5);
  for (long i = 0; i < n; ++i) y[static_cast<std::size_t>(i)] = Noise(42).sign(0, 0, i);
  EXPECT_LT(correlation(x.data(), y.data()), 5);
}

}  // namespace
}  // namespace actio::core
