#include "bodies.hpp"
#include "wrong.hpp"

// Wrong bodies, joints and symmetries are named, with their place and a hint.
namespace actio::io::test {
namespace {

const std::string rotor = "{ name = \"rotor[N]\", inertia = [1.0, \"2 + 0.1*i\", 2.5] }";
const std::string tilting = "\"s*top.z + rotor[1].R23\"";
std::string body(const std::string& rest) { return "{ name = \"rotor[N]\", " + rest + " }"; }

TEST(WrongBody, is_refused_with_the_place) {
  expect_errors(
      bodies,
      {
          {rotor, body("mass = 1"), "8:3", "system.bodies[1].inertia is missing", ""},
          {rotor, body("inertia = 0"), "8:34", "the inertia of rotor[0] is not positive: its principal values are 0, 0 and 0",
           "0", "give a thin rod a small inertia about its axis"},
          {rotor, body("inertia = \"1 - i\""), "8:34", "the inertia of rotor[1] is not positive", ""},
          {rotor, body("inertia = [1, 2]"), "8:34", "system.bodies[1].inertia has 2 entries", "",
           "an inertia is a number, three principal values, or three rows of three"},
          {rotor, body("inertia = [[1, 0, 0], [0, 1, 0], 3]"), "8:57", "system.bodies[1].inertia[2] must be a row of three", "3"},
          {rotor, body("inertia = [[1, 0, 0], [0, 1, 0.5], [0, 0.2, 1]]"), "8:34",
           "the inertia of rotor[0] is not symmetric: entry (1, 2) is 0.5, entry (2, 1) is 0.2", "", "entries count from 0 here"},
          {rotor, body("inertia = [[1, 0, 0], [0, 1, 2], [0, 2, 1]]"), "8:34", "the inertia of rotor[0] is not positive", ""},
          {rotor, body("inertia = true"), "8:34",
           "system.bodies[1].inertia must be a number, three principal values, or a matrix", ""},
          {rotor, body("inertia = 1, mass = \"i - 1\""), "8:44", "the mass of rotor[0] is -1; it must be positive", "",
           "a body without a mass rotates about the origin"},
          {rotor, body("inertia = 1, mass = [1, 2]"), "8:44", "system.bodies[1].mass has 2 entries, there are 3 bodies",
           "[1, 2]"},
          {rotor, body("inertia = 1, colour = 2"), "8:37", "unknown key \"colour\" in [system.bodies[1]]", "colour"},
          {"rotor[N]", "rotor[0]", "8:19", "the size of rotor is 0", "0"},
          {"rotor[N]", "ground", "8:13", "\"ground\" cannot be a body", "ground"},
          {"rotor[N]", "top", "8:13", "\"top\" cannot be a body: it is already a body", "top"},
          {"rotor[N]", "s", "8:13", "\"s\" cannot be a body: it is already a coordinate", "s"},
          {"mass = 7\n", "", "2:1", "s has no mass", "coordinates", "give the coordinates beside bodies a system.mass"},
          {"coordinates = [\"s\"]\n", "", "4:1", "system.mass applies to system.coordinates, and there are none", "mass"},
          {"bodies = [\n", "bodies = []\nold = [\n", "7:1", "unknown key \"old\"", "old"},
          {"[initial]", "fixed = \"top.R12\"\n[initial]", "11:9", "system.fixed contains top.R12, an entry of a rotation", "",
           "a joint of type \"fixed\" fixes a body"},
          {"[initial]", "fixed = \"top\"\n[initial]", "11:9", "system.fixed: \"top\" is a body", "",
           "its coordinates are top.R11 to top.R33 and top.x, top.y, top.z"},
          {"\"rattle\"", "\"verlet\"", "19:8", "verlet takes no constraints", "\"verlet\""},
          {"[1.0, \"2 + 0.1*i\", 2.5]", "[2, 1, \"2/3\"]", "19:8",
           "rattle: the principal inertias of rotor[0] are 0.666667, 1 and 2, the largest more than the sum of the others: the "
           "entries of its rotation have no positive definite mass matrix",
           "\"rattle\""},
      });
}

TEST(WrongBody, in_an_expression_is_named) {
  const auto e = [](const std::string& text) { return "\"" + text + "\""; };
  const std::string parts = "it has R11 to R33, x, y, z, point(a, b, c), axis(a, b, c) and spin";
  expect_errors(
      bodies, {
                  {tilting, e("top"), "10:14", "top is a body in system.potential", "top",
                   "its parts are top.R11, top.point(0, 0, 1).z and so on"},
                  {tilting, e("top.R34"), "10:18", "top has no \"R34\"", "R34", "did you mean \"R31\"?"},
                  {tilting, e("top.colour"), "10:18", "top has no \"colour\"", "colour", parts},
                  {tilting, e("top.spin.z"), "10:14", "top.spin is a velocity, not allowed", "top.spin.z",
                   "a potential depends on positions; with velocities it is a lagrangian"},
                  {tilting, e("top.spin"), "10:14", "top.spin is a vector", "top.spin", "write .x, .y or .z after it"},
                  {tilting, e("top.x(1)"), "10:18", "top has no \"x\"", "x(1)"},
                  {tilting, e("rotor[1].x"), "10:23", "rotor has no \"x\"", "x",
                   "it has no mass, so it rotates about the origin and has no position"},
                  {tilting, e("rotor.R11"), "10:14", "rotor is a family of 3 and takes one index", "rotor.R11", "write rotor[i]"},
                  {tilting, e("top[0].z"), "10:14", "top is one body and takes no index", "top[0].z"},
                  {tilting, e("rotor[3].R11"), "10:14",
                   "rotor[3].R11 is out of range in system.potential, but rotor has 3 entries", "rotor[3].R11"},
                  {tilting, e("top.point(0, 0, 1)"), "10:14", "top.point(0, 0, 1) is a vector", "top.point(0, 0, 1)",
                   "write .x, .y or .z after it"},
                  {tilting, e("top.point(0, 0).z"), "10:18", "point takes 3 numbers, not 2", "point(0, 0)"},
                  {tilting, e("top.point(0, 0, s).z"), "10:18", "point of top is not fixed in it", "point(0, 0, s)"},
                  {tilting, e("top.point(0, 0, t).z"), "10:18", "point of top is not fixed in it", "point(0, 0, t)"},
                  {tilting, e("top.point(0, 0, 1).w"), "10:33", "a vector has no \"w\"", "w", "it has the components x, y and z"},
                  {tilting, e("top.z.z"), "10:20", "a number has no \"z\"", "z"},
                  {tilting, e("top.z'"), "10:14", "top.z' is a velocity, not allowed", "top.z'"},
                  {tilting, e("top'.z"), "10:18", "expected an operator before '.'", ".", "a prime stands at the end"},
                  {tilting, e("s.z"), "10:16", "s is a coordinate and has no \"z\"", "z", "only bodies have parts"},
                  {tilting, e("topp.z"), "10:14", "unknown name \"topp\"", "topp.z", "did you mean \"top\"?"},
                  {tilting, e("distance(top.point(0,0,1))"), "10:14", "distance takes 2 points, not 1", "distance"},
                  {tilting, e("distance(top.point(0,0,1), top.axis(0,0,1))"), "10:41",
                   "a distance is between points, and this is a direction", ""},
                  {tilting, e("dot(top.axis(0,0,1), s)"), "10:35", "s is not a body", "s"},
                  {tilting, e("dot(top.axis(0,0,1), 3)"), "10:35", "expected a name, found '3'", "3"},
                  {tilting, e("dot(top.axis(0,0,1), top)"), "10:35", "top is not a vector", "top"},
              });
}

TEST(WrongBody, starts_nowhere) {
  const std::string turned = "{ axis = [0, 0, 2], angle = 0.3 }", initial = "[initial.bodies.top]";
  expect_errors(
      bodies,
      {
          {turned, "{ axis = [0, 0, 0], angle = 0.3 }", "14:24", "initial.bodies.top.orientation.axis of top is zero",
           "[0, 0, 0]"},
          {turned, "{ axis = [0, 0, 1] }", "14:15", "initial.bodies.top.orientation.angle is missing", ""},
          {turned, "[0, 0, 0, 0]", "14:15", "initial.bodies.top.orientation of top is zero", "[0, 0, 0, 0]"},
          {turned, "[0, 0, 1]", "14:15", "is neither three rows of three, nor the four entries of a quaternion", "[0, 0, 1]"},
          {turned, "[[1, 0, 0], [0, 1, 0.1], [0, 0, 1]]", "14:15", "of top is not a rotation: |R'R - 1| is 1.00e-01", ""},
          {turned, "[[1, 0, 0], [0, 1, 0], [0, 0, -1]]", "14:15", "of top is a reflection", ""},
          {turned, "3", "14:15", "initial.bodies.top.orientation must be a matrix, a quaternion, or {", "3"},
          {"[1, \"L\", 3]", "[1, \"L\"]", "15:12", "initial.bodies.top.position has 2 entries, not 3", ""},
          {"angular_velocity = [0.1, 0.2, 0.3]", "angular_velocity = { space = [0, 0, 1], body = [0, 0, 1] }", "16:20",
           "initial.bodies.top.angular_velocity is given along the axes of the body or of space", ""},
          {"angular_velocity = [0.1, 0.2, 0.3]", "spin = 3", "16:1", "unknown key \"spin\"", "spin"},
          {initial, "[initial.bodies.tip]", "13:17", "initial.bodies: \"tip\" is not a body", "tip", "did you mean \"top\"?"},
          {initial, "[initial.bodies.\"top.x\"]", "13:17", "\"top.x\" is not a body, but a part of one", ""},
          {initial, "[initial.bodies.rotor]", "15:1", "rotor has no position: it rotates about the origin", "position",
           "a body with a mass has a position"},
          {initial, "[initial.bodies.\"rotor[2..3]\"]", "13:17", "rotor has 3 entries, rotor[0] to rotor[2]", ""},
          {"position = { s = 1 }", "position = [1, 2]", "12:12",
           "initial.position has 2 entries, the system has 1 coordinate beside its bodies", "[1, 2]"},
      });
  const std::string twice = "[initial.bodies.rotor]\n[initial.bodies.\"rotor[1]\"]\n[method]";
  EXPECT_NE(error_of(with(bodies, "[method]", twice)).find("initial.bodies gives rotor[1] twice"), std::string::npos);
}

TEST(WrongJoint, is_refused_with_the_place) {
  const std::string joint =
      "[[system.joint]]\ntype = \"revolute\"\nbetween = [\"top.point(0, 0, 1)\", \"ground.point(0, 0, 0)\"]\n"
      "axes = [\"top.axis(0, 0, 1)\", \"ground.axis(0, 0, 1)\"]\n[initial]";
  const std::string axes = "axes = [\"top.axis(0, 0, 1)\", \"ground.axis(0, 0, 1)\"]";
  const std::string ground = "\"ground.point(0, 0, 0)\"";
  expect_errors(
      with(bodies, "[initial]", joint),
      {
          {"\"revolute\"", "\"hinge\"", "12:8", "system.joint[0].type is \"hinge\"; it must be \"spherical\", \"revolute\"", ""},
          {"\"revolute\"", "\"spherical\"", "14:1", "unknown key \"axes\" in [system.joint[0]]", "axes"},
          {"\"revolute\"", "\"distance\"", "14:1", "unknown key \"axes\" in [system.joint[0]]", "axes"},
          {axes, "", "11:1", "system.joint[0].axes is missing", ""},
          {axes, "axes = [\"top.axis(0, 0, 1)\"]", "14:8", "system.joint[0].axes must be two axes", ""},
          {axes, "axes = [\"top.axis(0, 0, 0)\", \"ground.axis(0, 0, 1)\"]", "14:9", "system.joint[0].axes[0] is zero", ""},
          {axes, "axes = [\"top.point(0, 0, 1)\", \"ground.axis(0, 0, 1)\"]", "14:9",
           "system.joint[0].axes[0] is a point, not an axis", ""},
          {ground, "\"top.point(1, 0, 0)\"", "13:11", "system.joint[0].between names one body twice", "",
           "a joint is between two bodies, or between a body and ground"},
          {"\"top.point(0, 0, 1)\"", "\"ground.point(1, 0, 0)\"", "13:11", "system.joint[0].between names ground twice", ""},
          {ground, "\"ground.point(0, 0, s)\"", "13:42", "point of ground is not fixed in it", "point(0, 0, s)"},
          {ground, "\"earth.point(0, 0, 0)\"", "13:35", "earth is not a body in system.joint[0].between[1]", ""},
          {ground, "\"ground.x\"", "13:42", "ground has no \"x\"", "x", "it has point(a, b, c) and axis(a, b, c)"},
          {ground, "\"ground.point(0, 0, 0) + 1\"", "13:57", "unexpected '+'", "+"},
          {ground, "\"rotor[i].point(0, 0, 0)\"", "13:41", "unknown index 'i'", ""},
      });
}

TEST(WrongSymmetry, of_bodies_is_refused_with_the_place) {
  expect_errors(with(bodies, "[initial]", "[[symmetry]]\nname = \"J\"\nbody = \"rotor[1]\"\naxis = [0, 0, 1]\n[initial]"),
                {
                    {"body = \"rotor[1]\"", "body = \"s\"", "13:8", "symmetry[0].body: \"s\" is a coordinate", "\"s\""},
                    {"body = \"rotor[1]\"", "body = \"rotor[3]\"", "13:8", "rotor has 3 entries", ""},
                    {"axis = [0, 0, 1]", "axis = [0, 0, 0]", "14:8", "symmetry[0].axis is zero", "[0, 0, 0]"},
                    {"axis = [0, 0, 1]", "rotation = [0, 0, 1]", "13:1", "symmetry[0] has both a rotation and a body", "body"},
                    {"axis = [0, 0, 1]", "triples = []", "14:1", "unknown key \"triples\"", "triples"},
                    {"body = \"rotor[1]\"\naxis = [0, 0, 1]", "rotation = [0, 1]", "13:12",
                     "symmetry[0].rotation has 2 entries, not 3", ""},
                    {"body = \"rotor[1]\"\naxis = [0, 0, 1]", "rotation = [0, 0, 1]\ntriples = [[\"s\", \"s\"]]", "14:12",
                     "symmetry[0].triples[0] must be three coordinates", "[\"s\", \"s\"]"},
                });
}

}  // namespace
}  // namespace actio::io::test
