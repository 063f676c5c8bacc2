#pragma once
#include <Eigen/Core>
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <actio/system/bodies.hpp>
#include <string>
#include <vector>

// Systems with rigid bodies.
namespace actio::laws {

enum class Motion { driven, free_of_space, free_about_vertical };  // which rotations of space leave the energy alone
struct BodySystem {
  std::string name;
  io::Problem problem;
  Motion motion = Motion::driven;  // driven: friction, or something depends on t
  bool conservative() const { return motion != Motion::driven; }
};

inline io::Problem body_problem(const std::string& text) {
  return io::load_text(text + "\n[method]\nname = \"lie-group\"\n[run]\nstep = 0.1\nsteps = 1\n", "bodies.toml");
}

// vee(R'P - P'R): I Omega, whatever tr(I)/2 - I is
inline Eigen::Vector3d body_momentum(const system::Body& body, const Eigen::VectorXd& q, const Eigen::VectorXd& p) {
  const Eigen::Matrix3d A = system::rotation_of(body, q).transpose() * system::rotation_of(body, p);
  return {A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1)};
}
// sum of R mu + r x p
inline Eigen::Vector3d angular_momentum(const system::Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& p) {
  Eigen::Vector3d L(0, 0, 0);
  for (const auto& body : model.bodies) {
    L += system::rotation_of(body, q) * body_momentum(body, q, p);
    if (body.position < 0) continue;
    L += Eigen::Vector3d(q.segment<3>(body.position)).cross(Eigen::Vector3d(p.segment<3>(body.position)));
  }
  return L;
}

// Products of inertia, the centre of mass on no axis; a field that grows with R33.
inline BodySystem asymmetric_top() {
  return {"asymmetric_top", body_problem(R"toml([system]
bodies = [{ name = "top", inertia = [[1, 0.1, -0.05], [0.1, 1.6, 0.2], [-0.05, 0.2, 2.1]] }]
potential = "1.5*top.point(0.3, -0.2, 1).z + 0.4*top.R33^2"
[initial.bodies.top]
orientation = { axis = [2, -4, 1], angle = 0.7 }
angular_velocity = [0.9, -0.4, 1.1]
)toml"),
          Motion::free_about_vertical};
}

// A body about the origin and one that moves, a spring between points of both that stiffens, ordinary coordinates of full mass.
inline BodySystem sprung_bodies() {
  return {"sprung_bodies", body_problem(R"toml([system]
coordinates = ["s", "u"]
mass = [[2, 0.3], [0.3, 1]]
bodies = [{ name = "a", inertia = [1, 1.5, 2] }, { name = "b", mass = 1.3, inertia = [0.5, 0.7, 0.6] }]
potential = "0.5*(s - u)^2 + 0.3*s^4"
[[system.term]]
potential = "(0.8 + 0.2*u)*distance(a.point(0.5, 0, 0.4), b.point(0, 1, 0))^2 + 0.1*distance(a.point(0.5, 0, 0.4), b.point(0, 1, 0))^4"
[initial]
position = { s = 0.3, u = -0.2 }
velocity = { s = 0.1, u = 0.4 }
[initial.bodies.a]
orientation = { axis = [0, 1, 1], angle = 0.4 }
angular_velocity = [0.5, 0.8, -0.3]
[initial.bodies.b]
orientation = { axis = [5, 1, 0], angle = -1.1 }
angular_velocity = [-0.6, 0.2, 0.9]
position = [0.4, -0.7, 0.3]
velocity = [0.2, 0.1, -0.4]
)toml"),
          Motion::free_of_space};
}

// Two links on spherical joints under gravity, the lower one pulled by a spring to the axis.
inline BodySystem jointed_links() {
  return {"jointed_links", body_problem(R"toml([system]
bodies = [{ name = "a", mass = 1, inertia = [0.3, 0.25, 0.1] }, { name = "b", mass = 0.8, inertia = [0.2, 0.3, 0.15] }]
potential = "a.z + 0.8*b.z + 0.3*(b.point(0.2, 0, 0).x^2 + b.point(0.2, 0, 0).y^2)"
[[system.joint]]
type = "spherical"
between = ["a.point(0, 0, 0.5)", "ground.point(0, 0, 0)"]
[[system.joint]]
type = "spherical"
between = ["b.point(0, 0, 0.5)", "a.point(0, 0, -0.5)"]
[initial.bodies.a]
orientation = { axis = [0, 1, 0], angle = 0.3 }
angular_velocity = [0.4, -0.2, 0.3]
position = ["-0.5*sin(0.3)", 0, "-0.5*cos(0.3)"]
velocity = ["0.1*cos(0.3)", 0.2, "-0.1*sin(0.3)"]
[initial.bodies.b]
orientation = { axis = [0, 1, 0], angle = -0.5 }
angular_velocity = [-0.1, 0.5, 0.6]
position = ["-sin(0.3) + 0.5*sin(0.5)", 0, "-cos(0.3) - 0.5*cos(0.5)"]
velocity = ["0.2*cos(0.3) - 0.25*cos(0.5)", 0.35, "-0.2*sin(0.3) - 0.25*sin(0.5)"]
)toml"),
          Motion::free_about_vertical};
}

// Friction, and torques that depend on time, place and velocity.
inline BodySystem driven_top() {
  return {"driven_top", body_problem(R"toml([system]
bodies = [{ name = "top", mass = 1.2, inertia = [1, 1.6, 2.1] }]
potential = "1.5*top.point(0.3, -0.2, 1).z + 0.5*(top.x^2 + top.y^2 + (top.z - top.R12)^2)"
dissipation = "0.05*(top.R13'^2 + top.R23'^2 + top.R33'^2)*(1 + top.R11^2) + 0.1*top.x'^2 + 0.05*(top.z' - top.R12')^4"
[system.force]
"top.R12" = "0.3*cos(3*t)*top.R21"
"top.R31" = "-0.2*top.R32'*top.R11"
"top.y" = "0.4*sin(2*t) - 0.1*top.R33'"
[initial.bodies.top]
orientation = { axis = [2, -4, 1], angle = 0.7 }
angular_velocity = [0.9, -0.4, 1.1]
position = [0.1, 0.2, 0.3]
velocity = [0.5, 0, -0.2]
)toml")};
}

// A link whose joint is shaken.
inline BodySystem shaken_link() {
  return {"shaken_link", body_problem(R"toml([system]
bodies = [{ name = "link", mass = 1, inertia = [0.3, 0.25, 0.1] }]
potential = "link.z"
constraints = ["link.point(0, 0, 0.5).x - 0.3*sin(2*t)", "link.point(0, 0, 0.5).y", "link.point(0, 0, 0.5).z"]
[initial.bodies.link]
orientation = { axis = [0, 1, 0], angle = 0.3 }
angular_velocity = [0.4, -0.2, 0.3]
position = ["-0.5*sin(0.3)", 0, "-0.5*cos(0.3)"]
velocity = ["0.6 + 0.1*cos(0.3)", 0.2, "-0.1*sin(0.3)"]
)toml")};
}

inline const std::vector<BodySystem>& body_systems() {
  static const std::vector<BodySystem> all{asymmetric_top(), sprung_bodies(), jointed_links(), driven_top(), shaken_link()};
  return all;
}

inline std::vector<method::Spec> lie_group_methods() {
  using method::LieGroup;
  return {{LieGroup{"exponential", "endpoint", 0.5}, false, {}}, {LieGroup{"cayley", "endpoint", 0.5}, false, {}},
          {LieGroup{"exponential", "endpoint", 0.2}, false, {}}, {LieGroup{"cayley", "endpoint", 0}, false, {}},
          {LieGroup{"cayley", "endpoint", 1}, false, {}},        {LieGroup{"exponential", "midpoint", 0.5}, false, {}},
          {LieGroup{"cayley", "midpoint", 0.5}, false, {}},      {LieGroup{"cayley", "midpoint", 0.5}, true, {4, "yoshida"}}};
}

}  // namespace actio::laws
