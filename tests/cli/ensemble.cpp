#include <gtest/gtest.h>

#include <algorithm>
#include <cli/program.hpp>
#include <cmath>
#include <run/json.hpp>

using test::Json;

namespace {

using test::contains;

const std::string stars = "examples/henon-heiles-ensemble.toml";
const std::string few = stars + " ensemble.members=200 run.end=10 run.every=50";

const std::string duffing = R"toml(title = "Duffing"
[system]
coordinates = ["x"]
parameters = { a = 1.0, b = 0.5 }
mass = 1
potential = "0.5*a*x^2 + 0.25*b*x^4"
[initial]
position = [1]
[method]
name = "midpoint"
[run]
step = 0.05
end = 10
)toml";

}  // namespace

TEST(ActioEnsemble, prints_moments_quantiles_and_a_histogram_of_one_command) {
  const test::Folder here;
  const auto r = here.run("run " + few);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.err, "");
  EXPECT_TRUE(contains(r.out, "members         200 of 2 coordinates; by member: ")) << r.out;
  EXPECT_TRUE(contains(r.out, "radius          mean 0.")) << r.out;
  EXPECT_TRUE(contains(r.out, "at 50 %")) << r.out;
  EXPECT_TRUE(contains(r.out, "0.1 to 0.2")) << r.out;
  const auto json = here.run("run " + few + " --json");
  const Json j = Json::parse(json.out);
  EXPECT_EQ(j["members"].number(), 200);
  EXPECT_EQ(j["outputs"]["radius"]["count"].number(), 200);
  EXPECT_EQ(j["outputs"]["radius"]["histogram"]["bins"].size(), 10U);
  EXPECT_EQ(j["outputs"]["radius"]["quantiles"].size(), 3U);
  EXPECT_NEAR(j["outputs"]["energy"]["mean"].number(), 0.125, 1e-4);
  EXPECT_EQ(j["verdict"].text(), "ended");
  EXPECT_EQ(j["outputs"]["energy"]["quantiles"].size(), 3U);
  EXPECT_GT(j["outputs"]["radius"]["standard_deviation"].number(), 0);
  EXPECT_LT(j["outputs"]["radius"]["min"].number(), j["outputs"]["radius"]["max"].number());
  EXPECT_EQ(here.run("run " + few + " -q").out, "");
  const auto fine =
      here.run("run " + few +
               " observe.0.bins=51 'observe.1={name=\"energy\", value=\"energy\", reduce=\"histogram\", from=0, to=1, bins=2}'");
  EXPECT_TRUE(contains(fine.out, "a histogram of 51 bins, which -o and --json write")) << fine.out;
  EXPECT_TRUE(contains(fine.out, "       200         0 to 0.5")) << fine.out;  // of the energy
}

TEST(ActioEnsemble, runs_one_member_as_an_ordinary_run) {
  const test::Folder here;
  const std::string out = (here / "out.csv").string(), all = (here / "all.csv").string();
  const auto r = here.run("run " + few + " --member 17 -o " + out);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "verdict         kept")) << r.out;
  const auto e = here.run("run " + few + " ensemble.first=17 ensemble.members=1 -o " + all);
  EXPECT_EQ(e.code, 0) << e.err;
  const auto last = [](const std::string& text) { return text.substr(text.rfind('\n', text.size() - 2) + 1); };
  const auto cell = [](const std::string& line, int k) {
    std::size_t at = 0;
    for (; k > 0; --k) at = line.find(',', at) + 1;
    return std::stod(line.substr(at));
  };
  const std::string one = last(test::read(out)), other = last(test::read(all));
  const double radius = std::hypot(cell(one, 1), cell(one, 2));
  EXPECT_NEAR(cell(other, 9), radius, 1e-11);  // two hundred steps that round differently
  const auto none = here.run("run " + few + " --member 200");
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(contains(none.err, "--member: there is no member 200") && contains(none.err, "they are 0 to 199")) << none.err;
  EXPECT_TRUE(contains(here.run("run examples/kepler.toml --member 0").err, "kepler.toml has no ensemble"));
}

TEST(ActioEnsemble, names_members_that_fail) {
  const test::Folder here;
  const auto r = here.run("run " + few + " 'ensemble.parameters.w=3*uniform()'");
  EXPECT_EQ(r.code, 0);
  EXPECT_TRUE(contains(r.err, "of 200 members failed; member ")) << r.err;
  EXPECT_TRUE(contains(r.err, "the state is not finite at step 0, t = 0")) << r.err;
  const auto all = here.run("run " + few + " ensemble.parameters.w=3 --json");
  EXPECT_EQ(all.code, 1);
  EXPECT_TRUE(contains(all.out, "\"energy_error\":{\"largest\":null,\"member\":null,\"mean\":null}")) << all.out;
}

TEST(ActioEnsemble, refuses_what_it_does_not_do) {
  const test::Folder here;
  const auto compare = here.run("compare " + few + " -m verlet,midpoint");
  EXPECT_EQ(compare.code, 2);
  EXPECT_TRUE(contains(compare.err, "actio compare runs one motion")) << compare.err;
  const auto checkpoint = here.run("run " + few + " --checkpoint every=10,file=" + (here / "c").string());
  EXPECT_EQ(checkpoint.code, 2);
  EXPECT_TRUE(contains(checkpoint.err, "an ensemble has no checkpoints")) << checkpoint.err;
  const auto member = here.run("run " + few + " --member 1 --checkpoint every=10,file=" + (here / "d").string());
  EXPECT_EQ(member.code, 2);
  EXPECT_TRUE(contains(member.err, "a member has no checkpoints")) << member.err;
  const auto interpreted = here.run("run " + few + " --kernels interpret");
  EXPECT_TRUE(contains(interpreted.err, "generated as C and not interpreted")) << interpreted.err;
  for (const char* command : {"run ", "check "}) {
    const auto method = here.run(command + few + " method.name=rk4");
    EXPECT_EQ(method.code, 2);
    EXPECT_TRUE(contains(method.err, "generated for verlet and midpoint, not for rk4")) << method.err;
  }
  const auto certificate = here.run("run " + few + " --certificate full");
  EXPECT_EQ(certificate.code, 2);
  EXPECT_TRUE(contains(certificate.err, "certificate.level: an ensemble has no certificate")) << certificate.err;
  const auto kept = here.run("run " + few + " ensemble.keep=true -o " + (here / "out.csv").string());
  EXPECT_EQ(kept.code, 2);
  EXPECT_TRUE(contains(kept.err, "only an HDF5 file has every output of every member")) << kept.err;
  EXPECT_EQ(here.run("run " + few + " ensemble.keep=true -o " + (here / "out.h5").string()).code, 0);
}

// Noise is not generated over lanes; run one by one, each member has noise of its own.
TEST(ActioEnsemble, with_a_thermostat_runs_one_member_at_a_time) {
  const test::Folder here;
  const std::string noisy = "run " + few + " 'system.thermostat={rate=1,temperature=0.01,seed=4}'";
  const auto all = here.run(noisy);
  EXPECT_EQ(all.code, 2);
  EXPECT_TRUE(contains(all.err, "steps of an ensemble are not generated for systems with a thermostat")) << all.err;
  const std::string same = " ensemble.parameters={} 'ensemble.initial={}' --json --certificate off --member ";
  const auto final_of = [&](int member) {
    const auto r = here.run(noisy + same + std::to_string(member));
    EXPECT_EQ(r.code, 0) << r.err;
    return r.out.substr(r.out.find("\"final\""), 200);
  };
  EXPECT_EQ(final_of(3), final_of(3));
  EXPECT_NE(final_of(3), final_of(4));
}

// A better method checks one member.
TEST(ActioEnsemble, runs_and_compares_one_member_by_any_method) {
  const test::Folder here;
  const auto r = here.run("run " + few + " --member 17 --certificate quick 'method={name=\"rk4\"}'");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "rk4")) << r.out;
  const auto compared = here.run("compare " + few + " --member 17 -m verlet,rk4");
  EXPECT_EQ(compared.code, 0) << compared.err;
  EXPECT_TRUE(contains(compared.out, "rk4")) << compared.out;
  EXPECT_EQ(compared.err, "");
}

TEST(ActioCheck, describes_an_ensemble) {
  const test::Folder here;
  const auto r = here.run("check " + few);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "ensemble     200 members; by member: ")) << r.out;
}

TEST(ActioSweep, is_a_table_of_all_combinations) {
  const test::Folder here;
  const std::string file = here.write("duffing.toml", duffing), table = (here / "table.csv").string();
  const auto r = here.run("sweep " + file + " a=1,2,3 b=0,0.5 run.end=20 -o " + table);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "a  b    energy   x ")) << r.out;
  const std::string text = test::read(table);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 7);
  EXPECT_TRUE(contains(text, "\n5,3,0.5,1.62")) << text;
  const auto slip = here.run("sweep " + file + " a=1 bb=2");
  EXPECT_EQ(slip.code, 2);
  EXPECT_TRUE(contains(slip.err, "command line:1:1: error: the file has no parameter \"bb\"") &&
              contains(slip.err, "did you mean \"b\"?"))
      << slip.err;
  EXPECT_TRUE(contains(here.run("sweep " + file + " run.end=3").err, "there is no key with several values"));
}
