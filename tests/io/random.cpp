#include "../../src/io/random.hpp"

#include <gtest/gtest.h>

namespace actio::io::test {
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

}  // namespace
}  // namespace actio::io::test
