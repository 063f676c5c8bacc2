#include <cmath>

#include <Eigen/Geometry>
#include <Eigen/SVD>

#include <actio/invariant/constraints.hpp>
#include <common.hpp>

#include "evaluate.hpp"
#include "support.hpp"

// Joints between bodies become independent constraints that leave the motions they are named for.
namespace actio::io::test {
namespace {

using actio::test::eps;
using Eigen::Matrix3d, Eigen::Vector3d, Eigen::VectorXd;

Problem joined(const std::string& joint) {
  return load_text(R"toml([system]
parameters = { L = 0.5, N = 5 }
tables = { d = [1, 2, 3, 4, 5] }
bodies = [{ name = "a", mass = 1, inertia = 1 }, { name = "b", mass = 2, inertia = [1, 2, 2] }, { name = "link[5]", mass = 1, inertia = 1 }]
[[system.joint]]
)toml" + joint + "\n[method]\nname = \"rattle\"\n[run]\nstep = 1\nsteps = 1\n",
                   "p.toml");
}

const Matrix3d A = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 2) / 3).toRotationMatrix();
const Vector3d x(0.3, -0.2, 1.1);                   // of a
const Vector3d X(0.2, -0.4, 0.5), Y(1, 0.3, -0.6);  // a.point, b.point

// a at (A, x), b turned by B so that Y of it is at X of a.
VectorXd state(const Problem& problem, const Matrix3d& B, const Vector3d& apart = Vector3d::Zero()) {
  VectorXd q = problem.q0;
  for (long i = 0; i < 3; ++i) {
    q.segment<3>(3 * i) = A.row(i);
    q.segment<3>(12 + 3 * i) = B.row(i);
  }
  q.segment<3>(9) = x;
  q.segment<3>(21) = x + A * X - B * Y + apart;
  return q;
}

struct At {
  VectorXd g;
  long rank;
};
At at(const Problem& problem, const VectorXd& q) {
  invariant::ConstraintMap map(problem.model, expr::CompileOptions{"none", {}});
  VectorXd g, rate, slope;
  map(0, q, VectorXd::Zero(q.size()), g, rate, slope);
  const Eigen::MatrixXd G = map.jacobian(0, q);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(G);
  return {g, (svd.singularValues().array() > 1e-6).count()};
}

const std::string between_points = "between = [\"a.point(0.2, -0.4, L)\", \"b.point(1, 0.3, -0.6)\"]\n";
const long rotations = 7 * 6;

void expect_joint(const Problem& problem, long rows, const std::vector<Matrix3d>& turned) {
  ASSERT_EQ(problem.model.constraint_count(), rows + rotations);
  for (const Matrix3d& B : turned) {
    const At here = at(problem, state(problem, B));
    EXPECT_LT(here.g.cwiseAbs().maxCoeff(), 20 * eps);
    EXPECT_EQ(here.rank, rows + rotations);  // so they are independent, and leave 6 - rows relative motions
  }
}

std::vector<Matrix3d> turns(const Vector3d& axis, const Matrix3d& from) {
  std::vector<Matrix3d> out;
  for (const double angle : {0.0, 0.4, 1.6, 3.1}) out.emplace_back(Eigen::AngleAxisd(angle, axis) * from);
  return out;
}

TEST(Joint, spherical_keeps_two_points_together) {
  const Problem problem = joined("type = \"spherical\"\nname = \"ball\"\n" + between_points);
  expect_joint(problem, 3, turns(Vector3d(2, 1, 2) / 3, A));
  EXPECT_EQ(problem.model.constraint_name(2), "ball.z");
  EXPECT_NEAR(at(problem, state(problem, A, {0, 0, 0.1})).g[2], -0.1, 10 * eps);
}

TEST(Joint, revolute_leaves_the_turn_about_its_axis) {
  const Problem problem = joined("type = \"revolute\"\naxes = [\"a.axis(0, 3, 4)\", \"b.axis(2*L, 2, 2)\"]\n" + between_points);
  const Vector3d d = Vector3d(0, 0.6, 0.8), e = Vector3d(1, 2, 2) / 3;
  const Matrix3d C = Eigen::Quaterniond::FromTwoVectors(e, d).toRotationMatrix();  // R_b e = R_a d
  expect_joint(problem, 5, turns(A * d, A * C));
  const VectorXd g = at(problem, state(problem, Eigen::AngleAxisd(0.1, A * Vector3d(1, 0, 0)) * A * C)).g;
  EXPECT_NEAR(g.segment<2>(3).norm(), std::sin(0.1), 10 * eps);
}

TEST(Joint, fixed_leaves_nothing) {
  const std::string orientation = "orientation = { axis = [0, 0, 1], angle = 0.5 }\n";
  const Problem problem = joined("type = \"fixed\"\n" + orientation + between_points);
  const Matrix3d C = Eigen::AngleAxisd(0.5, Vector3d::UnitZ()).toRotationMatrix();  // R_a = R_b C
  expect_joint(problem, 6, {A * C.transpose()});
  for (long k = 0; k < 3; ++k) {
    const Matrix3d B = Eigen::AngleAxisd(0.1, Vector3d::Unit(k)) * A * C.transpose();
    EXPECT_GT(at(problem, state(problem, B)).g.segment<3>(3).norm(), 0.05) << k;
  }
}

TEST(Joint, distance_has_the_tension_as_its_multiplier) {
  const Problem problem = joined("type = \"distance\"\nname = \"rod\"\nlength = \"4*L\"\n" + between_points);
  ASSERT_EQ(problem.model.constraint_count(), 1 + rotations);
  EXPECT_EQ(problem.model.constraint_name(0), "rod");
  const Vector3d apart = 2 * Vector3d(1, 2, 2) / 3;
  const VectorXd q = state(problem, A, apart);
  EXPECT_NEAR(at(problem, q).g[0], 0, 10 * eps);
  EXPECT_EQ(at(problem, q).rank, 1 + rotations);
  invariant::ConstraintMap map(problem.model, expr::CompileOptions{"none", {}});
  const Eigen::MatrixXd G = map.jacobian(0, q);
  EXPECT_LT((G.row(0).segment<3>(21).transpose() - apart / 2).norm(), 10 * eps);  // of unit length along the rod
}

TEST(Joint, to_the_ground_holds_a_body_in_space) {
  const Problem ball = joined("type = \"spherical\"\nbetween = [\"a.point(0.2, -0.4, L)\", \"ground.point(1, 2, 3)\"]\n");
  VectorXd q = state(ball, A);
  q.segment<3>(9) = Vector3d(1, 2, 3) - A * X;
  EXPECT_LT(at(ball, q).g.head(3).norm(), 10 * eps);
  EXPECT_EQ(at(ball, q).rank, 3 + rotations);
  const Problem hinge = joined(
      "type = \"revolute\"\nbetween = [\"a.point(0, 0, 0)\", \"ground.point(0, 0, 0)\"]\n"
      "axes = [\"a.axis(0, 0, 1)\", \"ground.axis(1, 2, 2)\"]\n");
  q = hinge.q0;
  const Matrix3d R = Eigen::AngleAxisd(0.8, Vector3d(1, 2, 2) / 3) *
                     Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), Vector3d(1, 2, 2)).toRotationMatrix();
  for (long i = 0; i < 3; ++i) q.segment<3>(3 * i) = R.row(i);
  EXPECT_LT(at(hinge, q).g.cwiseAbs().maxCoeff(), 10 * eps);
  EXPECT_EQ(at(hinge, q).rank, 5 + rotations);
}

TEST(Joint, over_a_range_makes_a_chain) {
  const Problem problem = joined(
      "type = \"spherical\"\nover = \"k = 0..N-2\"\nbetween = [\"link[k].point(0, 0, -d[k])\", \"link[k+1].point(0, 0, L)\"]\n");
  ASSERT_EQ(problem.model.constraint_count(), 3 * 4 + rotations);
  EXPECT_EQ(problem.model.constraint_name(5), "joint 0.y[1]");
  VectorXd q = problem.q0;
  double z = 0;
  for (long k = 0; k < 5; ++k) {
    q[24 + 12 * k + 11] = z;
    z -= 0.5 + static_cast<double>(k) + 1;  // d[k] below k, L above k + 1
  }
  EXPECT_LT(at(problem, q).g.cwiseAbs().maxCoeff(), 100 * eps);
  EXPECT_EQ(at(problem, q).rank, 12 + rotations);
}

// J = p . xi(q) with p = M v.
double momentum_of(const Problem& problem, std::size_t k) {
  const auto& mass = problem.model.mass;
  const VectorXd p = mass.kind == system::MassMatrix::Kind::full ? VectorXd(mass.full * problem.v0)
                                                                 : VectorXd(mass.diagonal.cwiseProduct(problem.v0));
  return generator(problem.model, problem.model.symmetries.at(k), problem.q0).dot(p);
}

TEST(BodySymmetry, has_the_angular_momentum_in_space_and_along_a_body_axis) {
  const Problem problem = load_text(R"toml([system]
coordinates = ["x[2]", "y[2]", "z[2]"]
mass = { x = [2, 3], y = [2, 3], z = [2, 3] }
bodies = [{ name = "top", mass = 5, inertia = [[2, 0.1, 0], [0.1, 3, -0.2], [0, -0.2, 1.5]] }, { name = "rotor", inertia = [1, 2, 2.5] }]
[[symmetry]]
name = "L"
rotation = [1, 2, -3]
triples = [["x", "y", "z"]]
[[symmetry]]
name = "P"
translation = [0, 2, 1]
triples = [["x[1]", "y[1]", "z[1]"]]
[[symmetry]]
name = "spin"
body = "top"
axis = [1, -1, 2]
[initial]
position = { x = [1, 2], y = [0.3, 0.4], z = [-1, -2] }
velocity = { x = [0.1, 0.2], y = [3, 4], z = [0.5, 0.6] }
[initial.bodies.top]
orientation = { axis = [1, 2, 2], angle = 0.7 }
position = [0.3, -0.2, 1.1]
velocity = [1, 2, -0.5]
angular_velocity = [0.4, -0.6, 0.9]
[initial.bodies.rotor]
orientation = { axis = [0, 1, 0], angle = 1.3 }
angular_velocity = { space = [0.2, 0.3, 0.4] }
[method]
name = "rattle"
[run]
step = 1
steps = 1
)toml",
                                    "p.toml");
  const Vector3d a(1, 2, -3), Omega(0.4, -0.6, 0.9), r(0.3, -0.2, 1.1), v(1, 2, -0.5), w(0.2, 0.3, 0.4);
  const Matrix3d S = Eigen::AngleAxisd(1.3, Vector3d::UnitY()).toRotationMatrix();
  const Matrix3d I = (Matrix3d() << 2, 0.1, 0, 0.1, 3, -0.2, 0, -0.2, 1.5).finished();
  const Vector3d L = A * I * Omega + 5 * r.cross(v) + S * Vector3d(1, 2, 2.5).asDiagonal() * S.transpose() * w +
                     2 * Vector3d(1, 0.3, -1).cross(Vector3d(0.1, 3, 0.5)) +
                     3 * Vector3d(2, 0.4, -2).cross(Vector3d(0.2, 4, 0.6));
  EXPECT_NEAR(momentum_of(problem, 0), a.dot(L), 1000 * eps);
  EXPECT_NEAR(momentum_of(problem, 1), 5 * (2 * 2 - 0.5) + 3 * (2 * 4 + 0.6), 1000 * eps);
  EXPECT_NEAR(momentum_of(problem, 2), Vector3d(1, -1, 2).dot(I * Omega), 100 * eps);
}

}  // namespace
}  // namespace actio::io::test
