#include <actio/system/ewald.hpp>

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <actio/core/parallel.hpp>
#include <actio/invariant/certificate.hpp>
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <actio/run/consistent_start.hpp>
#include <actio/run/integrate.hpp>
#include <actio/system/assembled.hpp>
#include <actio/system/cutoff.hpp>
#include <actio/system/pairs.hpp>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <span>

// Coulomb sums: [system.coulomb] as an Ewald sum, against constants of lattices, direct sums, and another program.
namespace actio::system {
namespace {

using Eigen::VectorXd;
using Sparse = Assembled<algebra::SparseSpace>;

struct Value {
  double V;
  VectorXd f;
};
Value value_of(const Model& model, const VectorXd& q) {
  const auto compiled = compile(model, {"none", {}}, true, Highest::first);
  Sparse system(compiled, layout<algebra::SparseSpace>(*compiled, Entries::none));
  Value out{system.potential(0, q), VectorXd(q.size())};
  system.force(0, q, out.f);
  return out;
}

// n points "atom" in a box, with charges and more keys of [system.coulomb].
io::Problem charges(long n, const std::string& box, const std::string& charge, const std::string& keys,
                    const std::string& method = "verlet") {
  return io::load_text(fmt::format(R"toml(
[system]
coordinates = ["x[{0}]", "y[{0}]", "z[{0}]"]
mass = 1
box = {1}
points = {{ atom = ["x", "y", "z"] }}
[system.coulomb]
points = "atom"
charge = {2}
{3}
[initial.position]
x = "i"
y = "i^2"
z = "sqrt(i)"
[method]
name = "{4}"
[run]
step = 0.01
steps = 1
)toml",
                                   n, box, charge, keys, method),
                       "charges.toml");
}

VectorXd at_random(long n, std::array<double, 3> box, unsigned seed) {
  std::mt19937 random(seed);
  VectorXd q(3 * n);
  for (long k = 0; k < 3 * n; ++k)
    q[k] = std::uniform_real_distribution<double>(-1, 2)(random) * box[static_cast<std::size_t>(k / n)];
  return q;
}

// Rock salt with a neighbour at the distance 1: the energy of an ion pair is minus the Madelung constant.
TEST(Ewald, gives_the_madelung_constant_of_salt_for_any_alpha) {
  constexpr double madelung = 1.747564594633182;
  for (const long n : {4L, 6L})
    for (const double alpha_rc : {6.2, 6.6, 7.2}) {
      if (ACTIO_TEST_SHORT && (n != 4 || alpha_rc > 6.5)) continue;
      const double alpha = 2 * alpha_rc / static_cast<double>(n);
      const long modes = static_cast<long>(std::ceil(2 * alpha_rc * 6.2 / M_PI));
      const long N = n * n * n;
      const io::Problem p = charges(N, fmt::format("[{0}, {0}, {0}]", n),
                                    fmt::format("\"1 - 2*mod(i + floor(i/{0}) + floor(i/{1}), 2)\"", n, n * n),
                                    fmt::format("cutoff = {}\nalpha = {}\nmodes = {}", n / 2, alpha, modes));
      VectorXd q(3 * N);
      for (long k = 0; k < N; ++k) {
        q[k] = static_cast<double>(k % n) + 0.3;
        q[N + k] = static_cast<double>(k / n % n) - 17;
        q[2 * N + k] = static_cast<double>(k / n / n);
      }
      const Value value = value_of(p.model, q);
      EXPECT_NEAR(-value.V / (0.5 * static_cast<double>(N)), madelung, 1e-13 * 20) << n << ", alpha = " << alpha;
      EXPECT_LT(value.f.lpNorm<Eigen::Infinity>(), 1e-12) << n << ", alpha = " << alpha;
    }
}

// Caesium chloride: 8 ions of a cube of another lattice, in a box that is no cube.
TEST(Ewald, gives_the_madelung_constant_of_caesium_chloride_in_a_long_box) {
  const io::Problem p = charges(12, "[1, 2, 3]", "\"1 - 2*mod(i, 2)\"", "cutoff = 0.5\nalpha = 12\nmodes = 72");
  VectorXd q(36);
  for (long cell = 0; cell < 6; ++cell)
    for (long ion = 0; ion < 2; ++ion) {
      const double shift = 0.5 * static_cast<double>(ion);
      q[2 * cell + ion] = shift;
      q[12 + 2 * cell + ion] = static_cast<double>(cell % 2) + shift;
      q[24 + 2 * cell + ion] = static_cast<double>(cell / 2) + shift;
    }
  // Of a pair at the distance sqrt(3)/2.
  EXPECT_NEAR(-value_of(p.model, q).V / 6 * std::sqrt(3.0) / 2, 1.762674773070988, 2e-12);
}

const std::string of_six = "[1, -2, 0.5, 1.5, -1.25, 0.25]";

// All images in a cube of cells, and the surface term that a conductor around them takes away: what is left goes to 0 as the
// square of the size, which two sizes remove.
TEST(Ewald, agrees_with_a_direct_sum_over_images) {
  const io::Problem p = charges(6, "[2, 2, 2]", of_six, "cutoff = 1\nalpha = 5.8\nmodes = 24\nconstant = 3");
  const VectorXd x = at_random(6, {2, 2, 2}, 3);
  const std::array<long double, 6> charge{1, -2, 0.5L, 1.5L, -1.25L, 0.25L};
  const auto place = [&](long k, long a) { return static_cast<long double>(x[a * 6 + k]); };
  const auto sum_of = [&](long cells) {
    long double V = 0;
    for (long a = -cells; a <= cells; ++a)
      for (long b = -cells; b <= cells; ++b)
        for (long c = -cells; c <= cells; ++c)
          for (long i = 0; i < 6; ++i)
            for (long j = 0; j < 6; ++j) {
              if (i == j && a == 0 && b == 0 && c == 0) continue;
              const long double dx = place(i, 0) - place(j, 0) + 2 * static_cast<long double>(a),
                                dy = place(i, 1) - place(j, 1) + 2 * static_cast<long double>(b),
                                dz = place(i, 2) - place(j, 2) + 2 * static_cast<long double>(c);
              V += charge[static_cast<std::size_t>(i)] * charge[static_cast<std::size_t>(j)] / 2 /
                   std::sqrt(dx * dx + dy * dy + dz * dz);
            }
    return V;
  };
  long double square = 0;
  for (long a = 0; a < 3; ++a) {
    long double dipole = 0;
    for (long k = 0; k < 6; ++k) dipole += charge[static_cast<std::size_t>(k)] * place(k, a);
    square += dipole * dipole;
  }
  const long double small = sum_of(8), large = sum_of(17);  // cubes of 17 and 35 cells
  const long double limit = large + (large - small) / (35.0L * 35 / (17 * 17) - 1);
  const long double expected = 3 * (limit - 2 * 3.14159265358979323846L / (3 * 8) * square);
  EXPECT_NEAR(value_of(p.model, x).V, static_cast<double>(expected), 1e-4 * std::abs(static_cast<double>(expected)));
}

TEST(Ewald, does_not_depend_on_alpha) {
  const VectorXd x = at_random(6, {2, 2.5, 3}, 5);
  std::vector<Value> values;
  for (const auto& [alpha, modes] : {std::pair{5.9, 34}, std::pair{6.2, 36}, std::pair{6.6, 38}})
    values.push_back(
        value_of(charges(6, "[2, 2.5, 3]", of_six, fmt::format("cutoff = 1\nalpha = {}\nmodes = {}", alpha, modes)).model, x));
  for (const Value& value : values) {
    EXPECT_NEAR(value.V, values[0].V, 1e-12 * std::abs(values[0].V));
    EXPECT_LT((value.f - values[0].f).lpNorm<Eigen::Infinity>(), 1e-12 * values[0].f.lpNorm<Eigen::Infinity>());
  }
}

// The sum over waves term by term: in a cube those of NIST's rule, n^2 < 27 for modes = 5, and as long ones in another box.
TEST(Ewald, takes_the_waves_of_its_rule) {
  const std::array<double, 6> charge{1, -2, 0.5, 1.5, -1.25, 0.25};
  constexpr double alpha = 2.8, pi = std::numbers::pi;
  for (const std::array<double, 3>& box : {std::array<double, 3>{2, 2, 2}, std::array<double, 3>{2, 2.5, 3}}) {
    const VectorXd x = at_random(6, box, 17);
    const double longest = box[2];
    double V = 0, of_charges = 0;
    long waves = 0;
    for (long a = -6; a <= 6; ++a)
      for (long b = -6; b <= 6; ++b)
        for (long c = -6; c <= 6; ++c) {
          const std::array<double, 3> k{2 * pi * static_cast<double>(a) / box[0], 2 * pi * static_cast<double>(b) / box[1],
                                        2 * pi * static_cast<double>(c) / box[2]};
          const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
          if (k2 == 0 || !(k2 * std::pow(longest / (2 * pi), 2) < 27 - 1e-9)) continue;
          std::complex<double> S = 0;
          for (long i = 0; i < 6; ++i)
            S += std::polar(1.0, k[0] * x[i] + k[1] * x[6 + i] + k[2] * x[12 + i]) * charge[static_cast<std::size_t>(i)];
          V += 2 * pi / (box[0] * box[1] * box[2]) * std::exp(-k2 / (4 * alpha * alpha)) / k2 * std::norm(S);
          ++waves;
        }
    if (box[1] == 2) { EXPECT_EQ(waves, 586); }
    for (const double q : charge) of_charges += q * q;
    const double self = alpha / std::sqrt(pi) * of_charges;
    const io::Problem p =
        charges(6, fmt::format("[{}, {}, {}]", box[0], box[1], box[2]), of_six, "cutoff = 1\nalpha = 2.8\nmodes = 5");
    EXPECT_NEAR(p.model.callbacks->energy(0, {x.data(), 18}), V - self, 1e-13 * self) << waves << " waves";
  }
}

// A box is as long as two beside one another: the same k, so a box and two of it side by side are the same.
TEST(Ewald, of_two_boxes_is_twice_that_of_one) {
  const VectorXd x = at_random(6, {2, 2, 2}, 9);
  const std::string keys = "cutoff = 1\nalpha = 3\n";
  const double one = value_of(charges(6, "[2, 2, 2]", of_six, keys + "modes = 15").model, x).V;
  VectorXd twice(36);
  for (long a = 0; a < 3; ++a)
    for (long k = 0; k < 12; ++k) twice[12 * a + k] = x[6 * a + k % 6] + (a == 1 && k >= 6 ? 2 : 0);
  const std::string both = of_six.substr(0, of_six.size() - 1) + ", " + of_six.substr(1);
  EXPECT_NEAR(value_of(charges(12, "[2, 4, 2]", both, keys + "modes = 30").model, twice).V, 2 * one, 1e-12 * std::abs(one));
}

TEST(Ewald, force_is_minus_the_derivative_of_the_energy) {
  const io::Problem p = charges(6, "[2, 2.5, 3]", of_six, "cutoff = 1\nalpha = 2\nmodes = 9\nexclude = \"i + 1 == j\"");
  ASSERT_EQ(p.model.terms.size(), 2U);
  ASSERT_EQ(p.model.terms[1].elements, 5);
  const Callbacks& waves = *p.model.callbacks;
  const VectorXd x = at_random(6, {2, 2.5, 3}, 7);
  VectorXd r = VectorXd::Zero(18);
  waves.residual(0, {x.data(), 18}, {r.data(), 18});
  const auto difference = [&](auto&& V, long k) {  // of fourth order, with an error of 1e-3^4 and a rounding of eps/1e-3
    constexpr double h = 1e-3;
    const auto at = [&](double d) {
      VectorXd y = x;
      y[k] += d;
      return V(y);
    };
    return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  };
  const VectorXd f = value_of(p.model, x).f;
  double of_waves = 0;
  for (long k = 0; k < 18; ++k) {
    EXPECT_NEAR(r[k], difference([&](const VectorXd& y) { return waves.energy(0, {y.data(), 18}); }, k), 1e-9);
    EXPECT_NEAR(-f[k], difference([&](const VectorXd& y) { return value_of(p.model, y).V; }, k), 1e-7) << k;
    of_waves = std::max(of_waves, std::abs(r[k]));
  }
  EXPECT_GT(of_waves, 0.1);
  for (long a = 0; a < 3; ++a) {
    EXPECT_NEAR(f.segment(6 * a, 6).sum(), 0, 1e-13) << "net force along " << a;
    EXPECT_NEAR(r.segment(6 * a, 6).sum(), 0, 1e-14) << "net force along " << a;
  }
}

// Pairs that do not interact lose what they have without images.
TEST(Ewald, leaves_out_excluded_pairs) {
  const std::string keys = "cutoff = 1\nalpha = 2.4\nmodes = 9\nconstant = 7\n";
  const VectorXd x = at_random(6, {2, 2.5, 3}, 11);
  const std::array<double, 3> box{2, 2.5, 3};
  const std::array<double, 6> charge{1, -2, 0.5, 1.5, -1.25, 0.25};
  const double all = value_of(charges(6, "[2, 2.5, 3]", of_six, keys).model, x).V;
  const std::pair<std::string, std::function<bool(long, long)>> conditions[] = {
      {"floor(i/3) == floor(j/3)", [](long i, long j) { return i / 3 == j / 3; }},
      {"j == i + 2 or i == j - 1", [](long i, long j) { return j - i == 2 || j - i == 1; }},
      {"j - i < 3 and mod(i, 2) == mod(j, 2)", [](long i, long j) { return j - i == 2; }},
      {"abs(i - j) < 2", [](long i, long j) { return j - i < 2; }},
  };
  for (const auto& [text, excluded] : conditions) {
    // Pairs within the cutoff and beyond it: what is left of those is erf(alpha r)/r, to rounding.
    double V = 0, far = 0;
    long count = 0;
    for (long i = 0; i < 6; ++i)
      for (long j = i + 1; j < 6; ++j) {
        if (!excluded(i, j)) continue;
        double square = 0;
        for (long a = 0; a < 3; ++a) {
          const double d = x[6 * a + j] - x[6 * a + i], L = box[static_cast<std::size_t>(a)];
          square += std::pow(d - L * std::rint(d / L), 2);
        }
        const double r = std::sqrt(square),
                     whole = 7 * charge[static_cast<std::size_t>(i)] * charge[static_cast<std::size_t>(j)] / r;
        V += r < 1 ? whole : whole * std::erf(2.4 * r);
        far += std::abs(whole);
        ++count;
      }
    const io::Problem p = charges(6, "[2, 2.5, 3]", of_six, keys + "exclude = \"" + text + "\"");
    EXPECT_EQ(p.model.terms.back().elements, count) << text;
    EXPECT_NEAR(value_of(p.model, x).V, all - V, 1e-14 * 10 * (far + std::abs(all))) << text;
  }
}

// O, H, H of four waters of SPC/E: x of all, then y and z [angstrom].
constexpr std::array<double, 36> four_waters{3.0,  2.99862, 2.79081, 9.0,  8.3384,  8.76547, 3.0,  2.01086, 3.42093,
                                             9.0,  8.70282, 9.04633, 2.75, 3.74773, 2.35522, 2.75, 2.8624,  1.93895,
                                             8.25, 8.12769, 7.38626, 8.25, 7.40586, 8.10602, 3.25, 3.18262, 2.35536,
                                             3.25, 3.99139, 2.71409, 3.25, 3.33155, 2.97292, 3.25, 2.80378, 4.2385};

// Four waters of SPC/E in 12 x 11 x 13 angstrom: OpenMM 8.6.1, platform Reference, NonbondedForce with the method Ewald, error
// tolerance 1e-12, cutoff 0.54 nm, no Lennard-Jones, pairs within a molecule as exceptions without interaction. Its constant is
// 138.93545764438198 kJ/mol nm.
TEST(Ewald, agrees_with_openmm) {
  const std::array<std::array<double, 3>, 12> forces{{{78.566419628, 119.877782413, 13.953570702},
                                                      {-39.200538966, -75.567399303, -2.578167539},
                                                      {-33.605222769, -55.905602141, -2.879794977},
                                                      {32.681318700, 176.686296316, -18.034992703},
                                                      {-26.035531071, -85.638878308, 7.732677571},
                                                      {-19.110923764, -92.140118142, 12.583891902},
                                                      {49.576103131, -82.352836502, -23.084204839},
                                                      {-38.507329601, 38.694198998, 7.282997264},
                                                      {-17.652772515, 59.248963532, 8.865455720},
                                                      {33.930943712, 65.973422988, -24.011879056},
                                                      {-4.943133746, -43.681949433, 8.584013613},
                                                      {-15.699332739, -25.193880418, 11.586432342}}};
  const io::Problem p = charges(12, "[12, 11, 13]", "\"where(mod(i, 3) == 0, -0.8476, 0.4238)\"",
                                "cutoff = 5.4\nconstant = 1389.3545764438198\naccuracy = 1e-12\n"
                                "exclude = \"floor(i/3) == floor(j/3)\"");
  const Value value = value_of(p.model, Eigen::Map<const VectorXd>(four_waters.data(), 36));
  EXPECT_NEAR(value.V, -3.5788956319556746, 1e-8);
  for (long k = 0; k < 12; ++k)
    for (long a = 0; a < 3; ++a)  // kJ/mol/nm there, kJ/mol/angstrom here
      EXPECT_NEAR(10 * value.f[12 * a + k], forces[static_cast<std::size_t>(k)][static_cast<std::size_t>(a)], 2e-7);
}

struct Threads {
  int before = core::threads();
  ~Threads() { core::set_threads(before); }
};

TEST(Ewald, is_the_same_to_the_bit_for_any_number_of_threads) {
  const Threads restored;
  const long n = 1500;
  const io::Problem p = charges(n, "[9, 10, 11]", "\"1 - 2*mod(i, 2)\"", "cutoff = 4\nalpha = 1.1\nmodes = 9");
  const VectorXd x = at_random(n, {9, 10, 11}, 1);
  const auto one = [&](int threads) {
    core::set_threads(threads);
    VectorXd r = VectorXd::Zero(3 * n);
    p.model.callbacks->residual(0, {x.data(), static_cast<std::size_t>(3 * n)}, {r.data(), static_cast<std::size_t>(3 * n)});
    return std::pair{p.model.callbacks->energy(0, {x.data(), static_cast<std::size_t>(3 * n)}), r};
  };
  const auto first = one(1);
  EXPECT_GT(first.second.norm(), 1);
  for (const int threads : {2, 5}) {
    const auto other = one(threads);
    EXPECT_EQ(other.first, first.first) << threads;
    EXPECT_EQ(other.second, first.second) << threads;
  }
}

// What the estimates promise of the errors of the forces, against a sum that is exact; charges at random, half of a density each.
TEST(Ewald, keeps_the_accuracy_that_is_asked_for) {
  const long n = 200;
  const VectorXd x = at_random(n, {8, 9, 10}, 2);
  const std::string charge = "\"1 - 2*mod(i, 2)\"";
  const VectorXd exact = value_of(charges(n, "[8, 9, 10]", charge, "cutoff = 4\naccuracy = 1e-13").model, x).f;
  const double unit = std::pow(8 * 9 * 10 / static_cast<double>(n), -2.0 / 3);  // K <q^2>/a^2
  for (const double accuracy : {1e-3, 1e-5, 1e-7}) {
    const VectorXd f =
        value_of(charges(n, "[8, 9, 10]", charge, fmt::format("cutoff = 3.2\naccuracy = {}", accuracy)).model, x).f;
    const double error = (f - exact).norm() / std::sqrt(static_cast<double>(n)) / unit;
    EXPECT_LT(error, 1.5 * accuracy);
    EXPECT_GT(error, 0.02 * accuracy);
  }
  // With alpha as the accuracy of pairs alone would have it, the estimate is that of the cutoff.
  EwaldErrors errors{8.0 * 9 * 10, static_cast<double>(n)};
  for (const double alpha : {0.8, 1.0, 1.2}) {
    const VectorXd f =
        value_of(charges(n, "[8, 9, 10]", charge, fmt::format("cutoff = 3.2\nalpha = {}\nmodes = 25", alpha)).model, x).f;
    const double error = (f - exact).norm() / std::sqrt(static_cast<double>(n)) / unit;
    EXPECT_NEAR(std::log(error), std::log(errors.near(alpha, 3.2)), 0.4) << alpha;
  }
}

// By default the jump at the cutoff is too small to be seen, and a kept energy is claimed; with a small alpha it is not.
TEST(Ewald, has_no_jump_at_the_cutoff_by_default) {
  const VectorXd x = at_random(6, {2, 2.5, 3}, 13);
  EXPECT_TRUE(cutoff_jumps(charges(6, "[2, 2.5, 3]", of_six, "cutoff = 1").model, x).empty());
  EXPECT_TRUE(cutoff_jumps(charges(6, "[2, 2.5, 3]", of_six, "cutoff = 1\naccuracy = 1e-2").model, x).empty());
  const auto jumps = cutoff_jumps(charges(6, "[2, 2.5, 3]", of_six, "cutoff = 1\nalpha = 3").model, x);
  ASSERT_EQ(jumps.size(), 1U);
  EXPECT_EQ(jumps[0].term, "Coulomb");
  EXPECT_NEAR(jumps[0].energy, 3 * std::erfc(3.0), 3.1 * std::erfc(3.0));
}

invariant::Certificate certificate_of(const io::Problem& p) {
  run::Task task{"", p.method, p.q0, p.v0, p.schedule, {}};
  task.cutoffs = cutoff_jumps(p.model, p.q0);
  task.constraints = invariant::ConstraintMap(p.model);
  const auto integrator = method::make_integrator(p.model, p.method);
  run::make_consistent(p.model, task.constraints, *integrator, 0, p.project, task.q0, task.v0);
  invariant::MomentumMap momentum(p.model);
  return run::integrate(*integrator, momentum, task);
}

// 64 ions of salt that repel one another, some of a period away from the others: A exp(-r/rho) with a rest of 5e-8 of it at the
// cutoff, taken away by a switch.
invariant::Certificate salt_run(const std::string& keys) {
  const io::Problem p = io::load_text(R"toml(
[system]
coordinates = ["x[64]", "y[64]", "z[64]"]
mass = { x = "1 + mod(i, 2)", y = "1 + mod(i, 2)", z = "1 + mod(i, 2)" }
box = [4, 4, 4]
points = { ion = ["x", "y", "z"] }
[system.coulomb]
points = "ion"
charge = "1 - 2*mod(i + floor(i/4) + floor(i/16), 2)"
cutoff = 2
)toml" + keys + R"toml(
[[system.term]]
over = "i, j = pairs(ion, cutoff = 1.99)"
potential = "1500*exp(-distance(ion[i], ion[j])/0.11)*switch(distance(ion[i], ion[j]), 1.5, 1.99)"
[[symmetry]]
name = "px"
translation = [1, 0, 0]
[[symmetry]]
name = "pz"
translation = [0, 0, 1]
[initial]
seed = 3
position = { x = "mod(i, 4) + where(i < 9, 4, 0)", y = "mod(floor(i/4), 4)", z = "floor(i/16)" }
velocity = { x = "0.3*normal()", y = "0.3*normal()", z = "0.3*normal()" }
[method]
name = "verlet"
[run]
step = 0.01
steps = 120
)toml",
                                      "salt.toml");
  return certificate_of(p);
}

TEST(Ewald, of_moving_ions_keeps_energy_and_momentum) {
  if (ACTIO_TEST_SHORT) GTEST_SKIP() << "long; its forces are those of the other tests";
  const invariant::Certificate c = salt_run("");
  EXPECT_EQ(c.verdict, invariant::Certificate::Verdict::kept) << invariant::text(c);
  EXPECT_TRUE(c.claims.energy);
  EXPECT_GT(c.energy.max_error, 1e-7 * std::abs(c.energy.initial));  // it moves
  EXPECT_LT(c.energy.max_error, 0.02 * std::abs(c.energy.initial));
  const invariant::Certificate bare = salt_run("alpha = 1.5");
  EXPECT_FALSE(bare.claims.energy);
  EXPECT_NE(invariant::text(bare).find("Coulomb"), std::string::npos) << invariant::text(bare);
}

// Rigid waters: matrices of the mass alone take no derivatives of the waves.
TEST(Ewald, of_rigid_waters_runs_with_rattle_and_shake) {
  if (ACTIO_TEST_SHORT) GTEST_SKIP() << "long; its forces are those of the other tests";
  std::array<std::string, 3> lists;
  for (std::size_t a = 0; a < 3; ++a) lists[a] = fmt::format("[{}]", fmt::join(std::span(four_waters).subspan(12 * a, 12), ", "));
  for (const char* method : {"rattle", "shake"}) {
    const io::Problem p = io::load_text(fmt::format(R"toml(
[system]
coordinates = ["x[12]", "y[12]", "z[12]"]
mass = {{ x = "m(i)", y = "m(i)", z = "m(i)" }}
box = [12, 11, 13]
define = {{ "m(i)" = "where(mod(i, 3) == 0, 15.999, 1.008)" }}
[system.points]
atom = ["x", "y", "z"]
oxygen = ["x[0..9 step 3]", "y[0..9 step 3]", "z[0..9 step 3]"]
[system.coulomb]
points = "atom"
charge = "where(mod(i, 3) == 0, -0.8476, 0.4238)"
constant = 332.0636
cutoff = 5.4
exclude = "floor(i/3) == floor(j/3)"
[[system.term]]
over = "a, b = pairs(oxygen, cutoff = 5.4)"
potential = "(629326/distance(oxygen[a], oxygen[b])^12 - 625.3/distance(oxygen[a], oxygen[b])^6)*switch(distance(oxygen[a], oxygen[b]), 4, 5.4)"
[[system.constraint]]
over = "a = 0..3, k = 1..2"
expression = "distance(atom[3*a], atom[3*a+k])^2 - 1"
[[system.constraint]]
over = "a = 0..3"
expression = "distance(atom[3*a+1], atom[3*a+2])^2 - 2*(1 - cos(109.47*pi/180))"
[[symmetry]]
name = "py"
translation = [0, 1, 0]
[initial]
project = true
position = {{ x = {}, y = {}, z = {} }}
[method]
name = "{}"
[run]
step = 0.01
steps = 60
)toml",
                                                    lists[0], lists[1], lists[2], method),
                                        "water.toml");
    ASSERT_EQ(p.model.terms.back().elements, 12);
    const invariant::Certificate c = certificate_of(p);
    EXPECT_EQ(c.verdict, invariant::Certificate::Verdict::kept) << invariant::text(c);
    EXPECT_TRUE(c.claims.energy);
  }
}

TEST(Ewald, is_refused_to_methods_that_need_its_second_derivatives) {
  const auto why = [](const std::string& method) {
    try {
      charges(6, "[2, 2.5, 3]", of_six, "cutoff = 1", method);
    } catch (const std::exception& error) { return std::string(error.what()); }
    return std::string();
  };
  EXPECT_EQ(why("verlet"), "");
  EXPECT_NE(why("midpoint")
                .find("midpoint needs second derivatives, which the Ewald sum does not give: verlet, rattle and shake "
                      "need forces alone"),
            std::string::npos)
      << why("midpoint");
  EXPECT_NE(why("energy-momentum").find("the Ewald sum"), std::string::npos) << why("energy-momentum");
  EXPECT_EQ(why("rattle"), "");  // without constraints it is verlet
  EXPECT_NE(why("takahashi-imada").find("the Ewald sum"), std::string::npos) << why("takahashi-imada");
  EXPECT_NE(why("zhang-skeel").find("the Ewald sum"), std::string::npos) << why("zhang-skeel");
}

}  // namespace
}  // namespace actio::system
