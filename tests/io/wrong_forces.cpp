#include <vector>

#include "wrong.hpp"

// Wrong forces, loads, signals, matrices and equations are named, with their place and a hint.
namespace actio::io::test {
namespace {

TEST(WrongForce, is_refused_with_the_place) {
  expect_errors(
      chain,
      {
          {"[initial]", "[system.force]\nthata = \"1\"\n[initial]", "10:1", "system.force: \"thata\" is not a coordinate",
           "thata", "did you mean \"theta\"?"},
          {"[initial]", "[system.force]\nc = \"1\"\n[initial]", "10:1", "system.force: \"c\" is a parameter", "c"},
          {"[initial]", "[system.force]\n\"theta[5]\" = \"1\"\n[initial]", "10:1", "theta has 5 entries, theta[0] to theta[4]",
           "\"theta[5]\""},
          {"[initial]", "[system.force]\n\"theta[-1]\" = \"1\"\n[initial]", "10:1", "theta has 5 entries", "\"theta[-1]\""},
          {"[initial]", "[system.force]\n\"theta[3..2]\" = \"1\"\n[initial]", "10:1", "3..2 names no coordinate",
           "\"theta[3..2]\"", "both ends of a range are included"},
          {"[initial]", "[system.force]\n\"theta[0..4 step 0]\" = \"1\"\n[initial]", "10:1", "the step is 0", ""},
          {"[initial]", "[system.force]\n\"theta[2 step 2]\" = \"1\"\n[initial]", "10:1", "a step needs a range", ""},
          {"[initial]", "[system.force]\n\"theta[\" = \"1\"\n[initial]", "10:1", "has no closing ]", ""},
          {"[initial]", "[system.force]\n\"theta[a]\" = \"1\"\n[initial]", "10:1", "in [a]", ""},
          {"[initial]", "[system.force]\n\"theta[1,2]\" = \"1\"\n[initial]", "10:1", "system.force: ", ""},
          {"[initial]", "[system.force]\n\"y[0]\" = \"1\"\n[initial]", "10:1", "y is one coordinate and takes no index", ""},
          {"[initial]", "[system.force]\ntheta = \"-c*theta''[i]\"\n[initial]", "10:13",
           "theta'' is an acceleration, not allowed in system.force.theta", "theta''[i]"},
          {"[initial]", "[system.force]\ntheta = \"theta[i+1]\"\n[initial]", "10:10", "theta[i+1] is theta[5] at i = 4",
           "theta[i+1]"},
          {"[initial]", "[system.force]\ny = \"c*thet[0]\"\n[initial]", "10:8", "unknown name \"thet\"", "thet[0]",
           "did you mean \"theta\"?"},
          {"[initial]", "[system.force]\ny = [1]\n[initial]", "10:5",
           "system.force.y must be an expression or a number, not a list", "[1]"},
          {"[initial]", "[system.force]\ny = nan\n[initial]", "10:5", "system.force.y is nan; it must be finite", "nan"},
          {"[[system.term]]", "force = \"x\"\n[[system.term]]", "6:9",
           "system.force must be a table of coordinates, not a string", "\"x\""},
          {"[[system.term]]", "dissipation = \"y^2\"\n[[system.term]]", "6:15", "system.dissipation depends on no velocity",
           "\"y^2\""},
          {"[[system.term]]", "dissipation = \"y''^2\"\n[[system.term]]", "6:16", "y'' is an acceleration, not allowed", "y''"},
          {"potential =", "force = \"theta[k]\"\nx =", "9:1", "unknown key \"x\" in [system.term[0]]", "x"},
          {"potential =", "force = \"theta[k]\" #", "8:1", "system.term[0].force does not name its coordinate", "force",
           "for example on = \"u[k]\""},
          {"potential =", "on = \"theta[k]\"\npotential =", "8:1",
           "system.term[0] has a coordinate it acts on, but is a potential", "on", "on belongs to a force or an equation"},
          {"potential =", "force = \"theta[k]\"\non = \"2*theta[k]\" #", "9:6", "system.term[0].on must name one coordinate", ""},
          {"potential =", "force = \"theta[k]\"\non = \"theta[k+2]\" #", "9:7", "theta[k+2] is theta[5] at k = 3", "theta[k+2]"},
          {"potential =", "force = \"1\"\non = \"y\"\npotential =", "8:1", "system.term[0] has both a potential and a force",
           "force", "write two terms"},
      });
}

TEST(WrongLoad, is_refused_with_the_place) {
  const auto load = [](const std::string& lines) { return "[[system.load]]\n" + lines + "\n[initial]"; };
  expect_errors(
      chain,
      {
          {"[initial]", load("time = \"t\""), "9:1", "system.load[0].pattern is missing", "[[system.load]]"},
          {"[initial]", load("patern = 1"), "10:1", "unknown key \"patern\" in [system.load[0]]", "patern",
           "did you mean \"pattern\"?"},
          {"[initial]", load("pattern = [1, 2]"), "10:11", "system.load[0].pattern has 2 entries, the system has 6 coordinates",
           "[1, 2]"},
          {"[initial]", load("pattern = { \"theta[0..1]\" = [1] }"), "10:29", "has 1 entry, theta[0..1] names 2 coordinates",
           "[1]"},
          {"[initial]", load("pattern = { theta = 1, \"theta[2]\" = 1 }"), "10:24", "system.load[0].pattern gives theta[2] twice",
           "\"theta[2]\""},
          {"[initial]", load("pattern = {}"), "10:11", "system.load[0].pattern names no coordinate", "{}"},
          {"[initial]", load("pattern = 0"), "10:11", "system.load[0].pattern is zero", "0"},
          {"[initial]", load("pattern = 1e300\nscale = 1e300"), "10:11", "system.load[0].pattern is not finite", "1e300"},
          {"[initial]", load("pattern = true"), "10:11", "system.load[0].pattern must be a number, a list", "true"},
          {"[initial]", load("pattern = \"none.mtx\""), "10:11", "there is no file", "\"none.mtx\""},
          {"[initial]", load("pattern = { csv = \"none.csv\", column = \"p\" }"), "10:19", "there is no file", "\"none.csv\""},
          {"[initial]", load("pattern = \"theta[i]\""), "10:12", "theta is a coordinate, not allowed", "theta[i]"},
          {"[initial]", load("pattern = 1\ntime = \"sin(theta[0])\""), "11:13", "theta is a coordinate, not allowed", "theta[0]",
           "a load depends on the time alone; with coordinates it is a force: [system.force]"},
          {"[initial]", load("pattern = 1\ntime = [1]"), "11:8", "system.load[0].time is a list; samples over time are a signal",
           "[1]"},
          {"[initial]", "[system.base]\nacceleration = \"t\"\n[initial]", "9:1", "system.base.direction is missing",
           "[system.base]"},
          {"[initial]", "[system.base]\ndirection = 1\n[initial]", "9:1", "system.base.acceleration is missing", "[system.base]"},
      });
  const std::string lagrangian = with(with(oscillator, "mass = [1.0, 1.0]\n", "lagrangian = \"y'^2 + x'^2*y^2\"\n"), "[initial]",
                                      "[system.base]\nacceleration = \"t\"\ndirection = 1\n[initial]");
  EXPECT_NE(error_of(lagrangian).find("p.toml:7:1: error: system.base needs system.mass"), std::string::npos)
      << error_of(lagrangian);
}

TEST(WrongSignal, is_refused_with_the_place) {
  const auto signal = [](const std::string& value) { return "[system.signals]\nf = " + value + "\n[initial]"; };
  expect_errors(
      chain,
      {
          {"[initial]", signal("3"), "10:5", "system.signals.f must be { csv", "3"},
          {"[initial]", signal("{ time = [0, 1] }"), "10:5", "system.signals.f.value is missing", ""},
          {"[initial]", signal("{ value = [0, 1] }"), "10:1", "system.signals.f has no times of its samples", "f"},
          {"[initial]", signal("{ time = [0, 1], value = [1] }"), "10:30",
           "system.signals.f.value has 1 entry, system.signals.f.time has 2", "[1]"},
          {"[initial]", signal("{ time = [0, 1, 1], value = [1, 2, 3] }"), "10:21", "must increase: 1 follows 1", "1"},
          {"[initial]", signal("{ time = [0, nan], value = [1, 2] }"), "10:18",
           "system.signals.f.time[1] is nan; it must be finite", "nan"},
          {"[initial]", signal("{ time = [0, 1], value = [1, inf] }"), "10:34", "system.signals.f.value[1] is inf", "inf"},
          {"[initial]", signal("{ time = [], value = [] }"), "", "is empty", "[]"},
          {"[initial]", signal("{ time = [0], step = 1, value = [1] }"), "10:19", "system.signals.f has both times and a step",
           "step"},
          {"[initial]", signal("{ time = [0], start = 1, value = [1] }"), "10:19", "system.signals.f has a start without a step",
           "start"},
          {"[initial]", signal("{ step = 0, value = [1] }"), "10:14", "system.signals.f.step is 0; it must be positive", "0"},
          {"[initial]", signal("{ step = 1e-30, start = 1, value = [1, 2] }"), "10:14",
           "too small to distinguish the times of 2 samples", ""},
          {"[initial]", signal("{ step = 1, value = [1e300], scale = 1e300 }"), "10:42",
           "system.signals.f.scale makes a sample inf", "1e300"},
          {"[initial]", signal("{ step = 1, value = [1], skale = 2 }"), "10:30", "unknown key \"skale\"", "skale",
           "did you mean \"scale\"?"},
          {"[initial]", signal("{ csv = \"none.csv\", time = \"t\", value = \"a\" }"), "10:13", "there is no file",
           "\"none.csv\""},
          {"[initial]", "[system.signals]\ny = { step = 1, value = [1] }\n[initial]", "10:1",
           "\"y\" cannot be a signal: it is already a coordinate", "y"},
          {"[initial]", signal("{ step = 1, value = [1] }\n[system.force]\ny = \"f'\""), "12:6", "f has no velocity", "f'",
           "it is a signal"},
          {"[initial]", signal("{ step = 1, value = [1] }\n[system.force]\ny = \"f[0]\""), "12:6",
           "f is a signal and takes no index", "f[0]"},
          {"c = 1.5, N = 4 }", "c = \"f\", N = 4 }\nsignals = { f = { step = 1, value = [1] } }", "3:21", "unknown name \"f\"",
           "f"},
          {"step = 0.1\nsteps = 7", "step = \"0.1 + f\"\nsteps = 7\n[system.signals]\nf = { step = 1, value = [1] }", "14:15",
           "f is a signal, a function of the time, not allowed in run.step", "f"},
          {"theta = 0, y = 1 }", "theta = \"f\", y = 1 }\n[system.signals]\nf = { step = 1, value = [1] }", "10:23",
           "f is a signal, a function of the time, not allowed", "f"},
      });
}

// The message for a record with this text, after the file's name.
std::string record(const std::string& content) {
  const Folder folder;
  const std::string file = folder.write("a.csv", content);
  const std::string text =
      with(chain, "[initial]", "[system.signals]\nf = { csv = \"a.csv\", time = \"t\", value = \"a\" }\n[initial]");
  const std::string message = error_of(text, {}, folder / "p.toml");
  EXPECT_TRUE(message.starts_with(file)) << message;
  return message.substr(std::min(file.size(), message.size()));
}

TEST(WrongSignal, a_record_with_gaps_is_refused_at_its_line) {
  EXPECT_TRUE(record("t,a\n0,1\n1,\n2,1\n").starts_with(":3:3: error: an entry of \"a\" is missing"));
  EXPECT_TRUE(record("t,a\n0,1\n,1\n2,1\n").starts_with(":3:1: error: an entry of \"t\" is missing"));
  EXPECT_TRUE(record("t,a\n0,1\n1\n2,1\n").starts_with(":3:1: error: 1 entry in a table of 2 columns"));
  EXPECT_TRUE(record("t,a\n0,1\n1,2,3\n").starts_with(":3:1: error: 3 entries in a table of 2 columns"));
  EXPECT_TRUE(record("t,a\n0,1\n1,nan\n").starts_with(":3:3: error: nan is not finite"));
  EXPECT_TRUE(record("t,a\n0,1\n1,-\n").starts_with(":3:3: error: \"-\" is not a number"));
  EXPECT_TRUE(record("t,a\n0,1\n1,2\n\n1,3\n").starts_with(":5:1: error: \"t\" must increase from row to row: 1 follows 1"));
  EXPECT_TRUE(record("t,a\n0,1\n1,2\n0.5,3\n").starts_with(":4:1: error: \"t\" must increase from row to row: 0.5 follows 1"));
  EXPECT_TRUE(record("time,a\n0,1\n").starts_with(":1:1: error: no column \"t\""));
  EXPECT_TRUE(record("t,a\n").starts_with(": error: the file has no rows"));
  EXPECT_TRUE(record("").starts_with(": error: the file has no header line"));
}

const std::string pair = R"toml([system]
mass = [[2, 1], [1, 2]]
stiffness = [[2, -1], [-1, 2]]
[method]
name = "newmark"
[run]
step = 0.1
steps = 7
)toml";

TEST(WrongStructure, is_refused_with_the_place) {
  expect_errors(
      pair,
      {
          {"[-1, 2]]", "[-1.5, 2]]", "3:24", "the stiffness is not symmetric: entry (1, 0) is -1.5, entry (0, 1) is -1", "-1.5",
           "write forces without a potential, such as gyroscopic ones, in [system.force]"},
          {"[method]", "damping = [[0, 1], [-1, 0]]\n[method]", "4:21", "the damping is not symmetric: entry (1, 0) is -1", "-1"},
          {"[[2, 1], [1, 2]]", "[[2, 1], [1, 0.25]]", "2:21", "the mass is not positive definite", "0.25"},
          {"[-1, 2]]", "[-1, nan]]", "3:28", "is nan; it must be finite", "nan"},
          {"[-1, 2]]", "[-1]]", "3:23", "system.stiffness[1] has 1 entry, the system has 2 coordinates", "[-1]"},
          {"stiffness = [[2, -1], [-1, 2]]", "stiffness = [1, 2, 3]", "3:13", "system.stiffness has 3 entries, the system has 2",
           ""},
          {"[method]", "rayleigh = { mas = 1 }\n[method]", "4:14", "unknown key \"mas\"", "mas", "did you mean \"mass\"?"},
          {"[method]", "rayleigh = 1\n[method]", "4:12", "system.rayleigh must be a table, not a number", "1"},
          {"stiffness = [[2, -1], [-1, 2]]", "rayleigh = { stiffness = 1 }", "3:14",
           "system.rayleigh.stiffness has nothing to multiply: there is no system.stiffness", "stiffness"},
          {"[method]", "fixed = [2]\n[method]", "4:10", "system.fixed[0] is 2; it must lie between 0 and 1", "2"},
          {"[method]", "fixed = [0.5]\n[method]", "4:10", "system.fixed[0] is 0.5; it must be an integer", "0.5"},
          {"[method]", "fixed = [\"u[2]\"]\n[method]", "4:10", "u has 2 entries, u[0] to u[1]", "\"u[2]\""},
          {"[method]", "fixed = [\"v[0]\"]\n[method]", "4:10", "system.fixed[0]: \"v\" is not a coordinate", "\"v[0]\"",
           "the coordinates are u"},
          {"[method]", "fixed = true\n[method]", "4:9", "system.fixed must be a list of coordinates", "true"},
          {"[method]", "fixed = \"u\"\n[method]", "4:9", "system.fixed contains every coordinate: nothing moves", "\"u\""},
          {"[method]", "fixed = [0]\n[initial]\nvelocity = [1, 0]\n[method]", "6:1", "u[0] is fixed, but starts with velocity 1",
           "velocity"},
          {"[system]", "[system]\ncoordinates = [\"x\", \"y\", \"u[*]\"]", "2:26", "takes its size from a matrix", "\"u[*]\""},
          {"mass = [[2, 1], [1, 2]]\n", "", "1:1", "u[0] has no kinetic energy", "[system]"},
      });
}

TEST(WrongStructure, files_name_the_entry_and_its_line) {
  const std::string head = "%%MatrixMarket matrix coordinate real ";
  const auto error = [&](const std::string& stiffness, const std::string& mass = "1 1 2\n2 2 2\n2 1 1\n") {
    const Folder folder;
    folder.write("M.mtx", head + "symmetric\n2 2 3\n" + mass);
    folder.write("S.mtx", stiffness);
    const std::string text = with(with(pair, "[[2, 1], [1, 2]]", "\"M.mtx\""), "[[2, -1], [-1, 2]]", "\"S.mtx\"");
    const std::string message = error_of(text, {}, folder / "p.toml");
    return message.substr((folder / "").size());
  };
  const auto starts = [](const std::string& message, const std::string& start) {
    EXPECT_TRUE(message.starts_with(start)) << message;
  };
  starts(error(head + "general\n2 2 4\n1 1 2\n1 2 -1\n% so\n2 1 -3\n2 2 2\n"),
         "S.mtx:6:1: error: the stiffness is not symmetric: entry (2, 1) is -3, entry (1, 2) is -1");
  starts(error(head + "general\n2 2 3\n1 1 2\n1 2 -1\n2 2 2\n"),
         "S.mtx:4:1: error: the stiffness is not symmetric: entry (2, 1) is 0");
  starts(error(head + "general\n3 3 1\n1 1 2\n"), "S.mtx:2:1: error: the matrix is 3 x 3, the system needs 2 x 2");
  starts(error(head + "general\n2 2 3\n1 1 2\n"), "S.mtx:3: error: the file ends before entry 2 of 3");
  starts(error(head + "general\n2 2 1000000000000000000\n1 1 2\n"), "S.mtx:2:5: error: 1000000000000000000 entries; from 1 to");
  starts(error(head + "general\n1000000000000000000 1000000000000000000 1\n1 1 2\n"),
         "S.mtx:2:1: error: 1000000000000000000 rows");
  starts(error(head + "general\n2 2 1\n1 1 nan\n"), "S.mtx:3:5: error: the entry must be finite");
  starts(error(head + "general\n2 2 1\n1 9 1\n"), "S.mtx:3:3: error: column 9 of a matrix of 2");
  starts(error("", "1 1 2\n2 2 0.25\n2 1 1\n"),
         "M.mtx:4:1: error: the mass is not positive definite: its Cholesky factorisation meets");
  starts(error("", "1 1 2\n2 1 1\n2 1 0\n"), "M.mtx:2:1: error: the mass is not positive definite: u[1] has 0 on the diagonal");
}

const std::string implicit = R"toml([system]
coordinates = ["x", "u[3]"]
[system.equations]
x = "x'' + x"
u = "u''[i] + u[i]"
[initial]
position = [1, 0, 0, 0]
[method]
name = "newmark"
[run]
step = 0.1
steps = 7
)toml";

TEST(WrongEquation, is_refused_with_the_place) {
  expect_errors(
      implicit,
      {
          {"x = \"x'' + x\"\n", "", "3:9", "x has no equation", "equations"},
          {"x'' + x\"", "x''' + x\"", "4:6", "x has 3 primes", "x'''", "x' is its velocity, x'' its acceleration"},
          {"x'' + x\"", "x' + x\"", "3:9", "the acceleration x'' is in no equation", "",
           "the equations are solved for the accelerations"},
          {"x'' + x\"", "x'' + x == 0.3*cos(t)\"", "4:14", "an equals sign in system.equations.x",
           "==", "write \"x'' + x - (0.3*cos(t))\", which stays zero"},
          {"x'' + x\"", "x'' + x = 0\"", "4:14", "an equals sign in system.equations.x", "=",
           "write \"x'' + x\", which stays zero"},
          {"x'' + x\"", "x'' < x\"", "4:5", "system.equations.x is a comparison", ""},
          {"x'' + x\"", "3\"", "4:5", "system.equations.x depends on no coordinate", ""},
          {"u = ", "\"u[0]\" = \"u''[0]\"\nu = ", "", "gives u[0] two equations", ""},
          {"u = \"u''[i] + u[i]\"", "u = 3", "5:5", "system.equations.u must be a string, not a number", "3"},
          {"[system.equations]", "mass = 1\n[system.equations]", "3:1", "system.mass cannot stand beside system.equations",
           "mass"},
          {"[system.equations]", "potential = \"x\"\n[system.equations]", "3:1",
           "system.potential cannot stand beside system.equations", "potential"},
          {"[system.equations]", "fixed = [0]\n[system.equations]", "3:1", "system.fixed cannot stand beside system.equations",
           "fixed"},
          {"[initial]", "[system.force]\nx = 1\n[initial]", "6:9", "system.force cannot stand beside system.equations", ""},
          {"[initial]", "[[system.term]]\npotential = \"x^2\"\n[initial]", "6:10",
           "terms with energies or forces cannot stand beside system.equations", ""},
          {"[initial]", "[[symmetry]]\nname = \"a\"\ngenerator = [1, 0, 0, 0]\n[initial]", "6:3",
           "a symmetry cannot stand beside system.equations", ""},
          {"newmark", "verlet", "9:8", "verlet needs a Lagrangian", "\"verlet\""},
      });
  expect_errors(oscillator, {{"[initial]", "energy = \"x'^2\"\n[initial]", "7:1",
                              "an energy is declared, but there are no equations", "energy"}});
}

}  // namespace
}  // namespace actio::io::test
