#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include <actio/core/parallel.hpp>
#include <actio/method/integrator.hpp>
#include <actio/system/assembled.hpp>

#include "solids.hpp"

// Large systems by several threads: nothing depends on how many.
namespace actio::system::test {
namespace {

using Large = Assembled<algebra::SparseSpace>;
constexpr std::array thread_counts{1, 2, 8};

struct Restored {
  int before = core::threads();
  ~Restored() { core::set_threads(before); }
};

std::shared_ptr<const Mesh> block(Cell kind, std::array<int, 3> elements) {
  return std::make_shared<Mesh>(models::mesh_of({.kind = kind, .elements = elements, .size = {1, 1, 1}}));
}

// With viscosity, friction of the mass and the stiffness, and a pressure on one side.
Model rubber(const std::shared_ptr<const Mesh>& mesh, bool rubs = true) {
  Model model;
  SolidPart part = neo_hookean_part(*mesh);
  if (rubs) part.viscosity = 0.01;
  add_solid(model, "x", mesh, std::array{part}, MassOfSolid::consistent);
  if (rubs) {
    add_rayleigh(model, model.solids[0], 0.1, 0.01);
    Field pressure;
    pressure.value[0] = pressure.graph.uniform(0);
    add_pressure(model, model.solids[0], group(*mesh, "x1"), pressure, "pressure");
  }
  return model;
}

// A chain of n masses between springs that stiffen, 1/2 d^2 + 1/4 d^4, rubbing on each other and pushed along.
Model chain(long n) {
  Model model;
  model.families.push_back({"q", n, 0, true});
  model.mass.kind = MassMatrix::Kind::diagonal;
  model.mass.diagonal = Eigen::VectorXd::LinSpaced(n, 1, 2);
  std::vector<std::int32_t> ends;
  for (int side = 0; side < 2; ++side)
    for (std::int32_t i = 0; i < n - 1; ++i) ends.push_back(i + side);
  Term spring;
  spring.name = "spring";
  {
    expr::Graph& g = spring.graph;
    const expr::Id d = g.sub(g.column(1), g.column(0)), d2 = g.mul(d, d);
    spring.value = g.add(g.mul(g.constant(0.5), d2), g.mul(g.constant(0.25), g.mul(d2, d2)));
  }
  spring.locals = 2;
  spring.elements = n - 1;
  spring.dofs = ends;
  Term rub = spring;
  rub.name = "rub";
  rub.graph = {};
  rub.velocities = true;
  {
    expr::Graph& g = rub.graph;
    const expr::Id d = g.sub(g.column(3), g.column(2));
    rub.value = g.mul(g.constant(0.05), g.mul(d, d));
  }
  model.terms.push_back(std::move(spring));
  model.dissipation.push_back(std::move(rub));
  Force push;
  push.name = "push";
  push.locals = 1;
  push.elements = n;
  push.value = push.graph.unary(expr::Op::sin, push.graph.add(push.graph.column(0), push.graph.uniform(0)));
  for (std::int32_t i = 0; i < n; ++i) {
    push.rows.push_back(i);
    push.dofs.push_back(i);
  }
  model.forces.push_back(std::move(push));
  return model;
}

void expect_same_bits(const Eigen::VectorXd& a, const Eigen::VectorXd& b, const char* what, int threads) {
  ASSERT_EQ(a.size(), b.size());
  const bool same = std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
  EXPECT_TRUE(same) << what << " by " << threads << " threads differs by " << (a - b).lpNorm<Eigen::Infinity>();
}

// Everything that is added up over elements, one after another.
std::vector<std::pair<const char*, Eigen::VectorXd>> evaluate_all(Large& system, const Eigen::VectorXd& q,
                                                                  const Eigen::VectorXd& v) {
  Eigen::VectorXd f = q, p = q;
  auto K = system.space().matrix();
  std::vector<std::pair<const char*, Eigen::VectorXd>> out;
  out.emplace_back("energy", Eigen::VectorXd::Constant(1, system.potential(0, q)));
  system.force(0, q, f);
  out.emplace_back("force", f);
  system.stiffness(0, q, 2, 0.5, f, K);
  out.emplace_back("force beside the stiffness", f);
  out.emplace_back("stiffness", K.coeffs());
  system.momentum(v, p);
  out.emplace_back("momentum", p);
  out.emplace_back("dissipation", Eigen::VectorXd::Constant(1, system.dissipation(0, q, v)));
  system.applied(0.3, q, v, f);
  out.emplace_back("applied", f);
  algebra::SparseSpace::clear(K);
  system.applied_tangent(0.3, q, v, 0.5, 2, f, K);
  out.emplace_back("applied beside its tangent", f);
  out.emplace_back("tangent of the applied", K.coeffs());
  return out;
}

void expect_the_same_by_all(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  const Restored restored;
  const auto compiled = compile(model);
  core::set_threads(1);
  Large alone(compiled, layout<algebra::SparseSpace>(*compiled, true));
  const auto expected = evaluate_all(alone, q, v);
  for (const int threads : thread_counts) {
    core::set_threads(threads);
    Large system(compiled, layout<algebra::SparseSpace>(*compiled, true));
    for (int again = 0; again < 3; ++again) {
      const auto found = evaluate_all(system, q, v);
      for (std::size_t k = 0; k < expected.size(); ++k)
        expect_same_bits(found[k].second, expected[k].second, expected[k].first, threads);
    }
  }
}

Eigen::VectorXd waves(long n, double size) {
  Eigen::VectorXd out(n);
  for (long i = 0; i < n; ++i) out[i] = size * std::sin(0.3 * static_cast<double>(i));
  return out;
}

// What a coordinate is, of each element of a batch.
std::set<std::int32_t> coordinates(const Batch& b, long begin, long end) {
  std::set<std::int32_t> out;
  for (long e = begin; e < end; ++e) {
    if (b.interpolation)
      for (long a = 0; a < b.interpolation->nodes; ++a)
        out.insert(b.nodes[static_cast<std::size_t>(e * b.interpolation->nodes + a)]);
    else
      for (long l = 0; l < b.locals; ++l) out.insert(b.dofs[static_cast<std::size_t>(l * b.elements + e)]);
  }
  return out;
}

void expect_disjoint_colours(const Batch& b) {
  ASSERT_TRUE(b.chunks);
  const Chunks& chunks = *b.chunks;
  std::vector<int> taken(static_cast<std::size_t>(chunks.count));
  for (std::size_t c = 0; c < chunks.colours.size(); ++c) {
    std::set<std::int32_t> seen;
    std::size_t sum = 0;
    for (long i = 0; i < chunks.colours[c]; ++i) {
      const long k = chunks.order[static_cast<std::size_t>(chunks.starts[c] + i)];
      ++taken[static_cast<std::size_t>(k)];
      const auto here = coordinates(b, k * chunks.size, std::min((k + 1) * chunks.size, b.elements));
      sum += here.size();
      seen.insert(here.begin(), here.end());
    }
    EXPECT_EQ(seen.size(), sum) << "colour " << c;
  }
  EXPECT_TRUE(std::ranges::all_of(taken, [](int times) { return times == 1; }));
  EXPECT_GE(chunks.count * chunks.size, b.elements);
}

TEST(Threads, chunks_of_one_colour_share_no_coordinate) {
  for (const Model& model :
       {rubber(block(Cell::hexahedron8, {10, 10, 10})), rubber(block(Cell::tetrahedron4, {14, 14, 14})), chain(100000)})
    expect_disjoint_colours(compile(model)->lagrangian.batches[0]);
}

TEST(Threads, a_small_system_is_not_cut) {
  EXPECT_FALSE(compile(rubber(block(Cell::hexahedron8, {4, 4, 4})))->lagrangian.batches[0].chunks);
  EXPECT_FALSE(compile(chain(1000))->lagrangian.batches[0].chunks);
}

// Cells in the order of a mesher's numbers lie anywhere: chunks of them would all have coordinates in common.
TEST(Threads, cells_in_a_random_order_are_put_in_one_that_can_be_cut) {
  Mesh shuffled = *block(Cell::tetrahedron4, {14, 14, 14});
  std::shuffle(shuffled.groups[0].cells.begin(), shuffled.groups[0].cells.end(), std::mt19937(1));
  const Model model = rubber(std::make_shared<Mesh>(shuffled));
  expect_disjoint_colours(compile(model)->lagrangian.batches[0]);
  const Model straight = rubber(block(Cell::tetrahedron4, {14, 14, 14}));
  const Eigen::VectorXd q = places(shuffled) + waves(model.size(), 1e-3);
  Eigen::VectorXd f[2] = {q, q};
  for (std::size_t k = 0; k < 2; ++k) {
    const auto compiled = compile(k == 0 ? model : straight);
    Large(compiled, layout<algebra::SparseSpace>(*compiled, false)).force(0, q, f[k]);
  }
  EXPECT_LT((f[0] - f[1]).norm(), 1e-13 * f[0].norm());
}

TEST(Threads, a_solid_with_friction_and_pressure_is_the_same_to_the_bit) {
  const auto mesh = block(Cell::hexahedron8, {10, 10, 10});
  const Model model = rubber(mesh);
  expect_the_same_by_all(model, places(*mesh) + waves(model.size(), 1e-2), waves(model.size(), 0.3));
}

TEST(Threads, a_chain_with_friction_and_forces_is_the_same_to_the_bit) {
  const Model model = chain(140000);
  ASSERT_TRUE(compile(model)->forces.batches[0].chunks);
  expect_the_same_by_all(model, waves(model.size(), 0.4), waves(model.size(), 0.3));
}

// By every way a method has into the elements: forces, tangents, third derivatives, discrete gradients.
TEST(Threads, a_run_ends_in_the_same_state_to_the_bit) {
  const Restored restored;
  const auto mesh = block(Cell::hexahedron8, {8, 8, 8});
  for (const auto& [choice, rubs] : std::vector<std::pair<method::AnyMethod, bool>>{{method::Verlet{}, false},
                                                                                    {method::Newmark{}, true},
                                                                                    {method::ZhangSkeel{}, false},
                                                                                    {method::EnergyMomentum{}, true}}) {
    const Model model = rubber(mesh, rubs);
    ASSERT_TRUE(compile(model)->lagrangian.batches[0].chunks);
    Eigen::VectorXd expected;
    for (const int threads : {1, 3}) {
      core::set_threads(threads);
      const auto integrator = method::make_integrator(model, {choice, false, {}});
      integrator->start(0, places(*mesh), waves(model.size(), 0.1));
      ASSERT_TRUE(integrator->advance(2, 1e-3).ok);
      method::Snapshot now;
      integrator->snapshot(now);
      Eigen::VectorXd state(2 * now.q.size() + 1);
      state << now.q, now.p, integrator->energy();
      if (threads == 1)
        expected = state;
      else
        expect_same_bits(state, expected, "a run", threads);
    }
  }
}

}  // namespace
}  // namespace actio::system::test
