#include <fmt/format.h>

#include "wrong.hpp"

// system.units: what the numbers of a file mean.
namespace actio::io::test {
namespace {

std::string with_units(const std::string& units) {
  return with(with(oscillator, "mass = [1.0, 1.0]", "units = " + units + "\nmass = [1.0, 1.0]"), "velocity = [0.0, 0.2]",
              "temperature = 1");
}
std::string unit(const Problem& problem, const std::string& quantity) {
  for (const auto& [name, text] : problem.units)
    if (name == quantity) return text;
  return "";
}
// k_B T in the file's units of energy
double temperature(const std::string& units, const std::string& quantity) {
  return load_text(with(with_units(units), "temperature = 1", "temperature = " + quantity), "p.toml").drawn->kT;
}

// The AKMA unit of time, 48.88821 fs (CHARMM).
TEST(Units, of_time_follow_from_length_mass_and_energy) {
  const Problem problem = load_text(with_units(R"({ length = "angstrom", mass = "amu", energy = "kcal/mol" })"), "p.toml");
  EXPECT_EQ(unit(problem, "time"), "48.8882 fs");
  EXPECT_EQ(unit(problem, "energy"), "kcal/mol");
  EXPECT_EQ(unit(problem, "length"), "angstrom");
  EXPECT_TRUE(load_text(oscillator, "p.toml").units.empty());
  EXPECT_EQ(unit(load_text(with_units(R"({ length = "mm", mass = "t", time = "s" })"), "p.toml"), "energy"), "0.001 J");
}

TEST(Units, convert_energies_and_temperatures) {
  const std::string akma = R"({ length = "angstrom", mass = "amu", energy = "kcal/mol" })";
  EXPECT_NEAR(temperature(akma, R"({ value = 4.184, unit = "kJ/mol" })"), 1, 1e-14);
  EXPECT_NEAR(temperature(akma, R"({ value = 300, unit = "K" })"), 0.5961612775922496, 1e-12);  // R T, R = 1.98720425864083e-3
  EXPECT_NEAR(temperature(akma, R"({ value = 1, unit = "eV" })"), 23.060547830619026, 1e-10);
  EXPECT_NEAR(temperature(akma, R"({ value = 1, unit = "hartree" })"), 627.5094740631, 1e-7);
  EXPECT_NEAR(temperature(R"({ length = "nm", mass = "amu", time = "ps" })", R"({ value = 300, unit = "K" })"), 2.494338785,
              1e-8);
  EXPECT_NEAR(temperature(R"({ length = "bohr", time = "fs", energy = "hartree" })", R"({ value = 2, unit = "hartree" })"), 2,
              1e-13);
}

TEST(Units, four_that_agree_are_taken) {
  EXPECT_EQ(unit(load_text(with_units(R"({ length = "m", mass = "kg", time = "s", energy = "J" })"), "p.toml"), "time"), "s");
}

TEST(Units, that_are_wrong_are_errors) {
  const std::string text = with_units(R"({ length = "angstrom", mass = "amu", energy = "kcal/mol" })");
  expect_errors(
      text,
      {{"\"angstrom\"", "\"angstrm\"", "5:20", "system.units.length: \"angstrm\" is not a unit", "\"angstrm\"",
        "for example \"mm\", \"m\""},
       {"\"amu\"", "\"fs\"", "5:39", "system.units.mass: \"fs\" is not a unit of mass", "\"fs\"", "for example \"kg\", \"amu\""},
       {"length = \"angstrom\", ", "", "5:25", "system.units.energy is given with one of length, mass and time; it takes two",
        "energy"},
       {"length = \"angstrom\", mass = \"amu\", ", "", "5:11", "system.units.energy is given with none of length, mass and time",
        "energy"},
       {"energy = \"kcal/mol\"", "time = \"fs\", energy = \"kcal/mol\"", "5:59",
        "system.units.energy: \"kcal/mol\" is 6.9477e-21 J, but the units of length, mass and time make 1.66054e-17 J", "",
        "leave one of the four out: it follows from the others"},
       {"energy =", "enrgy =", "5:46", "unknown key", "", "did you mean \"energy\"?"}});
}

}  // namespace
}  // namespace actio::io::test
