#include "wrong.hpp"

// Words of other programs and of textbooks are known by what they mean, before how they are spelt.
namespace actio::io::test {
namespace {

TEST(Meaning, of_keys) {
  expect_errors(
      oscillator,
      {
          {"step = 0.2", "dt = 0.2", "14:1", "unknown key \"dt\" in [run]", "dt", "did you mean \"step\"?"},
          {"step = 0.2", "h = 0.2", "14:1", "unknown key \"h\" in [run]", "h", "did you mean \"step\"?"},
          {"step = 0.2", "time_step = 0.2", "14:1", "unknown key \"time_step\"", "", "did you mean \"step\"?"},
          {"end = 10.0", "t_end = 10", "15:1", "unknown key \"t_end\"", "t_end", "did you mean \"end\"?"},
          {"end = 10.0", "tmax = 10", "15:1", "unknown key \"tmax\"", "tmax", "did you mean \"end\"?"},
          {"end = 10.0", "duration = 10", "15:1", "unknown key \"duration\"", "", "did you mean \"end\"?"},
          {"end = 10.0", "n_steps = 10", "15:1", "unknown key \"n_steps\"", "", "did you mean \"steps\"?"},
          {"beta = 0.25", "dt = 0.1", "12:1", "unknown key \"dt\" in [method]", "dt", "did you mean run.step?"},
          {"beta = 0.25", "tolerance = 1e-9", "12:1", "unknown key \"tolerance\" in [method]", "tolerance",
           "steps are solved to round-off, so there is no tolerance; certificate.residual bounds what they leave"},
          {"name = \"newmark\"\nbeta = 0.25", "name = \"cvode-adams\"\ntolerance = 1e-9", "12:1", "unknown key \"tolerance\"", "",
           "did you mean \"rtol\"?"},
          {"name = \"newmark\"\nbeta = 0.25", "name = \"hht\"\nalpha = -0.1", "12:1", "unknown key \"alpha\" in [method]",
           "alpha",
           "alpha of the literature is given by rho, the spectral radius at infinite frequency: for hht rho = (1 + alpha)/(1 - "
           "alpha)"},
          {"position", "q0", "8:1", "unknown key \"q0\" in [initial]", "q0", "did you mean \"position\"?"},
          {"position", "x0", "8:1", "unknown key \"x0\" in [initial]", "x0", "did you mean \"position\"?"},
          {"velocity", "v0", "9:1", "unknown key \"v0\" in [initial]", "v0", "did you mean \"velocity\"?"},
          {"potential", "zeta = 0.05\npotential", "6:1", "unknown key \"zeta\" in [system]", "zeta",
           "a damping ratio is system.rayleigh = { ratio = 0.05, frequencies = [1, 10] }: it holds at these two [Hz]"},
          {"potential", "rayleigh = { zeta = 0.05, frequencies = [1, 2] }\npotential", "6:14",
           "unknown key \"zeta\" in [system.rayleigh]", "zeta", "did you mean \"ratio\"?"},
          {"[1.2, 0.0]", "{ x0 = 1, y = 0 }", "8:14", "unknown key \"x0\" in [initial.position]", "x0", "did you mean \"x\"?"},
      });
}

TEST(Meaning, of_methods) {
  const std::string average = "the average acceleration is name = \"newmark\" with beta = 0.25 and gamma = 0.5";
  expect_errors(oscillator, {
                                {"\"newmark\"", "\"leapfrog\"", "11:8", "unknown method \"leapfrog\"", "\"leapfrog\"",
                                 "did you mean \"verlet\"?"},
                                {"\"newmark\"", "\"HHT-alpha\"", "11:8", "unknown method", "", "did you mean \"hht\"?"},
                                {"\"newmark\"", "\"average-acceleration\"", "11:8", "unknown method", "", average},
                                {"\"newmark\"", "\"average acceleration\"", "11:8", "unknown method", "", average},
                                {"\"newmark\"", "\"trapezoidal\"", "11:8", "unknown method", "", average},
                                {"\"newmark\"", "\"Stoermer-Verlet\"", "11:8", "unknown method", "", "did you mean \"verlet\"?"},
                            });
}

// The advice is sound: hht with the rho that it names has the alpha that was meant, and what it suggests can be read.
TEST(Meaning, the_advice_can_be_followed) {
  EXPECT_NO_THROW(load_text(with(oscillator, "beta = 0.25", "beta = 0.25\ngamma = 0.5"), "p.toml"));
  EXPECT_NO_THROW(load_text(with(oscillator, "mass = [1.0, 1.0]",
                                 "mass = [1.0, 1.0]\nstiffness = [[1, 0], [0, 2]]\n"
                                 "rayleigh = { ratio = 0.05, frequencies = [1, 10] }"),
                            "p.toml"));
  const double alpha = -0.1, rho = (1 + alpha) / (1 - alpha);
  EXPECT_NEAR((1 - rho) / (1 + rho), -alpha, 1e-15);  // af of hht, as spec.hpp has it
}

TEST(Meaning, of_functions) {
  expect_errors(oscillator,
                {
                    {"c*(x^2", "c*(log2(x)", "6:17", "unknown function \"log2\"", "log2", "log2(x) is log(x)/log(2)"},
                    {"c*(x^2", "c*(ln(x)", "6:17", "unknown function \"ln\"", "ln", "the natural logarithm is log"},
                    {"c*(x^2", "c*(arctan(x)", "6:17", "unknown function", "arctan", "did you mean \"atan\"?"},
                    {"c*(x^2", "c*(fabs(x)", "6:17", "unknown function", "fabs", "did you mean \"abs\"?"},
                    {"c*(x^2", "c*(ceil(x)", "6:17", "unknown function", "ceil", "ceil(x) is -floor(-x)"},
                    {"c*(x^2", "c*(fmod(x, y)", "6:17", "unknown function", "fmod", "did you mean \"mod\"?"},
                    {"c*(x^2", "c*(torsion(x, y)", "6:17", "unknown function", "torsion", "did you mean \"dihedral\"?"},
                });
}

TEST(Meaning, of_joints) {
  const std::string text = R"toml([system]
bodies = [{ name = "door", mass = 20, inertia = [2, 2, 1] }]
[[system.joint]]
type = "revolute"
between = ["door.point(0, 0, 0)", "ground.point(0, 0, 0)"]
axes = ["door.axis(0, 0, 1)", "ground.axis(0, 0, 1)"]
[method]
name = "rattle"
[run]
step = 0.01
end = 1
)toml";
  EXPECT_NO_THROW(load_text(text, "p.toml"));
  expect_errors(
      text, {{"\"revolute\"", "\"hinge\"", "4:8", "system.joint[0].type is \"hinge\"", "\"hinge\"", "did you mean \"revolute\"?"},
             {"\"revolute\"", "\"ball\"", "4:8", "system.joint[0].type is \"ball\"", "\"ball\"", "did you mean \"spherical\"?"},
             {"\"revolute\"", "\"weld\"", "4:8", "system.joint[0].type is \"weld\"", "\"weld\"", "did you mean \"fixed\"?"}});
}

TEST(Meaning, missing_quotes_are_named) {
  expect_errors(
      oscillator,
      {
          {"\"newmark\"", "newmark", "11:9", "not TOML", "", "a word or an expression needs quotes: name = \"newmark\""},
          {"\"c*(x^2 + y^2)\"", "c*(x^2 + y^2)  # soft", "6:13", "not TOML", "",
           "a word or an expression needs quotes: potential = \"c*(x^2 + y^2)\""},
          {"{ c = 1.0 }", "{ c = sqrt(2), d = 1 }", "", "not TOML", "", "a word or an expression needs quotes: c = \"sqrt(2)\""},
          {"{ c = 1.0 }", "{ c = 1.0, d = 2*pi }", "", "not TOML", "", "a word or an expression needs quotes: d = \"2*pi\""},
      });
  const std::string number = error_of(with(oscillator, "step = 0.2", "step = 0.2.3"));
  EXPECT_EQ(number.find("quotes"), std::string::npos) << number;
}

TEST(Meaning, files_of_other_kinds_are_known) {
  const Folder folder;
  const auto error = [](const std::string& path) -> std::string {
    try {
      (void)load(path);
    } catch (const core::InputError& e) { return e.what(); }
    return "";
  };
  const std::string hdf5 = std::string("\x89HDF\r\n\x1a\n\0\1\2\3", 12);
  const std::string message = error(folder.write("a.h5", hdf5 + std::string(40 << 20, '\1')));
  EXPECT_NE(message.find("a.h5: error: this is an HDF5 file, not a problem in TOML\n"), std::string::npos) << message;
  EXPECT_NE(message.find(".attrs[\"problem\"])"), std::string::npos) << message;
  EXPECT_EQ(message.find('?'), std::string::npos) << message;  // none of its bytes
  EXPECT_NE(error(folder.write("a.ck", "actio\r\n\x1a 12")).find("this is a checkpoint"), std::string::npos);
  EXPECT_NE(error(folder.write("a.msh", "$MeshFormat\n")).find("this is a mesh of Gmsh"), std::string::npos);
  EXPECT_NE(error(folder.write("a.mtx", "%%MatrixMarket matrix\n")).find("this is a Matrix Market file"), std::string::npos);
  EXPECT_NE(error(folder.write("a.toml", "\xFF\xFEt\1")).find("save it as UTF-8"), std::string::npos);
}

}  // namespace
}  // namespace actio::io::test
