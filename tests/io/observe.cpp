#include <io/wrong.hpp>

#include <actio/run/observable.hpp>

using namespace actio::io::test;

namespace {

const std::string observed = chain + R"toml([[observe]]
name = "stretch"
over = "k = 0..N-1"
value = "theta[k+1] - theta[k]"
reduce = "mean"
every = 2
[[observe]]
name = "top"
value = "theta[4] + 2*energy"
)toml";

}  // namespace

TEST(Observe, reads_what_is_asked) {
  const auto p = actio::io::load_text(observed, "p.toml");
  ASSERT_EQ(p.observables.size(), 2);
  const auto& stretch = p.observables[0];
  EXPECT_EQ(stretch.name, "stretch");
  EXPECT_EQ(stretch.definition, "theta[k+1] - theta[k] over k = 0..N-1");
  EXPECT_EQ(stretch.elements(), 4);
  EXPECT_EQ(stretch.every, 2);
  ASSERT_EQ(stretch.reductions.size(), 1);
  EXPECT_EQ(stretch.reductions[0], actio::run::Reduce::mean);
  EXPECT_FALSE(stretch.single());
  EXPECT_TRUE(p.observables[1].single());
  EXPECT_TRUE(p.observables[1].reductions.empty());
}

TEST(Observe, says_where_it_is_wrong) {
  expect_errors(
      observed,
      {{"value = \"theta[4]", "value = \"theta[5]", "", "theta[5] is out of range in observe[1].value", "theta[5]"},
       {"theta[k+1] - theta[k]\"\nreduce", "theta[k+2] - theta[k]\"\nreduce", "", "theta[k+2] is theta[5] at k = 3",
        "theta[k+2]"},
       {"2*energy", "2*enrgy", "", "unknown name \"enrgy\"", "enrgy", "did you mean \"energy\"?"},
       {"2*energy", "2*stretch", "", "stretch is not a number here: it has 4 elements", "stretch"},
       {"2*energy", "2*top", "", "unknown name \"top\"", "top"},
       {"2*energy", "2*energy'", "", "energy has no velocity", "energy'"},
       {"2*energy", "2*p(energy)", "", "p takes a coordinate", "energy"},
       {"2*energy", "2*p(theta[0], y)", "", "p takes one coordinate, not 2", "p"},
       {"2*energy", "2*q1(theta[0]')", "", "theta is a velocity", "theta[0]'"},
       {"reduce = \"mean\"", "reduce = \"meen\"", "", "observe[0].reduce is \"meen\", which is not known", "",
        "did you mean \"mean\"?"},
       {"reduce = \"mean\"", "reduce = \"max\"", "", "which is not known", "", "did you mean \"largest\"?"},
       {"reduce = \"mean\"", "reduce = \"rdf\"", "", "which is not known", "", "did you mean \"radial-distribution\"?"},
       {"reduce = \"mean\"", "reduce = \"radial-distribution\"\nfrom = 0\nto = 1\nbins = 3", "",
        "is a radial-distribution, which is that of points in a box", ""},
       {"reduce = \"mean\"", "reduce = []", "", "observe[0].reduce is empty", ""},
       {"reduce = \"mean\"", "reduce = [\"mean\", \"mean\"]", "", "has \"mean\" twice", ""},
       {"reduce = \"mean\"", "reduce = 3", "", "observe[0].reduce must be a string", ""},
       {"reduce = \"mean\"", "reduce = \"histogram\"", "", "observe[0].from is missing", ""},
       {"reduce = \"mean\"", "reduce = \"histogram\"\nfrom = 1\nto = 1\nbins = 3", "",
        "observe[0].to is 1; it must be above observe[0].from, 1", ""},
       {"reduce = \"mean\"", "reduce = \"histogram\"\nfrom = 0\nto = 1\nbins = 0", "",
        "observe[0].bins is 0; it must lie between 1 and 1000000", ""},
       {"reduce = \"mean\"", "reduce = \"mean\"\nbins = 3", "", "observe[0].bins belongs to a histogram", "bins"},
       {"every = 2", "every = 0", "", "observe[0].every is 0; it must lie between 1 and", "0"},
       {"every = 2", "evry = 2", "", "unknown key \"evry\" in [observe[0]]", "evry", "did you mean \"every\"?"},
       {"name = \"top\"", "name = \"top\"\nafter = 3", "", "observe[1].after belongs to a reduction", "after"},
       {"name = \"top\"", "name = \"a roof\"", "", "\"a roof\" is not a name", ""},
       {"name = \"top\"", "name = \"stretch\"", "", "two observables are named \"stretch\"", ""},
       {"name = \"top\"", "name = \"y\"", "", "y is a coordinate, which has columns already", ""},
       {"name = \"top\"", "name = \"top\"\ncombine = \"sum\"", "", "observe[1].combine has nothing to combine", ""},
       {"every = 2", "combine = \"total\"", "", "observe[0].combine is \"total\", which is not known", "",
        "did you mean \"sum\"?"},
       {"value = \"theta[k+1] - theta[k]\"", "value = [\"theta[k]\", \"theta[k+1]\"]", "",
        "observe[0].value is a vector, and mean takes numbers", ""},
       {"value = \"theta[4] + 2*energy\"", "value = [\"y\", \"y\"]", "", "observe[1].value is a vector, and is not reduced", ""},
       {"value = \"theta[4] + 2*energy\"", "value = 3", "", "observe[1].value must be an expression", ""},
       {"value = \"theta[4] + 2*energy\"", "", "", "observe[1].value is missing", ""}});
}

TEST(Observe, says_what_a_system_does_not_have) {
  const std::string rod = R"toml([system]
coordinates = ["x", "y"]
mass = [1, 1]
potential = "y"
constraints = ["x^2 + y^2 - 1"]
[initial]
position = [1, 0]
[method]
name = "rattle"
[run]
step = 0.1
end = 1
[[observe]]
name = "a"
value = "x + 0"
)toml";
  expect_errors(rod, {{"x + 0", "x''", "", "x'' is not known: constraints act on the system", "x''"}});
  const std::string equations = R"toml([system]
coordinates = ["x"]
[system.equations]
x = "x'' + x"
[initial]
position = [1]
[method]
name = "newmark"
[run]
step = 0.1
end = 1
[[observe]]
name = "a"
value = "x + 0"
)toml";
  expect_errors(equations, {{"x + 0", "energy", "", "energy is not a number here: equations have no energy", "energy"},
                            {"x + 0", "temperature", "", "temperature is not a number here: equations have no kinetic energy",
                             "temperature"}});
  const std::string magnet = R"toml([system]
coordinates = ["x", "y"]
lagrangian = "0.5*(x'^2 + y'^2) + x*y'"
[initial]
position = [1, 0]
[method]
name = "midpoint"
[run]
step = 0.1
end = 1
[[observe]]
name = "a"
value = "x + 0"
)toml";
  expect_errors(magnet, {{"x + 0", "kinetic_energy", "", "has a part that is linear in the velocities", "kinetic_energy"}});
  EXPECT_NO_THROW(actio::io::load_text(with(magnet, "x + 0", "energy + p(y)"), "p.toml"));
}

namespace {

const std::string with_outputs = observed + R"toml([output]
second = "2*first"
first = { value = "theta[k]", over = "k = 0..N-1", combine = "sum", unit = "rad" }
half = "top/2"
)toml";

}  // namespace

TEST(Output, is_the_short_form_of_observe_in_the_order_of_the_file) {
  const auto p = actio::io::load_text(with(with_outputs, "second = \"2*first\"\n", ""), "p.toml",
                                      {{"output.half=energy", "output.more=2*half", "output.first.unit=deg"}, "", {}});
  ASSERT_EQ(p.observables.size(), 5);
  EXPECT_EQ(p.observables[2].name, "first");
  EXPECT_EQ(p.observables[2].definition, "theta[k] over k = 0..N-1");
  EXPECT_EQ(p.observables[2].unit, "deg");
  EXPECT_TRUE(p.observables[2].single());
  EXPECT_EQ(p.observables[3].name, "half");
  EXPECT_EQ(p.observables[3].definition, "energy");
  EXPECT_EQ(p.observables[4].name, "more");
}

TEST(Output, says_where_it_is_wrong) {
  expect_errors(with(with_outputs, "second = \"2*first\"\n", ""),
                {{"half = \"top/2\"", "top = \"y\"", "", "two observables are named \"top\": the other is at p.toml:", "top"},
                 {"half = \"top/2\"", "y = \"top\"", "", "y is a coordinate, which has columns already", "y"},
                 {"half = \"top/2\"", "half = 3", "", "output.half must be an expression, or a table", "3"},
                 {"half = \"top/2\"", "half = \"theta[5]\"", "", "theta[5] is out of range in output.half", "theta[5]"},
                 {"half = \"top/2\"", "\"1st\" = \"top\"", "", "\"1st\" is not a name", ""},
                 {"unit = \"rad\"", "name = \"a\"", "", "unknown key \"name\" in [output.first]", "name"},
                 {"value = \"theta[k]\"", "bins = 3", "", "output.first.value is missing", ""},
                 {"half = \"top/2\"", "half = \"reaction(y)\"", "", "y is not fixed, so nothing holds it by a reaction", ""},
                 {"half = \"top/2\"", "half = \"reaction(y')\"", "", "y is a velocity", ""},
                 {"half = \"top/2\"", "half = \"angle(hinge)\"", "", "hinge is not a revolute joint", "hinge"}});
  EXPECT_NE(error_of(with_outputs).find("unknown name \"first\" in output.second"), std::string::npos);
}
