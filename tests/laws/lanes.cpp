#include "../../src/expr/compiled_text.hpp"
#include "../../src/method/lanes/system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <actio/method/lanes.hpp>

#include "steps.hpp"

// What the generated steps of an ensemble must do, as every stepper.
namespace actio::laws {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using method::Lanes;

// Three coordinates, coupled and nonlinear, of unequal masses; `moving`: the potential depends on the time.
io::Problem coupled(const std::string& method, bool moving = false) {
  const std::string time = moving ? " + 0.3*x*sin(2*t)" : "";
  return io::load_text(R"toml([system]
coordinates = ["x", "y", "z"]
parameters = { c = 0.7, d = 1.3 }
mass = [1, 2.5, 0.4]
potential = "0.5*(x^2 + y^2) + c*x^2*y - d*cos(x - z) + 0.1*exp(0.5*z)*y^2)toml" +
                           time + R"toml("
[initial]
position = [0.4, -0.3, 0.9]
velocity = [0.2, 0.5, -0.7]
[method]
)toml" + method + R"toml(
[run]
step = 0.1
end = 1
)toml",
                       "coupled.toml");
}

constexpr long width = Lanes::width;

class Flow {
 public:
  explicit Flow(const io::Problem& problem, std::span<const int> varied = {})
      : n_(problem.model.size()), lanes_(problem.model, problem.method, varied) {}

  // All lanes start at z, but those that `change` changes.
  template <class Change>
  std::vector<double> block(const VectorXd& z, double h, long steps, Change&& change, const double* c = nullptr) {
    std::vector<double> x(static_cast<std::size_t>(lanes_.rows() * width)), note(Lanes::note_rows * width);
    for (long row = 0; row < 2 * n_; ++row)
      for (long l = 0; l < width; ++l) x[static_cast<std::size_t>(row * width + l)] = z[row];
    change(x);
    lanes_.start(0, c, x.data());
    Lanes::Before before;
    Lanes::Substeps substeps;
    for (long k = 0; k < steps; ++k) lanes_.add(static_cast<double>(k) * h, h, before, substeps);
    lanes_.step(substeps, c, x.data(), note.data());
    for (long l = 0; l < width; ++l) EXPECT_EQ(note[static_cast<std::size_t>(l)], 0) << "lane " << l;
    return x;
  }
  VectorXd operator()(const VectorXd& z, double h, long steps = 1) {
    const auto x = block(z, h, steps, [](auto&) {});
    return lane(x, 0);
  }
  VectorXd lane(const std::vector<double>& x, long l) const {
    VectorXd out(2 * n_);
    for (long row = 0; row < 2 * n_; ++row) out[row] = x[static_cast<std::size_t>(row * width + l)];
    return out;
  }

 private:
  long n_;
  Lanes lanes_;
};

VectorXd start_of(const io::Problem& p) {
  VectorXd z(2 * p.model.size());
  z << p.q0, p.model.mass.diagonal.cwiseProduct(p.v0);
  return z;
}

struct Lane {
  const char* name;
  const char* method;
  int order;
};
void PrintTo(const Lane& c, std::ostream* out) { *out << c.name; }

class Generated : public testing::TestWithParam<Lane> {};
INSTANTIATE_TEST_SUITE_P(
    steps, Generated,
    testing::Values(Lane{"verlet", "name = \"verlet\"", 2}, Lane{"position_verlet", "name = \"verlet\"\nform = \"position\"", 2},
                    Lane{"midpoint", "name = \"midpoint\"", 2}, Lane{"verlet4", "name = \"verlet\"\ncompose = { order = 4 }", 4},
                    Lane{"position_verlet4", "name = \"verlet\"\nform = \"position\"\ncompose = { order = 4 }", 4},
                    Lane{"midpoint4", "name = \"midpoint\"\ncompose = { order = 4 }", 4}),
    [](const auto& which) { return std::string(which.param.name); });

TEST_P(Generated, are_symplectic) {
  const io::Problem problem = coupled(GetParam().method);
  Flow flow(problem);
  const MatrixXd J = differences([&](const VectorXd& z) { return flow(z, 0.2); }, start_of(problem));
  MatrixXd omega = MatrixXd::Zero(6, 6);
  omega.topRightCorner(3, 3).setIdentity();
  omega.bottomLeftCorner(3, 3) = -MatrixXd::Identity(3, 3);
  EXPECT_LT((J.transpose() * omega * J - omega).norm(), 1e-9);
}

TEST_P(Generated, run_backwards) {
  const io::Problem problem = coupled(GetParam().method);
  Flow flow(problem);
  const VectorXd z = start_of(problem);
  EXPECT_LT((flow(flow(z, 0.2), -0.2) - z).norm(), 1e-14);
  EXPECT_GT((flow(z, 0.2) - z).norm(), 0.1);
}

TEST_P(Generated, have_the_stated_order_also_in_a_field_that_changes) {
  for (const bool moving : {false, true}) {
    const io::Problem problem = coupled(GetParam().method, moving);
    Flow flow(problem);
    auto exact = method::make_integrator(problem.model, {method::Verlet{}, true, {8, "kahan-li"}});
    const VectorXd z = start_of(problem);
    const VectorXd truth = laws::flow(*exact, z, 1.0 / 256, 256);
    const auto error = [&](long steps) { return (flow(z, 1.0 / static_cast<double>(steps), steps) - truth).norm(); };
    const long fine = GetParam().order == 2 ? 256 : 64;
    EXPECT_NEAR(std::log2(error(fine / 2) / error(fine)), GetParam().order, 0.2) << (moving ? "moving" : "at rest");
  }
}

// The same method by its stepper: nothing but rounding, which this orderly motion does not make grow, differs.
TEST_P(Generated, go_where_the_stepper_goes) {
  const io::Problem problem = coupled(GetParam().method, true);
  Flow flow(problem);
  auto integrator = method::make_integrator(problem.model, problem.method);
  const VectorXd z = start_of(problem);
  constexpr long steps = 100;
  const VectorXd expected = laws::flow(*integrator, z, 0.1, steps);
  EXPECT_LT((flow(z, 0.1, steps) - expected).norm(), 1e-12);
  EXPECT_GT((expected - z).norm(), 0.1);
}

// Another machine, a GPU say, puts other surroundings before the text: here functions of libm as they are, and one lane a call.
TEST_P(Generated, are_the_same_with_one_lane_and_surroundings_of_ones_own) {
  const io::Problem problem = coupled(GetParam().method, true);
  const std::string surroundings =
      "#include <math.h>\n#define ACTIO_LANES 1\n#define ACTIO_GROUP 1\n#define ACTIO_FUNCTION\n#define ACTIO_INDEPENDENT\n";
  const auto code = expr::CompiledText::build(surroundings + Lanes::text(problem.model, problem.method, {}), {});
  const auto start = reinterpret_cast<void (*)(double, const double*, const double*, double*)>(code.symbol("lanes_start"));
  const auto step = reinterpret_cast<void (*)(long, const double*, const double*, const double*, const double*, const double*,
                                              const double*, const double*, double*, double*)>(code.symbol("lanes_step"));
  ASSERT_TRUE(start != nullptr && step != nullptr) << code.why_not();
  Lanes lanes(problem.model, problem.method, {});
  constexpr long steps = 100;
  Lanes::Before before;
  Lanes::Substeps substeps;
  for (long k = 0; k < steps; ++k) lanes.add(0.1 * static_cast<double>(k), 0.1, before, substeps);
  const VectorXd z = start_of(problem);
  const std::vector<double> u = method::lanes::uniforms_of(problem.model);
  std::vector<double> x(static_cast<std::size_t>(lanes.rows())), note(Lanes::note_rows);
  std::copy(z.begin(), z.end(), x.begin());
  start(0, u.data(), nullptr, x.data());
  step(static_cast<long>(substeps.h.size()), substeps.h.data(), substeps.at.data(), substeps.s.data(), substeps.end.data(),
       substeps.whole.data(), u.data(), nullptr, x.data(), note.data());
  EXPECT_EQ(note[0], 0);
  Flow flow(problem);
  EXPECT_LT((Eigen::Map<VectorXd>(x.data(), z.size()) - flow(z, 0.1, steps)).norm(), 1e-12);
}

TEST_P(Generated, do_not_depend_on_their_lane_or_their_neighbours) {
  const io::Problem problem = coupled(GetParam().method);
  Flow flow(problem);
  const VectorXd z = start_of(problem);
  const VectorXd alone = flow(z, 0.1, 50);
  for (const long here : {0L, 1L, 7L, 8L, 31L, 63L}) {
    const auto x = flow.block(z, 0.1, 50, [&](std::vector<double>& all) {
      for (long row = 0; row < 6; ++row)
        for (long l = 0; l < width; ++l)
          if (l != here) all[static_cast<std::size_t>(row * width + l)] *= 1 + 0.004 * static_cast<double>(l);
    });
    const VectorXd found = flow.lane(x, here);
    EXPECT_EQ(std::memcmp(found.data(), alone.data(), 6 * sizeof(double)), 0) << "lane " << here;
    EXPECT_NE(flow.lane(x, 5 + (here == 5)), alone);
  }
}

// Arguments of cos and exp beyond what the vector code takes, and a state that is lost.
TEST_P(Generated, do_not_depend_on_a_neighbour_that_is_lost) {
  const io::Problem problem = coupled(GetParam().method);
  Lanes lanes(problem.model, problem.method, {});
  const VectorXd z = start_of(problem);
  Flow flow(problem);
  const VectorXd alone = flow(z, 0.1, 50);
  std::vector<double> x(static_cast<std::size_t>(lanes.rows() * width)), note(Lanes::note_rows * width);
  for (long row = 0; row < 6; ++row)
    for (long l = 0; l < width; ++l)
      x[static_cast<std::size_t>(row * width + l)] = l % 3 == 1 ? z[row] : l % 3 == 2 ? 1e9 * z[row] : std::nan("");
  lanes.start(0, nullptr, x.data());
  Lanes::Before before;
  Lanes::Substeps substeps;
  for (long k = 0; k < 50; ++k) lanes.add(0.1 * static_cast<double>(k), 0.1, before, substeps);
  lanes.step(substeps, nullptr, x.data(), note.data());
  for (long l = 1; l < width; l += 3) {
    const VectorXd found = flow.lane(x, l);
    EXPECT_EQ(std::memcmp(found.data(), alone.data(), 6 * sizeof(double)), 0) << "lane " << l;
  }
}

TEST_P(Generated, are_the_same_in_one_call_and_in_many) {
  const io::Problem problem = coupled(GetParam().method, true);
  Lanes lanes(problem.model, problem.method, {});
  const VectorXd z = start_of(problem);
  std::vector<double> once(static_cast<std::size_t>(lanes.rows() * width)), often, note(Lanes::note_rows * width);
  for (long row = 0; row < 6; ++row)
    for (long l = 0; l < width; ++l) once[static_cast<std::size_t>(row * width + l)] = z[row];
  lanes.start(0, nullptr, once.data());
  often = once;
  Lanes::Before before, again;
  Lanes::Substeps all;
  for (long k = 0; k < 20; ++k) {
    lanes.add(0.1 * static_cast<double>(k), 0.1, before, all);
    Lanes::Substeps one;
    lanes.add(0.1 * static_cast<double>(k), 0.1, again, one);
    lanes.step(one, nullptr, often.data(), note.data());
  }
  lanes.step(all, nullptr, once.data(), note.data());
  EXPECT_EQ(std::memcmp(once.data(), often.data(), once.size() * sizeof(double)), 0);
}

TEST(GeneratedSteps, take_parameters_by_lane) {
  const io::Problem problem = coupled("name = \"midpoint\"");
  const std::vector<int> varied{1};  // d
  Flow flow(problem, varied);
  std::vector<double> d(width);
  for (long l = 0; l < width; ++l) d[static_cast<std::size_t>(l)] = 1 + 0.01 * static_cast<double>(l);
  const VectorXd z = start_of(problem);
  const auto x = flow.block(
      z, 0.1, 30, [](auto&) {}, d.data());
  for (const long l : {0L, 30L, 63L}) {
    io::Problem one = problem;
    one.model.parameters[1] = d[static_cast<std::size_t>(l)];
    auto integrator = method::make_integrator(one.model, one.method);
    EXPECT_LT((flow.lane(x, l) - laws::flow(*integrator, z, 0.1, 30)).norm(), 1e-12) << "lane " << l;
  }
  EXPECT_GT((flow.lane(x, 0) - flow.lane(x, 63)).norm(), 0.01);
}

TEST(GeneratedSteps, name_what_they_are_not_made_for) {
  const auto why = [](io::Problem p) { return Lanes::why_not(p.model, p.method); };
  EXPECT_EQ(why(coupled("name = \"verlet\"")), "");
  EXPECT_NE(why(coupled("name = \"newmark\"")).find("for verlet and midpoint, not for newmark"), std::string::npos);
  EXPECT_NE(why(io::load("examples/double-pendulum.toml")).find("not for"), std::string::npos);
  EXPECT_NE(why(io::load("examples/damped-oscillator.toml", {{}, "midpoint"})).find("friction"), std::string::npos);
}

}  // namespace
}  // namespace actio::laws
