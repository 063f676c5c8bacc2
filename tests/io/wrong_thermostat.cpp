#include <vector>

#include "wrong.hpp"

// A thermostat that is wrong is named, with its place and a hint.
namespace actio::io::test {
namespace {

std::string bath(const std::string& lines) { return "[system.thermostat]\n" + lines + "\n[initial]"; }

TEST(WrongThermostat, is_refused_with_the_place) {
  const std::string known = "rate = 1\ntemperature = 1\nseed = 1\n";
  expect_errors(
      chain,
      {
          {"[initial]", bath("rate = -1\ntemperature = 1\nseed = 1"), "10:8",
           "system.thermostat.rate is -1; it must not be negative", "-1", "it damps the momenta: p' = -rate p"},
          {"[initial]", bath("friction = -1\ntemperature = 1\nseed = 1"), "10:12",
           "system.thermostat.friction of theta[0] is -1; it must not be negative", "-1",
           "the force is -friction times the velocity"},
          {"[initial]", bath("friction = { theta = 1, y = -2 }\ntemperature = 1\nseed = 1"), "10:12",
           "system.thermostat.friction of y is -2; it must not be negative", ""},
          {"[initial]", bath("rate = 1\ntemperature = -0.5\nseed = 1"), "11:15",
           "system.thermostat.temperature is -0.5; it must not be negative", "-0.5",
           "it is k_B T in the unit of energy of the problem, or { value = 300, unit = \"K\" }"},
          {"[initial]", bath("rate = 1\ntemperature = nan\nseed = 1"), "11:15", "system.thermostat.temperature is nan", "nan"},
          {"[initial]", bath("rate = 1\nseed = 1"), "9:1", "system.thermostat.temperature is missing", "[system.thermostat]"},
          {"[initial]", bath("rate = 1\ntemperature = 1"), "9:1", "system.thermostat.seed is missing", "[system.thermostat]",
           "the same seed gives the same noise: seed = 1; take another for another path"},
          {"[initial]", bath("rate = 1\ntemperature = 1\nseed = -1"), "12:8", "system.thermostat.seed", "-1"},
          {"[initial]", bath("rate = 1\ntemperature = 1\nseed = 1.5"), "12:8", "system.thermostat.seed", "1.5"},
          {"[initial]", bath("temperature = 1\nseed = 1"), "9:1", "system.thermostat has neither rate nor friction",
           "[system.thermostat]", "rate = gamma damps the momenta, p' = -gamma p; friction = g is the force -g v"},
          {"[initial]", bath("friction = 1\n" + known), "10:12", "system.thermostat has both rate and friction", "1",
           "rate = gamma damps the momenta, p' = -gamma p; friction = g is the force -g v: give one"},
          {"[initial]", bath(known + "scheme = \"boaab\""), "13:10", "system.thermostat.scheme cannot be \"boaab\"", "\"boaab\"",
           "did you mean \"baoab\"?"},
          {"[initial]", bath(known + "scheme = \"euler\""), "13:10", "system.thermostat.scheme cannot be \"euler\"", "\"euler\"",
           "it can be gla, baoab, obabo"},
          {"[initial]", bath(known + "scheme = \"oabao\""), "13:10", "system.thermostat.scheme cannot be \"oabao\"", "\"oabao\"",
           "obabo with method.form = \"position\" of verlet is OABAO"},
          {"[initial]", bath(known + "temprature = 1"), "13:1", "unknown key \"temprature\" in [system.thermostat]", "temprature",
           "did you mean \"temperature\"?"},
          {"[initial]", bath("gamma = 1\ntemperature = 1\nseed = 1"), "10:1", "unknown key \"gamma\" in [system.thermostat]",
           "gamma", "did you mean \"rate\"?"},
          {"[initial]", bath("tau = 1\ntemperature = 1\nseed = 1"), "10:1", "unknown key \"tau\" in [system.thermostat]", "tau",
           "a relaxation time tau of the momenta is rate = 1/tau"},
          {"[initial]", bath("rate = 1\nkT = 1\nseed = 1"), "11:1", "unknown key \"kT\" in [system.thermostat]", "kT",
           "did you mean \"temperature\"?"},
          {"[[system.term]]", "temperature = 1\n[[system.term]]", "6:1", "unknown key \"temperature\" in [system]", "temperature",
           "did you mean \"thermostat\"?"},
          {"[[system.term]]", "thermostat = 1\n[[system.term]]", "6:14", "system.thermostat must be a table", "1"},
      });
}

TEST(WrongThermostat, is_refused_with_a_system_or_method_that_takes_none) {
  const std::string known = "rate = 1\ntemperature = 1\nseed = 1\n";
  const std::string with_bath = with(chain, "[initial]", bath(known)),
                    in_middle = with(chain, "[initial]", bath(known + "scheme = \"baoab\""));
  expect_errors(with_bath,
                {
                    {"\"verlet\"", "\"cvode-adams\"", "", "cvode-adams takes no thermostat: it chooses its own steps", ""},
                    {"[[system.term]]", "lagrangian = \"0.5*y^2*y'^2\"\n[[system.term]]", "",
                     "needs a Lagrangian of the form 1/2 v'Mv - V(q)", ""},
                });
  expect_errors(
      in_middle,
      {
          {"\"verlet\"", "\"midpoint\"", "",
           "the scheme baoab puts the noise in the middle of a step of verlet (form \"velocity\"), and the method is midpoint: "
           "take obabo, which goes with every method",
           ""},
          {"\"verlet\"", "\"verlet\"\nform = \"position\"", "", "the scheme baoab puts the noise in the middle", ""},
          {"\"verlet\"", "\"verlet\"\ncompose = { order = 4 }", "", "the method is verlet, composed to order 4", ""},
          {"[system.thermostat]", "[system.force]\ny = \"sin(t)\"\n[system.thermostat]", "",
           "the scheme baoab takes no external forces", ""},
      });
  const std::string rods = R"toml([system]
coordinates = ["x", "y"]
mass = 1
potential = "y"
constraints = ["x^2 + y^2 - 1"]
[system.thermostat]
rate = 1
temperature = 1
seed = 1
[initial]
position = [0, -1]
[method]
name = "rattle"
[run]
step = 0.1
steps = 7
)toml";
  (void)load_text(rods, "p.toml");
  expect_errors(rods, {
                          {"x^2 + y^2 - 1", "x^2 + y^2 - 1 - t", "", "a thermostat takes no constraints that depend on time", ""},
                          {"constraints =", "redundant = \"least-squares\"\nconstraints =", "",
                           "a thermostat takes no redundant constraints", ""},
                          {"\"rattle\"", "\"energy-momentum\"", "",
                           "energy-momentum takes no thermostat beside constraints: rattle does", ""},
                      });
}

}  // namespace
}  // namespace actio::io::test
