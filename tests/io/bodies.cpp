#include <cmath>

#include <Eigen/Geometry>

#include <actio/system/bodies.hpp>
#include <common.hpp>

#include "bodies.hpp"
#include "evaluate.hpp"
#include "support.hpp"
#include "wrong.hpp"

// Rigid bodies in problem files are coordinates, masses and constraints.
namespace actio::io::test {
namespace {

using actio::test::eps;
using Eigen::Matrix3d, Eigen::Vector3d, Eigen::VectorXd;

Matrix3d hat(const Vector3d& w) {
  Matrix3d W;
  W << 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0;
  return W;
}
void put(Eigen::VectorXd& x, long at, const Matrix3d& A) {
  for (long i = 0; i < 3; ++i) x.segment<3>(at + 3 * i) = A.row(i);
}
Problem with_potential(const std::string& potential) {
  return load_text(with(bodies, "\"s*top.z + rotor[1].R23\"", "\"" + potential + "\""), "p.toml");
}
// Of a state in which the top turns and moves, and rotor[1] has turned.
double potential(const std::string& expression) {
  const Problem problem = with_potential(expression);
  VectorXd q = problem.q0;
  put(q, problem.model.bodies[2].rotation, Eigen::AngleAxisd(0.7, Vector3d(1, 2, 2) / 3).toRotationMatrix());
  return value_of(problem.model, problem.model.terms.at(0), q, problem.v0);
}

TEST(Bodies, follow_the_other_coordinates_and_are_named_by_entries) {
  const system::Model model = load_text(bodies, "p.toml").model;
  ASSERT_EQ(model.size(), 1 + 12 + 3 * 9);
  EXPECT_EQ(model.coordinate_name(0), "s");
  EXPECT_EQ(model.coordinate_name(1), "top.R11");
  EXPECT_EQ(model.coordinate_name(6), "top.R23");
  EXPECT_EQ(model.coordinate_name(12), "top.z");
  EXPECT_EQ(model.coordinate_name(13), "rotor[0].R11");
  EXPECT_EQ(model.coordinate_name(39), "rotor[2].R33");
  ASSERT_EQ(model.bodies.size(), 4U);
  EXPECT_EQ(model.bodies[0].position, 10);
  EXPECT_EQ(model.bodies[0].mass, 2);
  EXPECT_EQ(model.bodies[3].position, -1);
  EXPECT_DOUBLE_EQ(model.bodies[3].inertia(1, 1), 2.2);
  ASSERT_EQ(model.families.size(), 3U);
  EXPECT_EQ(model.families[2].size, 27);
  ASSERT_EQ(model.constraint_count(), 4 * 6);
  for (const auto& constraint : model.constraints) EXPECT_TRUE(constraint.of_rotations);
  EXPECT_EQ(model.constraint_name(3), "length of an axis of rotor[0]");
  EXPECT_EQ(model.constraint_name(23), "angle of two axes of rotor[2]");
}

// T = 1/2 Omega . I Omega + 1/2 m v . v for every R on the group and every Omega.
TEST(Bodies, have_the_kinetic_energy_of_rigid_bodies) {
  const Problem problem = with_potential("0");
  const system::Model& model = problem.model;
  VectorXd q = problem.q0, v = problem.v0;
  double T = 0;
  for (std::size_t k = 0; k < model.bodies.size(); ++k) {
    const system::Body& body = model.bodies[k];
    const double x = 0.4 + static_cast<double>(k);
    const Matrix3d R = Eigen::AngleAxisd(x, Vector3d(1, x, -x * x).normalized()).toRotationMatrix();
    const Vector3d Omega(x, 0.3, -1.1 * x), u(0.2, x, 0.9);
    put(q, body.rotation, R);
    put(v, body.rotation, R * hat(Omega));
    T += 0.5 * Omega.dot(body.inertia * Omega);
    if (body.position < 0) continue;
    v.segment<3>(body.position) = u;
    T += 0.5 * body.mass * u.squaredNorm();
  }
  EXPECT_NEAR(energy(model, q, v), T, 100 * eps * T);
}

TEST(Bodies, of_principal_axes_leave_the_mass_diagonal) {
  EXPECT_EQ(load_text(bodies, "p.toml").model.mass.kind, system::MassMatrix::Kind::full);
  const auto mass = load_text(with(bodies, "[[2, 0.1, 0], [0.1, 3, -0.2], [0, -0.2, 1.5]]", "[2, 3, 1.5]"), "p.toml").model.mass;
  ASSERT_EQ(mass.kind, system::MassMatrix::Kind::diagonal);
  EXPECT_DOUBLE_EQ(mass.diagonal[0], 7);
  EXPECT_DOUBLE_EQ(mass.diagonal[2], (2 - 3 + 1.5) / 2);  // J2 = (I3 + I1 - I2)/2
  EXPECT_DOUBLE_EQ(mass.diagonal[12], 2);
}

// R'R - 1: zero on rotations, and its gradients independent there.
TEST(Bodies, keep_the_lengths_and_angles_of_their_axes) {
  const Problem problem = load_text(bodies, "p.toml");
  VectorXd q = problem.q0;
  const long at = problem.model.bodies[2].rotation;
  Matrix3d A = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 2) / 3).toRotationMatrix() *
               (Matrix3d() << 1.1, 0.2, 0, 0, 1, 0.3, 0, 0, 1).finished();
  put(q, at, A);
  const Matrix3d E = A.transpose() * A - Matrix3d::Identity();
  std::vector<double> g;
  for (const auto& c : problem.model.constraints)
    for (long e = 0; e < c.elements; ++e) g.push_back(at_element(c, {&q}, e, uniforms_of(problem.model, 0)));
  ASSERT_EQ(g.size(), 24U);
  for (std::size_t k = 0; k < 24; ++k) {
    const std::size_t body = k % 12 / 3;
    const long i[] = {0, 1, 2, 0, 0, 1}, j[] = {0, 1, 2, 1, 2, 2};
    const std::size_t entry = 3 * (k / 12) + k % 3;
    EXPECT_NEAR(g[k], body == 2 ? (entry < 3 ? 1 : std::sqrt(2)) * E(i[entry], j[entry]) : 0, 10 * eps) << k;
  }
}

TEST(Bodies, start_where_they_are_put) {
  const Problem problem = load_text(bodies, "p.toml");
  const system::Body& top = problem.model.bodies[0];
  const Matrix3d R = Eigen::AngleAxisd(0.3, Vector3d::UnitZ()).toRotationMatrix();
  EXPECT_LT((system::rotation_of(top, problem.q0) - R).norm(), 10 * eps);
  EXPECT_LT((system::rotation_of(top, problem.v0) - R * hat({0.1, 0.2, 0.3})).norm(), 10 * eps);
  EXPECT_EQ(problem.q0.segment<3>(top.position), Vector3d(1, 0.5, 3));
  EXPECT_EQ(problem.v0.segment<3>(top.position), Vector3d(4, 5, 12));
  EXPECT_EQ(system::rotation_of(problem.model.bodies[3], problem.q0), Matrix3d::Identity());
  EXPECT_EQ(problem.v0.tail(27).norm(), 0);
}

TEST(Bodies, take_an_orientation_as_axis_and_angle_quaternion_or_matrix) {
  const auto start = [](const std::string& orientation) {
    const Problem problem = load_text(with(bodies, "{ axis = [0, 0, 2], angle = 0.3 }", orientation), "p.toml");
    return system::rotation_of(problem.model.bodies[0], problem.q0);
  };
  const Matrix3d R = Eigen::AngleAxisd(2 * std::acos(0.8), Vector3d::UnitX()).toRotationMatrix();  // cos .28, sin .96
  EXPECT_LT((start("{ axis = [2, 0, 0], angle = \"2*acos(0.8)\" }") - R).norm(), 10 * eps);
  EXPECT_LT((start("[8, 6, 0, 0]") - R).norm(), 10 * eps);
  const Matrix3d given = start("[[1, 0, 0], [0, 0.28, -0.96], [0, 0.9600001, 0.28]]");  // seven digits
  EXPECT_LT((given - R).norm(), 2e-7);
  EXPECT_LT((given.transpose() * given - Matrix3d::Identity()).norm(), 10 * eps);
}

TEST(Bodies, turn_along_the_axes_of_the_body_or_of_space) {
  const Problem problem =
      load_text(with(bodies, "angular_velocity = [0.1, 0.2, 0.3]", "angular_velocity = { space = [0.1, 0.2, 0.3] }"), "p.toml");
  const system::Body& top = problem.model.bodies[0];
  EXPECT_LT((system::rotation_of(top, problem.v0) - hat({0.1, 0.2, 0.3}) * system::rotation_of(top, problem.q0)).norm(),
            10 * eps);
}

TEST(Bodies, of_a_family_start_by_expressions_of_the_index) {
  const std::string start =
      "[initial.bodies.\"rotor[0..2 step 2]\"]\norientation = { axis = [0, 1, 0], angle = \"a[i]\" }\n"
      "angular_velocity = [\"i\", 0, 0]\n[method]";
  const Problem problem = load_text(with(bodies, "[method]", start), "p.toml");
  for (const int k : {0, 1, 2}) {
    const system::Body& body = problem.model.bodies[static_cast<std::size_t>(k) + 1];
    const Matrix3d R = Eigen::AngleAxisd(k == 1 ? 0 : k == 0 ? 0.1 : 0.3, Vector3d::UnitY()).toRotationMatrix();
    EXPECT_LT((system::rotation_of(body, problem.q0) - R).norm(), 10 * eps) << k;
    EXPECT_LT((system::rotation_of(body, problem.v0) - R * hat({k == 2 ? 2.0 : 0.0, 0, 0})).norm(), 10 * eps) << k;
  }
}

TEST(Bodies, alone_need_no_initial_state) {
  const Problem problem = load_text(
      "[system]\nbodies = [{ name = \"b\", inertia = 1 }]\n[method]\nname = \"rattle\"\n[run]\nstep = 1\nsteps = 1\n", "p.toml");
  EXPECT_EQ(system::rotation_of(problem.model.bodies[0], problem.q0), Matrix3d::Identity());
  EXPECT_EQ(problem.v0.norm(), 0);
}

TEST(BodyExpression, is_of_entries_positions_points_and_axes) {
  const Matrix3d R = Eigen::AngleAxisd(0.3, Vector3d::UnitZ()).toRotationMatrix(),
                 S = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 2) / 3).toRotationMatrix();
  const Vector3d r(1, 0.5, 3), X(0.2, -0.4, 0.5), P = r + R * X;
  EXPECT_NEAR(potential("top.R12 + 10*rotor[1].R31 + 100*top.y"), R(0, 1) + 10 * S(2, 0) + 100 * r[1], 100 * eps * 100);
  EXPECT_NEAR(potential("top.point(0.2, -0.4, L).x"), P[0], 10 * eps);
  EXPECT_NEAR(potential("top.point(0.2, -0.4, L).y"), P[1], 10 * eps);
  EXPECT_NEAR(potential("top.point(0.2, -0.4, L).z"), P[2], 10 * eps);
  EXPECT_NEAR(potential("rotor[N-2].point(0, 1, a[2]).z"), S(2, 1) + 0.3 * S(2, 2), 10 * eps);
  EXPECT_NEAR(potential("top.axis(0.2, -0.4, L).y"), (R * X)[1], 10 * eps);
  EXPECT_NEAR(potential("dot(top.axis(0.2, -0.4, L), rotor[1].axis(0, 0, 1))"), (R * X).dot(S.col(2)), 10 * eps);
  EXPECT_NEAR(potential("distance(top.point(0.2, -0.4, L), ground.point(1, 2, 3))"), (P - Vector3d(1, 2, 3)).norm(), 10 * eps);
  const Problem moving = load_text(with(bodies, "potential = \"s*top.z + rotor[1].R23\"",
                                        "dissipation = \"top.point(0.2, -0.4, L).y' + 10*top.z' + 100*top.R21'\""),
                                   "p.toml");
  const Matrix3d rate = R * hat({0.1, 0.2, 0.3});
  EXPECT_NEAR(value_of(moving.model, moving.model.dissipation.at(0), moving.q0, moving.v0),
              5 + (rate * X)[1] + 120 + 100 * rate(1, 0), 1000 * eps * 12);
}

TEST(BodyExpression, spin_is_the_angular_velocity_in_space) {
  const Problem problem =
      load_text(with(bodies, "potential = \"s*top.z + rotor[1].R23\"",
                     "dissipation = \"top.spin.x + 10*top.spin.y + 100*top.spin.z + 1000*dot(top.spin, top.axis(0, 1, 0))\""),
                "p.toml");
  const Vector3d Omega(0.1, 0.2, 0.3), w = Eigen::AngleAxisd(0.3, Vector3d::UnitZ()) * Omega;
  EXPECT_NEAR(value_of(problem.model, problem.model.dissipation.at(0), problem.q0, problem.v0),
              w.dot(Vector3d(1, 10, 100)) + 1000 * Omega[1], 1000 * eps * 10);
}

TEST(BodyExpression, over_a_range_is_one_kernel_of_many_bodies) {
  const std::string term =
      "[[system.term]]\nover = \"k = 0..N-2\"\npotential = \"rotor[k].R11*rotor[k+1].point(0, k, a[k]).z\"\n[initial]";
  const Problem problem = load_text(with(bodies, "[initial]", term), "p.toml");
  const system::Term& t = problem.model.terms.at(1);
  EXPECT_EQ(t.elements, 2);
  EXPECT_EQ(t.locals, 3);  // R11, R32, R33
  EXPECT_NEAR(value_of(problem.model, t, problem.q0, problem.v0), 0.1 + 0.2, 10 * eps);
}

TEST(Bodies, are_named_where_single_coordinates_are_meant) {
  const std::string more =
      "fixed = [\"top.x\"]\n[system.force]\n\"rotor[0..1].R12\" = \"i*top.y\"\n[[system.load]]\npattern = { \"top.z\" = -3 "
      "}\n[initial]";
  const std::string still = with(bodies, "velocity = [4, 5", "velocity = [0, 5");
  const Problem problem = load_text(with(still, "[initial]", more), "p.toml");
  EXPECT_EQ(problem.model.fixed_dofs, std::vector<std::int32_t>{10});
  const VectorXd f = force(problem.model, problem.q0, problem.v0, 0);
  EXPECT_EQ(f[12], -3);
  EXPECT_EQ(f[13 + 9 + 1], 0.5);
  EXPECT_EQ(f.cwiseAbs().sum(), 3.5);
}

// As the page says: F at the point X is F_i on r_i and F_i X_j on R_ij; a torque T is hat(T) R / 2 on R. Both do the work they
// should.
TEST(BodyForce, does_the_work_of_a_force_at_a_point_and_of_a_torque) {
  const std::string force_text = "[system.force]\n\"top.y\" = 3\n\"top.R21\" = \"3*0.2\"\n\"top.R23\" = \"3*0.7\"\n";
  std::string torque_text = "[system.force]\n";
  for (int j = 1; j <= 3; ++j) {  // T = (0, 0, 4): rows of hat(T) R / 2
    torque_text += "\"top.R1" + std::to_string(j) + "\" = \"-2*top.R2" + std::to_string(j) + "\"\n\"top.R2" + std::to_string(j) +
                   "\" = \"2*top.R1" + std::to_string(j) + "\"\n";
  }
  const auto power = [](const std::string& forces) {
    const Problem problem = load_text(with(bodies, "[initial]", forces + "[initial]"), "p.toml");
    return force(problem.model, problem.q0, problem.v0, 0).dot(problem.v0);
  };
  const Matrix3d R = Eigen::AngleAxisd(0.3, Vector3d::UnitZ()).toRotationMatrix();
  const Vector3d v(4, 5, 12), w = R * Vector3d(0.1, 0.2, 0.3);
  EXPECT_NEAR(power(force_text), 3 * (v + w.cross(R * Vector3d(0.2, 0, 0.7)))[1], 100 * eps * 15);
  EXPECT_NEAR(power(torque_text), 4 * w[2], 10 * eps);
}

}  // namespace
}  // namespace actio::io::test
