#include <gtest/gtest.h>

#include <fmt/format.h>
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <method/count_allocations.hpp>
#include <type_traits>
#include <vector>

// No allocation inside a step, once the first steps are made.
namespace actio::method {
namespace {

using tests::allocations;

[[gnu::noinline]] void add(std::vector<Spec>& all, const AnyMethod& choice, int order = 0) {
  all.push_back({choice, order > 0, {order > 0 ? order : 4, "suzuki"}});
}
template <class... Methods>
void add_each(std::vector<Spec>& all, std::type_identity<std::variant<Methods...>>) {
  (add(all, Methods{}), ...);
}

// Every method as it comes, and some with other coefficients.
const std::vector<Spec>& every_method() {
  static const std::vector<Spec> specs = [] {
    std::vector<Spec> all;
    add_each(all, std::type_identity<AnyMethod>{});
    add(all, Newmark{0, 0.5});
    add(all, Newmark{0.25, 0.5, 1});
    add(all, Variational{0.25, true});
    add(all, Variational{0.25, false});
    add(all, Variational{0.75, false});
    add(all, MinimisingNewmark{0, 0.5, 0.5});
    add(all, Midpoint{}, 4);
    add(all, ZhangSkeel{}, 4);
    return all;
  }();
  return specs;
}

void expect_none(const io::Problem& problem, const Spec& spec, const BuildOptions& options, const std::string& name) {
  const auto integrator = make_integrator(problem.model, spec, options);
  const double h = problem.schedule.step[0];
  integrator->start(0, problem.q0, problem.v0);
  ASSERT_TRUE(integrator->advance(5, h).ok) << name;
  const long before = allocations();
  const bool ok = integrator->advance(20, h).ok;
  const long made = allocations() - before;
  EXPECT_TRUE(ok) << name;
  EXPECT_EQ(made, 0) << name << ", " << spec.description().name << (spec.composed ? " composed" : "");
}

// A ring of n unit masses with springs of V = d^2/2 + d^4/4 between neighbours and to the ground.
io::Problem ring(int n) {
  return io::load_text(fmt::format(R"toml(
[system]
coordinates = ["q[{0}]"]
mass = 1
[[system.term]]
over = "i = 0..{1}"
periodic = true
potential = "q[i]^2/2 + (q[i+1] - q[i])^2/2 + (q[i+1] - q[i])^4/4"
stiff = true
[initial]
position = {{ q = "0.3*sin(i + 1)" }}
velocity = {{ q = "0.2*cos(i + 1)" }}
[method]
name = "verlet"
[run]
step = 0.05
steps = 10
)toml",
                                   n, n - 1),
                       "ring.toml");
}

void expect_none_on_rings(BuildOptions::Space space, std::initializer_list<int> sizes) {
  for (const int n : sizes) {
    const io::Problem problem = ring(n);
    for (const Spec& spec : every_method())
      if (!spec.transforms_time() && why_incompatible(problem.model, spec).empty())
        expect_none(problem, spec, {{"none", {}}, space}, fmt::format("{} coordinates", n));
  }
}

}  // namespace

TEST(Allocations, are_counted) {
  const long before = allocations();
  const Eigen::VectorXd x(100);
  const auto y = std::make_unique<double>(x.size());
  EXPECT_EQ(allocations() - before, 2);
}

TEST(Allocations, none_in_a_step_of_two_to_four_coordinates) { expect_none_on_rings(BuildOptions::Space::fixed, {2, 3, 4}); }
TEST(Allocations, none_in_a_step_on_a_dense_space) { expect_none_on_rings(BuildOptions::Space::dense, {3, 6, 40}); }
TEST(Allocations, none_in_a_step_on_a_sparse_space) { expect_none_on_rings(BuildOptions::Space::sparse, {200}); }

// Problem files: a separable system of 2, one of 6 with several terms, a Lagrangian.
TEST(Allocations, none_in_a_batch_of_steps_of_a_problem_file) {
  using Space = BuildOptions::Space;
  for (const char* file :
       {"examples/oscillator.toml", "examples/damped-oscillator.toml", "examples/fpu.toml", "examples/pendulum.toml"}) {
    const io::Problem problem = io::load(file);
    for (const Spec& spec : every_method())
      if (!spec.transforms_time() && why_incompatible(problem.model, spec).empty())
        for (const Space space : {Space::fixed, Space::dense, Space::sparse})
          for (const char* compiler : {"", "none"})
            expect_none(problem, spec, {{compiler, {}}, space}, fmt::format("{}, space {}", file, static_cast<int>(space)));
  }
}

}  // namespace actio::method
