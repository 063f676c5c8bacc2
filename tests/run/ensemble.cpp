#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include <actio/core/parallel.hpp>

#include "ensembles.hpp"

namespace actio::run {
namespace {

const std::string stars = R"toml([system]
coordinates = ["x", "y"]
parameters = { E = 0.11, b = 0, w = 0, k = 1 }
mass = 1
potential = "0.5*k*(x^2 + y^2) + x^2*y - y^3/3"
[initial]
position = [0, "b"]
velocity = ["sqrt(2*E - b^2 + 2*b^3/3 - w^2)", "w"]
[ensemble]
members = 150
quantiles = [0.25, 0.75]
[ensemble.parameters]
b = "-0.3 + 0.8*uniform()"
w = "0.2*(2*uniform() - 1)"
k = "1 + 0.01*normal()"
[[observe]]
name = "radius"
value = "sqrt(x^2 + y^2)"
reduce = "histogram"
from = 0
to = 1
bins = 8
[method]
name = "METHOD"
[run]
step = 0.05
end = 20
every = 37
)toml";

class Members : public testing::TestWithParam<const char*> {
 protected:
  // "long": of so many terms that no iteration is written out
  std::string text() const {
    const std::string method = GetParam();
    if (method != "long") return with(stars, "METHOD", method);
    std::string more;
    for (int k = 1; k <= 250; ++k) more += fmt::format(" + 1e-9*sin({}*x + {}*y)", k, 0.5 * k);
    return with(with(stars, "METHOD", "midpoint"), " - y^3/3", " - y^3/3" + more);
  }
};
INSTANTIATE_TEST_SUITE_P(of, Members, testing::Values("verlet", "midpoint", "long"));

// Fewer members than lanes, others beside them, other observations.
TEST_P(Members, are_to_the_bit_what_they_are_alone) {
  Ensemble all = ensemble_of(text());
  run_all(all);
  for (const long m : {0L, 5L, 63L, 64L, 149L}) {
    Ensemble alone = ensemble_of(text(), {fmt::format("ensemble.first={}", m), "ensemble.members=1", "run.every=1"});
    run_all(alone);
    ASSERT_EQ(alone.step(), all.step());
    for (long i = 0; i < 2; ++i) {
      EXPECT_TRUE(same(alone.q(0, i), all.q(m, i))) << "member " << m;
      EXPECT_TRUE(same(alone.p(0, i), all.p(m, i))) << "member " << m;
    }
    for (std::size_t k = 0; k < all.outputs(); ++k)
      EXPECT_TRUE(same(alone.values(k)[0], all.values(k)[static_cast<std::size_t>(m)])) << "output " << k;
  }
}

TEST_P(Members, are_the_same_for_any_number_of_threads) {
  const int before = core::threads();
  core::set_threads(1);
  Ensemble one = ensemble_of(text());
  run_all(one);
  for (const int threads : {2, 3}) {
    core::set_threads(threads);
    Ensemble other = ensemble_of(text());
    run_all(other);
    for (long m = 0; m < 150; ++m)
      for (long i = 0; i < 2; ++i) ASSERT_TRUE(same(one.q(m, i), other.q(m, i))) << threads << " threads, member " << m;
    for (std::size_t k = 0; k < one.outputs(); ++k) {
      EXPECT_TRUE(same(one.reduced(k).mean, other.reduced(k).mean));
      EXPECT_TRUE(same(one.reduced(k).standard_deviation, other.reduced(k).standard_deviation));
      EXPECT_EQ(one.reduced(k).bins, other.reduced(k).bins);
    }
  }
  core::set_threads(before);
}

TEST_P(Members, keep_their_energy_near_its_start) {
  Ensemble e = ensemble_of(text());
  run_all(e);
  EXPECT_TRUE(e.failures().empty());
  EXPECT_EQ(e.step(), 400);
  double worst = 0;
  for (const double error : e.energy_errors()) worst = std::max(worst, error);
  EXPECT_GT(worst, 1e-7);
  EXPECT_LT(worst, 0.05 * 0.05);  // of the order h^2
}

TEST(Reductions, are_those_of_the_definitions) {
  std::vector<double> x;
  for (int k = 0; k < 30001; ++k) x.push_back(std::fmod(0.618033988749895 * k, 1.0));
  x[7] = std::nan("");
  x[20000] = std::numeric_limits<double>::infinity();
  const Reduced r = run::reduce(x, std::vector<double>{0, 0.25, 0.5, 1}, Bins{0.2, 0.8, 3});
  EXPECT_EQ(r.count, 29999);
  EXPECT_NEAR(r.mean, 0.5, 1e-4);  // of a sequence of low discrepancy
  EXPECT_NEAR(r.standard_deviation, std::sqrt(1.0 / 12), 1e-4);
  std::vector<double> sorted;
  for (const double v : x)
    if (std::isfinite(v)) sorted.push_back(v);
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(r.min, sorted.front());
  EXPECT_EQ(r.max, sorted.back());
  EXPECT_EQ(r.quantiles[0], sorted.front());
  EXPECT_EQ(r.quantiles[1], sorted[7499] + 0.5 * (sorted[7500] - sorted[7499]));
  EXPECT_EQ(r.quantiles[2], sorted[14999]);
  EXPECT_EQ(r.quantiles[3], sorted.back());
  const auto between = [&](double a, double b) {
    return std::count_if(sorted.begin(), sorted.end(), [&](double v) { return v >= a && v < b; });
  };
  EXPECT_EQ(r.below, between(-1, 0.2));
  EXPECT_EQ(r.above, between(0.8, 2));
  EXPECT_EQ(r.bins[0] + r.bins[1] + r.bins[2], between(0.2, 0.8));
  EXPECT_NEAR(static_cast<double>(r.bins[1]), 6000, 5);
}

TEST(Reductions, of_nothing_are_not_numbers) {
  const Reduced r = run::reduce(std::vector<double>{std::nan("")}, std::vector<double>{0.5});
  EXPECT_EQ(r.count, 0);
  EXPECT_TRUE(std::isnan(r.mean) && std::isnan(r.min) && std::isnan(r.quantiles[0]));
}

// x'' = -x from x = a: the mean of x^2 over a uniform in (0, 1) is cos^2(t)/3.
TEST(Ensembles, have_the_moments_of_their_distribution) {
  Ensemble e = ensemble_of(R"toml([system]
coordinates = ["x"]
mass = 1
potential = "0.5*x^2"
[initial]
position = [0]
[ensemble]
members = 20000
[ensemble.initial.position]
x = "uniform()"
[[observe]]
name = "square"
value = "x^2"
[method]
name = "midpoint"
[run]
step = 0.01
end = 1
every = 100
)toml");
  run_all(e);
  const double expected = std::cos(1.0) * std::cos(1.0) / 3;
  EXPECT_NEAR(e.reduced(1).mean, expected, 5 * e.reduced(1).standard_deviation / std::sqrt(20000.0));
  EXPECT_GT(e.iterations(), 0.9);
  EXPECT_LT(e.iterations(), 3);
}

// Five bodies in a plane, whose masses are a table: the energy is that of its definition.
TEST(Ensembles, have_the_energy_of_all_pairs) {
  const io::Problem p = io::load_text(R"toml([system]
coordinates = ["x[5]", "y[5]"]
parameters = { G = 1 }
tables = { m = [1, 2.5, 0.7, 3, 0.2] }
mass = { x = "m[i]", y = "m[i]" }
[[system.term]]
over = "i = 0..4, j = i+1..4"
potential = "-G*m[i]*m[j]/sqrt((x[i] - x[j])^2 + (y[i] - y[j])^2)"
[initial]
position = { x = [0, 3, -4, 1, 6], y = [0, 4, 1, -5, -2] }
velocity = { x = "0.1*i", y = "0.3 - 0.1*i" }
[ensemble.parameters]
G = [0.5, 1, 2]
[method]
name = "verlet"
[run]
step = 0.001
steps = 200
)toml",
                                      "bodies.toml");
  ASSERT_NE(p.model.terms.at(0).pairs, nullptr);
  Ensemble e(io::task_of(p));
  const double masses[] = {1, 2.5, 0.7, 3, 0.2};
  const auto energy = [&](long member) {
    const double G = e.task().members.parameters[0][static_cast<std::size_t>(member)];
    double sum = 0;
    for (long i = 0; i < 5; ++i) {
      sum += (std::pow(e.p(member, i), 2) + std::pow(e.p(member, 5 + i), 2)) / (2 * masses[i]);
      for (long j = i + 1; j < 5; ++j)
        sum -= G * masses[i] * masses[j] / std::hypot(e.q(member, i) - e.q(member, j), e.q(member, 5 + i) - e.q(member, 5 + j));
    }
    return sum;
  };
  run_all(e);
  for (long m = 0; m < 3; ++m) {
    EXPECT_NEAR(e.values(0)[static_cast<std::size_t>(m)], energy(m), 1e-13);
    EXPECT_GT(e.energy_errors()[static_cast<std::size_t>(m)], 0);
    EXPECT_LT(e.energy_errors()[static_cast<std::size_t>(m)], 1e-6);  // of the order h^2
  }
}

// The potential is not a number for a while, its gradient is.
TEST(Ensembles, do_not_forget_an_energy_that_was_not_a_number) {
  Ensemble e = ensemble_of(R"toml([system]
coordinates = ["x"]
parameters = { c = 1 }
mass = 1
potential = "0.5*x^2 + where(x > 0.85 and x < 0.9, log(-c), 0)"
[initial]
position = [1]
[ensemble.parameters]
c = [1, -1]
[method]
name = "verlet"
[run]
step = 0.01
end = 1
every = 10
)toml");
  run_all(e);
  EXPECT_TRUE(e.failures().empty());
  EXPECT_NEAR(e.values(0)[0], 0.5, 1e-4);
  EXPECT_TRUE(std::isnan(e.energy_errors()[0]));
  EXPECT_LT(e.energy_errors()[1], 1e-4);
}

// The words of [[observe]] mean of a member what they mean of a run.
TEST(Ensembles, observe_what_a_run_observes) {
  Ensemble e = ensemble_of(R"toml([system]
coordinates = ["x[3]", "y"]
parameters = { N = 3, k = 1 }
tables = { m = [1, 2, 3] }
mass = { x = "m[i]", y = 4 }
[[system.term]]
over = "i = 0..N-2"
potential = "0.5*k*(x[i+1] - x[i])^2"
[[symmetry]]
name = "total momentum"
generator = { x = 1, y = "0" }
[[observe]]
name = "stretch"
over = "i = 0..N-2"
value = "x[i+1] - x[i]"
[[observe]]
name = "spread"
over = "i = 0..N-1"
value = "m[i]*x[i]"
combine = "rms"
[[observe]]
name = "made"
value = "2*spread + energy - kinetic_energy - potential_energy + k"
[[observe]]
name = "heat"
value = "temperature - kinetic_energy/2"
[[observe]]
name = "drift"
value = "total_momentum - p(x[0]) - 2*x[1]' - 3*x[2]'"
[[observe]]
name = "T"
value = "kinetic_energy"
[initial]
position = { x = "i", y = 1 }
velocity = { x = "0.2*i", y = 0.5 }
[ensemble]
members = 5
[ensemble.parameters]
k = "1 + member"
[method]
name = "verlet"
[run]
step = 0.1
end = 2
)toml");
  run_all(e);
  ASSERT_EQ(e.outputs(), 8U);  // the energy, and stretch is two
  EXPECT_EQ(e.name(1), "stretch[0]");
  for (long m = 0; m < 5; ++m) {
    const auto at = static_cast<std::size_t>(m);
    const double x0 = e.q(m, 0), x1 = e.q(m, 1), x2 = e.q(m, 2);
    const double T =
        0.5 * (e.p(m, 0) * e.p(m, 0) + e.p(m, 1) * e.p(m, 1) / 2 + e.p(m, 2) * e.p(m, 2) / 3 + e.p(m, 3) * e.p(m, 3) / 4);
    EXPECT_NEAR(e.values(1)[at], x1 - x0, 1e-14);
    EXPECT_NEAR(e.values(2)[at], x2 - x1, 1e-14);
    EXPECT_NEAR(e.values(3)[at], std::sqrt((x0 * x0 + 4 * x1 * x1 + 9 * x2 * x2) / 3), 1e-13);
    EXPECT_NEAR(e.values(4)[at], 2 * e.values(3)[at] + 1 + static_cast<double>(m), 1e-13);
    EXPECT_NEAR(e.values(5)[at], 0, 1e-14);
    EXPECT_NEAR(e.values(6)[at], 0, 1e-13);
    EXPECT_NEAR(e.values(7)[at], T, 1e-13);
  }
}

TEST(Ensembles, have_quantiles_and_bins_of_the_energy) {
  Ensemble e = ensemble_of(with(stars, "METHOD", "verlet"),
                           {"observe.0={name='energy', value='energy', reduce='histogram', from=0, to=0.2, bins=2}"});
  run_all(e);
  ASSERT_EQ(e.reduced(0).quantiles.size(), 2U);
  EXPECT_GT(e.reduced(0).quantiles[0], e.reduced(0).min);
  EXPECT_LT(e.reduced(0).quantiles[0], e.reduced(0).quantiles[1]);
  EXPECT_EQ(e.reduced(0).bins[0] + e.reduced(0).bins[1], 150);
  EXPECT_GT(e.reduced(0).bins[1], 100);  // near 0.11
}

}  // namespace
}  // namespace actio::run
