#include <gtest/gtest.h>

#include <actio/algebra/sparse.hpp>
#include <actio/core/error.hpp>
#include <actio/invariant/agreement.hpp>
#include <actio/io/problem.hpp>
#include <actio/method/compatibility.hpp>
#include <actio/method/frequencies.hpp>
#include <actio/method/integrator.hpp>
#include <actio/method/statics.hpp>
#include <actio/run/integrate.hpp>
#include <actio/system/assembled.hpp>
#include <actio/system/callbacks.hpp>
#include <ranges>

// Forces and tangents that another code assembles enter where our own do. Here the other code is ours, behind functions.
namespace actio::system {
namespace {

using In = Callbacks::In;
using Out = Callbacks::Out;
using Eigen::Map;
using Eigen::VectorXd;

// Twelve masses on a ring of springs that harden, above an uneven floor.
io::Problem ring(const std::string& keys = "", const std::string& terms = "") {
  return io::load_text(R"toml(
[system]
coordinates = ["x[12]"]
mass = { x = "1 + 0.3*sin(i)" }
)toml" + keys + R"toml(
[[system.term]]
over = "k = 0..11"
potential = "(x[(k+1) % 12] - x[k])^2 + 0.5*(x[(k+1) % 12] - x[k])^4 + 0.1*cos(x[k])"
)toml" + terms + R"toml(
[initial]
position = { x = "0.4*sin(0.9*i)" }
velocity = { x = "where(i == 3, 0, 0.2*cos(1.7*i))" }
[method]
name = "midpoint"
[run]
step = 0.05
steps = 60
)toml",
                       "ring.toml");
}

VectorXd vector(In x) { return Map<const VectorXd>(x.data(), static_cast<long>(x.size())); }
Map<VectorXd> vector(Out x) { return {x.data(), static_cast<long>(x.size())}; }

// V of a model as another code's. Its entries come in the opposite order, each in two parts.
Callbacks code_of(const Model& model) {
  const auto compiled = compile(model);
  using System = Assembled<algebra::SparseSpace>;
  const auto system = std::make_shared<System>(compiled, layout<algebra::SparseSpace>(*compiled, true));
  Callbacks code;
  const auto& pattern = *system->space().pattern;
  for (int part = 0; part < 2; ++part)
    for (int j = static_cast<int>(model.size()) - 1; j >= 0; --j)
      for (algebra::SparseMatrix::InnerIterator it(pattern, j); it; ++it) {
        code.rows.push_back(static_cast<std::int32_t>(it.row()));
        code.columns.push_back(j);
      }
  code.energy = [system](double t, In q) { return system->potential(t, vector(q)); };
  code.residual = [system](double t, In q, Out r) {
    VectorXd f(q.size());
    system->force(t, vector(q), f);
    vector(r) -= f;
  };
  code.tangent = [system](double t, In q, Out values) {
    VectorXd f(q.size());
    auto K = system->space().matrix();
    system->stiffness(t, vector(q), 0, 1, f, K);
    std::size_t k = 0;
    for (const double part : {0.25, 0.75})
      for (int j = static_cast<int>(q.size()) - 1; j >= 0; --j)
        for (algebra::SparseMatrix::InnerIterator it(K, j); it; ++it) values[k++] += part * it.value();
  };
  return code;
}
Model model_of(const io::Problem& problem, Callbacks code) {
  Model model = model_of(problem.model.size(), std::move(code));
  model.mass = problem.model.mass;
  return model;
}

struct End {
  VectorXd q;
  double energy;
};
End end_of(const Model& model, const method::AnyMethod& choice, const io::Problem& p, method::BuildOptions::Space space) {
  const auto integrator = method::make_integrator(model, {choice, false, {}}, {{}, space});
  integrator->start(0, p.q0, p.v0);
  EXPECT_TRUE(integrator->advance(60, 0.05).ok);
  method::Snapshot s;
  integrator->snapshot(s);
  return {s.q, integrator->energy()};
}

using Space = method::BuildOptions::Space;
class OwnForces : public testing::TestWithParam<Space> {};

TEST_P(OwnForces, walk_the_path_of_the_same_expression_under_every_method) {
  const io::Problem p = ring();
  const Model own = model_of(p, code_of(p.model));
  int methods = 0;
  method::for_each_method([&]<class M>(std::type_identity<M>) {
    const method::Spec spec{M{}, false, {}};
    if (M::traits.transforms_time || !method::why_incompatible(own, spec).empty()) return;
    SCOPED_TRACE(M::description.name);
    const End here = end_of(own, M{}, p, GetParam()), there = end_of(p.model, M{}, p, GetParam());
    EXPECT_GT((there.q - p.q0).norm(), 0.5);
    EXPECT_LT((here.q - there.q).norm(), M::traits.chooses_steps ? 1e-8 : 1e-11);
    EXPECT_NEAR(here.energy, there.energy, M::traits.chooses_steps ? 1e-8 : 1e-11);
    ++methods;
  });
  EXPECT_GE(methods, 16);
}
INSTANTIATE_TEST_SUITE_P(every_space, OwnForces, testing::Values(Space::dense, Space::sparse));

TEST(OwnForces, fixed_coordinates_and_loads_of_time_and_velocity) {
  const io::Problem p = ring("fixed = [\"x[3]\"]", R"toml(
[[system.term]]
over = "k = 0..11"
on = "x[k]"
force = "cos(3*t) - 0.2*x'[k]*x'[k]*x'[k] - 0.1*sin(x[(k+1) % 12])"
)toml");
  const io::Problem without = ring();
  Callbacks code = code_of(without.model);
  code.force = [](double t, In q, In v, Out F) {
    for (std::size_t k = 0; k < 12; ++k) F[k] += std::cos(3 * t) - 0.2 * v[k] * v[k] * v[k] - 0.1 * std::sin(q[(k + 1) % 12]);
  };
  code.force_tangent = [rows = code.rows, columns = code.columns](double, In q, In v, double wq, double wv, Out values) {
    for (std::size_t e = 0; e < rows.size() / 2; ++e) {  // the first part of each entry
      const auto i = static_cast<std::size_t>(rows[e]), j = static_cast<std::size_t>(columns[e]);
      if (i == j) values[e] -= wv * 0.6 * v[i] * v[i];
      if (j == (i + 1) % 12) values[e] -= wq * 0.1 * std::cos(q[j]);
    }
  };
  Model own = model_of(p, std::move(code));
  own.fixed_dofs = p.model.fixed_dofs;
  for (const method::AnyMethod& choice : std::initializer_list<method::AnyMethod>{method::Midpoint{}, method::Newmark{},
                                                                                  method::GeneralizedAlpha{}, method::Hht{}}) {
    const End here = end_of(own, choice, p, Space::sparse), there = end_of(p.model, choice, p, Space::sparse);
    EXPECT_LT((here.q - there.q).norm(), 1e-11);
    EXPECT_EQ(here.q[3], p.q0[3]);
  }
  const auto found = invariant::agreement(own, 0.3, p.q0, p.v0, 0.1, 0.1);
  EXPECT_LT(found.energy, 1e-8);
  EXPECT_LT(found.tangent, 1e-8);
  EXPECT_LT(found.symmetry, 1e-14);
  EXPECT_LT(found.force_tangent, 1e-8);
}

invariant::Certificate certified(const Model& model, const io::Problem& p,
                                 const method::Spec& spec = {method::Midpoint{}, false, {}}, const run::Bounds& bounds = {}) {
  run::Task task{"", spec, p.q0, p.v0, p.schedule, bounds};
  task.schedule.every = 2;
  const auto integrator = method::make_integrator(model, spec);
  invariant::MomentumMap momentum(model);
  return run::integrate(*integrator, momentum, task);
}

TEST(OwnForces, without_an_energy_run_and_the_certificate_says_what_is_not_known) {
  const io::Problem p = ring();
  Callbacks code = code_of(p.model);
  code.energy = nullptr;
  const Model own = model_of(p, code);
  const auto whole = certified(model_of(p, code_of(p.model)), p);
  const auto c = certified(own, p);
  EXPECT_EQ(whole.verdict, invariant::Certificate::Verdict::kept);
  EXPECT_LT((c.last.q - whole.last.q).norm(), 1e-12);
  EXPECT_EQ(c.verdict, invariant::Certificate::Verdict::unresolved);
  EXPECT_TRUE(invariant::none_seen(c.symplecticity.canonical) && invariant::resolved(c.symplecticity.canonical));
  EXPECT_FALSE(c.energy.defined || c.energy.given);
  EXPECT_TRUE(std::isnan(c.energy.initial) && std::isnan(c.energy.max_error));
  EXPECT_FALSE(c.ledger);
  ASSERT_EQ(c.unresolved.size(), 1U);
  EXPECT_NE(c.unresolved[0].find("claims to keep the energy near its start: the code gives no potential"), std::string::npos);
  EXPECT_NE(invariant::text(c).find("the code gives forces but not their potential"), std::string::npos);

  // A bound that cannot be told to hold does not hold.
  EXPECT_EQ(certified(own, p, {method::Midpoint{}, false, {}}, {.energy = 1}).verdict, invariant::Certificate::Verdict::failed);
  EXPECT_NE(method::why_incompatible(own, {method::MinimisingNewmark{}, false, {}}), "");

  // With a force beside it: no ledger of half an energy.
  code.force = [](double t, In, In, Out F) { F[0] = std::cos(t); };
  const auto forced = certified(model_of(p, code), p);
  EXPECT_EQ(forced.verdict, invariant::Certificate::Verdict::kept);  // of what it claims, to be reversible
  EXPECT_FALSE(forced.ledger);
  code.energy = code_of(p.model).energy;
  EXPECT_TRUE(certified(model_of(p, code), p).ledger);
}

TEST(OwnForces, that_are_no_gradient_are_seen_in_a_step) {
  const io::Problem p = ring();
  Callbacks code = code_of(p.model);
  code.energy = nullptr;
  code.residual = [from = code.residual](double t, In q, Out r) {
    from(t, q, r);
    for (std::size_t k = 0; k < 12; ++k) r[k] += 0.1 * q[(k + 1) % 12];  // turns, and the tangent does not say so
  };
  const Model own = model_of(p, code);
  EXPECT_GT(invariant::agreement(own, 0, p.q0, p.v0, 0.1, 0.1).tangent, 1e-3);
  const auto c = certified(own, p, {method::Verlet{}, false, {}});
  EXPECT_EQ(c.verdict, invariant::Certificate::Verdict::failed);
  ASSERT_FALSE(c.broken.empty());
  EXPECT_NE(c.broken[0].find("symplectic"), std::string::npos);
}

TEST(OwnForces, linear_ones_are_factored_once) {
  Callbacks code;
  for (std::int32_t i = 0; i < 30; ++i) code.rows.push_back(i), code.columns.push_back(i);
  int tangents = 0;
  code.energy = [](double, In q) { return 2 * vector(q).squaredNorm(); };
  code.residual = [](double, In q, Out r) { vector(r) += 4 * vector(q); };
  code.tangent = [&tangents](double, In, Out values) {
    ++tangents;
    std::ranges::fill(values, 4.0);
  };
  code.linear = true;
  Model model = model_of(30, code);
  model.mass = {MassMatrix::Kind::diagonal, VectorXd::Ones(30), {}, {}};
  const auto integrator = method::make_integrator(model, {method::Newmark{}, false, {}});
  integrator->start(0, VectorXd::Ones(30), VectorXd::Zero(30));
  const double before = integrator->energy();
  const auto report = integrator->advance(1000, 0.1);
  EXPECT_TRUE(report.ok);
  EXPECT_EQ(report.factorisations, 1);
  EXPECT_EQ(tangents, 1);
  EXPECT_NEAR(integrator->energy(), before, 1e-11 * before);  // Karow (13)
}

TEST(OwnForces, without_a_tangent_have_no_frequencies_and_no_static_start) {
  const io::Problem p = ring();
  Callbacks code = code_of(p.model);
  code.tangent = nullptr;
  const Model own = model_of(p, code);
  const auto found = method::frequencies(own, 0, p.q0);
  EXPECT_EQ(found.why_not, "the callbacks give no second derivatives");
  EXPECT_TRUE(method::why_incompatible(own, {method::Rattle{}, false, {}}).empty());
  EXPECT_NE(method::why_incompatible(own, {method::Newmark{}, false, {}}).find("needs the tangent"), std::string::npos);
  try {
    method::equilibrium(own, 0, p.q0);
    ADD_FAILURE() << "a static start was found";
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("no static start: the callbacks give no tangent"), std::string::npos)
        << error.what();
  }
}

TEST(OwnForces, what_does_not_fit_is_refused) {
  const io::Problem p = ring();
  const auto message = [&](auto&& change, const method::AnyMethod& choice = method::Midpoint{}) {
    Callbacks code = code_of(p.model);
    change(code);
    try {
      (void)method::make_integrator(model_of(p, code), {choice, false, {}});
    } catch (const core::InputError& error) { return std::string(error.what()); }
    return std::string("nothing thrown");
  };
  const auto contains = [](const std::string& text, const char* part) { EXPECT_NE(text.find(part), std::string::npos) << text; };
  contains(message([](Callbacks& c) { c.rows.pop_back(); }), "rows of entries");
  contains(message([](Callbacks& c) { c.rows[4] = 12; }), "outside 12 x 12");
  contains(message([](Callbacks& c) { c.residual = nullptr; }), "needs the residual");
  contains(message([](Callbacks& c) { c = {}; }), "neither residual nor force");
  contains(message([](Callbacks& c) { c.tangent = nullptr; }), "needs the tangent");
  contains(message([](Callbacks& c) { c.force_tangent = [](double, In, In, double, double, Out) {}; }), "needs the force");
  contains(message([](Callbacks&) {}, method::EnergyMomentum{}), "energy of each element");
  contains(message([](Callbacks&) {}, method::ZhangSkeel{}), "third derivatives");
}

}  // namespace
}  // namespace actio::system
