#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <actio/core/parallel.hpp>
#include <actio/core/random.hpp>
#include <actio/invariant/momentum.hpp>
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <actio/run/integrate.hpp>

// Friction and noise of a thermostat: exact laws of linear systems, without sampling; equipartition and Boltzmann's law on
// constraints; the same path however it is computed.
namespace actio::laws::noise {
namespace {

using Eigen::Matrix2d, Eigen::MatrixXd, Eigen::Vector2d, Eigen::VectorXd;
using method::Snapshot;

io::Problem problem(const std::string& system, const std::string& thermostat, const std::string& start,
                    const std::string& method) {
  return io::load_text("[system]\n" + system + "\n[system.thermostat]\n" + thermostat + "\n[initial]\n" + start + "\n[method]\n" +
                           method + "\n[run]\nstep = 0.1\nsteps = 10\n",
                       "thermostat.toml");
}

// A step z1 = A z0 + B xi of a linear system, as it is made: A from steps with the same noise, B from the numbers of several
// steps that start at rest. The covariance of what a step adds is B B'.
struct Affine {
  MatrixXd A, Q;
  double misfit = 0;  // of B to steps that it was not made of
};

VectorXd phase(method::Integrator& integrator, const VectorXd& z, double h, long step) {
  const long n = z.size() / 2;
  integrator.start_momentum(0, z.head(n), z.tail(n));
  EXPECT_TRUE(integrator.advance(1, h, {{}, false, step}).ok);
  Snapshot s;
  integrator.snapshot(s);
  VectorXd out(2 * n);
  out << s.q, s.p;
  return out;
}

Affine affine(const io::Problem& p, double h) {
  const auto integrator = method::make_integrator(p.model, p.method);
  const long n = p.model.size();
  const core::Noise noise(p.model.thermostat ? 42 : 0);
  Affine out;
  const VectorXd zero = VectorXd::Zero(2 * n), at_zero = phase(*integrator, zero, h, 0);
  out.A.resize(2 * n, 2 * n);
  for (long i = 0; i < 2 * n; ++i) out.A.col(i) = phase(*integrator, VectorXd::Unit(2 * n, i), h, 0) - at_zero;
  const long steps = 4 * n;  // two draws of n numbers each, twice as often as needed
  MatrixXd xi(2 * n, steps), b(2 * n, steps);
  for (long k = 0; k < steps; ++k) {
    for (std::uint32_t draw = 0; draw < 2; ++draw)
      noise.normals(static_cast<std::uint64_t>(k), 1, draw, 0, n, xi.col(k).data() + draw * n);
    b.col(k) = phase(*integrator, zero, h, k);
  }
  const MatrixXd B = xi.transpose().colPivHouseholderQr().solve(b.transpose()).transpose();
  out.misfit = (B * xi - b).norm();
  out.Q = B * B.transpose();
  return out;
}

// S = A S A' + Q
MatrixXd stationary(const Affine& step) {
  const long n = step.A.rows();
  MatrixXd equations = MatrixXd::Identity(n * n, n * n);
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j)
      for (long k = 0; k < n; ++k)
        for (long l = 0; l < n; ++l) equations(i * n + j, k * n + l) -= step.A(i, k) * step.A(j, l);
  const VectorXd q = Eigen::Map<const VectorXd>(MatrixXd(step.Q.transpose()).data(), n * n);
  const VectorXd s = equations.fullPivLu().solve(q);
  return Eigen::Map<const MatrixXd>(s.data(), n, n).transpose();
}

struct Scheme {
  const char *name, *scheme, *method;
};
constexpr Scheme baoab{"baoab", "baoab", "name = \"verlet\""}, gla{"gla", "gla", "name = \"verlet\""},
    obabo{"obabo", "obabo", "name = \"verlet\""}, oabao{"oabao", "obabo", "name = \"verlet\"\nform = \"position\""};

io::Problem oscillator(const Scheme& s, double w, double gamma, double kT, double mass = 1) {
  return problem(fmt::format("coordinates = [\"x\"]\nmass = {}\npotential = \"0.5*{}*x^2\"", mass, mass * w * w),
                 fmt::format("rate = {}\ntemperature = {}\nseed = 42\nscheme = \"{}\"", gamma, kT, s.scheme),
                 "position = [1]\nvelocity = [0.5]", s.method);
}

// Leimkuhler and Matthews, Molecular Dynamics (2015), 7.4: the variances of the harmonic oscillator at the end of a step, over
// those of Boltzmann's law, whatever the friction. With r = 1 - h^2 w^2/4:
TEST(Thermostat, has_the_known_bias_of_each_scheme_on_the_harmonic_oscillator) {
  struct Case {
    Scheme scheme;
    bool q, p, over;  // which differs; by 1/r, else by r
  };
  const Case cases[] = {
      {baoab, false, true, false}, {gla, true, false, true}, {obabo, true, false, true}, {oabao, true, false, false}};
  for (const auto& [scheme, q, p, over] : cases)
    for (const double gamma : {0.1, 1.0, 30.0})
      for (const double h : {0.1, 0.5}) {
        SCOPED_TRACE(fmt::format("{}, gamma = {}, h = {}", scheme.name, gamma, h));
        const double w = 2, kT = 0.7, m = 3, r = 1 - h * h * w * w / 4, off = over ? 1 / r : r;
        const Affine step = affine(oscillator(scheme, w, gamma, kT, m), h);
        EXPECT_LT(step.misfit, 1e-13);
        const MatrixXd S = stationary(step);
        EXPECT_NEAR(m * w * w * S(0, 0) / kT, q ? off : 1, 1e-12);
        EXPECT_NEAR(S(1, 1) / m / kT, p ? off : 1, 1e-12);
        EXPECT_NEAR(S(0, 1), 0, 1e-12);
      }
}

// Beside the noise, after the half step that goes before it, the momenta of BAOAB are right: there the certificate measures the
// kinetic temperature. Positions, right at the ends, are r times too narrow there.
TEST(Thermostat, has_the_kinetic_energy_of_its_temperature_beside_the_noise_of_baoab) {
  const double w = 2, kT = 0.7, h = 0.5;
  const MatrixXd S = stationary(affine(oscillator(baoab, w, 1, kT), h));
  Matrix2d kick = Matrix2d::Identity(), drift = Matrix2d::Identity();
  kick(1, 0) = -h / 2 * w * w;
  drift(0, 1) = h / 2;
  const MatrixXd middle = drift * kick * S * kick.transpose() * drift.transpose();
  EXPECT_NEAR(w * w * middle(0, 0) / kT, 1 - h * h * w * w / 4, 1e-12);
  EXPECT_NEAR(middle(1, 1) / kT, 1, 1e-12);
}

// dz = F z dt + noise of covariance D dt: mean and covariance at t, by the exponential of (-F D; 0 F') (Van Loan 1978).
struct Law {
  Vector2d mean;
  Matrix2d covariance;
};
Law exact(double w, double gamma, double kT, const Vector2d& start, double t) {
  Eigen::Matrix4d block = Eigen::Matrix4d::Zero();
  Matrix2d F;
  F << 0, 1, -w * w, -gamma;
  block.topLeftCorner<2, 2>() = -F;
  block(1, 3) = 2 * gamma * kT;
  block.bottomRightCorner<2, 2>() = F.transpose();
  Eigen::Matrix4d term = Eigen::Matrix4d::Identity(), sum = term;
  constexpr int squarings = 10;
  for (int k = 1; k < 20; ++k) {
    term = term * (t / (1 << squarings) / k) * block;
    sum += term;
  }
  for (int k = 0; k < squarings; ++k) sum = sum * sum;
  const Matrix2d flow = sum.bottomRightCorner<2, 2>().transpose();
  return {flow * start, flow * sum.topRightCorner<2, 2>()};
}
double error_of(const Scheme& scheme, const Law& law, long steps) {
  const Affine step = affine(oscillator(scheme, 2, 1, 1), 1.0 / static_cast<double>(steps));
  VectorXd mean = Vector2d(1, 0.5);
  MatrixXd covariance = Matrix2d::Zero();
  for (long k = 0; k < steps; ++k) {
    mean = step.A * mean;
    covariance = step.A * covariance * step.A.transpose() + step.Q;
  }
  return std::max((mean - law.mean).norm(), (covariance - law.covariance).norm());
}

TEST(Thermostat, has_the_weak_order_of_its_scheme) {
  const Law law = exact(2, 1, 1, {1, 0.5}, 1);
  EXPECT_NEAR(law.mean[0], 0.0756055, 1e-7);  // by an independent program
  EXPECT_NEAR(law.mean[1], -1.35157276, 1e-8);
  EXPECT_NEAR(law.covariance(0, 0), 0.16319602, 1e-8);
  EXPECT_NEAR(law.covariance(0, 1), 0.08555631, 1e-8);
  EXPECT_NEAR(law.covariance(1, 1), 0.52590071, 1e-8);
  const std::pair<Scheme, double> orders[] = {{baoab, 2}, {obabo, 2}, {oabao, 2}, {gla, 1}};
  for (const auto& [scheme, order] : orders) {
    SCOPED_TRACE(scheme.name);
    double last = error_of(scheme, law, 20);
    for (const long steps : {40L, 80L}) {
      const double error = error_of(scheme, law, steps);
      EXPECT_NEAR(std::log2(last / error), order, 0.2) << steps;
      last = error;
    }
  }
}

// Full and unequal masses, friction by a rate, a number for each coordinate, and a full matrix: BAOAB's positions have the
// covariance kT K^-1 of Boltzmann's law, and OBABO's momenta kT M.
TEST(Thermostat, takes_any_mass_and_friction) {
  Eigen::Matrix3d K, M;
  K << 3, 0.5, -0.2, 0.5, 2, 0.3, -0.2, 0.3, 4;
  const std::string potential = "potential = \"1.5*x^2 + y^2 + 2*z^2 + 0.5*x*y - 0.2*x*z + 0.3*y*z\"";
  const std::string full = "mass = [[2, 0.5, 0.1], [0.5, 1, -0.3], [0.1, -0.3, 3]]", diagonal = "mass = [2, 1, 3]";
  M << 2, 0.5, 0.1, 0.5, 1, -0.3, 0.1, -0.3, 3;
  for (const bool whole : {false, true})
    for (const char* friction :
         {"rate = 0.8", "friction = 0.8", "friction = [0.5, 1.5, 0]", "friction = [[1, 0.2, 0], [0.2, 0.5, 0.1], [0, 0.1, 0.3]]"})
      for (const bool middle : {true, false}) {
        SCOPED_TRACE(fmt::format("{} {} {}", whole ? "full" : "diagonal", friction, middle ? "baoab" : "obabo"));
        const io::Problem p =
            problem("coordinates = [\"x\", \"y\", \"z\"]\n" + (whole ? full : diagonal) + "\n" + potential,
                    fmt::format("{}\ntemperature = 0.7\nseed = 42\nscheme = \"{}\"", friction, middle ? "baoab" : "obabo"),
                    "position = [0, 0, 0]", "name = \"verlet\"");
        const Affine step = affine(p, 0.4);
        EXPECT_LT(step.misfit, 1e-12);
        const MatrixXd S = stationary(step);
        const Eigen::Matrix3d mass = whole ? M : Eigen::Matrix3d(M.diagonal().asDiagonal());
        if (middle)
          EXPECT_LT((S.topLeftCorner<3, 3>() - 0.7 * K.inverse()).norm(), 1e-11);
        else
          EXPECT_LT((S.bottomRightCorner<3, 3>() - 0.7 * mass).norm(), 1e-11);
      }
}

// One step over h is the exact flow of friction and noise: of a free particle gla leaves p with the mean exp(-gamma h) p and
// the variance kT m (1 - exp(-2 gamma h)), a rate or a friction m gamma, however long h is.
TEST(Thermostat, damps_free_momenta_exactly) {
  for (const double h : {0.01, 1.0, 20.0})
    for (const char* friction : {"rate = 0.5", "friction = 1.5"}) {
      const Affine step = affine(problem("coordinates = [\"x\"]\nmass = 3\npotential = \"0*x\"",
                                         fmt::format("{}\ntemperature = 2\nseed = 42\nscheme = \"gla\"", friction),
                                         "position = [0]", "name = \"verlet\""),
                                 h);
      EXPECT_NEAR(step.A(1, 1), std::exp(-0.5 * h), 1e-14);
      EXPECT_NEAR(step.Q(1, 1), 2 * 3 * -std::expm1(-h), 1e-13);
    }
}

TEST(Thermostat, leaves_held_coordinates_where_they_are) {
  for (const char* mass : {"mass = 2", "mass = [[2, 0.5, 0.3], [0.5, 1, 0.1], [0.3, 0.1, 2]]"})
    for (const char* friction : {"rate = 0.8", "friction = 0.8"}) {
      const io::Problem p =
          problem(std::string("coordinates = [\"x\", \"y\", \"z\"]\nfixed = [\"y\"]\npotential = \"x^2 + y*z + z^2\"\n") + mass,
                  std::string(friction) + "\ntemperature = 1\nseed = 42", "position = [0.1, 0.2, 0.3]", "name = \"verlet\"");
      const auto integrator = method::make_integrator(p.model, p.method);
      integrator->start(0, p.q0, p.v0);
      ASSERT_TRUE(integrator->advance(50, 0.1).ok);
      Snapshot s;
      integrator->snapshot(s);
      EXPECT_EQ(s.q[1], 0.2);
      EXPECT_EQ(s.v[1], 0);
      EXPECT_NE(s.q[0], 0.1);
      EXPECT_EQ(integrator->bath()->freedoms, 2);
    }
}

invariant::Certificate certificate_of(const io::Problem& p, long steps, double h, std::vector<run::Observer*> observers = {}) {
  const auto integrator = method::make_integrator(p.model, p.method);
  invariant::MomentumMap momentum(p.model);
  run::Task task{"", p.method, p.q0, p.v0, {0, h, steps, std::max(1L, steps / 1000)}};
  task.constraints = invariant::ConstraintMap(p.model);
  run::Options options;
  options.observers = std::move(observers);
  return run::integrate(*integrator, momentum, task, options);
}

// The mean of a function of the positions after each step but the first eighth, with a standard error from 64 blocks.
template <class F>
std::array<double, 2> mean_of(const io::Problem& p, long steps, double h, F&& f) {
  const auto integrator = method::make_integrator(p.model, p.method);
  integrator->start(0, p.q0, p.v0);
  EXPECT_TRUE(integrator->advance(steps / 8, h).ok);
  constexpr long blocks = 64;
  std::vector<double> means;
  Snapshot s;
  for (long b = 0; b < blocks; ++b) {
    double sum = 0;
    for (long k = 0; k < steps / blocks; ++k) {
      EXPECT_TRUE(integrator->advance(1, h).ok);
      integrator->snapshot(s);
      sum += f(s);
    }
    means.push_back(sum / static_cast<double>(steps / blocks));
  }
  double mean = 0, square = 0;
  for (const double x : means) mean += x / blocks;
  for (const double x : means) square += (x - mean) * (x - mean);
  return {mean, std::sqrt(square / (blocks - 1) / blocks)};
}

const char* const pendulum = "coordinates = [\"x\", \"y\"]\nmass = 1\npotential = \"y\"\nconstraints = [\"x^2 + y^2 - 1\"]";
const char* const spherical =
    "coordinates = [\"x\", \"y\", \"z\"]\nmass = [1, 1, 1]\npotential = \"z\"\nconstraints = [\"x^2 + y^2 + z^2 - 1\"]";

// kT = m g l: <cos> = I1(1)/I0(1) in the plane, coth 1 - 1 in space.
TEST(Thermostat, gives_pendulums_the_law_of_Boltzmann) {
  const long steps = ACTIO_TEST_SHORT ? 20000 : 400000;
  for (const char* scheme : {"baoab", "gla", "obabo"}) {
    SCOPED_TRACE(scheme);
    const std::string bath = fmt::format("rate = 1\ntemperature = 1\nseed = 5\nscheme = \"{}\"", scheme);
    const auto [plane, plane_error] = mean_of(problem(pendulum, bath, "position = [0, -1]", "name = \"rattle\""), steps, 0.1,
                                              [](const Snapshot& s) { return -s.q[1]; });
    EXPECT_NEAR(plane, 0.446389965897, 4 * plane_error);
    EXPECT_LT(plane_error, ACTIO_TEST_SHORT ? 0.1 : 0.006);
    const auto [space, space_error] = mean_of(problem(spherical, bath, "position = [0, 0, -1]", "name = \"rattle\""), steps, 0.1,
                                              [](const Snapshot& s) { return -s.q[2]; });
    EXPECT_NEAR(space, 0.313035285499, 4 * space_error);
    EXPECT_LT(space_error, ACTIO_TEST_SHORT ? 0.1 : 0.006);
  }
}

// Two rods of unequal masses leave 2 of 4 degrees of freedom. Friction proportional to the velocity damps the masses at
// different rates: the noise must still give each tangent direction kT/2, at rates of any size.
TEST(Thermostat, shares_the_energy_among_the_freedoms_that_constraints_leave) {
  const char* const rods =
      "coordinates = [\"x1\", \"y1\", \"x2\", \"y2\"]\nmass = [1, 1, 9, 9]\npotential = \"y1 + 9*y2\"\n"
      "constraints = [\"x1^2 + y1^2 - 1\", \"(x2 - x1)^2 + (y2 - y1)^2 - 2\"]";
  const long steps = ACTIO_TEST_SHORT ? 10000 : 200000;
  for (const char* bath : {"rate = 2", "friction = 6", "friction = 60"})
    for (const char* scheme : {"baoab", "gla"}) {
      SCOPED_TRACE(std::string(bath) + scheme);
      const io::Problem p = problem(rods, fmt::format("{}\ntemperature = 0.5\nseed = 11\nscheme = \"{}\"", bath, scheme),
                                    "position = [0, -1, 1, -2]", "name = \"rattle\"");
      const invariant::Certificate c = certificate_of(p, steps, 0.05);
      ASSERT_TRUE(c.thermostat);
      EXPECT_EQ(c.thermostat->freedoms, 2);
      EXPECT_NEAR(c.thermostat->kinetic.value, 0.5, 4 * c.thermostat->kinetic.error);
      EXPECT_LT(c.thermostat->kinetic.error, ACTIO_TEST_SHORT ? 0.1 : 0.01);
      EXPECT_EQ(invariant::word(c.verdict), "kept") << invariant::text(c);
      EXPECT_LT(c.constraints->speed, 1e-12);
    }
}

// A rigid body whose rotation rattle keeps by constraints, with a full ambient mass: each of the three angular velocities about
// its axes gets kT/2.
TEST(Thermostat, shares_the_energy_among_the_rotations_of_a_body) {
  const io::Problem p = problem("bodies = [{ name = \"top\", inertia = [2, 1.5, 1] }]",
                                "rate = 5\ntemperature = 0.5\nseed = 6\nscheme = \"gla\"", "bodies = {}", "name = \"rattle\"");
  const auto integrator = method::make_integrator(p.model, p.method);
  integrator->start(0, p.q0, p.v0);
  const long steps = ACTIO_TEST_SHORT ? 5000 : 40000;
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  Snapshot s;
  for (long k = 0; k < steps; ++k) {
    ASSERT_TRUE(integrator->advance(1, 0.1).ok);
    integrator->snapshot(s);
    using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
    const Eigen::Matrix3d W = Eigen::Map<const Rows>(s.q.data()).transpose() * Eigen::Map<const Rows>(s.v.data());
    sum += Eigen::Vector3d(W(2, 1) * W(2, 1), W(0, 2) * W(0, 2), W(1, 0) * W(1, 0)) / static_cast<double>(steps);
  }
  // Momenta after a step are correlated by exp(-1/2): a variance of squares of 2 (1 + e^-1)/(1 - e^-1).
  const double four_sigma = 4 * std::sqrt(2 * (1 + std::exp(-1.0)) / (1 - std::exp(-1.0)) / static_cast<double>(steps));
  EXPECT_NEAR(2.0 * sum[0] / 0.5, 1, four_sigma);
  EXPECT_NEAR(1.5 * sum[1] / 0.5, 1, four_sigma);
  EXPECT_NEAR(1.0 * sum[2] / 0.5, 1, four_sigma);
}

// A lattice of unequal masses in a potential that is not quadratic, by several methods, one of them composed.
const char* const lattice = R"(coordinates = ["x[12]"]
mass = { x = "1 + 0.5*i" }
[[system.term]]
over = "i = 0..11"
periodic = true
potential = "0.5*(x[i+1] - x[i])^2 + 0.25*x[i]^4")";

TEST(Thermostat, measures_the_temperature_that_it_holds) {
  const long steps = ACTIO_TEST_SHORT ? 5000 : 100000;
  for (const char* method : {"name = \"verlet\"", "name = \"midpoint\"", "name = \"newmark\"",
                             "name = \"zhang-skeel-simplified\"", "name = \"verlet\"\ncompose = { order = 4 }"})
    for (const char* bath : {"rate = 0.5", "friction = 0.5"}) {
      SCOPED_TRACE(std::string(method) + bath);
      const io::Problem p = problem(lattice, fmt::format("{}\ntemperature = 0.3\nseed = 3\nscheme = \"obabo\"", bath),
                                    "position = { x = 0 }", method);
      const invariant::Certificate c = certificate_of(p, steps, 0.1);
      ASSERT_TRUE(c.thermostat && c.ledger);
      EXPECT_NEAR(c.thermostat->kinetic.value, 0.3, 4 * c.thermostat->kinetic.error + 1e-3);
      EXPECT_LT(c.thermostat->kinetic.error, ACTIO_TEST_SHORT ? 0.05 : 0.005);
      EXPECT_NEAR(c.thermostat->configurational.value, 0.3, 4 * c.thermostat->configurational.error + 2e-3);
      EXPECT_LT(c.thermostat->configurational.error, ACTIO_TEST_SHORT ? 0.05 : 0.01);
      EXPECT_GT(c.ledger->heat, 100 * std::abs(c.ledger->method));
      EXPECT_EQ(c.broken.size(), 0U) << invariant::text(c);
    }
}

// What the ledger lacks is what the steps without noise lose: with a method that loses nothing, round-off.
TEST(Thermostat, exchanges_the_energy_that_the_ledger_tells) {
  const io::Problem p =
      problem(lattice, "rate = 0.5\ntemperature = 0.3\nseed = 3", "position = { x = 0.1 }", "name = \"energy-momentum\"");
  const invariant::Certificate c = certificate_of(p, 2000, 0.2);
  ASSERT_TRUE(c.ledger);
  EXPECT_LT(c.ledger->worst_method, 1e-11);
  EXPECT_GT(c.ledger->heat, 1);
  EXPECT_GT(c.ledger->dissipated, 1);
  EXPECT_NEAR(c.ledger->change, c.ledger->heat - c.ledger->dissipated, 1e-11);
}

Snapshot path(const io::Problem& p, std::initializer_list<long> batches) {
  const auto integrator = method::make_integrator(p.model, p.method);
  integrator->start(0, p.q0, p.v0);
  for (const long steps : batches) EXPECT_TRUE(integrator->advance(steps, 0.05).ok);
  Snapshot s;
  integrator->snapshot(s);
  return s;
}
void expect_same(const Snapshot& a, const Snapshot& b) {
  const auto bytes = static_cast<std::size_t>(a.q.size()) * sizeof(double);
  EXPECT_EQ(std::memcmp(a.q.data(), b.q.data(), bytes), 0);
  EXPECT_EQ(std::memcmp(a.p.data(), b.p.data(), bytes), 0);
}

TEST(Thermostat, gives_the_same_path_for_any_number_of_threads_and_batches) {
  const std::string many =
      "coordinates = [\"x[20000]\"]\nmass = { x = \"1 + 0.5*sin(i)^2\" }\n[[system.term]]\nover = \"i = 0..19999\"\n"
      "periodic = true\npotential = \"0.5*(x[i+1] - x[i])^2 + 0.25*x[i]^4\"";
  const int threads = core::threads();
  for (const char* scheme : {"gla", "baoab", "obabo"}) {
    const io::Problem p = problem(many, fmt::format("rate = 1\ntemperature = 1\nseed = 9\nscheme = \"{}\"", scheme),
                                  "position = { x = \"sin(i)\" }", "name = \"verlet\"");
    core::set_threads(1);
    const Snapshot one = path(p, {20});
    core::set_threads(2);
    expect_same(one, path(p, {20}));
    core::set_threads(3);
    expect_same(one, path(p, {1, 7, 12}));
  }
  core::set_threads(threads);
}

TEST(Thermostat, of_no_friction_changes_no_bit) {
  for (const char* scheme : {"gla", "baoab", "obabo"})
    for (const char* friction : {"rate = 0", "friction = 0"}) {
      io::Problem p = problem(lattice, fmt::format("{}\ntemperature = 1\nseed = 9\nscheme = \"{}\"", friction, scheme),
                              "position = { x = \"sin(i)\" }", "name = \"verlet\"");
      const Snapshot with = path(p, {100});
      p.model.thermostat.reset();
      expect_same(with, path(p, {100}));
    }
}

TEST(Thermostat, of_another_seed_gives_another_path) {
  const auto x = [](long seed) {
    return path(problem(lattice, fmt::format("rate = 1\ntemperature = 1\nseed = {}", seed), "position = { x = 0 }",
                        "name = \"verlet\""),
                {10})
        .q;
  };
  EXPECT_EQ(x(1), x(1));
  EXPECT_GT((x(1) - x(2)).norm(), 0.01);
}

}  // namespace
}  // namespace actio::laws::noise
