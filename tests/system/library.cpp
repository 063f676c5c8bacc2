#include <gtest/gtest.h>

#include <actio/core/error.hpp>
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>

// A compiled potential given as a shared library enters at the interface of the expressions.
namespace actio::system {
namespace {

io::Problem problem(const std::string& energy, const std::string& parameters = "parameters = { c = 1.3 }") {
  return io::load_text(R"toml(
[system]
coordinates = ["x", "y"]
mass = [1.0, 2.0]
)toml" + parameters + "\n" +
                           energy + R"toml(
[initial]
position = [1.2, 0.1]
velocity = [0.1, 0.2]
[method]
name = "midpoint"
[run]
step = 0.1
steps = 1
)toml",
                       "library.toml");
}

class SharedLibrary : public testing::TestWithParam<method::BuildOptions::Space> {};

TEST_P(SharedLibrary, walks_the_path_of_the_same_expression) {
  for (const method::AnyMethod& choice : std::initializer_list<method::AnyMethod>{
           method::Midpoint{}, method::Newmark{}, method::Verlet{}, method::Variational{0.2, true}}) {
    const auto end = [&](const io::Problem& p) {
      const auto integrator = method::make_integrator(p.model, {choice, false, {}}, {{}, GetParam()});
      integrator->start(0, p.q0, p.v0);
      EXPECT_TRUE(integrator->advance(100, 0.1).ok);
      method::Snapshot s;
      integrator->snapshot(s);
      return std::pair(Eigen::VectorXd(s.q), integrator->energy());
    };
    const auto [q, E] = end(problem("potential = \"c*(x^2 + y^2)*(x^2 + y^2 - 1)^2\""));
    const auto [r, F] = end(problem("library = \"" ACTIO_TEST_POTENTIAL "\""));
    EXPECT_LT((q - r).norm(), 1e-12);
    EXPECT_NEAR(E, F, 1e-13);
  }
}

using Space = method::BuildOptions::Space;
INSTANTIATE_TEST_SUITE_P(every_space, SharedLibrary, testing::Values(Space::fixed, Space::dense, Space::sparse));

TEST(SharedLibraryErrors, say_what_does_not_fit) {
  const auto message = [](const io::Problem& p) {
    try {
      (void)method::make_integrator(p.model, p.method);
    } catch (const core::InputError& error) { return std::string(error.what()); }
    return std::string("nothing thrown");
  };
  EXPECT_NE(message(problem("library = \"" ACTIO_TEST_POTENTIAL "\"", "parameters = { c = 1, d = 2 }"))
                .find("expects 1 parameters, the system has 2"),
            std::string::npos);
  EXPECT_NE(message(problem("library = \"README.md\"")).find("cannot load the library"), std::string::npos);
}

}  // namespace
}  // namespace actio::system
