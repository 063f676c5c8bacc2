#include "wrong.hpp"

// Every wrong thing in a problem file is named, with its place, a caret under it, and a hint.
namespace actio::io::test {
namespace {

TEST(WrongFile, unknown_keys_at_every_level_get_a_hint) {
  expect_errors(
      oscillator,
      {
          {"title", "titel", "1:1", "unknown key \"titel\"", "titel", "did you mean \"title\"?"},
          {"[system]", "[sytem]", "2:2", "unknown key \"sytem\"", "sytem", "did you mean \"system\"?"},
          {"mass", "masss", "5:1", "unknown key \"masss\" in [system]", "masss", "did you mean \"mass\"?"},
          {"velocity", "velocty", "9:1", "unknown key \"velocty\" in [initial]", "velocty", "did you mean \"velocity\"?"},
          {"beta", "bta", "12:1", "unknown key \"bta\" in [method]", "bta", "did you mean \"beta\"?"},
          {"beta = 0.25", "compose = { ordr = 4 }", "12:13", "unknown key \"ordr\" in [method.compose]", "ordr",
           "did you mean \"order\"?"},
          {"step", "stepp", "14:1", "unknown key \"stepp\" in [run]", "stepp", "did you mean \"step\"?"},
          {"end = 10.0", "end = 1\n[certificate]\nenrgy = 1", "17:1", "unknown key \"enrgy\" in [certificate]", "enrgy"},
          {"end = 10.0", "end = 1\n[[symmetry]]\nnam = 1", "17:1", "unknown key \"nam\" in [symmetry[0]]", "nam",
           "did you mean \"name\"?"},
          {"[1.2, 0.0]", "{ x = 1, yy = 0 }", "8:21", "unknown key \"yy\" in [initial.position]", "yy", "did you mean \"y\"?"},
          {"[1.0, 1.0]", "{ x = 1, zeta = 0 }", "5:17", "unknown key \"zeta\" in [system.mass]", "zeta", "it takes x, y"},
      });
  expect_errors(chain, {{"over", "ovr", "7:1", "unknown key \"ovr\" in [system.term[0]]", "ovr", "did you mean \"over\"?"}});
}

TEST(WrongFile, types_are_named) {
  expect_errors(oscillator,
                {
                    {"step = 0.2", "step = true", "14:8",
                     "run.step must be a number, a list of them, or an expression of t, not a boolean", "true"},
                    {"end = 10.0", "end = [1]", "15:7", "run.end must be a number, not a list", "[1]"},
                    {"end = 10.0", "steps = \"a\"", "15:9", "run.steps must be an integer, not a string", "\"a\""},
                    {"end = 10.0", "steps = 2.5", "15:9", "run.steps is 2.5; it must be an integer", "2.5"},
                    {"\"Oscillator\"", "1", "1:9", "title must be a string, not a number", "1"},
                    {"[\"x\", \"y\"]", "\"x\"", "3:15", "system.coordinates must be a list, not a string", "\"x\""},
                    {"[\"x\", \"y\"]", "[1]", "3:16", "system.coordinates[0] must be a string, not a number", "1"},
                    {"{ c = 1.0 }", "[1]", "4:14", "system.parameters must be a table, not a list", "[1]"},
                    {"1.0 }", "2000-01-01 }", "4:20", "system.parameters.c must be a number, not a date", "2000-01-01"},
                    {"[1.0, 1.0]", "true", "5:8", "system.mass must be a number, a list, a matrix", "true"},
                    {"\"c*(x^2 + y^2)\"", "5", "6:13", "system.potential must be a string, not a number", "5"},
                    {"[1.2, 0.0]", "1.2", "8:12", "initial.position must be a list, or a table of families, not a number", "1.2"},
                    {"[1.2, 0.0]", "[true, 0]", "8:13", "initial.position[0] must be a number, not a boolean", "true"},
                    {"\"newmark\"", "3", "11:8", "method.name must be a string, not a number", "3"},
                    {"0.25", "\"a\"", "12:8", "method.beta must be a number, not a string", "\"a\""},
                    {"beta = 0.25", "compose = 4", "12:11", "method.compose must be a table, not a number", "4"},
                    {"name = \"newmark\"\nbeta = 0.25", "name = \"variational\"\nsymmetric = 1", "12:13",
                     "method.symmetric must be true or false, not a number", "1"},
                    {"end = 10.0", "end = 1\n[symmetry]\nname = \"a\"", "16:1",
                     "symmetry must be a list of tables, each headed [[symmetry]]", "[symmetry]"},
                });
  expect_errors(chain, {
                           {"[[system.term]]", "[system.term]", "6:1",
                            "system.term must be a list of tables, each headed [[system.term]]", "[system.term]"},
                           {"over = \"k = 0..N-1\"", "periodic = 1", "7:12",
                            "system.term[0].periodic must be true or false, not a number", "1"},
                           {"[1, 2, 3, 4, 5]", "7", "4:16", "system.tables.m must be a list, or { csv", "7"},
                           {"theta = 0", "theta = {}", "10:22",
                            "initial.position.theta must be a number, a list, or an expression of i, not a table", "{}"},
                       });
}

TEST(WrongFile, shapes_are_counted) {
  expect_errors(oscillator,
                {
                    {"[0.0, 0.2]", "[0, 1, 2]", "9:12", "velocity has 3 entries, the system has 2 coordinates", "[0, 1, 2]"},
                    {"[1.0, 1.0]", "[1]", "5:8", "system.mass has 1 entry, the system has 2 coordinates", "[1]"},
                    {"[1.0, 1.0]", "[[1, 2]]", "5:8", "system.mass has 1 row, the system has 2 coordinates", "[[1, 2]]"},
                    {"[1.0, 1.0]", "[[1, 2], [1]]", "5:17", "system.mass[1] has 1 entry, the system has 2 coordinates", "[1]"},
                    {"[1.0, 1.0]", "[[1, 2], 1]", "5:17", "system.mass[1] must be a list, not a number", "1"},
                    {"end = 10.0", "end = 1\n[[symmetry]]\nname = \"a\"\ngenerator = [1]", "18:13",
                     "symmetry[0].generator has 1 entry, the system has 2 coordinates", "[1]"},
                    {"[\"x\", \"y\"]", "[]", "3:15", "system.coordinates is empty", "[]"},
                });
  expect_errors(chain, {
                           {"theta = 0", "theta = [1, 2]", "10:22",
                            "initial.position.theta has 2 entries, the family has 5 coordinates", "[1, 2]"},
                           {"\"m[i]\"", "[1, 2]", "5:18", "system.mass.theta has 2 entries, theta has 5 coordinates", "[1, 2]"},
                           {"[1, 2, 3, 4, 5]", "[]", "4:16", "system.tables.m is empty", "[]"},
                       });
}

TEST(WrongFile, what_is_missing_is_named) {
  expect_errors(
      oscillator,
      {
          {"name = \"newmark\"\n", "", "10:1", "method.name is missing", "[method]"},
          {"step = 0.2\n", "", "13:1", "run.step is missing", "[run]"},
          {"end = 10.0\n", "", "13:1", "run.end is missing", "[run]",
           "give the time to stop at (end), or the number of steps (steps)"},
          {"position = [1.2, 0.0]\n", "", "7:1", "initial.position is missing", "[initial]"},
          {"coordinates = [\"x\", \"y\"]\n", "", "2:1", "system.coordinates is missing", "[system]"},
          {"[1.2, 0.0]", "{ x = 1 }", "8:12", "initial.position.y is missing", "{ x = 1 }"},
          {"[1.0, 1.0]", "{ x = 1 }", "5:8", "system.mass.y is missing", "{ x = 1 }"},
          {"end = 10.0", "end = 1\n[[symmetry]]\ngenerator = [1, 1]", "16:1", "symmetry[0].name is missing", "[[symmetry]]"},
          {"end = 10.0", "end = 1\n[[symmetry]]\nname = \"a\"", "16:1", "symmetry[0].generator is missing", "[[symmetry]]"},
      });
  EXPECT_NE(error_of("").find("[system] is missing"), std::string::npos);
  EXPECT_NE(error_of(oscillator.substr(0, oscillator.find("[run]"))).find("[run] is missing"), std::string::npos);
  EXPECT_NE(error_of(oscillator.substr(0, oscillator.find("[method]"))).find("[method] is missing"), std::string::npos);
}

TEST(WrongFile, toml_that_is_none_is_shown) {
  expect_errors(oscillator, {
                                {"[run]", "[run", "13:5", "not TOML", ""},
                                {"step = 0.2", "step = 0.2.3", "14:11", "not TOML", ""},
                                {"step = 0.2", "step 0.2", "14:6", "not TOML", ""},
                                {"step = 0.2", "step = 0.2\nstep = 0.3", "15:8", "not TOML", ""},
                            });
}

TEST(WrongExpression, carets_point_inside_the_string) {
  expect_errors(oscillator, {
                                {"c*(x^2 + y^2)", "c*(xx^2 + y^2)", "6:17", "unknown name \"xx\" in system.potential", "xx",
                                 "did you mean \"x\"?"},
                                {"\"c*(x^2 + y^2)\"", "'c*(x^2 + yy)'", "6:23", "unknown name \"yy\"", "yy"},
                                {"\"c*(x^2 + y^2)\"", "\"\"\"\nc*(x^2\n  + yy^2)\"\"\"", "8:5", "unknown name \"yy\"", "yy"},
                                {"\"c*(x^2 + y^2)\"", "'''c*x\n\n + yy'''", "8:4", "unknown name \"yy\"", "yy"},
                                {"\"c*(x^2 + y^2)\"", "\"\"\"c*x \\\n   + yy\"\"\"", "7:6", "unknown name \"yy\"", "yy"},
                                {"\"c*(x^2 + y^2)\"", "\"\\u0063*x + \\\"\"", "6:25", "unexpected character", ""},
                                {"\"c*(x^2 + y^2)\"", "\"\\u0063*x +\\t\\u0079y\"", "6:26", "unknown name \"yy\"", "\\u0079y"},
                            });
}

TEST(WrongExpression, columns_count_bytes_after_accents) {
  const std::string message = error_of("title = \"é\"\nsystem = { title = \"é\", potential = 1 }\n");
  EXPECT_TRUE(message.starts_with("p.toml:2:12: error: unknown key \"title\"")) << message;
  const std::string later = error_of("title = \"é\"\nsystem = { coordinates = [\"é\", 1] }\n");
  EXPECT_NE(later.find("p.toml:2:28: error: \"é\" is not a name"), std::string::npos) << later;
}

TEST(WrongExpression, syntax_and_meaning_are_checked) {
  expect_errors(
      oscillator,
      {
          {"c*(x^2 + y^2)", "c*(x^2 + y^2", "6:16", "in system.potential", "("},
          {"c*(x^2 + y^2)", "c*x +", "6:19", "in system.potential", ""},
          {"c*(x^2 + y^2)", "c*sn(x)", "6:16", "unknown function \"sn\" in system.potential", "sn", "did you mean \"sin\"?"},
          {"c*(x^2 + y^2)", "", "6:14", "in system.potential", ""},
          {"c*(x^2 + y^2)", "x'^2", "6:14", "x' is a velocity, not allowed in system.potential", "x'",
           "a potential depends on positions; with velocities it is a lagrangian"},
          {"c*(x^2 + y^2)", "x[0]", "6:14", "x is one coordinate and takes no index", "x[0]"},
          {"c*(x^2 + y^2)", "x*c[0]", "6:16", "c is a parameter and takes no index", "c[0]"},
          {"c*(x^2 + y^2)", "x*c'", "6:16", "c has no velocity", "c'"},
          {"c*(x^2 + y^2)", "x*t'", "6:16", "t has no velocity", "t'"},
          {"c*(x^2 + y^2)", "3*c", "6:13", "system.potential depends on no coordinate", "\"3*c\""},
          {"potential = \"c*(x^2 + y^2)\"", "lagrangian = \"x'''\"", "6:15", "x has 3 primes", "x'''",
           "x' is its velocity, x'' its acceleration"},
          {"potential = \"c*(x^2 + y^2)\"", "lagrangian = \"x''\"", "6:15", "x'' is an acceleration, not allowed", "x''",
           "accelerations stand in [system.equations] only"},
          {"[1.2, 0.0]", "[\"x\", 0]", "8:14", "x is a coordinate, not allowed in initial.position[0]", "x"},
          {"[1.2, 0.0]", "[\"t\", 0]", "8:14", "the time t is not allowed", "t"},
          {"[1.0, 1.0]", "\"x\"", "5:9", "x is a coordinate, not allowed in system.mass", "x"},
          {"end = 10.0", "end = 1\n[[symmetry]]\nname = \"a\"\ngenerator = [\"x'\", 0]", "18:15", "x' is a velocity, not allowed",
           "x'"},
          {"{ c = 1.0 }", "{ c = \"d\" }", "4:21", "unknown name \"d\" in system.parameters.c", "d"},
      });
  expect_errors(chain, {
                           {"c*m[k]", "c*m", "8:16", "m is a table of 5 and takes one index", "m", "write m[i]"},
                           {"c*m[k]", "c*theta", "8:16", "theta is a family of 5 and takes one index", "theta", "write theta[i]"},
                           {"c*m[k]", "c*theta[k,1]", "8:16", "theta is a family of 5 and takes one index", "theta[k,1]"},
                           {"c*m[k]", "c*m[j]", "8:18", "unknown index", "j"},
                           {"c*m[k]", "normal()", "8:14", "unknown function \"normal\"", "normal"},
                       });
}

TEST(WrongTerm, index_out_of_range_names_the_loops_and_the_size) {
  expect_errors(chain,
                {
                    {"0..N-1", "0..N", "8:22",
                     "theta[k+1] is theta[5] at k = 4 in system.term[0].potential, but theta has 5 entries, theta[0] to theta[4]",
                     "theta[k+1]", "shorten the range, or write periodic = true to wrap around"},
                    {"0..N-1", "-1..3", "8:16", "m[k] is m[-1] at k = -1", "m[k]"},
                    {"k = 0..N-1", "j = 1..2, k = j..2*j", "8:22", "theta[k+1] is theta[5] at j = 2, k = 4", "theta[k+1]"},
                    {"m[k]", "m[7]", "8:16", "m[7] is m[7] at k = 0", "m[7]"},
                    {"m[k]", "m[k/(k-2)]", "8:16", "m[k/(k-2)] is m[-1] at k = 1", "m[k/(k-2)]"},
                    {"m[k]", "m[k*9000000000000000000]", "8:16", "is m[9000000000000000000] at k = 1", ""},
                    {"theta = 0, y = 1", "theta = \"m[i+1]\", y = 1", "10:23",
                     "m[i+1] is entry 5 at i = 4 in initial.position.theta, but the table has 5 entries", "m[i+1]"},
                    {"[initial]", "[[symmetry]]\nname = \"a\"\ngenerator = { theta = \"theta[i+1]\" }\n[initial]", "11:24",
                     "theta[i+1] is theta[5] at i = 4", "theta[i+1]"},
                });
  const std::string single =
      with(chain, "over = \"k = 0..N-1\"\npotential = \"c*m[k]*(theta[k+1] - theta[k])^2\"", "potential = \"theta[7]\"");
  EXPECT_NE(error_of(single).find("theta[7] is out of range in system.term[0].potential, but theta has 5 entries"),
            std::string::npos);
}

TEST(WrongTerm, ranges_are_checked) {
  expect_errors(
      chain,
      {
          {"k = 0..N-1", "k = 3..0", "7:8", "system.term[0].over holds no element", "\"k = 3..0\""},
          {"k = 0..N-1", "k = 0..3, k = 0..1", "7:19", "used twice", "k"},
          {"k = 0..N-1", "m = 0..3", "7:9", "\"m\" cannot be an index: it is already a table", "m"},
          {"k = 0..N-1", "theta = 0..3", "7:9", "\"theta\" cannot be an index: it is already a coordinate", "theta"},
          {"k = 0..N-1", "pi = 0..3", "7:9", "", ""},
          {"k = 0..N-1", "k 0..3", "7:11", "in system.term[0].over", ""},
          {"k = 0..N-1", "", "7:9", "in system.term[0].over", ""},
          {"k = 0..N-1", "k = 0..N-1/0", "7:8", "divides by zero in system.term[0].over", ""},
          {"k = 0..N-1", "k = 0..9223372036854775807*2", "7:8", "overflows in system.term[0].over", ""},
          {"k = 0..N-1", "a=0..1,b=0..1,d=0..1,e=0..1,f=0..1,g=0..1,h=0..1,i=0..1,j=0..1", "7:8", "has more than 8 ranges", ""},
          {"potential =", "lagrangian = \"y\"\npotential =", "8:1", "system.term[0] has both a potential and a lagrangian",
           "lagrangian", "write two terms"},
          {"potential =", "#", "6:1", "system.term[0] has neither a potential nor a lagrangian", "[[system.term]]"},
      });
}

TEST(WrongNames, clashes_are_refused) {
  expect_errors(oscillator,
                {
                    {"[\"x\", \"y\"]", "[\"x\", \"x\"]", "3:22", "\"x\" cannot be a coordinate: it is already a coordinate", "x"},
                    {"[\"x\", \"y\"]", "[\"x\", \"c\"]", "3:22", "\"c\" cannot be a coordinate: it is already a parameter", "c"},
                    {"[\"x\", \"y\"]", "[\"x\", \"sin\"]", "3:22", "\"sin\" cannot be a coordinate", "sin"},
                    {"[\"x\", \"y\"]", "[\"x\", \"t\"]", "3:22", "\"t\" cannot be a coordinate: it is already the time", "t"},
                    {"[\"x\", \"y\"]", "[\"x\", \"i\"]", "3:22",
                     "\"i\" cannot be a coordinate: it is already the index within a family", "i"},
                    {"[\"x\", \"y\"]", "[\"x\", \"2y\"]", "3:22", "\"2y\" is not a name", "2y"},
                    {"[\"x\", \"y\"]", "[\"x\", \"y z\"]", "3:22", "\"y z\" is not a name", "y z"},
                    {"[\"x\", \"y\"]", "[\"x\", \"\"]", "3:22", "\"\" is not a name", ""},
                    {"c = 1.0", "pi = 3", "4:16", "\"pi\" cannot be a parameter: it is already a constant", "pi"},
                    {"c = 1.0", "\"c d\" = 3", "4:16", "\"c d\" is not a name", "\"c d\""},
                    {"mass", "tables = { x = [1] }\nmass", "5:12", "\"x\" cannot be a table: it is already a coordinate", "x"},
                    {"end = 10.0",
                     "end = 1\n[[symmetry]]\nname = \"a\"\ngenerator = [1, 0]\n[[symmetry]]\nname = \"a\"\ngenerator = [1, 0]",
                     "20:8", "two symmetries are named \"a\"", "\"a\""},
                });
}

TEST(WrongNumbers, steps_times_and_states_are_checked) {
  expect_errors(
      oscillator,
      {
          {"step = 0.2", "step = -1", "14:8", "run.step is -1; it must be positive", "-1"},
          {"step = 0.2", "step = 0", "14:8", "run.step is 0; it must be positive", "0"},
          {"step = 0.2", "step = nan", "14:8", "run.step is nan; it must be finite", "nan"},
          {"step = 0.2", "step = inf", "14:8", "run.step is inf; it must be finite", "inf"},
          {"end = 10.0", "end = inf", "15:7", "run.end is inf; it must be finite", "inf"},
          {"end = 10.0", "end = -1", "15:7", "run.end is -1; it must be later than the start, 0", "-1"},
          {"end = 10.0", "end = 1e300", "15:7", "run.end is 5e+300 steps away", "1e300"},
          {"end = 10.0", "end = 1\nsteps = 3", "16:1", "run.end and run.steps are both given", "steps"},
          {"end = 10.0", "steps = 0", "15:9", "run.steps is 0; it must lie between 1 and", "0"},
          {"end = 10.0", "end = 1\nevery = 0", "16:9", "run.every is 0; it must lie between 1 and", "0"},
          {"end = 10.0", "end = 1\nstart = nan", "16:9", "run.start is nan", "nan"},
          {"end = 10.0", "end = 1\n[certificate]\nenergy = 0", "17:10", "certificate.energy is 0; it must be positive", "0"},
          {"[1.2, 0.0]", "[nan, 0]", "8:13", "initial.position[0] is nan; it must be finite", "nan"},
          {"[1.2, 0.0]", "[\"1/0\", 0]", "8:13", "initial.position[0] is inf; it must be finite", "\"1/0\""},
          {"[1.2, 0.0]", "{ x = 0, y = inf }", "8:25", "initial.position.y is inf; it must be finite", "inf"},
          {"1.0 }", "inf }", "4:20", "system.parameters.c is inf; it must be finite", "inf"},
          {"velocity", "seed = -1\nvelocity", "9:8", "initial.seed is -1", "-1"},
          {"0.25", "11", "12:8", "method.beta is 11; it must lie between 0 and 10", "11"},
          {"0.25", "nan", "12:8", "method.beta is nan", "nan"},
      });
  expect_errors(chain,
                {{"theta = 0", "theta = \"1/(i-2)\"", "10:22", "initial.position.theta is inf at i = 2; it must be finite", ""}});
}

TEST(WrongMass, must_be_symmetric_and_positive_definite) {
  expect_errors(
      oscillator,
      {
          {"[1.0, 1.0]", "[1.0, -1]", "5:14", "the mass of y is -1; it must be positive", "-1"},
          {"[1.0, 1.0]", "0", "5:8", "the mass of x is 0; it must be positive", "0"},
          {"[1.0, 1.0]", "[1, nan]", "5:12", "system.mass[1] is nan; it must be finite", "nan"},
          {"[1.0, 1.0]", "[[1, 2], [1, 1]]", "5:18", "the mass is not symmetric: entry (1, 0) is 1, entry (0, 1) is 2", "1"},
          {"[1.0, 1.0]", "[[1, 2], [2, 1]]", "5:21",
           "the mass is not positive definite: its Cholesky factorisation meets -3 at y", "1"},
          {"[1.0, 1.0]", "[[1, 1], [1, 1]]", "5:21", "the mass is not positive definite: its Cholesky factorisation meets 0 at y",
           "1"},
          {"[1.0, 1.0]", "[[1, 0], [0, -1]]", "5:21", "the mass is not positive definite: y has -1 on the diagonal", "-1"},
          {"mass = [1.0, 1.0]\n", "", "3:1", "x has no kinetic energy", "coordinates",
           "give [system] a mass, or a lagrangian with x'"},
      });
  expect_errors(chain, {{"\"m[i]\"", "\"m[i] - 3\"", "5:18", "the mass of theta[0] is -2; it must be positive", "\"m[i] - 3\""}});
  const std::string partly = with(oscillator, "mass = [1.0, 1.0]\npotential = \"c*(x^2 + y^2)\"", "lagrangian = \"x'^2 + y*x\"");
  EXPECT_NE(error_of(partly).find("y has no kinetic energy"), std::string::npos);
}

TEST(WrongMethod, reasons_are_given) {
  expect_errors(
      oscillator,
      {
          {"newmark", "newmrk", "11:8", "unknown method \"newmrk\"", "\"newmrk\"", "did you mean \"newmark\"?"},
          {"newmark", "euler-cromer-nystrom", "11:8", "  it can be newmark, ", ""},
          {"newmark", "verlet", "12:1", "unknown key \"beta\" in [method]", "beta", "it takes compose, form, name"},
          {"name = \"newmark\"\nbeta = 0.25", "name = \"verlet\"\nform = \"velocty\"", "12:8",
           "method.form cannot be \"velocty\"", "\"velocty\"", "did you mean \"velocity\"?"},
          {"name = \"newmark\"\nbeta = 0.25", "name = \"mclachlan-atela\"\norder = 6", "12:9",
           "method.order is 6; it must lie between 2 and 5", "6"},
          {"name = \"newmark\"\nbeta = 0.25", "name = \"rk4\"\ncompose = { order = 4 }", "12:1",
           "rk4 cannot be composed: it is not symmetric", "compose"},
          {"name = \"newmark\"\nbeta = 0.25", "name = \"cvode-adams\"\ncompose = { order = 4 }", "12:1",
           "cvode-adams cannot be composed: it chooses its own steps", "compose"},
          {"beta = 0.25", "gamma = 0.6\ncompose = { order = 4 }", "13:1",
           "newmark with beta = 0.25, gamma = 0.6, iterations = 0 cannot be composed: it is not symmetric", "compose"},
          {"beta = 0.25", "compose = { order = 5 }", "12:21",
           "method.compose.order is 5; the order of a composition is 4, 6, 8 or 10", "5"},
          {"beta = 0.25", "compose = { order = 12 }", "12:21", "method.compose.order is 12; it must lie between 4 and 10", "12"},
          {"beta = 0.25", "compose = { order = 10 }", "12:1",
           "compose.scheme yoshida has no order 10: take sofroniou-spaletta (35 steps), or suzuki (625)", "compose"},
          {"beta = 0.25", "compose = { order = 4, scheme = \"yoshda\" }", "12:33", "method.compose.scheme cannot be \"yoshda\"",
           "\"yoshda\"", "did you mean \"yoshida\"?"},
          {"mass = [1.0, 1.0]\npotential = \"c*(x^2 + y^2)\"", "lagrangian = \"x'^2 + x^2*y'^2\"", "10:8",
           "needs a Lagrangian of the form 1/2 v'Mv - V(q)", "\"newmark\"",
           "the kinetic energy of \"lagrangian\" depends on positions, or is not quadratic in the velocities; methods that fit: "
           "variational, "
           "midpoint, gauss"},
      });
}

TEST(WrongFile, files_it_names_must_exist) {
  expect_errors(
      oscillator,
      {
          {"[1.0, 1.0]", "\"no-such.mtx\"", "5:8", "system.mass: there is no file \"no-such.mtx\"", "\"no-such.mtx\"",
           "paths are relative to the problem file"},
          {"mass", "library = \"no-such.so\"\nmass", "5:11", "system.library: there is no file \"no-such.so\"", "\"no-such.so\""},
          {"mass", "tables = { m = { csv = \"no.csv\", column = \"m\" } }\nmass", "5:24",
           "system.tables.m.csv: there is no file \"no.csv\"", "\"no.csv\""},
          {"mass", "tables = { m = { csv = \"no.csv\" } }\nmass", "5:16", "system.tables.m.column is missing", ""},
      });
}

}  // namespace
}  // namespace actio::io::test
