#include <vector>

#include "constrained.hpp"
#include "wrong.hpp"

// Wrong constraints are named, with their place and a hint.
namespace actio::io::test {
namespace {

const std::string list = "constraints = [\"x^2 + y^2 - L^2\"]";
std::string one(const std::string& expression) { return "constraints = [\"" + expression + "\"]"; }

TEST(WrongConstraint, is_refused_with_the_place) {
  const char* const holonomic =
      "a holonomic constraint depends on positions and t alone: write the function of positions whose time derivative this is, "
      "or use a force";
  expect_errors(
      constrained,
      {
          {list, one("z^2 - 1"), "6:17", "unknown name \"z\" in system.constraints[0]", "z"},
          {list, one("xx + LL"), "6:17", "unknown name \"xx\"", "xx", "did you mean \"x\"?"},
          {list, one("x' + y"), "6:17", "x' is a velocity, not allowed in system.constraints[0]", "x'", holonomic},
          {list, one("x''"), "6:17", "x'' is an acceleration, not allowed", "x''", holonomic},
          {list, one("L - t"), "6:16", "system.constraints[0] depends on no coordinate", ""},
          {list, one("0*x"), "6:16", "system.constraints[0] depends on no coordinate", ""},
          {list, one("x^2 + y^2 = L^2"), "6:27", "an equals sign in system.constraints[0]", "=",
           "write \"x^2 + y^2 - (L^2)\", which stays zero"},
          {list, one("x*y == 0"), "6:21", "an equals sign in system.constraints[0]", "==", "write \"x*y\", which stays zero"},
          {list, one("= 1"), "6:17", "an equals sign in system.constraints[0]", "=",
           "write the left side minus the right side, which stays zero"},
          {list, one("x <= 1"), "6:16", "system.constraints[0] is a comparison", ""},
          {list, one("x != 1"), "6:16", "system.constraints[0] is a comparison", ""},
          {list, one("not x"), "6:16", "system.constraints[0] is a comparison", ""},
          {list, one("q[5]"), "6:17", "q[5] is out of range in system.constraints[0], but q has 5 entries", "q[5]"},
          {list, one("q"), "6:17", "q is a family of 5 and takes one index", "q", "write q[i]"},
          {list, "constraints = []", "6:15", "system.constraints is empty", "[]"},
          {list, "constraints = 3", "6:15", "system.constraints must be a list of expressions, not a number", "3"},
          {list, "constraints = [3]", "6:16", "system.constraints[0] must be an expression, or {", "3"},
          {list, "constraints = [{ expression = 3 }]", "6:31", "system.constraints[0].expression must be a string", "3"},
          {list, "constraints = [{ name = \"rod\" }]", "6:16", "system.constraints[0].expression is missing", ""},
          {list, "constraints = [{ nam = \"rod\" }]", "6:18", "unknown key \"nam\" in [system.constraints[0]]", "nam",
           "did you mean \"name\"?"},
          {list, "constraints = [{ name = \"\", expression = \"x\" }]", "6:25", "the name of a constraint has 1 to 200", "\"\""},
          {list, "constraints = [{ name = \"link\", expression = \"x\" }]", "8:8", "two constraints are named \"link\"", ""},
          {"over = \"k = 0..N-1\"", "over = \"k = 0..N\"", "10:16", "q[k+1] is q[5] at k = 4 in system.constraint[0].expression",
           "q[k+1]", "shorten the range, or write periodic = true to wrap around"},
          {"over = \"k = 0..N-1\"", "over = \"k = 1..0\"", "9:8", "system.constraint[0].over holds no element", ""},
          {"over = \"k = 0..N-1\"", "over = 3", "9:8", "system.constraint[0].over must be a string, not a number", "3"},
          {"over = \"k = 0..N-1\"", "periodic = 1", "9:12", "system.constraint[0].periodic must be true or false", "1"},
          {"expression =", "potential =", "10:1", "unknown key \"potential\" in [system.constraint[0]]", "potential"},
          {list, "constraints = [\"x\", \"x-y\", \"y\", \"x*y\"]", "6:1",
           "there are 8 constraints, more than the 7 coordinates that can move", "constraints",
           "if some follow from others, set redundant = \"least-squares\""},
      });
}

TEST(WrongConstraint, of_a_signal_has_no_rate) {
  const std::string record = "[system.signals]\ns = { time = [0, 1], value = [0, 1] }\n[initial]";
  expect_errors(with(constrained, "[initial]", record),
                {{list, one("x - s"), "6:21", "s is a signal, a function of the time, not allowed", "s",
                  "a constraint that depends on time needs time derivatives, which a sampled signal does not have: write an "
                  "expression of t"}});
}

TEST(WrongConstraint, needs_a_coordinate_that_moves) {
  expect_errors(with(constrained, "mass = 1", "mass = 1\nfixed = \"q[1..2]\""),
                {{"mass", "mass", "11:14", "system.constraint[0].expression depends on fixed coordinates alone (q[2], q[1])", "",
                  "a coordinate in system.fixed never moves: nothing is left to constrain"}});
  // six of the seven move
  expect_errors(with(constrained, "mass = 1", "mass = 1\nfixed = \"x\""),
                {{list, "constraints = [\"y\", \"q[0]\", \"x*y\"]", "7:1", "7 constraints, more than the 6 coordinates", ""}});
}

TEST(WrongConstraint, stands_beside_no_equations) {
  const std::string equations = "[system.equations]\nx = \"x''\"\ny = \"y''\"\nq = \"q''[i]\"\n[initial]";
  const std::string text = with(with(constrained, "mass = 1\n", ""), "[initial]", equations);
  expect_errors(text, {{"name = \"midpoint\"", "name = \"newmark\"", "5:1",
                        "system.constraints cannot stand beside system.equations", "constraints"}});
}

TEST(WrongPenalty, is_refused_with_the_place) {
  const std::string penalty = "constraint_method = \"penalty\"\n";
  expect_errors(constrained,
                {
                    {list, list + "\nredundant = \"yes\"", "7:13",
                     "system.redundant is \"yes\"; it must be \"error\" or \"least-squares\"", "\"yes\""},
                    {list, list + "\nredundant = \"least-square\"", "7:13", "", "", "did you mean \"least-squares\"?"},
                    {list, list + "\nredundant = true", "7:13", "system.redundant must be a string, not a boolean", "true"},
                    {list, list + "\nconstraint_method = \"penality\"", "7:21",
                     "system.constraint_method is \"penality\"; it must be \"multipliers\" or \"penalty\"", "",
                     "did you mean \"penalty\"?"},
                    {list, list + "\nomega = 20", "7:1", "system.omega belongs to a penalty", "omega"},
                    {list, list + "\nconstraint_method = \"penalty\"", "7:1", "system.omega is missing", "constraint_method"},
                    {list, penalty + "omega = 0\n" + list, "7:9", "system.omega is 0; it must be positive", "0"},
                    {list, penalty + "omega = -20\n" + list, "7:9", "system.omega is -20; it must be positive", "-20"},
                    {list, penalty + "omega = nan\n" + list, "7:9", "system.omega is nan", "nan"},
                    {list, penalty + "omega = 1e200\n" + list, "7:9", "system.omega is 1e+200, too large to be squared", "1e200"},
                    {list, penalty + "omega = [20]\n" + list, "7:9", "system.omega must be a number", "[20]"},
                    {list, penalty + "omega = \"x\"\n" + list, "7:10", "x is a coordinate, not allowed in system.omega", "x"},
                    {list, penalty + "omega = 2\nredundant = \"least-squares\"\n" + list, "8:1",
                     "system.redundant belongs to multipliers", "redundant"},
                });
  expect_errors(chain, {{"[[system.term]]", penalty + "[[system.term]]", "6:1",
                         "there is system.constraint_method, but no constraint", "constraint_method"},
                        {"[[system.term]]", "omega = 2\n[[system.term]]", "6:1", "there is system.omega, but no constraint", ""},
                        {"potential =", "stiff = 1\npotential =", "8:9", "system.term[0].stiff must be true or false", "1"},
                        {"potential =", "stiff = true\nlagrangian =", "8:1",
                         "system.term[0] is a lagrangian, and marked as stiff", "stiff"}});
}

TEST(Hostile, constraints_are_counted_before_memory_is_taken) {
  EXPECT_NE(error_of(with(constrained, "k = 0..N-1", "k = 0..1000000000")).find("is more than 100000000 elements"),
            std::string::npos);
  EXPECT_NE(error_of(with(constrained, "k = 0..N-1", "k = 0..99999999, j = 0..99999999")).find("is more than 100000000 elements"),
            std::string::npos);
  std::string deep(5000, '(');
  deep.append("x").append(5000, ')');
  EXPECT_NE(error_of(with(constrained, list, one(deep))), "");
  EXPECT_NE(error_of(with(constrained, list, "constraints = [[\"x\"]]")), "");
  EXPECT_NE(error_of(with(constrained, "[[system.constraint]]", "[system.constraint]")), "");
  EXPECT_NE(error_of(with(constrained, list, one(std::string(200000, '=')))), "");
}

}  // namespace
}  // namespace actio::io::test
