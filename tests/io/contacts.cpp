#include "wrong.hpp"

// [[system.contact]]: what is read, and what is refused with its place and a hint.
namespace actio::io::test {
namespace {

const std::string balls = R"([system]
coordinates = ["x[3]", "z"]
parameters = { r = 0.1, e = 0.5 }
mass = 1
potential = "9.81*z"
fixed = "x[0]"
[[system.contact]]
name = "floor"
gap = "z - r"
restitution = "e"
[[system.contact]]
over = "i = 0..1"
gap = "x[i+1] - x[i] - 2*r"
[initial]
position = { x = "i", z = 1 }
velocity = { x = 0, z = 0 }
[method]
name = "verlet"
[run]
step = 0.01
end = 1
)";

TEST(Contact, is_read_with_its_gaps_and_restitution) {
  const Problem p = load_text(balls, "p.toml");
  ASSERT_EQ(p.model.contacts.size(), 2u);
  EXPECT_EQ(p.model.contacts[0].name, "floor");
  EXPECT_EQ(p.model.contacts[0].restitution, 0.5);
  EXPECT_EQ(p.model.contacts[1].restitution, 1);
  EXPECT_EQ(p.model.contacts[1].elements, 2);
  EXPECT_EQ(p.model.contacts[1].dof(0, 1) + p.model.contacts[1].dof(1, 1), 3);
}

TEST(Contact, that_is_wrong_is_refused_with_the_place) {
  const std::string gap = "\"z - r\"";
  expect_errors(
      balls,
      {
          {"\"e\"", "-0.5", "10:15", "system.contact[0].restitution is -0.5; it is from 0 to 1", "-0.5",
           "it is how fast things part over how fast they met: 1 loses no energy, 0 all of that of the impact"},
          {"\"e\"", "1.1", "10:15", "system.contact[0].restitution is 1.1; it is from 0 to 1", ""},
          {gap, "\"z - 0.1*z'\"", "", "a gap is a function of positions alone", ""},
          {gap, "\"z - t\"", "", "a gap is a function of positions alone", ""},
          {gap, "\"(z - r)^2\"", "9:7", "system.contact[0].gap is never below 0, so nothing would ever touch", "",
           "a gap changes its sign where two things would overlap: for a distance, \"distance(a, b) - 2*r\""},
          {gap, "\"sqrt(z^2 + x[1]^2)\"", "9:7", "system.contact[0].gap is never below 0", ""},
          {gap, "\"z > r\"", "9:7", "system.contact[0].gap is a comparison", "",
           "write what stays at or above 0: for y > r, \"y - r\""},
          {gap, "\"z = r\"", "", "an equals sign in system.contact[0].gap", ""},
          {gap, "\"r\"", "9:7", "system.contact[0].gap depends on no coordinate", ""},
          {gap, "\"x[0] + 1\"", "9:7", "system.contact[0].gap depends on fixed coordinates alone", ""},
          {"name = \"floor\"", "colour = 1", "8:1", "unknown key \"colour\" in [system.contact[0]]", "colour"},
          {"gap = \"z - r\"\n", "", "7:1", "system.contact[0].gap is missing", ""},
          {"over = \"i = 0..1\"", "over = \"i = 0..1\"\nname = \"floor\"", "13:8", "two contacts are named \"floor\"", ""},
          {"\"verlet\"", "\"newmark\"", "18:8",
           "newmark takes no contacts: an impact divides a step in two, which methods with a discrete Lagrangian of positions "
           "can",
           "\"newmark\""},
          {"\"verlet\"", "\"verlet\"\ncompose = { order = 4 }", "18:8", "takes no contacts", "\"verlet\""},
          {"\"9.81*z\"", "\"9.81*z*sin(t)\"", "18:8", "contacts need a potential that does not depend on the time", ""},
          {"end = 1", "end = 1\nat = [0.5]", "22:1", "run.at needs the path within a step, and an impact breaks it", ""},
          {"end = 1", "end = 1\n[[event]]\nwhen = \"z - 1\"", "", "events need the path within a step, and an impact breaks it",
           ""},
          {"step = 0.01", "step = { reversible = \"1 + z^2\", eps = 0.01 }", "18:8", "contacts need steps of one size", ""},
      });
}

}  // namespace
}  // namespace actio::io::test
