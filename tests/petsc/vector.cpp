#include <gtest/gtest.h>

#include <actio/petsc/access.hpp>
#include <cmath>
#include <limits>

namespace actio::petsc {
namespace {

constexpr int owned = 2;

// f(i) at every i, with the two numbers before those of this rank as ghosts
Vector vector_of(double (*f)(long)) {
  const Range mine = range(PETSC_COMM_WORLD, owned);
  std::vector<PetscInt> ghosts;
  if (mine.first > 0) ghosts = {mine.first - 1, mine.first - 2};
  Vector x = zero(PETSC_COMM_WORLD, owned, ghosts);
  add_to(x, [&](auto&& add) {
    for (long i = mine.first; i < mine.end; ++i) add(i, f(i));
  });
  return x;
}
double sine(long i) { return std::sin(1.0 + static_cast<double>(i)); }
double square(long i) { return 0.25 * static_cast<double>(i * i); }

TEST(PetscVector, takes_linear_combinations_with_itself_among_the_terms) {
  const Vector x = vector_of(sine), y = vector_of(square);
  const long n = x.size();
  Vector z = x;
  z = 2.0 * y - 0.5 * z + 0.25 * z - x;
  z -= 1.0 * z + 3.0 * x - 2.0 * z;
  z += y;
  z *= 0.5;
  Vector w = -(0.5 * (z - y));
  w -= x;
  const std::vector<double> got = gathered(z), last = gathered(w);
  ASSERT_EQ(static_cast<long>(got.size()), n);
  for (long i = 0; i < n; ++i) {
    double expected = 2 * square(i) - 0.25 * sine(i) - sine(i);
    expected = 0.5 * (expected - (3 * sine(i) - expected) + square(i));
    EXPECT_NEAR(got[i], expected, 1e-15 * (10 + square(i))) << i;
    EXPECT_NEAR(last[i], -0.5 * (expected - square(i)) - sine(i), 1e-15 * (10 + square(i))) << i;
  }
}

TEST(PetscVector, an_empty_one_takes_the_shape_of_what_it_is_given) {
  const Vector x = vector_of(square);
  Vector y, z;
  y = 2.0 * x;
  z = y;
  EXPECT_EQ(gathered(z), gathered(2.0 * x));
  z = Vector();
  EXPECT_EQ(z.size(), 0);
}

TEST(PetscVector, the_inner_product_is_of_all_ranks) {
  const Vector x = vector_of(sine), y = vector_of(square);
  double expected = 0;
  for (long i = 0; i < x.size(); ++i) expected += sine(i) * square(i);
  EXPECT_NEAR(dot(x, y), expected, 1e-14 * (1 + std::abs(expected)));
  EXPECT_EQ(dot(like(x), y), 0);
}

TEST(PetscAccess, ghosts_are_read_and_what_is_added_to_them_goes_home) {
  const Vector x = vector_of(square);
  const Range mine = range(PETSC_COMM_WORLD, owned);
  const Reader read(x);
  Vector y = like(x);
  add_to(y, [&](auto&& add) {
    for (long i = mine.first; i < mine.end; ++i) {
      if (i < 2) continue;
      add(i, read(i) - read(i - 2));
      add(i - 2, 100.0);
    }
  });
  const std::vector<double> got = gathered(y);
  for (long i = 0; i < mine.all; ++i) {
    const double expected = (i >= 2 ? square(i) - square(i - 2) : 0) + (i + 2 < mine.all ? 100 : 0);
    EXPECT_EQ(got[i], expected) << i;
  }
}

TEST(PetscAccess, what_fails_on_one_rank_throws_on_all_in_its_words) {
  const Range mine = range(PETSC_COMM_WORLD, owned);
  Vector x = vector_of(square);
  const auto message_of = [](auto&& f) {
    try {
      f();
    } catch (const Error& error) { return std::string(error.what()); }
    return std::string("nothing");
  };
  EXPECT_EQ(message_of([&] {
              add_to(x, [&](auto&& add) {
                if (mine.end == mine.all) add(mine.all, 1.0);
              });
            }),
            "coordinate " + std::to_string(mine.all) + " is neither owned by this rank nor one of its ghosts");
  EXPECT_EQ(message_of([&] {
              sum(PETSC_COMM_WORLD, [&](auto&&) {
                if (mine.first == 0) throw std::domain_error("log of -1");
              });
            }),
            "log of -1");
  EXPECT_NE(message_of([&] { (void)zero(PETSC_COMM_WORLD, owned, {mine.first}); }).find("cannot be a ghost"), std::string::npos);

  const std::vector<Entry> diagonal{{mine.first, mine.first}, {mine.first + 1, mine.first + 1}};
  Matrix K = zero(PETSC_COMM_WORLD, owned, owned, diagonal);
  EXPECT_NE(message_of([&] {
              add_to(K, [&](auto&& add) {
                if (mine.end == mine.all) add(mine.first, mine.first + 1, 1.0);
              });
            }).find("PETSc: "),
            std::string::npos);
}

}  // namespace
}  // namespace actio::petsc
