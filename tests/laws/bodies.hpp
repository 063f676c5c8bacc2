#pragma once
#include <fmt/format.h>
#include <Eigen/Geometry>
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <string>
#include <vector>

// Systems with rigid bodies, written in the entries of their rotations.
namespace actio::laws {

struct BodySystem {
  std::string name;
  system::Model model;
  Eigen::VectorXd q0, v0;
  bool conservative = true;       // no friction, nothing depends on t: symplectic, reversible
  bool turns_with_space = false;  // rotations of space leave the energy alone
  bool about_vertical = false;    // those about z do
};

struct BodyText {
  std::string name;         // of its coordinates: aR11 .. aR33, and ax, ay, az with a position
  Eigen::Matrix3d inertia;  // [kg m^2]
  bool moves = false;
  double mass = 1;
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Eigen::Vector3d omega = {0, 0, 0}, x = {0, 0, 0}, v = {0, 0, 0};  // omega in its own axes
};

inline Eigen::Matrix3d cross(const Eigen::Vector3d& x) {
  Eigen::Matrix3d X;
  X << 0, -x[2], x[1], x[2], 0, -x[0], -x[1], x[0], 0;
  return X;
}
inline Eigen::Matrix3d rotation_of(const Eigen::VectorXd& q, long at) {
  Eigen::Matrix3d R;
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < 3; ++l) R(k, l) = q[at + 3 * k + l];
  return R;
}
// vee(R'P - P'R): I Omega, whatever tr(inertia)/2 - inertia is
inline Eigen::Vector3d body_momentum(const Eigen::VectorXd& q, const Eigen::VectorXd& p, long at) {
  const Eigen::Matrix3d A = rotation_of(q, at).transpose() * rotation_of(p, at);
  return {A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1)};
}

// `others`: ordinary coordinates that follow the bodies, with their mass, position and velocity. `text`: keys of [system].
// `joints`: constraints besides R'R = 1.
struct Others {
  std::vector<std::string> names;
  Eigen::MatrixXd mass;
  Eigen::VectorXd q, v;
};
inline BodySystem body_system(const std::string& name, const std::vector<BodyText>& bodies, const std::string& text,
                              const std::vector<std::string>& joints = {}, const Others& others = {}) {
  std::string coordinates, constraints;
  std::vector<double> q, v;
  std::vector<Eigen::Triplet<double>> mass;
  std::vector<system::Body> made;
  const auto put = [](std::string& list, const std::string& item) { list += (list.empty() ? "\"" : ", \"") + item + "\""; };
  for (const BodyText& b : bodies) {
    const int at = static_cast<int>(q.size());
    const Eigen::Matrix3d J = 0.5 * b.inertia.trace() * Eigen::Matrix3d::Identity() - b.inertia, V = b.R * cross(b.omega);
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l) {
        put(coordinates, fmt::format("{}R{}{}", b.name, k + 1, l + 1));
        q.push_back(b.R(k, l));
        v.push_back(V(k, l));
        for (int m = 0; m < 3; ++m) mass.emplace_back(at + 3 * k + l, at + 3 * k + m, J(l, m));
      }
    for (int k = 0; k < 3 && b.moves; ++k) {
      put(coordinates, b.name + std::string(1, "xyz"[k]));
      mass.emplace_back(at + 9 + k, at + 9 + k, b.mass);
      q.push_back(b.x[k]);
      v.push_back(b.v[k]);
    }
    made.push_back({b.name, at, b.moves ? at + 9 : -1, b.mass, b.inertia});
    for (int k = 1; k <= 3; ++k)
      for (int l = k; l <= 3; ++l)
        put(constraints,
            fmt::format("{0}R1{1}*{0}R1{2} + {0}R2{1}*{0}R2{2} + {0}R3{1}*{0}R3{2}{3}", b.name, k, l, k == l ? " - 1" : ""));
  }
  const int first = static_cast<int>(q.size());
  for (std::size_t i = 0; i < others.names.size(); ++i) {
    put(coordinates, others.names[i]);
    q.push_back(others.q[static_cast<long>(i)]);
    v.push_back(others.v[static_cast<long>(i)]);
    for (std::size_t j = 0; j < others.names.size(); ++j)
      mass.emplace_back(first + static_cast<int>(i), first + static_cast<int>(j),
                        others.mass(static_cast<long>(i), static_cast<long>(j)));
  }
  for (const std::string& joint : joints) put(constraints, joint);
  std::string zeros;
  for (std::size_t i = 0; i < q.size(); ++i) zeros += i ? ", 0" : "0";
  const io::Problem problem = io::load_text(
      fmt::format(
          "[system]\ncoordinates = [{}]\nmass = 1.0\nconstraints = [{}]\n{}\n[initial]\nposition = [{}]\n[method]\nname = "
          "\"rattle\"\n[run]\nstep = 0.1\nsteps = 1\n",
          coordinates, constraints, text, zeros),
      "bodies.toml");
  BodySystem out{name, problem.model, {}, {}};
  const int n = static_cast<int>(q.size());
  out.q0 = Eigen::Map<Eigen::VectorXd>(q.data(), n);
  out.v0 = Eigen::Map<Eigen::VectorXd>(v.data(), n);
  out.model.mass = {};
  out.model.mass.kind = system::MassMatrix::Kind::full;
  out.model.mass.full.resize(n, n);
  out.model.mass.full.setFromTriplets(mass.begin(), mass.end());
  out.model.bodies = made;
  long row = 0;
  for (auto& c : out.model.constraints) {
    c.of_rotations = row < 6 * static_cast<long>(bodies.size());
    row += c.elements;
  }
  return out;
}

inline Eigen::Matrix3d turned(double angle, const Eigen::Vector3d& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

// No two moments alike, products of inertia, the centre of mass on no axis; a field that grows with R33.
inline BodySystem asymmetric_top() {
  Eigen::Matrix3d I;
  I << 1, 0.1, -0.05, 0.1, 1.6, 0.2, -0.05, 0.2, 2.1;
  BodySystem s = body_system("asymmetric_top", {{"", I, false, 1, turned(0.7, {1, -2, 0.5}), {0.9, -0.4, 1.1}}},
                             "potential = \"1.5*(0.3*R31 - 0.2*R32 + R33) + 0.4*R33^2\"");
  s.about_vertical = true;
  return s;
}

// A body about the origin and one that moves, a spring between points of both that stiffens, an ordinary coordinate, a full mass.
inline BodySystem sprung_bodies() {
  const std::string dx = "(aR11*0.5 + aR13*0.4 - bx - bR12)", dy = "(aR21*0.5 + aR23*0.4 - by - bR22)",
                    dz = "(aR31*0.5 + aR33*0.4 - bz - bR32)";
  const std::string d2 = "(" + dx + "^2 + " + dy + "^2 + " + dz + "^2)";
  Others others{
      {"s", "u"}, (Eigen::Matrix2d() << 2, 0.3, 0.3, 1).finished(), Eigen::Vector2d(0.3, -0.2), Eigen::Vector2d(0.1, 0.4)};
  BodySystem s =
      body_system("sprung_bodies",
                  {{"a", Eigen::Vector3d(1, 1.5, 2).asDiagonal(), false, 1, turned(0.4, {0, 1, 1}), {0.5, 0.8, -0.3}},
                   {"b",
                    Eigen::Vector3d(0.5, 0.7, 0.6).asDiagonal(),
                    true,
                    1.3,
                    turned(-1.1, {1, 0.2, 0}),
                    {-0.6, 0.2, 0.9},
                    {0.4, -0.7, 0.3},
                    {0.2, 0.1, -0.4}}},
                  "potential = \"0.8*" + d2 + " + 0.1*" + d2 + "^2 + 0.5*(s - u)^2 + 0.3*s^4 + 0.2*u*" + d2 + "\"", {}, others);
  s.turns_with_space = true;
  return s;
}

// Two links on spherical joints under gravity, and a weight that hangs by a spring.
inline BodySystem jointed_links() {
  Others others{
      {"wx", "wy", "wz"}, 0.4 * Eigen::Matrix3d::Identity(), Eigen::Vector3d(0.2, 0.1, -2.6), Eigen::Vector3d(0.3, 0, 0.1)};
  const Eigen::Matrix3d A = turned(0.3, {1, 0.4, 0}), B = turned(-0.5, {0.2, 1, 0.3});
  const Eigen::Vector3d up(0, 0, 0.5), a = -(A * up), b = a - A * up - B * up;
  const Eigen::Vector3d wa(0.4, -0.2, 0.3), wb(-0.1, 0.5, 0.6);
  const Eigen::Vector3d va = -(A * wa.cross(up)), vb = va - A * wa.cross(up) - B * wb.cross(up);
  BodySystem s =
      body_system("jointed_links",
                  {{"a", Eigen::Vector3d(0.3, 0.25, 0.1).asDiagonal(), true, 1, A, wa, a, va},
                   {"b", Eigen::Vector3d(0.2, 0.3, 0.15).asDiagonal(), true, 0.8, B, wb, b, vb}},
                  "potential = \"az + 0.8*bz + 0.4*wz + 1.5*((wx - bx + 0.5*bR13)^2 + (wy - by + 0.5*bR23)^2 + (wz - bz "
                  "+ 0.5*bR33)^2)\"",
                  {"ax + 0.5*aR13", "ay + 0.5*aR23", "az + 0.5*aR33", "bx + 0.5*bR13 - ax + 0.5*aR13",
                   "by + 0.5*bR23 - ay + 0.5*aR23", "bz + 0.5*bR33 - az + 0.5*aR33"},
                  others);
  s.about_vertical = true;
  return s;
}

// Friction, and torques that depend on time, place and velocity.
inline BodySystem driven_top() {
  BodySystem s = body_system("driven_top",
                             {{"",
                               Eigen::Vector3d(1, 1.6, 2.1).asDiagonal(),
                               true,
                               1.2,
                               turned(0.7, {1, -2, 0.5}),
                               {0.9, -0.4, 1.1},
                               {0.1, 0.2, 0.3},
                               {0.5, 0, -0.2}}},
                             "potential = \"1.5*(0.3*R31 - 0.2*R32 + R33) + 0.5*(x^2 + y^2 + (z - R12)^2)\"\n"
                             "dissipation = \"0.05*(R13'^2 + R23'^2 + R33'^2)*(1 + R11^2) + 0.1*x'^2 + 0.05*(z' - R12')^4\"\n"
                             "force = { R12 = \"0.3*cos(3*t)*R21\", R31 = \"-0.2*R32'*R11\", y = \"0.4*sin(2*t) - 0.1*R33'\" }");
  s.conservative = false;
  return s;
}

// A link whose joint is shaken.
inline BodySystem shaken_link() {
  const Eigen::Matrix3d A = turned(0.3, {1, 0.4, 0});
  const Eigen::Vector3d up(0, 0, 0.5), wa(0.4, -0.2, 0.3), foot(0, 0, 0), v(0.6, 0, 0);
  BodySystem s = body_system(
      "shaken_link", {{"", Eigen::Vector3d(0.3, 0.25, 0.1).asDiagonal(), true, 1, A, wa, foot - A * up, v - A * wa.cross(up)}},
      "potential = \"z\"", {"x + 0.5*R13 - 0.3*sin(2*t)", "y + 0.5*R23", "z + 0.5*R33"});
  s.conservative = false;
  return s;
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
