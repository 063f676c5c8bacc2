#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <common.hpp>

#include "evaluate.hpp"
#include "support.hpp"

// Structures as matrices, and implicit equations, from the file to the model.
namespace actio::io::test {
namespace {

using actio::test::eps;

const std::string mass_file = "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 2\n2 2 2\n3 3 1\n3 2 0.5\n";
const std::string stiffness_file =
    "%%MatrixMarket matrix coordinate real general\n3 3 7\n1 1 4\n1 2 -2\n2 1 -2\n2 2 4\n2 3 -2\n3 2 -2\n3 3 2\n";
const Eigen::MatrixXd M{{2, 0, 0}, {0, 2, 0.5}, {0, 0.5, 1}};
const Eigen::MatrixXd S{{4, -2, 0}, {-2, 4, -2}, {0, -2, 2}};

// Nothing but what must be said.
const std::string frame = R"toml([system]
mass = "M.mtx"
stiffness = "S.mtx"
[method]
name = "newmark"
[run]
step = 0.1
steps = 7
)toml";

Problem load_frame(const std::string& more, const std::string& text = frame) {
  const Folder folder;
  folder.write("M.mtx", mass_file);
  folder.write("S.mtx", stiffness_file);
  return load(folder.write("p.toml", with(text, "[method]", more + "\n[method]")));
}

TEST(Structure, of_two_files_has_their_size_and_starts_at_rest) {
  const Problem problem = load_frame("");
  EXPECT_EQ(problem.model.size(), 3);
  EXPECT_EQ(problem.model.coordinate_name(2), "u[2]");
  EXPECT_EQ(Eigen::MatrixXd(problem.model.mass.full), M);
  EXPECT_EQ(Eigen::MatrixXd(problem.model.stiffness), S);
  EXPECT_EQ(problem.model.damping.size(), 0);
  EXPECT_EQ(problem.q0, Eigen::VectorXd::Zero(3));
  EXPECT_EQ(problem.v0, Eigen::VectorXd::Zero(3));
}

TEST(Structure, names_its_coordinates_and_starts_where_it_is_told) {
  const std::string named = with(frame, "[system]", "[system]\ncoordinates = [\"w\", \"phi[*]\"]");
  const Problem problem = load_frame("[initial]\nvelocity = { phi = [1, 2] }", named);
  EXPECT_EQ(problem.model.coordinate_name(0), "w");
  EXPECT_EQ(problem.model.coordinate_name(2), "phi[1]");
  EXPECT_EQ(problem.v0[2], 2);
}

TEST(Structure, rayleigh_damping_adds_mass_and_stiffness) {
  const auto damping = [](const std::string& line) { return Eigen::MatrixXd(load_frame(line).model.damping); };
  EXPECT_LE((damping("rayleigh = { mass = 0.5, stiffness = \"0.1/4\" }") - (0.5 * M + 0.025 * S)).cwiseAbs().maxCoeff(), eps);
  EXPECT_EQ(damping("rayleigh = { stiffness = 0.5 }"), 0.5 * S);
  EXPECT_EQ(damping("damping = [1, 0, 2]\nrayleigh = { mass = 2 }"),
            2 * M + Eigen::MatrixXd(Eigen::Vector3d(1, 0, 2).asDiagonal()));
  EXPECT_EQ(damping("damping = \"S.mtx\""), S);
  EXPECT_EQ(damping("damping = 3"), 3 * Eigen::MatrixXd::Identity(3, 3));
}

// xi = (a/w + b w)/2 is the ratio at both frequencies.
TEST(Structure, rayleigh_damping_by_a_ratio_has_it_at_two_frequencies) {
  const Problem problem = load_frame("rayleigh = { ratio = 0.05, frequencies = [0.5, 2.0] }");
  const double w1 = 3.141592653589793, w2 = 12.566370614359172;
  const Eigen::Matrix2d both{{1 / w1, w1}, {1 / w2, w2}};
  const Eigen::Vector2d ab = both.inverse() * Eigen::Vector2d(0.1, 0.1);
  EXPECT_LT((Eigen::MatrixXd(problem.model.damping) - (ab[0] * M + ab[1] * S)).norm(), 1e-14);
}

TEST(Structure, lists_give_the_same_matrices_as_files) {
  const std::string lists = with(with(frame, "\"M.mtx\"", "[[2, 0, 0], [0, 2, 0.5], [0, 0.5, 1]]"), "\"S.mtx\"",
                                 "[[4, -2, 0], [-2, 4, -2], [0, -2, 2]]");
  const Problem problem = load_text(lists, "p.toml");
  EXPECT_EQ(problem.model.size(), 3);
  EXPECT_EQ(Eigen::MatrixXd(problem.model.mass.full), M);
  EXPECT_EQ(Eigen::MatrixXd(problem.model.stiffness), S);
}

TEST(Structure, holds_coordinates_by_name_by_range_and_by_number) {
  const auto fixed = [](const std::string& line) { return load_frame(line).model.fixed_dofs; };
  using List = std::vector<std::int32_t>;
  EXPECT_EQ(fixed(""), List{});
  EXPECT_EQ(fixed("fixed = [\"u[2]\", 0]"), (List{0, 2}));
  EXPECT_EQ(fixed("fixed = \"u[0..1]\""), (List{0, 1}));
  EXPECT_EQ(fixed("fixed = [\"u[0..2 step 2]\", \"u[0]\"]"), (List{0, 2}));
  const Folder folder;
  folder.write("M.mtx", mass_file);
  folder.write("S.mtx", stiffness_file);
  folder.write("fixed.csv", "dof\n2\n1\n");
  const std::string text = with(frame, "[method]", "fixed = { csv = \"fixed.csv\", column = \"dof\" }\n[method]");
  EXPECT_EQ(load(folder.write("p.toml", text)).model.fixed_dofs, (List{1, 2}));
}

TEST(Structure, ground_motion_of_a_consistent_mass) {
  const Problem problem = load_frame("[system.base]\nacceleration = \"t\"\ndirection = 1");
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(3);
  const Eigen::VectorXd expected = -2 * M * Eigen::VectorXd::Ones(3);
  EXPECT_EQ(force(problem.model, zero, zero, 2), expected);
}

const std::string with_equation = R"toml([system]
coordinates = ["x", "u[3]"]
parameters = { m = 2, c = 0.5, k = 3 }
[system.equations]
x = "m*x'' + c*x'*abs(x'') + k*x - sin(t)"
"u[0]" = "u''[0] + u[0]"
"u[1..2]" = "i*u[i]'' + u''[i-1]*u'[i]"
[initial]
position = [1, 0, 0, 0]
[method]
name = "newmark"
[run]
step = 0.1
steps = 7
)toml";

TEST(Equation, reads_accelerations_velocities_and_time) {
  const Problem problem = load_text(with_equation, "p.toml");
  const Eigen::VectorXd q{{0.3, 1, 2, 3}}, v{{0.7, 4, 5, 6}}, a{{-1.1, 7, 8, 9}};
  const Eigen::VectorXd expected{{2 * -1.1 + 0.5 * 0.7 * 1.1 + 3 * 0.3 - std::sin(0.4), 7 + 1.0, 8 + 7 * 5.0, 2 * 9 + 8 * 6.0}};
  EXPECT_LE((balance(problem.model, q, v, a, 0.4) - expected).cwiseAbs().maxCoeff(), 100 * eps);
  EXPECT_EQ(problem.model.mass.kind, system::MassMatrix::Kind::none);
  EXPECT_TRUE(problem.model.terms.empty());
}

TEST(Equation, sums_over_pairs_and_an_energy_to_follow) {
  const std::string text = with(with(with_equation, "[initial]",
                                     "[[system.term]]\nover = \"j = 0..1\"\nequation = \"c*(u[j] - u[j+1])\"\non = \"u[j]\"\n"
                                     "[[system.term]]\nover = \"j = 0..2\"\nenergy = \"u'[j]^2\"\n[initial]"),
                                "[system.equations]", "energy = \"0.5*m*x'^2 + t\"\n[system.equations]");
  const system::Model model = load_text(text, "p.toml").model;
  const Eigen::VectorXd q{{0, 1, 3, 7}}, zero = Eigen::VectorXd::Zero(4), v{{2, 1, 1, 1}};
  const Eigen::VectorXd expected{{-std::sin(0.4), 1 - 1, -2, 0}};
  EXPECT_LE((balance(model, q, zero, zero, 0.4) - expected).cwiseAbs().maxCoeff(), 10 * eps);
  ASSERT_EQ(model.measured_energy.size(), 2U);
  EXPECT_EQ(value_of(model, model.measured_energy[0], q, v, 5), 9);
  EXPECT_EQ(value_of(model, model.measured_energy[1], q, v, 5), 3);
}

}  // namespace
}  // namespace actio::io::test
