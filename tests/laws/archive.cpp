#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <laws/bodies.hpp>
#include <laws/constrained.hpp>
#include <laws/systems.hpp>
#include <set>

// A run that was archived and goes on in a fresh integrator is to the bit the run that went on: every method, every kind of
// system.
namespace actio::laws {
namespace {

using method::BatchReport;
using Space = method::BuildOptions::Space;

bool same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }
bool same(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return a.size() == b.size() && (a.size() == 0 || std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * 8) == 0);
}
void expect_same(const BatchReport& a, const BatchReport& b) {
  EXPECT_EQ(a.ok, b.ok);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.factorisations, b.factorisations);
  EXPECT_TRUE(same(a.worst_residual, b.worst_residual)) << a.worst_residual << " " << b.worst_residual;
  EXPECT_TRUE(same(a.work.external, b.work.external) && same(a.work.dissipated, b.work.dissipated) &&
              same(a.work.constraints, b.work.constraints) && same(a.work.residual, b.work.residual));
}
void expect_same(const method::Integrator& a, const method::Integrator& b, double h) {
  method::Snapshot x, y;
  a.snapshot(x);
  b.snapshot(y);
  EXPECT_TRUE(same(x.t, y.t));
  EXPECT_TRUE(same(x.q, y.q)) << (x.q - y.q).norm();
  EXPECT_TRUE(same(x.v, y.v)) << (x.v - y.v).norm();
  EXPECT_TRUE(same(x.p, y.p)) << (x.p - y.p).norm();
  Eigen::VectorXd one, other;
  a.multipliers(h, one);
  b.multipliers(h, other);
  for (Eigen::Index k = 0; k < std::min(one.size(), other.size()); ++k)  // NaN where a joint needs none
    EXPECT_TRUE(one[k] == other[k] || (std::isnan(one[k]) && std::isnan(other[k])));
  EXPECT_EQ(one.size(), other.size());
}

// Steps of two sizes before, steps of both and a third after, one at a time and many, so that what is kept for a size is used
// again.
void expect_to_go_on(const io::Problem& problem, const method::Spec& spec, Space space, double h,
                     std::set<std::string>* seen = nullptr) {
  SCOPED_TRACE(label(spec) + (space == Space::sparse ? " on a sparse space" : ""));
  const method::BuildOptions options{{"none", {}}, space};
  auto whole = method::make_integrator(problem.model, spec, options),
       resumed = method::make_integrator(problem.model, spec, options);
  whole->start(0.1, problem.q0, problem.v0);
  if (!whole->project().found) return;
  if (!whole->advance(3, h).ok || !whole->advance(2, h / 2).ok) return;  // too long a step for this method
  core::Archive out;
  whole->archive(out);
  resumed->start(0, problem.q0, problem.v0);  // a state of its own, to be forgotten
  (void)resumed->advance(1, h / 3);
  core::Archive in(out.bytes());
  resumed->archive(in);
  EXPECT_TRUE(in.finished());
  expect_same(*whole, *resumed, h);
  for (const auto& [steps, size] : {std::pair{1L, h / 2}, {1L, h}, {4L, h}, {2L, h / 4}, {1L, h / 2}}) {
    const BatchReport a = whole->advance(steps, size), b = resumed->advance(steps, size);
    expect_same(a, b);
    expect_same(*whole, *resumed, size);
    if (!a.ok) return;
  }
  if (seen) seen->insert(spec.name());
}

// Second neighbours: four forces on a site, which a step in one pass over memory adds in another order than a start.
TEST(Archive, goes_on_to_the_bit_in_a_long_lattice) {
  const io::Problem lattice = problem(
      "[system]\ncoordinates = [\"q[3000]\"]\nmass = 1\n[[system.term]]\nover = \"i = 0..2998\"\n"
      "potential = \"0.5*(q[i+1] - q[i])^2 + 0.25*(q[i+1] - q[i])^4\"\n[[system.term]]\nover = \"i = 0..2997\"\n"
      "potential = \"0.1*cos(q[i+2] - q[i])\"\n[initial.position]\nq = \"sin(0.37*i)\"\n");
  for (const bool composed : {false, true})
    expect_to_go_on(lattice, method::Spec{method::Verlet{}, composed, {}}, Space::automatic, 0.05);
}

TEST(Archive, goes_on_to_the_bit_by_every_method) {
  std::vector<const System*> all = systems();
  all.insert(all.end(), {&full_mass_with_friction(), &driven(), &driven_pendulum()});
  std::vector<method::Spec> specs = methods();
  specs.push_back({method::CvodeAdams{}, false, {}});
  for (const System* system : all) {
    SCOPED_TRACE(system->name);
    for (const method::Spec& spec : specs) {
      if (!method::why_incompatible(system->problem.model, spec).empty()) continue;
      for (const Space space : {Space::automatic, Space::dense, Space::sparse})
        expect_to_go_on(system->problem, spec, space, 0.05);
    }
  }
}

TEST(Archive, goes_on_to_the_bit_on_constraints) {
  for (const ConstrainedSystem* system : constrained_systems()) {
    SCOPED_TRACE(system->name);
    for (const method::Spec& spec : constrained_methods())
      if (method::why_incompatible(system->problem.model, spec).empty())
        for (const Space space : {Space::automatic, Space::dense, Space::sparse})
          expect_to_go_on(system->problem, spec, space, 0.02);
  }
}

TEST(Archive, goes_on_to_the_bit_with_bodies) {
  for (const BodySystem& system : body_systems()) {
    SCOPED_TRACE(system.name);
    std::vector<method::Spec> specs = lie_group_methods();
    specs.push_back({method::Rattle{}, false, {}});
    specs.push_back({method::EnergyMomentum{}, false, {}});
    for (const method::Spec& spec : specs)
      if (method::why_incompatible(system.problem.model, spec).empty())
        for (const Space space : {Space::dense, Space::sparse}) expect_to_go_on(system.problem, spec, space, 0.02);
  }
}

// Loads, records, implicit equations, matrices from files, chains whose KKT system is sparse: by every method that takes them.
TEST(Archive, goes_on_to_the_bit_from_every_example) {
  std::set<std::string> seen, known;
  for (const auto& file : std::filesystem::directory_iterator("examples")) {
    if (file.path().extension() != ".toml") continue;
    SCOPED_TRACE(file.path().string());
    const io::Problem problem = io::load(file.path().string());
    if (problem.model.size() > 400) continue;
    std::vector<method::Spec> specs{problem.method};
    specs.insert(specs.end(), method::all_methods().begin(), method::all_methods().end());
    for (const method::Spec& spec : specs)
      if (method::why_incompatible(problem.model, spec).empty())
        expect_to_go_on(problem, spec, Space::automatic, problem.schedule.step[0], &seen);
  }
  method::for_each_method([&]<class M>(std::type_identity<M>) { known.emplace(M::description.name); });
  for (const std::string& name : known) EXPECT_TRUE(seen.contains(name)) << name << " was not tried";
}

// A state of a method is no state of another, nor of another system, and none at all when it is cut off.
TEST(Archive, refuses_what_is_of_something_else) {
  const method::BuildOptions options{{"none", {}}, Space::dense};
  const auto make = [&](const System& system, const method::AnyMethod& choice) {
    auto integrator = method::make_integrator(system.problem.model, {choice, false, {}}, options);
    integrator->start(0, system.problem.q0, system.problem.v0);
    return integrator;
  };
  core::Archive out;
  make(oscillator(), method::Midpoint{})->archive(out);
  const auto read = [&](method::Integrator& by, std::string_view bytes) {
    core::Archive in(bytes);
    by.archive(in);
    if (!in.finished()) throw core::InputError("more than it reads");
  };
  EXPECT_THROW(read(*make(oscillator(), method::Newmark{}), out.bytes()), core::InputError);
  EXPECT_THROW(read(*make(oscillator(), method::RungeKutta4{}), out.bytes()), core::InputError);
  for (std::size_t k = 0; k < out.bytes().size(); ++k)
    EXPECT_THROW(read(*make(oscillator(), method::Midpoint{}), std::string_view(out.bytes()).substr(0, k)), core::InputError)
        << k;
  EXPECT_NO_THROW(read(*make(oscillator(), method::Midpoint{}), out.bytes()));
}

}  // namespace
}  // namespace actio::laws
