#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <cli/program.hpp>
#include <run/json.hpp>

using test::Json;

namespace {

using test::contains, test::oscillator;

}  // namespace

TEST(Actio, alone_prints_its_help_and_knows_its_version) {
  const test::Folder here;
  const auto help = here.run("");
  EXPECT_EQ(help.code, 0);
  for (const char* command : {"run", "check", "list", "compare", "explain"}) EXPECT_TRUE(contains(help.out, command)) << command;
  const auto version = here.run("--version");
  EXPECT_EQ(version.code, 0);
  EXPECT_TRUE(contains(version.out, "actio 0."));
}

TEST(Actio, a_command_line_it_cannot_read_is_wrong_input) {
  const test::Folder here;
  for (const char* words :
       {"run", "run examples/oscillator.toml --colour", "compare examples/oscillator.toml", "explain", "--nope"}) {
    const auto r = here.run(words);
    EXPECT_EQ(r.code, 2) << words;
    EXPECT_EQ(r.out, "") << words;
    EXPECT_TRUE(contains(r.err, "error: ")) << words << r.err;
  }
  const auto typo = here.run("rnu examples/oscillator.toml");
  EXPECT_EQ(typo.code, 2);
  EXPECT_TRUE(contains(typo.err, "did you mean \"run\"?")) << typo.err;
  EXPECT_EQ(Json::parse(here.run("run --json --colour").out)["verdict"].text(), "failed");
}

TEST(ActioExplain, prints_the_spectrum_of_a_method_with_the_fields_given) {
  const test::Folder here;
  const auto central = here.run("explain central-difference --spectral");
  EXPECT_EQ(central.code, 0) << central.err;
  EXPECT_TRUE(contains(central.out, "stable up to Omega = 2,")) << central.out;
  const auto half = here.run("explain generalized-alpha --spectral rho=0.5 --xi 0.02");
  EXPECT_EQ(half.code, 0) << half.err;
  EXPECT_TRUE(contains(half.out, "rho = 0.5")) << half.out;
  EXPECT_TRUE(contains(half.out, "xi = 0.02")) << half.out;
  EXPECT_TRUE(contains(half.out, "0.5004")) << half.out;  // the radius, at h/T = 1e4
  EXPECT_TRUE(contains(half.out, "stable at every step size")) << half.out;
  EXPECT_NE(here.run("explain generalized-alpha --spectral rho=0.6").out, half.out);
  for (const char* words : {"explain hht --spectral rho=0.3", "explain hht --spectral theta=1", "explain cvode-adams --spectral",
                            "explain verlet --spectral --xi 0.1", "explain hht rho=0.8", "explain hht --spectral --xi 2"}) {
    const auto r = here.run(words);
    EXPECT_EQ(r.code, 2) << words << r.out;
    EXPECT_TRUE(contains(r.err, "error: ")) << words << r.err;
  }
}

TEST(ActioList, names_every_method_with_its_fields_as_text_and_as_json) {
  const test::Folder here;
  const auto text = here.run("list");
  EXPECT_EQ(text.code, 0);
  const auto json = Json::parse(here.run("list --json").out);
  ASSERT_GE(json.size(), 8u);
  for (int k = 0; k < static_cast<int>(json.size()); ++k) {
    const auto& m = json[k];
    EXPECT_TRUE(contains(text.out, m["name"].text()));
    EXPECT_TRUE(contains(text.out, m["citation"].text())) << m["citation"].text();
    EXPECT_TRUE(contains(text.out, m["conserves"].text()));
    for (int f = 0; f < static_cast<int>(m["fields"].size()); ++f) EXPECT_TRUE(contains(text.out, m["fields"][f]["doc"].text()));
  }
  EXPECT_EQ(json[0]["name"].text(), "newmark");
  EXPECT_EQ(json[0]["fields"][0]["default"].number(), 0.25);
}

TEST(ActioList, has_the_traits_of_each_method_and_the_keys_and_kinds_of_a_file) {
  const test::Folder here;
  const auto methods = Json::parse(here.run("list --json").out);
  EXPECT_EQ(methods[0]["traits"]["constraints"].text(), "imposed");
  EXPECT_EQ(methods[0]["keeps"].text(), "conjugate symplectic form, momenta");
  const auto tables = Json::parse(here.run("list keys --json").out);
  const auto kinds = Json::parse(here.run("list kinds --json").out);
  const std::string keys_text = here.run("list keys").out, kinds_text = here.run("list kinds").out;
  for (int t = 0; t < static_cast<int>(tables.size()); ++t) {
    EXPECT_TRUE(contains(keys_text, tables[t]["heading"].text()));
    for (int k = 0; k < static_cast<int>(tables[t]["keys"].size()); ++k)
      EXPECT_TRUE(contains(keys_text, tables[t]["keys"][k]["meaning"].text()));
  }
  for (int k = 0; k < static_cast<int>(kinds.size()); ++k)
    EXPECT_TRUE(contains(kinds_text, kinds[k]["summary"].text())) << kinds[k]["name"].text();
  EXPECT_EQ(here.run("list words").code, 2);
}

TEST(ActioExplain, says_what_a_key_a_table_and_a_kind_are) {
  const test::Folder here;
  EXPECT_TRUE(contains(here.run("explain run.every").out, "Steps between two observations."));
  EXPECT_TRUE(contains(here.run("explain system.joint").out, "orientation"));
  EXPECT_TRUE(contains(here.run("explain revolute").out, "its keys        axes"));
  const auto wrong = here.run("explain run.evry");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "did you mean \"run.every\"?")) << wrong.err;
}

TEST(ActioExplain, gives_the_equation_and_corrects_a_name) {
  const test::Folder here;
  const auto r = here.run("explain newmark");
  EXPECT_EQ(r.code, 0);
  for (const char* part : {"beta", "0.25", "order 2", "KMOW", "a1"}) EXPECT_TRUE(contains(r.out, part)) << part;
  const auto wrong = here.run("explain newmrk");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "did you mean \"newmark\"?")) << wrong.err;
}

TEST(ActioRun, certifies_the_oscillator_as_text) {
  const test::Folder here;
  const auto r = here.run("run " + oscillator);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.err, "");
  for (const char* part : {"Two-degree-of-freedom oscillator", "50 of 50 steps", "angular momentum", "symplecticity",
                           "reversibility", "verdict", "kept"})
    EXPECT_TRUE(contains(r.out, part)) << part << "\n" << r.out;
}

TEST(ActioRun, certifies_the_oscillator_as_one_json_object) {
  const test::Folder here;
  const auto r = here.run("run " + oscillator + " --json");
  EXPECT_EQ(r.code, 0) << r.err;
  const auto j = Json::parse(r.out);
  EXPECT_EQ(j["verdict"].text(), "kept");
  EXPECT_EQ(j["steps"].number(), 50);
  EXPECT_NEAR(j["final"]["t"].number(), 10, 1e-12);
  // The state after 50 steps from a program of 50 digits, newmark beta = 1/4 gamma = 1/2.
  EXPECT_NEAR(j["final"]["q"][0].number(), -0.16077229886704524789, 1e-12);
  EXPECT_NEAR(j["final"]["q"][1].number(), 0.39873924049344002791, 1e-12);
  EXPECT_NEAR(j["final"]["v"][0].number(), -0.64925565182145958817, 1e-12);
  EXPECT_NEAR(j["final"]["v"][1].number(), 0.084920756539079215035, 1e-12);
  EXPECT_LT(j["symplecticity"]["own_defect"].number(), 1e-8);
  EXPECT_GT(j["symplecticity"]["defect"].number(), 1e-6);  // not canonical in (q, p)
  EXPECT_LT(j["momentum"]["angular momentum"]["own_max_error"].number(), 1e-12);
  EXPECT_GT(j["solver"]["iterations"].number(), 50);
  EXPECT_LT(j["solver"]["worst_residual"].number(), 1e-6);
  EXPECT_GT(j["wall_seconds"].number(), 0);
}

TEST(ActioRun, overrides_and_quiet_do_what_they_say) {
  const test::Folder here;
  const auto j = Json::parse(here.run("run " + oscillator + " method.name=verlet run.step=0.1 run.end=1 --json").out);
  EXPECT_EQ(j["method"]["name"].text(), "verlet");
  EXPECT_EQ(j["steps"].number(), 10);
  const auto quiet = here.run("run " + oscillator + " --quiet");
  EXPECT_EQ(quiet.code, 0);
  EXPECT_EQ(quiet.out + quiet.err, "");
}

TEST(ActioRun, interpreted_and_compiled_kernels_give_the_same_trajectory) {
  const test::Folder here;
  const auto a = Json::parse(here.run("run " + oscillator + " --json --kernels=interpret").out);
  const auto b = Json::parse(here.run("run " + oscillator + " --json").out);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(a["final"]["q"][i].number(), b["final"]["q"][i].number(), 1e-12);
}

TEST(ActioRun, a_typo_in_the_file_is_shown_with_a_caret_and_the_word_that_was_meant) {
  const test::Folder here;
  std::string text = test::read(oscillator);
  text.replace(text.find("potential"), 9, "potentail");
  const std::string file = here.write("typo.toml", text);
  const auto r = here.run("run " + file);
  EXPECT_EQ(r.code, 2);
  EXPECT_EQ(r.out, "");
  EXPECT_TRUE(contains(r.err, "typo.toml:7:1: error:")) << r.err;
  EXPECT_TRUE(contains(r.err, "^")) << r.err;
  EXPECT_TRUE(contains(r.err, "did you mean \"potential\"?")) << r.err;
  const auto json = here.run("run --json " + file);
  EXPECT_EQ(json.code, 2);
  EXPECT_EQ(Json::parse(json.out)["verdict"].text(), "failed");
  EXPECT_TRUE(contains(Json::parse(json.out)["error"]["message"].text(), "potentail"));
}

TEST(ActioRun, a_file_that_is_not_there_is_wrong_input) {
  const test::Folder here;
  EXPECT_EQ(here.run("run " + (here / "none.toml").string()).code, 2);
  EXPECT_EQ(here.run("check " + (here / "none.toml").string()).code, 2);
}

TEST(ActioRun, an_output_that_cannot_be_written_is_wrong_input_before_anything_runs) {
  const test::Folder here;
  for (const std::string& place : {(here / "none/a.h5").string(), (here / "a.xls").string(), std::string("/proc/a.csv")}) {
    const auto r = here.run("run " + oscillator + " run.end=1e9 -o " + place);
    EXPECT_EQ(r.code, 2) << place;
    EXPECT_TRUE(contains(r.err, "error: ")) << r.err;
  }
}

TEST(ActioRun, writes_a_row_an_observation_as_csv) {
  const test::Folder here;
  const auto r = here.run(fmt::format("run {} run.every=7 -o {}", oscillator, (here / "a.csv").string()));
  EXPECT_EQ(r.code, 0) << r.err;
  const std::string text = test::read(here / "a.csv");
  EXPECT_EQ(text.substr(0, text.find('\n')), "t,x,y,x',y',p(x),p(y),energy,angular momentum");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 1 + 8);  // head, start, 7 .. 49 and 50
}

TEST(ActioRun, writes_hdf5) {
  const test::Folder here;
  const auto r = here.run(fmt::format("run {} -o {}", oscillator, (here / "a.h5").string()));
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(test::read(here / "a.h5").substr(1, 3), "HDF");
}

TEST(ActioRun, that_blows_up_says_when_and_what_to_try_and_keeps_what_it_computed) {
  const test::Folder here;
  const auto r = here.run(
      fmt::format("run {} method.name=verlet run.step=3 run.end=300 --json -o {}", oscillator, (here / "a.csv").string()));
  EXPECT_EQ(r.code, 1);
  const auto j = Json::parse(r.out);
  EXPECT_EQ(j["verdict"].text(), "failed");
  const double step = j["error"]["step"].number();
  EXPECT_GT(step, 0);
  EXPECT_EQ(j["steps"].number(), step);
  EXPECT_FALSE(j["final"]["q"][0].is_null());
  EXPECT_TRUE(contains(r.err, "take run.step below 0.367")) << r.err;
  EXPECT_TRUE(contains(r.err, "a.csv")) << r.err;
  const std::string text = test::read(here / "a.csv");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2 + static_cast<long>(step));
  EXPECT_FALSE(contains(text, "nan"));
}

TEST(ActioRun, leaving_a_declared_bound_fails) {
  const test::Folder here;
  const std::string file = here.write("bound.toml", test::read(oscillator) + "\n[certificate]\nenergy = 1e-6\n");
  const auto r = here.run("run " + file);
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(contains(r.err, "declared bound")) << r.err;
}

TEST(ActioRun, an_interrupt_ends_it_cleanly) {
  const test::Folder here;
  const std::string csv = (here / "a.csv").string();
  // timeout sends the interrupt after a second, to the program and to its group.
  const std::string command =
      fmt::format("timeout -s INT 1 '{}' run {} run.end=1e12 run.every=1000000 --json -o '{}' >'{}' 2>'{}'", test::program(),
                  oscillator, csv, (here / "out").string(), (here / "err").string());
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 124);  // timeout's own: it did send it
  const auto j = Json::parse(test::read(here / "out"));
  EXPECT_EQ(j["verdict"].text(), "stopped");
  EXPECT_GT(j["steps"].number(), 0);
  EXPECT_LT(j["steps"].number(), j["planned_steps"].number());
  EXPECT_TRUE(contains(test::read(here / "err"), "interrupted at step"));
  EXPECT_GT(test::fs::file_size(csv), 50u);
}

TEST(ActioCheck, says_what_a_problem_is) {
  const test::Folder here;
  const auto r = here.run("check " + oscillator);
  EXPECT_EQ(r.code, 0) << r.err;
  for (const char* part : {"coordinates", "2: x, y", "diagonal", "angular momentum: holds", "newmark, beta = 0.25", "50 of 0.2"})
    EXPECT_TRUE(contains(r.out, part)) << part << "\n" << r.out;
  const auto j = Json::parse(here.run("check --json " + oscillator).out);
  EXPECT_TRUE(j["momentum"]["angular momentum"]["symmetry"].boolean());
}

TEST(ActioCheck, says_what_acts_on_a_structure) {
  const test::Folder here;
  const auto r = here.run("check examples/frame.toml");
  EXPECT_EQ(r.code, 0) << r.err;
  for (const char* part : {"30: u[30]", "6 of them, 24 free", "30 x 30, 174 entries", "base acceleration: on", "by the signal ag",
                           "ag: 501 samples, t = 0 to 10", "0 from its end to the run's, t = 15", "equations    linear"})
    EXPECT_TRUE(contains(r.out, part)) << part << "\n" << r.out;
  const auto j = Json::parse(here.run("check --json examples/frame.toml").out);
  EXPECT_TRUE(j["linear"].boolean());
  EXPECT_EQ(j["fixed"].number(), 6);
  EXPECT_EQ(j["signals"]["ag"]["samples"].number(), 501);
  const auto driven = here.run("check examples/forced-pendulum.toml");
  EXPECT_TRUE(contains(driven.out, "force        force theta: a function of 1 coordinate and its velocity at 1 place"))
      << driven.out;
  EXPECT_TRUE(contains(driven.out, "equations    nonlinear")) << driven.out;
  EXPECT_TRUE(
      contains(here.run("check examples/damped-oscillator.toml").out, "friction     dissipation: a Rayleigh potential of 2"));
}

TEST(ActioCheck, finds_a_declared_symmetry_that_is_none) {
  const test::Folder here;
  const std::string file =
      here.write("shift.toml", test::read(oscillator) + "\n[[symmetry]]\nname = \"shift\"\ngenerator = [\"1\", \"0\"]\n");
  EXPECT_TRUE(contains(here.run("check " + file).out, "shift: DOES NOT HOLD"));
  const auto r = here.run("run " + file);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "not a symmetry of this system")) << r.out;
}

TEST(ActioCheck, gives_the_reason_when_a_method_does_not_fit) {
  const test::Folder here;
  const auto r = here.run("check examples/pendulum.toml method.name=verlet \"system.lagrangian=(1 + theta^2)*theta'^2\"");
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "1/2 v'Mv - V(q)")) << r.err;
  EXPECT_TRUE(contains(r.err, "the kinetic energy of \"lagrangian\" depends on positions")) << r.err;
  EXPECT_EQ(here.run("check examples/pendulum.toml method.name=verlet").code, 0);  // its mass is constant
}

TEST(ActioCompare, shows_bounded_energy_for_variational_methods_and_drift_for_rk4) {
  const test::Folder here;
  const std::string csv = (here / "table.csv").string();
  const auto r = here.run(
      fmt::format("compare {} --methods newmark,verlet,midpoint,rk4,cvode-adams run.end=1e3 -o {} --json", oscillator, csv));
  EXPECT_EQ(r.code, 0) << r.err;
  const auto runs = Json::parse(r.out)["runs"];
  ASSERT_EQ(runs.size(), 5u);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(runs[k]["verdict"].text(), "kept") << r.out;
    EXPECT_LT(std::abs(runs[k]["energy"]["drift_per_step"].number()) * 5000, runs[k]["energy"]["max_error"].number());
  }
  const auto& rk4 = runs[3];
  EXPECT_EQ(rk4["verdict"].text(), "no_claims");
  EXPECT_GT(std::abs(rk4["energy"]["drift_per_step"].number()), rk4["energy"]["drift_confidence"].number());
  EXPECT_GT(rk4["symplecticity"]["defect"].number(), 1e-8);
  EXPECT_TRUE(runs[4]["symplecticity"]["defect"].is_null());
  const std::string table = test::read(csv);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 6);
}
