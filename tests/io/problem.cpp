#include <actio/io/problem.hpp>
#include <common.hpp>

#include <cmath>
#include <limits>

#include "evaluate.hpp"
#include "support.hpp"

namespace actio::io::test {
namespace {

using Kind = system::MassMatrix::Kind;
// The same for any Lagrangian.
const std::string general = with(oscillator, "name = \"newmark\"\nbeta = 0.25", "name = \"midpoint\"");
using actio::test::eps;

TEST(Problem, has_every_part_of_its_file) {
  const Problem problem = load_text(oscillator, "folder/p.toml");
  EXPECT_EQ(problem.path, "folder/p.toml");
  EXPECT_EQ(problem.text, oscillator);
  EXPECT_EQ(problem.model.title, "Oscillator");
  ASSERT_EQ(problem.model.families.size(), 2U);
  EXPECT_EQ(problem.model.families[1].name, "y");
  EXPECT_EQ(problem.model.families[1].offset, 1);
  EXPECT_FALSE(problem.model.families[1].indexed);
  EXPECT_EQ(problem.model.parameter_names, std::vector<std::string>{"c"});
  EXPECT_EQ(problem.model.parameters, std::vector<double>{1.0});
  EXPECT_EQ(problem.q0, vector({1.2, 0}));
  EXPECT_EQ(problem.v0, vector({0, 0.2}));
  EXPECT_EQ(std::get<method::Newmark>(problem.method.choice).beta, 0.25);
  EXPECT_EQ(std::get<method::Newmark>(problem.method.choice).gamma, 0.5);
  EXPECT_EQ(problem.schedule.step, 0.2);
  EXPECT_EQ(problem.schedule.steps, 50);
  EXPECT_EQ(problem.schedule.every, 1);
  EXPECT_EQ(problem.bounds.energy, std::numeric_limits<double>::infinity());
}

TEST(Problem, does_not_depend_on_the_order_of_its_keys) {
  const Problem one = load_text(oscillator, "p.toml");
  const Problem other = load_text(R"toml([run]
end = 10.0
step = 0.2
[method]
beta = 0.25
name = "newmark"
[initial]
velocity = [0.0, 0.2]
position = [1.2, 0.0]
[system]
potential = "c*(x^2 + y^2)"
mass = [1.0, 1.0]
parameters = { c = 1.0 }
coordinates = ["x", "y"]
)toml",
                                  "p.toml");
  EXPECT_EQ(one.q0, other.q0);
  EXPECT_EQ(one.v0, other.v0);
  EXPECT_EQ(one.model.mass.diagonal, other.model.mass.diagonal);
  EXPECT_EQ(energy(one.model, one.q0, one.v0), energy(other.model, one.q0, one.v0));
  EXPECT_EQ(one.schedule.steps, other.schedule.steps);
  EXPECT_EQ(one.method.name(), other.method.name());
}

TEST(Problem, read_twice_is_the_same) {
  const std::string text = with(chain, "theta = 0, y = 1", "theta = \"normal() + 0.1*i\", y = 1");
  const Problem one = load_text(text, "p.toml"), other = load_text(text, "p.toml");
  EXPECT_EQ(one.q0, other.q0);
  EXPECT_EQ(one.model.mass.diagonal, other.model.mass.diagonal);
  EXPECT_EQ(one.model.terms[0].dofs, other.model.terms[0].dofs);
  EXPECT_EQ(one.model.terms[0].data, other.model.terms[0].data);
  EXPECT_EQ(one.model.terms[0].value, other.model.terms[0].value);
  EXPECT_EQ(one.model.terms[0].graph.size(), other.model.terms[0].graph.size());
}

// Names

TEST(Coordinates, follow_each_other_family_by_family) {
  const Problem problem = load_text(chain, "p.toml");
  EXPECT_EQ(problem.model.size(), 6);
  EXPECT_EQ(problem.model.families[0].size, 5);
  EXPECT_TRUE(problem.model.families[0].indexed);
  EXPECT_EQ(problem.model.families[1].offset, 5);
}

TEST(Coordinates, take_their_number_from_a_parameter) {
  const Problem problem = load_text(with(chain, "theta[5]", "theta[ N + 1 ]"), "p.toml");
  EXPECT_EQ(problem.model.size(), 6);
}

TEST(Parameters, may_be_expressions_of_those_given_as_numbers) {
  const Problem problem = load_text(with(oscillator, "{ c = 1.0 }", "{ b = \"2*pi*c\", c = 3 }"), "p.toml");
  ASSERT_EQ(problem.model.parameters.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_NEAR(problem.model.parameters[k], problem.model.parameter_names[k] == "c" ? 3 : 6 * std::acos(-1.0), 20 * eps);
}

// Masses

TEST(Mass, may_be_one_number_for_all) {
  EXPECT_EQ(load_text(with(oscillator, "[1.0, 1.0]", "3"), "p").model.mass.diagonal, vector({3, 3}));
  EXPECT_EQ(load_text(with(oscillator, "[1.0, 1.0]", "\"2*c\""), "p").model.mass.diagonal, vector({2, 2}));
}

TEST(Mass, may_be_a_diagonal) {
  const Problem problem = load_text(with(oscillator, "[1.0, 1.0]", "[2, \"c/4\"]"), "p");
  EXPECT_EQ(problem.model.mass.kind, Kind::diagonal);
  EXPECT_EQ(problem.model.mass.diagonal, vector({2, 0.25}));
}

TEST(Mass, may_be_a_full_matrix) {
  const Problem problem = load_text(with(oscillator, "[1.0, 1.0]", "[[2, 0.5], [0.5, 1]]"), "p");
  ASSERT_EQ(problem.model.mass.kind, Kind::full);
  EXPECT_EQ(problem.model.mass.full.nonZeros(), 4);
  EXPECT_EQ(problem.model.mass.full.coeff(0, 1), 0.5);
  EXPECT_EQ(problem.model.mass.full.coeff(1, 0), 0.5);
  EXPECT_EQ(problem.model.mass.full.coeff(1, 1), 1);
}

TEST(Mass, written_full_but_diagonal_is_diagonal) {
  const Problem problem = load_text(with(oscillator, "[1.0, 1.0]", "[[2, 0], [0, 1]]"), "p");
  ASSERT_EQ(problem.model.mass.kind, Kind::diagonal);
  EXPECT_EQ(problem.model.mass.diagonal, vector({2, 1}));
}

TEST(Mass, may_be_given_by_family) {
  EXPECT_EQ(load_text(chain, "p").model.mass.diagonal, vector({1, 2, 3, 4, 5, 2}));
  const std::string listed = with(chain, "theta = \"m[i]\"", "theta = [5, 4, 3, 2, 1]");
  EXPECT_EQ(load_text(listed, "p").model.mass.diagonal, vector({5, 4, 3, 2, 1, 2}));
  const std::string indexed = with(chain, "theta = \"m[i]\"", "theta = \"c + m[4-i]*i\"");
  EXPECT_EQ(load_text(indexed, "p").model.mass.diagonal, vector({1.5, 5.5, 7.5, 7.5, 5.5, 2}));
}

// Terms

TEST(Term, has_a_local_for_each_index_and_its_tables_as_data) {
  const Problem problem = load_text(chain, "p.toml");
  const system::Term& term = problem.model.terms.at(0);
  EXPECT_FALSE(term.lagrangian);
  EXPECT_FALSE(term.velocities);
  EXPECT_EQ(term.elements, 4);
  EXPECT_EQ(term.locals, 2);
  EXPECT_EQ(term.dofs, (std::vector<std::int32_t>{1, 2, 3, 4, 0, 1, 2, 3}));
  EXPECT_EQ(term.data, (std::vector<std::vector<double>>{{1, 2, 3, 4}}));
  const Eigen::VectorXd q = vector({0, 1, 3, 6, 10, 0});
  EXPECT_NEAR(energy(problem.model, q, 0 * q), 1.5 * (1 * 1 + 2 * 4 + 3 * 9 + 4 * 16), 1000 * eps);
}

TEST(Term, equal_indices_written_differently_are_one_local) {
  const std::string text = with(chain, "(theta[k+1] - theta[k])^2", "(theta[1+k] - theta[2*k - k])^2*theta[k+1]*theta[k]");
  EXPECT_EQ(load_text(text, "p").model.terms.at(0).locals, 2);
}

TEST(Term, data_that_never_change_become_constants) {
  const Problem problem = load_text(with(chain, "[1, 2, 3, 4, 5]", "[7, 7, 7, 7, 7]"), "p");
  EXPECT_TRUE(problem.model.terms.at(0).data.empty());
  const Eigen::VectorXd q = vector({0, 1, 1, 1, 1, 0});
  EXPECT_NEAR(energy(problem.model, q, 0 * q), 1.5 * 7, 20 * eps);
}

TEST(Term, later_ranges_may_use_earlier_indices) {
  const std::string text =
      with(with(chain, "k = 0..N-1", "j = 0..4, k = j+1..4"), "c*m[k]*(theta[k+1] - theta[k])^2", "(theta[k] - theta[j])^2*j");
  const Problem problem = load_text(text, "p");
  const system::Term& term = problem.model.terms.at(0);
  EXPECT_EQ(term.elements, 10);
  const Eigen::VectorXd q = vector({0, 1, 2, 3, 4, 0});
  double sum = 0;
  for (int j = 0; j < 5; ++j)
    for (int k = j + 1; k < 5; ++k) sum += (k - j) * (k - j) * j;
  EXPECT_NEAR(energy(problem.model, q, 0 * q), sum, 100 * eps * sum);
}

TEST(Term, periodic_wraps_both_ways) {
  std::string text = with(chain, "over = \"k = 0..N-1\"", "over = \"k = 0..4\"\nperiodic = true");
  text = with(text, "c*m[k]*(theta[k+1] - theta[k])^2", "(theta[k+1] - theta[k-1])^2*m[k+3]");
  const system::Term term = load_text(text, "p").model.terms.at(0);
  EXPECT_EQ(term.dofs, (std::vector<std::int32_t>{1, 2, 3, 4, 0, 4, 0, 1, 2, 3}));
  EXPECT_EQ(term.data, (std::vector<std::vector<double>>{{4, 5, 1, 2, 3}}));
}

TEST(Term, without_a_range_is_one_element) {
  const std::string text =
      with(chain, "over = \"k = 0..N-1\"\npotential = \"c*m[k]*(theta[k+1] - theta[k])^2\"", "potential = \"m[3]*theta[N]^2*y\"");
  const system::Term term = load_text(text, "p").model.terms.at(0);
  EXPECT_EQ(term.elements, 1);
  EXPECT_EQ(term.dofs, (std::vector<std::int32_t>{4, 5}));
  EXPECT_TRUE(term.data.empty());
}

TEST(Term, potential_may_depend_on_time) {
  const Problem problem = load_text(with(oscillator, "c*(x^2 + y^2)", "x*cos(2*t)"), "p");
  EXPECT_NEAR(energy(problem.model, vector({3, 0}), vector({0, 0}), 0.7), 3 * std::cos(1.4), 10 * eps);
}

TEST(Term, lagrangian_has_velocities_after_positions) {
  const Problem problem = load_text(
      with(general, "mass = [1.0, 1.0]\npotential = \"c*(x^2 + y^2)\"", "lagrangian = \"0.5*y*x'^2 + 2*y'^2 + 3*x'*y - c*x*y\""),
      "p");
  const system::Term& term = problem.model.terms.at(0);
  EXPECT_TRUE(term.lagrangian);
  EXPECT_TRUE(term.velocities);
  EXPECT_EQ(term.locals, 2);
  EXPECT_EQ(problem.model.mass.kind, Kind::none);
  const Eigen::VectorXd q = vector({2, 3}), v = vector({5, 7});
  EXPECT_NEAR(value_of(problem.model, term, q, v), 0.5 * 3 * 25 + 2 * 49 + 3 * 5 * 3 - 6, 1000 * eps);
  EXPECT_NEAR(energy(problem.model, q, v), 0.5 * 3 * 25 + 2 * 49 + 6, 1000 * eps);  // linear in v: no energy
}

TEST(Term, lagrangian_without_velocities_is_minus_a_potential) {
  const Problem problem = load_text(with(oscillator, "potential = \"c*(x^2 + y^2)\"", "lagrangian = \"-c*(x^2 + y^2)\""), "p");
  EXPECT_FALSE(problem.model.terms.at(0).lagrangian);
  EXPECT_NEAR(energy(problem.model, vector({1, 2}), vector({0, 0})), 5, 20 * eps);
}

TEST(Term, potential_and_lagrangian_and_mass_add_up) {
  const Problem problem = load_text(with(general, "potential =", "lagrangian = \"0.5*x^2*y'^2\"\npotential ="), "p");
  ASSERT_EQ(problem.model.terms.size(), 2U);
  EXPECT_NEAR(energy(problem.model, vector({1, 2}), vector({3, 4})), 0.5 * 25 + 5 + 0.5 * 16, 100 * eps);
}

TEST(Term, that_is_zero_is_left_out) { EXPECT_TRUE(load_text(with(oscillator, "c*(x^2 + y^2)", "0"), "p").model.terms.empty()); }

// Symmetries

TEST(Symmetry, generator_may_be_a_list) {
  const Problem problem = load_text(oscillator + "[[symmetry]]\nname = \"spin\"\ngenerator = [\"-y\", \"c*x\"]\n", "p");
  ASSERT_EQ(problem.model.symmetries.size(), 1U);
  EXPECT_EQ(problem.model.symmetries[0].name, "spin");
  EXPECT_EQ(generator(problem.model, problem.model.symmetries[0], vector({2, 3})), vector({-3, 2}));
}

TEST(Symmetry, generator_may_be_given_by_family_with_neighbours) {
  const std::string text = chain + "[[symmetry]]\nname = \"a\"\nperiodic = true\ngenerator = { theta = \"m[i]*theta[i+1]\" }\n";
  const Problem problem = load_text(text, "p");
  EXPECT_EQ(generator(problem.model, problem.model.symmetries.at(0), vector({10, 20, 30, 40, 50, 60})),
            vector({20, 60, 120, 200, 50, 0}));
}

TEST(Symmetry, translation_is_a_number) {
  const Problem problem = load_text(chain + "[[symmetry]]\nname = \"a\"\ngenerator = { theta = 1, y = 0 }\n", "p");
  EXPECT_EQ(problem.model.symmetries.at(0).blocks.size(), 1U);
  EXPECT_EQ(generator(problem.model, problem.model.symmetries.at(0), Eigen::VectorXd::Zero(6)), vector({1, 1, 1, 1, 1, 0}));
}

// Initial state

TEST(Initial, velocity_is_zero_when_it_is_not_given) {
  EXPECT_EQ(load_text(with(oscillator, "velocity = [0.0, 0.2]\n", ""), "p").v0, vector({0, 0}));
}

TEST(Initial, families_take_numbers_lists_and_expressions) {
  const auto position = [](const std::string& theta) {
    return load_text(with(chain, "theta = 0, y = 1", "y = \"1 - c\", theta = " + theta), "p").q0;
  };
  EXPECT_EQ(position("7"), vector({7, 7, 7, 7, 7, -0.5}));
  EXPECT_EQ(position("[1, 2, \"c\", 4, 5]"), vector({1, 2, 1.5, 4, 5, -0.5}));
  EXPECT_EQ(position("\"2*i + m[N-i]\""), vector({5, 6, 7, 8, 9, -0.5}));
}

TEST(Initial, random_numbers_depend_on_the_seed_only) {
  const auto state = [](const std::string& seed, const std::string& theta) {
    return load_text(with(chain, "[initial]\nposition = { theta = 0, y = 1 }",
                          "[initial]\n" + seed + "position = { y = 1, theta = \"" + theta + "\" }"),
                     "p")
        .q0;
  };
  EXPECT_EQ(state("seed = 42\n", "normal()"), state("seed = 42\n", "normal( )"));
  EXPECT_NE(state("seed = 42\n", "normal()"), state("seed = 43\n", "normal()"));
  EXPECT_EQ(state("", "normal()"), state("seed = 0\n", "normal()"));
  const Eigen::VectorXd twice = state("", "normal() - normal()");  // two draws, not one
  for (long i = 0; i < 5; ++i) EXPECT_NE(twice[i], 0);
  const Eigen::VectorXd uniform = state("", "uniform()");
  for (long i = 0; i < 5; ++i) EXPECT_TRUE(uniform[i] > 0 && uniform[i] < 1) << uniform[i];
}

// Method, run, certificate

TEST(Method, every_method_is_known_by_its_name) {
  method::for_each_method([]<class M>(std::type_identity<M>) {
    std::string text = with(with(oscillator, "newmark", std::string(M::description.name)), "beta = 0.25\n", "");
    // one that asks for stiff terms gets one, and one for bodies
    if (std::is_same_v<M, method::LieGroup>)
      text = with(text, "[system]\n", "[system]\nbodies = [{ name = \"ball\", inertia = 1 }]\n");
    text += "[[system.term]]\npotential = \"x^2\"\nstiff = true\n";
    if (M::traits.needs_split) text += "[system.split]\nfast = \"linear\"\n";
    EXPECT_TRUE(std::holds_alternative<M>(load_text(text, "p").method.choice)) << M::description.name;
  });
}

TEST(Method, fields_of_every_type_are_read) {
  const auto choice = [](const std::string& lines) {
    return load_text(with(oscillator, "name = \"newmark\"\nbeta = 0.25", lines), "p").method;
  };
  const auto newmark = std::get<method::Newmark>(choice("name = \"newmark\"\ngamma = 1\nbeta = 0.3").choice);
  EXPECT_EQ(newmark.beta, 0.3);
  EXPECT_EQ(newmark.gamma, 1);
  const auto variational =
      std::get<method::Variational>(choice("name = \"variational\"\nalpha = 0.25\nsymmetric = false").choice);
  EXPECT_EQ(variational.alpha, 0.25);
  EXPECT_FALSE(variational.symmetric_sum);
  EXPECT_EQ(std::get<method::Verlet>(choice("name = \"verlet\"\nform = \"position\"").choice).form, "position");
  EXPECT_EQ(std::get<method::McLachlanAtela>(choice("name = \"mclachlan-atela\"\norder = 5").choice).stages_order, 5);
}

TEST(Method, symmetric_ones_can_be_composed) {
  const method::Spec spec =
      load_text(with(oscillator, "beta = 0.25", "compose = { order = 6, scheme = \"suzuki\" }"), "p").method;
  EXPECT_TRUE(spec.composed);
  EXPECT_EQ(spec.composition.order, 6);
  EXPECT_EQ(spec.composition.scheme, "suzuki");
  EXPECT_FALSE(load_text(oscillator, "p").method.composed);
}

TEST(Run, end_is_reached_by_whole_steps_in_spite_of_round_off) {
  const auto steps = [](const std::string& step, const std::string& end) {
    return load_text(with(with(oscillator, "step = 0.2", "step = " + step), "end = 10.0", "end = " + end), "p").schedule.steps;
  };
  EXPECT_EQ(steps("0.1", "0.3"), 3);
  EXPECT_EQ(steps("0.1", "0.7"), 7);
  EXPECT_EQ(steps("0.3", "0.9"), 3);
  EXPECT_EQ(steps("1e-3", "1e6"), 1'000'000'000);
  EXPECT_EQ(steps("0.3", "1"), 4);
  EXPECT_EQ(steps("2", "1"), 1);
  EXPECT_EQ(steps("0.1", "0.3001"), 4);
}

TEST(Run, start_steps_and_every_are_read) {
  const run::Schedule schedule = load_text(with(oscillator, "end = 10.0", "start = -5\nend = 10\nevery = 3"), "p").schedule;
  EXPECT_EQ(schedule.start, -5);
  EXPECT_EQ(schedule.steps, 75);
  EXPECT_EQ(schedule.every, 3);
  EXPECT_EQ(load_text(with(oscillator, "end = 10.0", "steps = 1e6"), "p").schedule.steps, 1'000'000);
}

TEST(Certificate, bounds_are_read) {
  const run::Bounds bounds =
      load_text(oscillator + "[certificate]\nenergy = 1e-3\nmomentum = 1e-12\nresidual = 1e-9\n", "p").bounds;
  EXPECT_EQ(bounds.energy, 1e-3);
  EXPECT_EQ(bounds.momentum, 1e-12);
  EXPECT_EQ(bounds.residual, 1e-9);
}

}  // namespace
}  // namespace actio::io::test
