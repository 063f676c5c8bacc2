#include <run/observing.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

using observing::Result;

namespace {

constexpr double eps = actio::test::eps;

// A chain of unequal masses with springs that are not linear; what is observed is added.
std::string chain(const std::string& observe, const std::string& end = "40", const std::string& step = "0.1") {
  return R"toml([system]
coordinates = ["x[6]", "y"]
parameters = { N = 6, k = 1.3 }
tables = { m = [1, 2, 3, 1, 2, 3] }
mass = { x = "m[i]", y = 2 }
[[system.term]]
over = "i = 0..N-2"
potential = "0.5*k*(x[i+1]-x[i]-1)^2 + 0.4*(x[i+1]-x[i]-1)^4"
[[system.term]]
potential = "0.5*(y - x[0])^2 + 0.1*y^4"
)toml" + observe +
         R"toml(
[initial]
seed = 5
position = { x = "i + 0.3*normal()", y = 0.2 }
velocity = { x = "0.5*normal()", y = 0.4 }
[method]
name = "verlet"
[run]
step = )toml" +
         step + "\nend = " + end + "\n";
}

const std::string lengths = R"toml(
[[observe]]
name = "length"
over = "i = 0..N-2"
value = "x[i+1] - x[i]"
reduce = ["mean", "rms", "largest", "smallest", "histogram", "autocorrelation", "mean-square-displacement"]
from = 0.6
to = 1.3
bins = 7
every = 3
after = 2.0
)toml";

// The lengths at the times that are reduced, by element.
std::vector<std::vector<double>> series_of(const Result& r) {
  std::vector<std::vector<double>> out;
  for (std::size_t k = 21; k < r.seen.states.size(); k += 3) {  // the first multiple of 3 steps from t = 2 on
    out.emplace_back();
    for (int i = 0; i < 5; ++i) out.back().push_back(r.seen.states[k].q[i + 1] - r.seen.states[k].q[i]);
  }
  return out;
}

}  // namespace

TEST(Observables, reduce_to_what_the_stored_trajectory_gives) {
  const Result r = observing::run(chain(lengths));
  const auto series = series_of(r);
  ASSERT_EQ(r.observed.size(), 1);
  EXPECT_EQ(r.observed[0].times, static_cast<long>(series.size()));
  EXPECT_NEAR(r.observed[0].first, 2.1, 1e-12);
  double sum = 0, squares = 0, largest = -1e9, smallest = 1e9, t_largest = 0, below = 0, above = 0;
  long element = -1;
  std::vector<double> bins(7);
  for (std::size_t k = 0; k < series.size(); ++k)
    for (std::size_t e = 0; e < 5; ++e) {
      const double x = series[k][e];
      sum += x;
      squares += x * x;
      if (x > largest) {
        largest = x;
        t_largest = r.seen.states[21 + 3 * k].t;
        element = static_cast<long>(e);
      }
      smallest = std::min(smallest, x);
      below += x < 0.6;
      above += x > 1.3;
      if (x >= 0.6 && x <= 1.3) ++bins[static_cast<std::size_t>((x - 0.6) / 0.1)];
    }
  const double n = 5 * static_cast<double>(series.size()), mean = sum / n, variance = (squares - n * mean * mean) / (n - 1);
  EXPECT_NEAR(r.number("length", "mean"), mean, 1e-13);
  EXPECT_NEAR(r.number("length", "mean", "standard_deviation"), std::sqrt(variance), 1e-12);
  EXPECT_EQ(r.number("length", "mean", "count"), n);
  EXPECT_NEAR(r.number("length", "rms"), std::sqrt(squares / n), 1e-13);
  EXPECT_EQ(r.number("length", "largest"), largest);
  EXPECT_EQ(r.number("length", "largest", "t"), t_largest);
  EXPECT_EQ(r.number("length", "largest", "element"), static_cast<double>(element));
  EXPECT_EQ(r.number("length", "smallest"), smallest);
  EXPECT_EQ(r.list("length", "histogram", "count"), bins);
  EXPECT_EQ(r.number("length", "histogram", "below"), below);
  EXPECT_EQ(r.number("length", "histogram", "above"), above);
  EXPECT_GT(below + above, 0);
  const auto& density = r.list("length", "histogram", "density");
  EXPECT_NEAR(density[3], bins[3] / (n * 0.1), 1e-12);
}

// Of lag l the pairs of every value with the l-th after it, and above 31 of those at multiples of 2^k.
TEST(Observables, correlate_as_the_stored_trajectory_does) {
  const Result r = observing::run(chain(lengths, "200", "0.05"));
  std::vector<std::vector<double>> series;
  for (std::size_t k = 42; k < r.seen.states.size(); k += 3) {  // after = 2 with half the step
    series.emplace_back();
    for (int i = 0; i < 5; ++i) series.back().push_back(r.seen.states[k].q[i + 1] - r.seen.states[k].q[i]);
  }
  double mean = 0;
  for (const auto& x : series)
    for (const double e : x) mean += e / (5 * static_cast<double>(series.size()));
  const auto &lag = r.list("length", "autocorrelation", "lag"), &value = r.list("length", "autocorrelation", "value"),
             &pairs = r.list("length", "autocorrelation", "pairs"),
             &moved = r.list("length", "mean-square-displacement", "value");
  ASSERT_GT(lag.size(), 100);
  ASSERT_EQ(moved.size(), lag.size());
  for (std::size_t s = 0; s < lag.size(); ++s) {
    const auto l = static_cast<std::size_t>(std::lround(lag[s] / 0.15));
    std::size_t stride = 1;
    while (l / stride > 31) stride *= 2;
    double sum = 0, squares = 0, count = 0;
    for (std::size_t k = 0; k + l < series.size(); k += stride)
      for (std::size_t e = 0; e < 5; ++e, ++count) {
        sum += (series[k][e] - mean) * (series[k + l][e] - mean);
        squares += std::pow(series[k + l][e] - series[k][e], 2);
      }
    EXPECT_EQ(pairs[s], count) << l;
    EXPECT_NEAR(value[s], sum / count, 1e-13) << l;
    EXPECT_NEAR(moved[s], squares / count, 1e-13) << l;
  }
  EXPECT_GT(lag.back(), 0.5 * 0.15 * static_cast<double>(series.size()));
}

TEST(Observables, are_columns_where_they_are_not_reduced) {
  const Result r = observing::run(chain(R"toml(
[[observe]]
name = "length"
over = "i = 0..N-2"
value = "x[i+1] - x[i]"
[[observe]]
name = "squares"
over = "i = 0..N-1"
value = "m[i]*x'[i]^2"
combine = "sum"
[[observe]]
name = "twice"
value = "squares + 2*y'^2 - 2*kinetic_energy + t*0.25"
[[observe]]
name = "rest"
value = "p(x[1])/2 - x[1]' + energy - kinetic_energy - potential_energy"
)toml",
                                        "5"));
  ASSERT_EQ(r.seen.columns.size(), 51);
  for (std::size_t k = 0; k < r.seen.states.size(); ++k) {
    const auto& s = r.seen.states[k];
    const auto& c = r.seen.columns[k];
    ASSERT_EQ(c.size(), 8);
    double squares = 0;
    for (int i = 0; i < 6; ++i) squares += (i % 3 + 1) * s.v[i] * s.v[i];
    for (int i = 0; i < 5; ++i) EXPECT_DOUBLE_EQ(c[static_cast<std::size_t>(i)], s.q[i + 1] - s.q[i]);
    EXPECT_NEAR(c[5], squares, 1e-13);
    EXPECT_NEAR(c[6], 0.25 * s.t, 1e-12);
    EXPECT_NEAR(c[7], 0, 1e-13);
  }
}

TEST(Observables, combine_elements_at_one_time) {
  std::string text;
  for (const char* how : {"sum", "mean", "rms", "largest", "smallest"})
    text += std::string("[[observe]]\nname = \"c_") + how + "\"\nover = \"i = 0..N-1\"\nvalue = \"x[i]\"\ncombine = \"" + how +
            "\"\n";
  const Result r = observing::run(chain(text, "2"));
  for (std::size_t k = 0; k < r.seen.states.size(); ++k) {
    const Eigen::VectorXd x = r.seen.states[k].q.head(6);
    const std::vector<double> expected{x.sum(), x.mean(), std::sqrt(x.squaredNorm() / 6), x.maxCoeff(), x.minCoeff()};
    for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(r.seen.columns[k][j], expected[j], 1e-13);
  }
}

// <x(t) x(t + tau)> = A^2/2 cos(w tau) over whole periods.
TEST(Observables, autocorrelation_of_an_oscillator_is_a_cosine) {
  const Result r = observing::run(R"toml([system]
coordinates = ["x"]
mass = 1
potential = "0.5*x^2"
[[observe]]
name = "x"
value = "x + 1000"
reduce = "autocorrelation"
[initial]
position = [2]
[method]
name = "verlet"
[run]
step = 0.05
end = 6283.2
)toml");
  const auto &lag = r.list("x", "autocorrelation", "lag"), &value = r.list("x", "autocorrelation", "value"),
             &pairs = r.list("x", "autocorrelation", "pairs");
  const double w = 2 / 0.05 * std::asin(0.025);  // Verlet's frequency
  for (std::size_t s = 0; s < lag.size(); ++s) {
    if (lag[s] > 100) break;
    // a sum over cos(2 w t) of N terms, d apart, is at most 1/sin(w d), and a mean over N that of the N
    EXPECT_NEAR(value[s], 2 * std::cos(w * lag[s]), 4 * (2 / (std::abs(std::sin(w * 6283.2 / pairs[s])) * pairs[s]) + 1e-4))
        << lag[s];
  }
  EXPECT_NEAR(value[0], 2, 1e-3);
}

TEST(Observables, displacement_of_free_motion_is_v_tau) {
  const Result r = observing::run(R"toml([system]
coordinates = ["x[3]", "y[3]", "z[3]"]
mass = 1
potential = "0*x[0]"
[[observe]]
name = "walk"
over = "i = 0..2"
value = ["x[i]", "y[i]", "z[i]"]
reduce = "mean-square-displacement"
every = 4
[initial]
position = { x = 5, y = 0, z = 0 }
velocity = { x = [1, 0, 2], y = [0, 3, 2], z = [0, 0, 1] }
[method]
name = "verlet"
[run]
step = 0.25
end = 300
)toml");
  const auto &lag = r.list("walk", "mean-square-displacement", "lag"),
             &value = r.list("walk", "mean-square-displacement", "value");
  ASSERT_GT(lag.size(), 60);
  for (std::size_t s = 0; s < lag.size(); ++s)
    EXPECT_NEAR(value[s], (1.0 + 9.0 + 9.0) / 3 * lag[s] * lag[s], 1e-11 * (1 + lag[s] * lag[s])) << lag[s];
}

namespace {

// KMOW 4: V = |q|^2 (|q|^2 - 1)^2, turned about the origin by a force where `forced`.
std::string plane(const std::string& method, bool forced) {
  return R"toml([system]
coordinates = ["x", "y"]
mass = [1.5, 1.5]
potential = "(x^2 + y^2)*(x^2 + y^2 - 1)^2"
)toml" + std::string(forced ? "force = { x = \"-0.3*y - 0.1*x'\", y = \"0.3*x\" }\n" : "") +
         R"toml(
[[symmetry]]
name = "angular momentum"
generator = ["-y", "x"]
[[observe]]
name = "Ed"
value = "discrete_energy"
[[observe]]
name = "Jd"
value = "discrete_angular_momentum"
[[observe]]
name = "qx"
value = "q1(x)"
[[observe]]
name = "qy"
value = "q1(y)"
[[observe]]
name = "J"
value = "angular_momentum"
[initial]
position = [1.2, 0.0]
velocity = [0.0, 0.9]
[method]
)toml" + method +
         R"toml(
[run]
step = 0.2
end = 20.0
)toml";
}
double V(const Eigen::Vector2d& q) { return q.squaredNorm() * std::pow(q.squaredNorm() - 1, 2); }
Eigen::Vector2d grad_V(const Eigen::Vector2d& q) {
  const double s = q.squaredNorm();
  return 2 * q * ((s - 1) * (s - 1) + 2 * s * (s - 1));
}

}  // namespace

// KMOW (2.12): Ed = 1/2 w' M w + sum_j b_j V(q0 + c_j h w), and (2.10): Jd = D2 Ld . xi(q1), D2 Ld = M w - h sum_j b_j c_j grad
// V.
TEST(Observables, have_the_discrete_mechanics_of_the_method) {
  struct Case {
    std::string method;
    std::vector<double> b, c;
    bool forced;
  };
  const std::vector<Case> cases{{"name = \"variational\"\nalpha = 0.3\nsymmetric = false", {1}, {0.3}, false},
                                {"name = \"variational\"\nalpha = 0.2", {0.5, 0.5}, {0.2, 0.8}, true},
                                {"name = \"midpoint\"", {1}, {0.5}, true},
                                {"name = \"verlet\"", {0.5, 0.5}, {0, 1}, false},
                                {"name = \"symplectic-euler\"", {1}, {0}, false},
                                {"name = \"rattle\"", {0.5, 0.5}, {0, 1}, false}};
  const double h = 0.2;
  for (const Case& of : cases) {
    SCOPED_TRACE(of.method);
    const Result r = observing::run(plane(of.method, of.forced));
    ASSERT_EQ(r.seen.states.size(), 101);
    double swing = 0;
    for (std::size_t k = 0; k + 1 < r.seen.states.size(); ++k) {
      const Eigen::Vector2d q0 = r.seen.states[k].q, q1 = r.seen.states[k + 1].q, w = (q1 - q0) / h;
      double Ed = 0.75 * w.squaredNorm();
      Eigen::Vector2d p = 1.5 * w;
      for (std::size_t j = 0; j < of.b.size(); ++j) {
        const Eigen::Vector2d at = q0 + of.c[j] * h * w;
        Ed += of.b[j] * V(at);
        p -= h * of.b[j] * of.c[j] * grad_V(at);
      }
      const auto& seen = r.seen.columns[k];
      EXPECT_NEAR(seen[0], Ed, 1e-13 * (1 + std::abs(Ed)));
      EXPECT_NEAR(seen[1], q1[0] * p[1] - q1[1] * p[0], 1e-12);
      EXPECT_NEAR(seen[2], q1[0], 1e-13);
      EXPECT_NEAR(seen[3], q1[1], 1e-13);
      if (!of.forced) { EXPECT_NEAR(seen[1], seen[4], 1e-12); }
      swing = std::max(swing, std::abs(seen[0] - r.seen.columns[0][0]));
    }
    EXPECT_GT(swing, 1e-4);  // it is not the energy of the start that is repeated
  }
}

TEST(Observables, temperature_counts_the_constraints) {
  const Result r = observing::run(R"toml([system]
coordinates = ["x", "y", "z"]
mass = [2, 2, 2]
potential = "9.81*2*y"
constraints = ["x^2 + y^2 + z^2 - 1"]
[[observe]]
name = "T"
value = "temperature - 2*kinetic_energy/(3 - 1)"
[[observe]]
name = "K"
value = "kinetic_energy"
[initial]
position = [1, 0, 0]
velocity = [0, 1, 2]
[method]
name = "rattle"
[run]
step = 0.01
end = 1
)toml");
  for (std::size_t k = 0; k < r.seen.states.size(); ++k) {
    EXPECT_EQ(r.seen.columns[k][0], 0);
    EXPECT_NEAR(r.seen.columns[k][1], r.seen.states[k].v.squaredNorm(), 1e-12);
  }
}

// M a = F - D v - S q, also with a full mass, a record of the ground and a fixed coordinate.
TEST(Observables, know_accelerations) {
  const Result r = observing::run(R"toml([system]
coordinates = ["u[4]"]
mass = [[2, 0.5, 0, 0], [0.5, 2, 0.5, 0], [0, 0.5, 2, 0.5], [0, 0, 0.5, 2]]
stiffness = [[2, -1, 0, 0], [-1, 2, -1, 0], [0, -1, 2, -1], [0, 0, -1, 1]]
damping = [0.1, 0.2, 0.1, 0.3]
fixed = "u[0]"
[system.signals]
ag = { time = [0, 1, 2, 3], value = [0, 2, -1, 0] }
[system.base]
acceleration = "ag"
direction = 1
[[observe]]
name = "a"
over = "i = 0..3"
value = "u[i]''"
[[observe]]
name = "absolute"
value = "u[3]'' + ag"
[initial]
position = { u = "0.1*i" }
[method]
name = "newmark"
[run]
step = 0.05
end = 4
)toml");
  Eigen::Matrix4d M, S;
  M << 2, 0.5, 0, 0, 0.5, 2, 0.5, 0, 0, 0.5, 2, 0.5, 0, 0, 0.5, 2;
  S << 2, -1, 0, 0, -1, 2, -1, 0, 0, -1, 2, -1, 0, 0, -1, 1;
  const Eigen::Vector4d D(0.1, 0.2, 0.1, 0.3);
  const auto ag = [](double t) { return t <= 1 ? 2 * t : t <= 2 ? 2 - 3 * (t - 1) : t <= 3 ? -1 + (t - 2) : 0; };
  for (std::size_t k = 0; k < r.seen.states.size(); ++k) {
    const auto& s = r.seen.states[k];
    const Eigen::Vector4d f = -M * Eigen::Vector4d::Ones() * ag(s.t) - S * s.q - D.cwiseProduct(s.v.head<4>());
    const Eigen::Vector3d a = M.bottomRightCorner<3, 3>().llt().solve(f.tail<3>());
    EXPECT_EQ(r.seen.columns[k][0], 0);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(r.seen.columns[k][static_cast<std::size_t>(i) + 1], a[i], 1e-12) << s.t;
    EXPECT_NEAR(r.seen.columns[k][4], a[2] + ag(s.t), 1e-12);
  }
}

// Pairs of indices have no tables; a table of the same pairs gives the same.
TEST(Observables, of_pairs_are_those_of_their_elements) {
  const auto text = [](const std::string& over) {
    return chain(
        "[[observe]]\nname = \"d\"\nover = \"" + over +
            "\"\nvalue = \"m[i]*abs(x[j] - x[i]) + j\"\nreduce = [\"mean\", \"histogram\"]\nfrom = 0\nto = 20\nbins = 40\n",
        "10");
  };
  const Result pairs = observing::run(text("i = 0..N-2, j = i+1..N-1")),
               tables = observing::run(text("i = 0..N-2, j = i+1..N-1, l = 0..0"));
  EXPECT_TRUE(pairs.problem.observables[0].components[0].pairs);
  EXPECT_FALSE(tables.problem.observables[0].components[0].pairs);
  EXPECT_EQ(pairs.number("d", "mean", "count"), 15 * 101);
  EXPECT_NEAR(pairs.number("d", "mean"), tables.number("d", "mean"), 1e-13);
  EXPECT_EQ(pairs.list("d", "histogram", "count"), tables.list("d", "histogram", "count"));
}

TEST(Observables, change_nothing_of_the_motion_and_the_certificate) {
  const Result with = observing::run(chain(lengths)), without = observing::run(chain(""));
  ASSERT_EQ(with.seen.states.size(), without.seen.states.size());
  for (std::size_t k = 0; k < with.seen.states.size(); ++k) EXPECT_EQ(with.seen.states[k].q, without.seen.states[k].q);
  EXPECT_EQ(with.certificate.energy.max_error, without.certificate.energy.max_error);
  EXPECT_EQ(with.certificate.energy.drift_per_step, without.certificate.energy.drift_per_step);
  EXPECT_EQ(with.certificate.solver.worst_residual, without.certificate.solver.worst_residual);
}

namespace {

std::vector<std::uint64_t> bits(const std::vector<double>& x) {
  std::vector<std::uint64_t> out;
  for (const double e : x) out.push_back(std::bit_cast<std::uint64_t>(e));
  return out;
}

}  // namespace

TEST(Observables, after_a_checkpoint_are_to_the_bit_those_without) {
  const std::string more = lengths + R"toml(
[[observe]]
name = "heat"
value = "temperature + discrete_energy"
reduce = ["mean", "largest"]
every = 1
)toml";
  for (const long at : {1L, 37L, 150L, 399L}) {
    const Result whole = observing::run(chain(more), at);
    ASSERT_FALSE(whole.saved.empty());
    const Result resumed = observing::run(chain(more), -1, whole.saved);
    ASSERT_EQ(whole.observed.size(), resumed.observed.size());
    for (std::size_t k = 0; k < whole.observed.size(); ++k) {
      EXPECT_EQ(whole.observed[k].times, resumed.observed[k].times);
      EXPECT_EQ(whole.observed[k].first, resumed.observed[k].first);
      EXPECT_EQ(whole.observed[k].last, resumed.observed[k].last);
      for (std::size_t j = 0; j < whole.observed[k].reductions.size(); ++j)
        for (std::size_t f = 0; f < whole.observed[k].reductions[j].figures.size(); ++f)
          EXPECT_EQ(bits(whole.observed[k].reductions[j].figures[f].values),
                    bits(resumed.observed[k].reductions[j].figures[f].values))
              << whole.observed[k].reductions[j].name << ' ' << whole.observed[k].reductions[j].figures[f].name << ' ' << at;
    }
  }
}

TEST(Observables, that_are_not_finite_are_counted_apart) {
  const Result r = observing::run(chain(R"toml(
[[observe]]
name = "root"
over = "i = 0..N-1"
value = "sqrt(x[i]')"
reduce = ["mean", "largest", "histogram"]
from = 0
to = 1
bins = 2
)toml"));
  double sum = 0, count = 0, missing = 0, largest = 0;
  for (const auto& s : r.seen.states)
    for (int i = 0; i < 6; ++i) {
      if (!(s.v[i] >= 0)) {
        ++missing;
        continue;
      }
      sum += std::sqrt(s.v[i]);
      largest = std::max(largest, std::sqrt(s.v[i]));
      ++count;
    }
  EXPECT_GT(missing, 0);
  EXPECT_NEAR(r.number("root", "mean"), sum / count, 1e-13);
  EXPECT_EQ(r.number("root", "mean", "count"), count);
  EXPECT_EQ(r.number("root", "mean", "not_finite"), missing);
  EXPECT_EQ(r.number("root", "largest", "not_finite"), missing);
  EXPECT_NEAR(r.number("root", "largest"), largest, 2 * eps);
}
