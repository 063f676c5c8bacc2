#include <cmath>

#include <fmt/format.h>

#include <actio/io/ensemble_task.hpp>

#include "support.hpp"

namespace actio::io::test {
namespace {

const std::string base = R"toml([system]
coordinates = ["x", "u[3]"]
parameters = { c = 2, d = "3*c", e = 5, s = 1 }
tables = { w = [10, 20, 30, 40] }
mass = 1
potential = "0.5*c*x^2 + 0.5*d*(u[0]^2 + u[1]^2 + u[2]^2)"
[initial]
position = { x = "c + 1", u = "0.1*i" }
[ensemble]
members = 4
seed = 3
[ensemble.parameters]
c = "c + m"
[method]
name = "verlet"
[run]
step = 0.1
end = 1
)toml";

run::Members members_of(const std::string& text, const LoadOptions& options = {}) {
  return load_text(text, "p.toml", options).ensemble->members;
}
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

using Numbers = std::vector<double>;

TEST(EnsembleFile, gives_members_their_parameters_and_what_is_made_of_them) {
  const Problem problem = load_text(base, "p.toml");
  const run::Members& m = problem.ensemble->members;
  EXPECT_EQ(m.count, 4);
  ASSERT_EQ(m.varied.size(), 2U);  // c, and d
  const auto of = [&](const std::string& name) {
    for (std::size_t j = 0; j < m.varied.size(); ++j)
      if (problem.model.parameter_names[static_cast<std::size_t>(m.varied[j])] == name) return m.parameters[j];
    return Numbers{};
  };
  EXPECT_EQ(of("c"), (Numbers{2, 3, 4, 5}));
  EXPECT_EQ(of("d"), (Numbers{6, 9, 12, 15}));
  EXPECT_EQ(m.q0[0], (Numbers{3, 4, 5, 6}));
  EXPECT_EQ(m.q0[2], Numbers(4, 0.1));
  EXPECT_EQ(problem.q0[0], 3);  // the file's own
}

TEST(EnsembleFile, takes_starts_by_expression_list_table_and_column) {
  const Folder folder;
  const std::string csv = folder.write("starts.csv", "a,b\n1,5\n2,6\n3,7\n4,8\n");
  const auto m =
      members_of(base + "[ensemble.initial.position]\nx = [1, 4, 9, \"4*e - 4\"]\nu = \"i + w[m]\"\n" +
                 "[ensemble.initial.velocity]\nx = { csv = \"" + csv + "\", column = \"b\" }\nu = [1, \"m\", \"c\"]\n");
  EXPECT_EQ(m.q0[0], (Numbers{1, 4, 9, 16}));
  EXPECT_EQ(m.q0[3], (Numbers{12, 22, 32, 42}));
  EXPECT_EQ(m.v0[0], (Numbers{5, 6, 7, 8}));
  EXPECT_EQ(m.v0[1], (Numbers{1, 1, 1, 1}));
  EXPECT_EQ(m.v0[2], (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(m.v0[3], (Numbers{2, 3, 4, 5}));
}

TEST(EnsembleFile, draws_by_seed_quantity_and_member_alone) {
  const std::string text = with(base, "c = \"c + m\"", "c = \"uniform()\"\ns = \"normal() + 0*normal()\"");
  const auto all = members_of(text);
  for (std::size_t j : {0U, 1U})
    for (std::size_t k = 1; k < 4; ++k) EXPECT_NE(all.parameters[j][k], all.parameters[j][0]);
  const auto part = members_of(text, {{"ensemble.first=2", "ensemble.members=1"}, {}});
  EXPECT_EQ(part.parameters[0][0], all.parameters[0][2]);
  EXPECT_EQ(part.parameters[1][0], all.parameters[1][2]);
  const auto more = members_of(text, {{"ensemble.parameters.e='uniform()'", "ensemble.members=1000"}, {}});
  EXPECT_EQ(more.parameters[0][3], all.parameters[0][3]);  // another quantity beside it changes nothing
  EXPECT_NE(members_of(text, {{"ensemble.seed=4"}, {}}).parameters[0], all.parameters[0]);
  double mean = 0;
  for (const double u : more.parameters[0]) mean += u / 1000;
  EXPECT_NEAR(mean, 0.5, 4 / std::sqrt(12000.0));
}

TEST(EnsembleFile, counts_its_lists) {
  const std::string lists = with(with(base, "members = 4\n", ""), "c = \"c + m\"", "c = [1, 2, 3]");
  EXPECT_EQ(members_of(lists).count, 3);
  EXPECT_EQ(members_of(lists, {{"ensemble.first=1"}, {}}).parameters[0], (Numbers{2, 3}));
  EXPECT_TRUE(has(error_of(with(base, "c = \"c + m\"", "c = [1, 2, 3]")), "has 3 entries, and the members are 0 to 3"));
  EXPECT_TRUE(has(error_of(with(base, "members = 4\n", "")), "ensemble.members is missing"));
}

TEST(EnsembleFile, says_what_is_wrong_and_where) {
  const std::string key = error_of(with(base, "members = 4", "member = 4"));
  EXPECT_TRUE(has(key, "p.toml:10:1: error: unknown key \"member\" in [ensemble]")) << key;
  EXPECT_TRUE(has(key, "did you mean \"members\"?")) << key;
  const std::string parameter = error_of(with(base, "c = \"c + m\"", "cc = 1"));
  EXPECT_TRUE(has(parameter, "p.toml:13:1: error: the file has no parameter \"cc\"")) << parameter;
  EXPECT_TRUE(has(parameter, "did you mean \"c\"?")) << parameter;
  const std::string name = error_of(with(base, "c = \"c + m\"", "c = \"c + mm\""));
  EXPECT_TRUE(has(name, "p.toml:13:10: error: unknown name \"mm\" in ensemble.parameters.c")) << name;
  const std::string output = error_of(base + "[[observe]]\nname = \"r\"\nvalue = \"x + u[3]\"\n");
  EXPECT_TRUE(has(output, "u[3] is out of range in observe[0].value, but u has 3 entries")) << output;
  const std::string table = error_of(base + "[ensemble.output]\nr = \"x\"\n");
  EXPECT_TRUE(has(table, "unknown key \"output\" in [ensemble]")) << table;
  EXPECT_TRUE(has(table, "what is asked of members is a table [[observe]]")) << table;
  const auto asked = [&](const std::string& keys) { return error_of(base + "[[observe]]\nname = \"r\"\n" + keys); };
  EXPECT_TRUE(has(asked("value = \"x\"\nreduce = \"mean\"\n"), "mean of r is over the time of one run"));
  EXPECT_TRUE(has(asked("value = \"x''\"\n"), "accelerations, reactions and q1 are not known of the members"));
  EXPECT_TRUE(has(asked("value = \"discrete_energy\"\n"), "discrete_energy is not known of the members"));
  EXPECT_TRUE(has(asked("value = \"stopped_at\"\n"), "only members of an ensemble with a stop have it"));
  EXPECT_TRUE(has(asked("value = [\"x\", \"x\"]\nreduce = \"autocorrelation\"\n"), "over the time of one run"));
  EXPECT_TRUE(
      has(asked("value = \"x\"\nreduce = \"histogram\"\nfrom = 0\nto = 1\nbins = 2\nafter = 3\n"), "r has times of its own"));
  const std::string circle = error_of(with(base, "c = \"c + m\"", "c = \"e\"\ne = \"c\""));
  EXPECT_TRUE(has(circle, "depends on itself through other parameters")) << circle;
  EXPECT_TRUE(
      has(error_of(base + "[[observe]]\nname = \"energy\"\nvalue = \"x\"\n"), "energy is an output of an ensemble already"));
  EXPECT_TRUE(
      has(error_of(with(base, "members = 4", "members = 100_000_000")), "p.toml:10:1: error: 100000000 members have 1.2e+09"));
  EXPECT_TRUE(has(error_of(with(base, "seed = 3", "quantiles = [1.5]")), "ensemble.quantiles[0] is 1.5"));
}

TEST(EnsembleFile, refuses_parameters_in_what_is_one_for_all) {
  const std::string mass = error_of(with(base, "mass = 1", "mass = \"c\""));
  EXPECT_TRUE(has(mass, "system.mass is one number for all members of the ensemble, but the parameter c differs")) << mass;
  EXPECT_TRUE(has(error_of(with(base, "w = [10,", "w = [\"d\",")), "the parameter d differs"));
  EXPECT_TRUE(has(error_of(with(base, "step = 0.1", "step = \"0.1*c\"")), "the parameter c differs"));
  const std::string kinetic =
      error_of(with(with(base, "mass = 1\n", ""), "potential = \"0.5*c*x^2 + 0.5*d*(u[0]^2 + u[1]^2 + u[2]^2)\"",
                    "lagrangian = \"0.5*c*x'^2 + 0.5*(u'[0]^2 + u'[1]^2 + u'[2]^2) - x^2\""));
  EXPECT_TRUE(has(kinetic, "the mass is one for all members of the ensemble")) << kinetic;
}

// Why the members of a file that is read cannot run together.
std::string refusal_of(const std::string& text, const LoadOptions& options = {}) {
  const Problem problem = load_text(text, "p.toml", options);
  try {
    (void)task_of(problem);
  } catch (const core::InputError& error) { return error.what(); }
  return "";
}

TEST(EnsembleFile, is_read_where_members_cannot_run_together_and_says_why) {
  EXPECT_EQ(refusal_of(base), "");
  const std::string method = refusal_of(with(base, "name = \"verlet\"", "name = \"newmark\""));
  EXPECT_TRUE(has(method, "p.toml:9:2: error: steps of an ensemble are generated for verlet and midpoint, not for newmark"))
      << method;
  EXPECT_TRUE(has(method, "actio run --member M runs one of its members alone")) << method;
  const std::string equilibrium = refusal_of(with(base, "u = \"0.1*i\" }", "u = \"0.1*i\" }\nstatic = true"));
  EXPECT_TRUE(has(equilibrium, "p.toml:9:10: error: initial.static: the members of an ensemble do not start in equilibrium"))
      << equilibrium;
  EXPECT_EQ(refusal_of(with(base, "u = \"0.1*i\" }", "u = \"0.1*i\" }\nstatic = false")), "");
  const std::string bound = refusal_of(base + "[certificate]\nenergy = 1e-3\n");
  EXPECT_TRUE(has(bound, "p.toml:20:1: error: certificate.energy: an ensemble has no certificate")) << bound;
  const std::string level = refusal_of(base, {{"certificate.level=full"}, {}});
  EXPECT_TRUE(has(level, "command line:1:13: error: certificate.level: an ensemble has no certificate")) << level;
  EXPECT_EQ(refusal_of(base + "[[symmetry]]\nname = \"shift\"\ngenerator = { x = \"1\" }\n"), "");
}

TEST(EnsembleFile, takes_a_seed_of_the_start_in_any_notation) {
  const std::string text = with(base, "x = \"c + 1\"", "x = \"c*normal()\"");
  const auto seeded = [&](const char* seed) { return members_of(text, {{fmt::format("initial.seed={}", seed)}, {}}).q0[0]; };
  EXPECT_EQ(seeded("1e3"), seeded("1000"));
  EXPECT_NE(seeded("1e3"), seeded("0"));
  EXPECT_NEAR(seeded("1e3")[2] / seeded("1e3")[0], 2, 1e-15);  // one draw for all members
}

TEST(EnsembleFile, stops_by_a_condition_alone) {
  for (const char* stop : {"x > 2", "not (x < 2)", "x > 2 or u[1] < 0", "x == 2", "x != 2", "c <= t"})
    EXPECT_TRUE(load_text(with(base, "seed = 3", fmt::format("stop = \"{}\"", stop)), "p.toml").ensemble->stop) << stop;
  for (const char* stop : {"x^2 + u[0]^2 - 4", "x", "where(x > 2, 1, 0)"}) {
    const std::string error = error_of(with(base, "seed = 3", fmt::format("stop = \"{}\"", stop)));
    EXPECT_TRUE(has(error, "p.toml:11:8: error: ensemble.stop is a number, not a condition") && has(error, "for example x > 2"))
        << error;
  }
}

TEST(EnsembleFile, needs_lists_of_one_length_to_count_its_members) {
  const std::string lists = with(with(base, "members = 4\n", ""), "c = \"c + m\"", "c = [1, 2, 3]\ne = [1, 2, 3, 4]");
  const std::string error = error_of(lists);
  EXPECT_TRUE(has(error, "p.toml:13:5: error: ensemble.parameters.e has 4 entries, but ensemble.parameters.c has 3")) << error;
  EXPECT_EQ(members_of(lists, {{"ensemble.members=2"}, {}}).parameters[0], (Numbers{1, 2}));
  const std::string start = error_of(with(base, "members = 4\nseed = 3\n[ensemble.parameters]\nc = \"c + m\"",
                                          "[ensemble.parameters]\nc = [1, 2]\n[ensemble.initial.position]\nx = [1, 2, 3]"));
  EXPECT_TRUE(has(start, "ensemble.initial.position.x has 3 entries, but ensemble.parameters.c has 2")) << start;
}

TEST(EnsembleFile, has_no_column_for_a_family) {
  const Folder folder;
  const std::string csv = folder.write("starts.csv", "a\n1\n2\n3\n4\n");
  const std::string error = error_of(base + "[ensemble.initial.position]\nu = { csv = \"" + csv + "\", column = \"a\" }\n");
  EXPECT_TRUE(has(error,
                  "p.toml:20:5: error: ensemble.initial.position.u is a family of 3 coordinates, and a column of a CSV "
                  "file has one entry a member"))
      << error;
  const std::string nothing = folder.write("nothing.csv", "a\n");
  EXPECT_TRUE(has(error_of(with(base, "c = \"c + m\"", "c = { csv = \"" + nothing + "\", column = \"a\" }")), "nothing.csv"));
}

TEST(EnsembleFile, has_bins_of_the_energy_and_places_of_wrong_indices) {
  const Problem p =
      load_text(base + "[[observe]]\nname = \"energy\"\nvalue = \"energy\"\nreduce = \"histogram\"\nfrom = 0\nto = 8\nbins = 4\n",
                "p.toml");
  ASSERT_TRUE(p.ensemble->energy_bins);
  EXPECT_EQ(p.ensemble->energy_bins->edge(1), 2);
  const std::string far = error_of(base + "[[observe]]\nname = \"r\"\nvalue = \"u[9999999999*9999999999]\"\n");
  EXPECT_TRUE(has(far, "p.toml:21:")) << far;
}

// Its file is for one run: that has a certificate and momenta, and bounds that a sweep would not keep to.
TEST(Sweep, takes_a_file_with_symmetries_but_without_bounds) {
  const std::string plain = base.substr(0, base.find("[ensemble]")) + base.substr(base.find("[method]")) +
                            "[[symmetry]]\nname = \"shift\"\ngenerator = { x = \"1\" }\n[certificate]\nlevel = \"quick\"\n";
  LoadOptions options;
  options.sweep = {"c=1,2"};
  EXPECT_EQ(refusal_of(plain, options), "");
  EXPECT_TRUE(has(refusal_of(plain + "energy = 1\n", options), "certificate.energy: an ensemble has no certificate"));
}

TEST(Sweep, makes_all_combinations_the_last_fastest) {
  std::string plain = base.substr(0, base.find("[ensemble]")) + base.substr(base.find("[method]"));
  LoadOptions options;
  options.sweep = {"c=1,2", "e=5,6,7"};
  const auto m = members_of(plain, options);
  EXPECT_EQ(m.count, 6);
  EXPECT_EQ(m.parameters[0], (Numbers{1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(m.parameters[1], (Numbers{5, 6, 7, 5, 6, 7}));
  EXPECT_EQ(m.parameters[2], (Numbers{3, 3, 3, 6, 6, 6}));  // d = 3 c, after the numbers
  options.sweep = {"cx=1"};
  EXPECT_TRUE(has(error_of(plain, options), "did you mean \"c\"?"));
  options.sweep = {"c"};
  EXPECT_TRUE(has(error_of(plain, options), "command line:1:1: error: c has no values"));
  options.sweep = {"c=1,b"};
  EXPECT_TRUE(has(error_of(plain, options), "command line:1:5: error: \"b\" is not a number"));
  std::string many = "=1";
  for (int k = 1; k < 1500; ++k) many += ",1";
  options.sweep = {"c" + many, "e" + many};
  EXPECT_TRUE(has(error_of(plain, options),
                  "command line:1:1: error: there are more than 1000000 combinations of values of 2 parameters"));
  options.sweep = {"c=1"};
  EXPECT_TRUE(has(error_of(base, options), "the file has an ensemble, and a sweep makes one of its own"));
}

}  // namespace
}  // namespace actio::io::test
