#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "program.hpp"

// Solids from the command line.
namespace {

TEST(ActioCheck, says_what_a_solid_is_made_of) {
  const test::Folder here;
  const auto r = here.run("check examples/cantilever.toml");
  EXPECT_EQ(r.code, 0) << r.err;
  for (const char* part :
       {"x: 128 nodes, 10 hexahedron20; groups ", "rubber", "mass 1.375, volume 0.00125, smallest det dX/dxi 1 times",
        "24 of them, 360 free", "rubber: a potential of the deformation gradient at 270 points of 10 elements"})
    EXPECT_NE(r.out.find(part), std::string::npos) << part << "\n" << r.out;
}

TEST(ActioCheck, says_what_steps_a_solid_allows) {
  const test::Folder here;
  const auto any = here.run("check examples/cantilever.toml");
  for (const char* part : {"frequencies  lowest 13.", "energy-momentum is stable at every step; 0.01 is "})
    EXPECT_NE(any.out.find(part), std::string::npos) << part << "\n" << any.out;
  const auto verlet = here.run("check examples/cantilever.toml method.name=verlet");
  EXPECT_EQ(verlet.code, 0) << verlet.err;
  for (const char* part : {"verlet needs steps below ", " times that: UNSTABLE"})
    EXPECT_NE(verlet.out.find(part), std::string::npos) << part << "\n" << verlet.out;
  const auto json = here.run("check --json examples/cantilever.toml method.name=verlet").out;
  for (const char* part : {"\"frequencies\":{\"measured\":true,\"why_not\":\"\",\"lowest\":13.", "\"rigid\":0,\"unstable\":0",
                           "\"stable_at_every_step\":false,\"largest_step_is_stable\":false}"})
    EXPECT_NE(json.find(part), std::string::npos) << part << "\n" << json;
}

TEST(ActioCheck, measures_no_frequencies_with_constraints) {
  const test::Folder here;
  const auto r = here.run("check examples/double-pendulum.toml");
  EXPECT_NE(r.out.find("frequencies  not measured: the system has constraints"), std::string::npos) << r.out;
}

TEST(ActioRun, writes_the_probes_of_a_solid) {
  const test::Folder here;
  const std::string csv = (here / "tip.csv").string();
  const auto r = here.run("run examples/cantilever.toml run.end=0.05 -o " + csv);
  EXPECT_EQ(r.code, 0) << r.out << r.err;
  const std::string text = test::read(csv);
  EXPECT_TRUE(text.starts_with("t,tip.x,tip.y,tip.z,tip.x',tip.y',tip.z',p(tip.x),p(tip.y),p(tip.z),energy,"))
      << text.substr(0, 200);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 7);
}

// At rest in its weight of 1.375 kg; by the columns' names.
TEST(ActioRun, writes_the_reactions_and_stresses_of_a_solid) {
  const test::Folder here;
  const std::string csv = (here / "root.csv").string();
  const auto r = here.run(
      "run examples/cantilever.toml initial.static=true method.name=newmark run.end=0.05 -o " + csv +
      " 'system.solid.probe=[{ name = \"tip\", group = \"tip\" }, { name = \"root\", at = [0.01, 0.02, 0.02], stress = true }]'");
  EXPECT_EQ(r.code, 0) << r.out << r.err;
  std::istringstream text(test::read(csv));
  std::map<std::string, std::vector<double>> columns;
  std::vector<std::string> names;
  for (std::string line, word; std::getline(text, line);) {
    std::istringstream words(line);
    for (std::size_t k = 0; std::getline(words, word, ','); ++k) {
      if (names.size() <= k)
        names.push_back(word);
      else if (word != names[k])
        columns[names[k]].push_back(std::stod(word));
    }
  }
  const std::vector<std::string> last(names.end() - 10, names.end());
  EXPECT_EQ(last, (std::vector<std::string>{"reaction/clamp.x", "reaction/clamp.y", "reaction/clamp.z", "stress/root.xx",
                                            "stress/root.yy", "stress/root.zz", "stress/root.xy", "stress/root.yz",
                                            "stress/root.xz", "stress/root.von_mises"}));
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_NEAR(columns["reaction/clamp.x"].at(k), 0, 1e-6);
    EXPECT_NEAR(columns["reaction/clamp.z"].at(k), 1.375 * 9.81, 1e-6);
    EXPECT_GT(columns["stress/root.von_mises"].at(k), 1000);
  }
}

}  // namespace
