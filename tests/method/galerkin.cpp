#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/discrete/galerkin.hpp>
#include <actio/io/problem.hpp>
#include <actio/method/galerkin.hpp>
#include <actio/method/integrator.hpp>
#include <actio/system/mechanical.hpp>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace actio::method {
namespace {

using discrete::Galerkin;

constexpr const char* kepler = R"toml(
[system]
coordinates = ["x", "y"]
mass = 1
potential = "-1/sqrt(x^2 + y^2)"
[initial]
position = [0.4, 0]
velocity = [0, 2]
[method]
name = "verlet"
[run]
step = 0.1
steps = 1
)toml";

// Two links: a kinetic energy that depends on the position.
constexpr const char* links = R"toml(
[system]
coordinates = ["u", "v"]
lagrangian = "u'^2 + 0.5*v'^2 + u'*v'*cos(u - v) + 2*cos(u) + cos(v)"
[initial]
position = [1, -0.5]
velocity = [0.3, 0.7]
[method]
name = "midpoint"
[run]
step = 0.1
steps = 1
)toml";

constexpr const char* chain = R"toml(
[system]
coordinates = ["x[40]"]
mass = 1
potential = "0"
[[system.term]]
over = "i = 0..38"
potential = "5e3*(x[i+1] - x[i])^2"
[[system.term]]
over = "i = 0..39"
potential = "0.5*(1 + i/20)*x[i]^2 + 0.01*x[i]^4"
[initial]
position = { x = "sin(7*i)" }
[method]
name = "midpoint"
[run]
step = 0.1
steps = 1
)toml";

struct End {
  Eigen::VectorXd q, p;
  int iterations = 0;  // the most of a step
};
End run(const char* text, const AnyMethod& method, double end, long steps) {
  const io::Problem problem = io::load_text(text, "test.toml");
  const auto integrator = make_integrator(problem.model, Spec{method, false, {}});
  integrator->start(0, problem.q0, problem.v0);
  const double h = end / static_cast<double>(steps);
  End out;
  for (long k = 0; k < steps; ++k) {
    const auto report = integrator->advance(1, h);
    EXPECT_TRUE(report.ok);
    out.iterations = std::max(out.iterations, static_cast<int>(report.iterations));
  }
  Snapshot now;
  integrator->snapshot(now);
  out.q = now.q;
  out.p = now.p;
  return out;
}

double kepler_return(const AnyMethod& method, long steps) {
  return (run(kepler, method, 2 * std::numbers::pi, steps).q - Eigen::Vector2d(0.4, 0)).norm();
}

TEST(Galerkin, has_the_coefficients_of_gauss_and_lobatto) {
  for (int m = 1; m <= Galerkin::most; ++m) {
    const Galerkin gauss = Galerkin::gauss(m), lobatto = Galerkin::lobatto(m);
    Eigen::MatrixXd A(m, m);
    for (int k = 0; k < m; ++k)
      for (int j = 0; j < m; ++j) A(k, j) = gauss.A[k][j];
    EXPECT_NEAR(gauss.gamma, A.eigenvalues().cwiseAbs().minCoeff(), 1e-4) << m;
    for (const Galerkin* rule : {&gauss, &lobatto}) {
      // int_0^1 s^n: Gauss to 2m - 1, Lobatto with m + 1 nodes to 2m - 1 too
      for (int n = 0; n < 2 * m; ++n) {
        double sum = 0;
        for (std::size_t k = 0; k < rule->nodes.size(); ++k) sum += rule->weights[k] * std::pow(rule->nodes[k], n);
        EXPECT_NEAR(sum, 1.0 / (n + 1), 1e-15) << m << " " << n;
      }
      for (std::size_t k = 0; k < rule->nodes.size(); ++k) {  // a path of constant velocity
        double sum = 0, value = 0;
        for (int j = 0; j < m; ++j) {
          sum += rule->A[k][j];
          value += rule->values[k][j];
        }
        EXPECT_NEAR(sum, rule->nodes[k], 1e-14);
        EXPECT_NEAR(value, 1, 1e-13);
      }
    }
  }
}

TEST(Galerkin, is_midpoint_and_verlet_at_degree_one) {
  const End gauss = run(links, Gauss{1}, 3, 40), midpoint = run(links, Midpoint{}, 3, 40);
  EXPECT_LT((gauss.q - midpoint.q).norm() + (gauss.p - midpoint.p).norm(), 1e-12);
  const End lobatto = run(kepler, Lobatto{1}, 3, 100), verlet = run(kepler, Verlet{}, 3, 100);
  EXPECT_LT((lobatto.q - verlet.q).norm() + (lobatto.p - verlet.p).norm(), 1e-12);
  const End general = run(links, Lobatto{1}, 3, 40), symmetric = run(links, Variational{0, true}, 3, 40);
  EXPECT_LT((general.q - symmetric.q).norm() + (general.p - symmetric.p).norm(), 1e-12);
}

// Reference digits by an independent program (collocation with numpy).
TEST(Galerkin, returns_to_where_an_ellipse_began_but_for_known_errors) {
  EXPECT_NEAR(kepler_return(Gauss{2}, 100), 3.58808e-4, 1e-9);
  EXPECT_NEAR(kepler_return(Gauss{2}, 200), 2.33608e-5, 1e-10);
  EXPECT_NEAR(kepler_return(Gauss{3}, 100), 2.61343e-6, 1e-11);
  EXPECT_NEAR(kepler_return(Gauss{3}, 200), 4.0016e-8, 2e-12);
  EXPECT_NEAR(kepler_return(Gauss{4}, 100), 8.558e-10, 5e-12);
  EXPECT_NEAR(kepler_return(Lobatto{2}, 200), 2.70262e-5, 1e-10);
  EXPECT_NEAR(kepler_return(Lobatto{3}, 200), 2.2578e-8, 5e-12);
}

// Two-sided, while round-off leaves room.
TEST(Galerkin, has_twice_the_order_of_its_degree_for_any_lagrangian) {
  const Eigen::VectorXd truth = run(links, Gauss{6}, 0.6, 30).q;
  const auto error = [&](const AnyMethod& method, long steps) { return (run(links, method, 0.6, steps).q - truth).norm(); };
  const long steps[] = {0, 16, 8, 6, 3, 2};
  for (int m = 1; m <= 5; ++m) {
    EXPECT_NEAR(std::log2(error(Gauss{m}, steps[m]) / error(Gauss{m}, 2 * steps[m])), 2 * m, 0.2) << m;
    EXPECT_NEAR(std::log2(error(Lobatto{m}, steps[m]) / error(Lobatto{m}, 2 * steps[m])), 2 * m, 0.2) << m;
  }
}

// q(5) by an independent program, DOP853 with long doubles. The last digit of a double there is 2.2e-16. Generated steps and
// those of the stepper, many of them as few.
TEST(Galerkin, ends_a_motion_at_its_last_digits) {
  using Space = BuildOptions::Space;
  const Eigen::Vector2d at_five(0.403622919702020046, -1.68533403765007111);
  const io::Problem problem = io::load_text(links, "test.toml");
  for (const Space space : {Space::automatic, Space::dense})
    for (const auto& [stages, steps] : {std::pair(6, 100), {6, 400}, {6, 1600}, {5, 1600}}) {
      const auto integrator = make_integrator(problem.model, Spec{Gauss{stages}, false, {}}, {{}, space});
      integrator->start(0, problem.q0, problem.v0);
      ASSERT_TRUE(integrator->advance(steps, 5.0 / steps).ok);
      Snapshot s;
      integrator->snapshot(s);
      EXPECT_LT((s.q - at_five).norm(), 1e-15) << stages << " " << steps;
    }
}

// The polynomial of a step says nothing of one a thousand million times longer.
TEST(Galerkin, goes_on_after_a_much_shorter_step) {
  const io::Problem problem = io::load_text(kepler, "test.toml");
  for (const AnyMethod& method : {AnyMethod(Gauss{6}), AnyMethod(Lobatto{5})}) {
    const auto integrator = make_integrator(problem.model, Spec{method, false, {}});
    integrator->start(0, problem.q0, problem.v0);
    const double energy = integrator->energy();
    for (const double h : {0.02, 2e-11, 0.02, 0.02}) ASSERT_TRUE(integrator->advance(1, h).ok);
    EXPECT_NEAR(integrator->energy(), energy, 1e-12);
  }
}

// A chain with h w of 6, 20 and 200. An independent program takes at most 15, 24, 31, 43 iterations to 1e-12 from a constant;
// four more digits take what its contractions say.
TEST(Galerkin, solves_stiff_steps_with_one_matrix) {
  const std::pair<int, int> most[] = {{2, 15 + 5}, {3, 24 + 7}, {4, 31 + 10}, {6, 43 + 14}};
  for (const auto& [stages, iterations] : most)
    for (const double h : {0.03, 0.1, 1.0})
      EXPECT_LE(run(chain, Gauss{stages}, 5 * h, 5).iterations, iterations) << stages << " " << h;
}

// Stiff and not linear. Where the stiffness grows from 1 to 9 times what it was the old matrix serves for a while each time, and
// a step resumed goes on with it to the bit.
TEST(Galerkin, makes_a_new_factor_only_when_the_old_one_slows_the_iteration) {
  using Space = BuildOptions::Space;
  const auto started = [](const io::Problem& problem, Space space) {
    auto integrator = make_integrator(problem.model, Spec{Gauss{3}, false, {}}, {{}, space});
    integrator->start(0, problem.q0, problem.v0);
    return integrator;
  };
  std::string text = chain;
  const io::Problem steady = io::load_text(text, "test.toml");
  text.replace(text.find("5e3*"), 4, "5e3*(1 + 2*t)*");
  const io::Problem grows = io::load_text(text, "test.toml");
  for (const Space space : {Space::dense, Space::sparse}) {
    const auto integrator = started(steady, space);
    const BatchReport first = integrator->advance(1, 0.1), others = integrator->advance(40, 0.1);
    ASSERT_TRUE(first.ok && others.ok);
    EXPECT_EQ(first.factorisations, 1);
    EXPECT_EQ(others.factorisations, 0);

    const auto growing = started(grows, space), resumed = started(grows, space);
    long made = 0;
    for (int k = 0; k < 40; ++k) {
      const BatchReport one = growing->advance(1, 0.1);
      ASSERT_TRUE(one.ok);
      made += one.factorisations;
      if (k != 30) continue;
      core::Archive out;
      growing->archive(out);
      core::Archive in(out.bytes());
      resumed->archive(in);
    }
    EXPECT_GE(made, 2);
    EXPECT_LE(made, 12);
    ASSERT_TRUE(resumed->advance(9, 0.1).ok);
    Snapshot a, b;
    growing->snapshot(a);
    resumed->snapshot(b);
    EXPECT_EQ((a.q - b.q).norm() + (a.p - b.p).norm(), 0);
  }
}

// W of x'' = 1 is v + c h.
TEST(Galerkin, gives_the_polynomial_of_the_last_step) {
  std::string text = kepler;
  text.replace(text.find("-1/sqrt(x^2 + y^2)"), 18, "-x");
  const io::Problem problem = io::load_text(text, "test.toml");
  const double h = 0.2;
  for (const AnyMethod& method : {AnyMethod(Gauss{3}), AnyMethod(Lobatto{2})}) {
    const auto integrator = make_integrator(problem.model, Spec{method, false, {}});
    integrator->start(0, problem.q0, problem.v0);
    std::vector<double> nodes;
    Eigen::MatrixXd W;
    EXPECT_FALSE(integrator->path(nodes, W));
    ASSERT_TRUE(integrator->advance(4, h).ok);
    ASSERT_TRUE(integrator->path(nodes, W));
    ASSERT_EQ(W.rows(), 2);
    ASSERT_EQ(W.cols(), static_cast<long>(nodes.size()));
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      EXPECT_NEAR(W(0, static_cast<long>(j)), 3 * h + nodes[j] * h, 1e-14);
      EXPECT_NEAR(W(1, static_cast<long>(j)), 2, 1e-14);
    }
    integrator->start(0, problem.q0, problem.v0);
    EXPECT_FALSE(integrator->path(nodes, W));
  }
  std::vector<double> nodes;
  Eigen::MatrixXd W;
  const auto other = make_integrator(problem.model, Spec{Verlet{}, false, {}});
  other->start(0, problem.q0, problem.v0);
  ASSERT_TRUE(other->advance(1, h).ok);
  EXPECT_FALSE(other->path(nodes, W));
}

struct Attraction {  // V = -1/|q|
  using Space = algebra::DenseSpace<2>;
  using Vector = Space::Vector;
  using Matrix = Space::Matrix;
  double value(const Vector& q) const { return -1 / std::sqrt(dot(q, q)); }
  void gradient(const Vector& q, Vector& g) const {
    const double r2 = dot(q, q);
    g = (1 / (r2 * std::sqrt(r2))) * q;
  }
  void hessian(const Vector&, Matrix& H) const { H.setZero(); }  // no step asks for it
};

// Where truncation is below rounding. Roundings of the sums, half an eps a step, would carry it to some sqrt(250000) eps/2 =
// 5e-14 (1e-13 without what is kept below the last digits); iterations left at eps/4 of W drift to 1.5e-12 by gauss(4).
TEST(Galerkin, keeps_energy_to_a_few_eps_over_many_steps) {
  for (const discrete::Galerkin& rule : {Galerkin::gauss(6), Galerkin::gauss(4)}) {
    double sum = 0;
    for (const double speed : {1.22, 1.23, 1.24, 1.25}) {
      GalerkinStepper stepper(system::Mechanical{Attraction{}}, rule);
      Eigen::Vector2d q(0.8, 0), p(0, speed);
      auto x = stepper.start(0, q, p);
      const auto energy = [&] {
        const auto square = [](const auto& high, const auto& low) {
          long double out = 0;
          for (int i = 0; i < 2; ++i)
            out += (high[i] + static_cast<long double>(low[i])) * (high[i] + static_cast<long double>(low[i]));
          return out;
        };
        return square(x.p, x.p_low) / 2 - 1 / std::sqrt(square(x.q, x.q_low));
      };
      const long double start = energy();
      for (int k = 0; k < (ACTIO_TEST_SHORT ? 20000 : 250000); ++k) ASSERT_TRUE(stepper.step(x, 0.02).converged);
      const double error = static_cast<double>((energy() - start) / start);
      sum += error * error;
    }
    EXPECT_LT(std::sqrt(sum / 4), 2e-14);
  }
}

}  // namespace
}  // namespace actio::method
