#include <actio/system/near_pairs.hpp>

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/core/parallel.hpp>
#include <actio/system/assembled.hpp>
#include <actio/system/cutoff.hpp>
#include <actio/system/pairs.hpp>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <set>

#include "laws/systems.hpp"

// Pairs of points with a cutoff: the list has every pair that is near, and the sums are those over all pairs.
namespace actio::system {
namespace {

using Eigen::VectorXd;
using Sparse = Assembled<algebra::SparseSpace>;

struct Gas {
  std::string name, box, points = "[\"x\", \"y\", \"z\"]", coordinates = "\"x[N]\", \"y[N]\", \"z[N]\"";
  int dimension = 3;
};
const Gas gases[] = {{"in a box", "box = [\"L\", \"1.1*L\", \"0.9*L\"]\n"},
                     {"in space", ""},
                     {"between two plates", "box = [\"L\", \"L\", inf]\n"},
                     {"in the plane", "box = [\"L\", \"L\"]\n", "[\"x\", \"y\"]", "\"x[N]\", \"y[N]\"", 2},
                     {"in one family", "box = [\"L\", \"L\", \"L\"]\n",
                      "[\"q[0..3*N-1 step 3]\", \"q[1..3*N-1 step 3]\", \"q[2..3*N-1 step 3]\"]", "\"q[3*N]\""}};

std::string shape_of(const Gas& gas, long n, double L, double cutoff, const std::string& more) {
  std::string zeros;
  for (const char* name : {"x", "y", "z", "q"})
    if (gas.coordinates.find(std::string("\"") + name) != std::string::npos)
      zeros += (zeros.empty() ? "" : ", ") + std::string(name) + " = 0";
  return "[system]\ncoordinates = [" + gas.coordinates + "]\nparameters = { N = " + std::to_string(n) +
         ", L = " + std::to_string(L) + ", rc = " + std::to_string(cutoff) + " }\nmass = 1\npoints = { atom = " + gas.points +
         " }\n" + gas.box + "[system.define]\nkind = \"1\"\n\"pair(r)\" = \"(1.2 - r/rc)^3*exp(-r)\"\n" + more +
         "[initial]\nposition = { " + zeros + " }\n";
}

// `n` points at random, some far outside of the box, and a potential with a jump in value at the cutoff.
io::Problem problem_of(const Gas& gas, long n, double L, double cutoff, const std::string& over, const std::string& more = "") {
  io::Problem problem = laws::problem(shape_of(
      gas, n, L, cutoff,
      "[[system.term]]\nname = \"pair\"\nover = \"" + over + "\"\npotential = \"pair(distance(atom[a], atom[b]))\"\n" + more));
  std::mt19937 random(static_cast<unsigned>(n));
  std::uniform_real_distribution<double> place(0, L);
  std::uniform_int_distribution<int> turns(-3, 3);
  const bool wraps = !gas.box.empty();
  for (long i = 0; i < problem.q0.size(); ++i) problem.q0[i] = place(random) + (wraps ? L * turns(random) : 0.0);
  if (gas.name == "between two plates" || gas.name == "in a box")  // turns are of another length, or none, along these
    for (long i = 0; i < problem.q0.size(); ++i)
      if (i >= n) problem.q0[i] = place(random);
  return problem;
}

struct Result {
  double V;
  VectorXd f;
};
Result result_of(const Model& model, const VectorXd& q, const std::string& compiler = "") {
  const auto compiled = compile(model, {compiler, {}}, true, Highest::first);
  Sparse system(compiled, layout<algebra::SparseSpace>(*compiled, Entries::none));
  Result out{system.potential(0, q), VectorXd(q.size())};
  system.force(0, q, out.f);
  return out;
}

// The same sum without a list: its condition is in the term's own expression.
Model all_pairs(Model model) {
  for (Term& term : model.terms) tabulate(term);
  return model;
}

TEST(NearPairs, add_up_to_the_sum_over_all_pairs) {
  for (const Gas& gas : gases)
    for (const long n : {130L, ACTIO_TEST_SHORT ? 140L : 400L})
      for (const double L : {7.0, 20.0}) {
        const io::Problem p = problem_of(gas, n, L, 3, "a, b = pairs(atom, cutoff = rc)");
        ASSERT_TRUE(p.model.terms[0].pairs && p.model.terms[0].pairs->near) << gas.name;
        const Result list = result_of(p.model, p.q0), all = result_of(all_pairs(p.model), p.q0),
                     interpreted = result_of(p.model, p.q0, "none");
        ASSERT_GT(std::abs(all.V), 1) << gas.name;
        const double terms = static_cast<double>(n) * static_cast<double>(n);
        for (const Result& other : {list, interpreted}) {
          EXPECT_NEAR(other.V, all.V, 1e-16 * terms * 2) << gas.name << ", " << n << " points, L = " << L;
          EXPECT_LE((other.f - all.f).lpNorm<Eigen::Infinity>(), 1e-13 * (1 + all.f.lpNorm<Eigen::Infinity>()))
              << gas.name << ", " << n << " points, L = " << L;
        }
      }
}

// By the definition, in long double: nearest images, and the cutoff.
TEST(NearPairs, take_the_nearest_image) {
  const Gas& gas = gases[0];
  const io::Problem p = problem_of(gas, 150, 7, 3, "a, b = pairs(atom, cutoff = rc, skin = 0.4)");
  const long n = 150;
  const std::array<long double, 3> box{7.0L, 7.7L, 6.3L};
  long double V = 0;
  for (long a = 0; a < n; ++a)
    for (long b = a + 1; b < n; ++b) {
      long double square = 0;
      for (long k = 0; k < 3; ++k) {
        long double d = std::abs(static_cast<long double>(p.q0[k * n + a]) - static_cast<long double>(p.q0[k * n + b]));
        d = std::fmod(d, box[static_cast<std::size_t>(k)]);
        d = std::min(d, box[static_cast<std::size_t>(k)] - d);
        square += d * d;
      }
      const long double r = std::sqrt(square);
      if (r < 3) V += std::pow(1.2L - r / 3, 3) * std::exp(-r);
    }
  EXPECT_NEAR(result_of(p.model, p.q0).V, static_cast<double>(V), 1e-11);
}

TEST(NearPairs, leave_out_what_is_excluded) {
  const std::string exclude = "exclude = \"floor(a/3) == floor(b/3)\"\n";
  const io::Problem p = problem_of(gases[0], 150, 7, 3, "a, b = pairs(atom, cutoff = rc)", exclude),
                    all = problem_of(gases[0], 150, 7, 3, "a, b = pairs(atom, cutoff = rc)");
  const Result list = result_of(p.model, p.q0), tables = result_of(all_pairs(p.model), p.q0);
  EXPECT_NEAR(list.V, tables.V, 1e-11);
  EXPECT_LE((list.f - tables.f).lpNorm<Eigen::Infinity>(), 1e-11);
  double excluded = 0;
  const ElementFunction& term = all.model.terms[0];
  for (long e = 0; e < term.elements; ++e) {
    const auto [i, j] = term.pairs->place(e);
    if (i / 3 != j / 3) continue;
    double square = 0;
    for (const NearPairs::Axis& axis : term.pairs->near->axes) {
      double d = p.q0[axis.offset + i] - p.q0[axis.offset + j];
      d -= axis.period * std::rint(d / axis.period);
      square += d * d;
    }
    const double r = std::sqrt(square);
    if (r < 3) excluded += std::pow(1.2 - r / 3, 3) * std::exp(-r);
  }
  ASSERT_GT(std::abs(excluded), 0.1);
  EXPECT_NEAR(result_of(all.model, all.q0).V - list.V, excluded, 1e-11);
}

// Whatever the list holds beside the pairs that are near: its skin, when it was built, how many threads add up. In a small box a
// row has several groups of candidates, and of pairs that are near.
TEST(NearPairs, have_sums_that_no_list_changes) {
  for (const double L : {12.0, 6.2}) {
    const long n = ACTIO_TEST_SHORT ? 400 : L > 10 ? 700 : 1500;
    const auto of = [&](const std::string& skin) {
      return problem_of(gases[0], n, L, 2.7, "a, b = pairs(atom, cutoff = rc, skin = " + skin + ")");
    };
    std::vector<VectorXd> path{of("0").q0};
    std::mt19937 random(7);
    std::normal_distribution<double> walk(0, 0.05);
    while (path.size() < (ACTIO_TEST_SHORT ? 3 : 8)) {
      path.push_back(path.back());
      for (double& x : path.back()) x += walk(random);
    }
    std::vector<Result> sums;
    for (const char* skin : {"0", "0.3", "1.5"}) {
      const auto compiled = compile(of(skin).model, {}, true, Highest::first);
      for (const int threads : {1, 2, 5}) {
        core::set_threads(threads);
        Sparse system(compiled, layout<algebra::SparseSpace>(*compiled, Entries::none));
        for (std::size_t k = 0; k < path.size(); ++k) {
          Result now{system.potential(0, path[k]), VectorXd(path[k].size())};
          system.force(0, path[k], now.f);
          if (sums.size() <= k) sums.push_back(now);
          EXPECT_EQ(now.V, sums[k].V) << skin << ", " << threads << " threads, step " << k;
          EXPECT_TRUE(now.f == sums[k].f) << skin << ", " << threads << " threads, step " << k;
        }
      }
    }
  }
  core::set_threads(1);
}

TEST(NearPairs, are_all_in_the_list_until_a_point_has_moved_by_half_of_the_skin) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(-40, 40), small(-0.28, 0.28);
  for (const double period : {0.0, 9.0, 30.0}) {
    NearPairs pairs;
    pairs.points = 300;
    pairs.cutoff = 4;
    pairs.skin = 1;
    for (long a = 0; a < 3; ++a) pairs.axes.push_back({300 * a, 1, a == 1 ? 0 : period});
    VectorXd q(900);
    for (double& x : q) x = place(random);
    PairList list;
    ASSERT_TRUE(list.update(pairs, q.data()));
    VectorXd moved = q;
    for (double& x : moved) x += small(random);  // by less than a half: sqrt(3) 0.28 = 0.485
    ASSERT_TRUE(list.update(pairs, moved.data()));
    EXPECT_EQ(list.builds(), 1);
    long near = 0;
    for (long i = 0; i < 300; ++i) {
      const std::set<int> listed(list.j() + list.starts()[i], list.j() + list.starts()[i + 1]);
      EXPECT_EQ(static_cast<long>(listed.size()), list.starts()[i + 1] - list.starts()[i]);
      EXPECT_TRUE(std::is_sorted(list.j() + list.starts()[i], list.j() + list.starts()[i + 1]));
      for (long j = i + 1; j < 300; ++j) {
        double square = 0;
        for (const NearPairs::Axis& axis : pairs.axes) {
          double d = moved[axis.offset + i] - moved[axis.offset + j];
          if (axis.period > 0) d -= axis.period * std::rint(d / axis.period);
          square += d * d;
        }
        if (square > 16) continue;
        ++near;
        EXPECT_TRUE(listed.contains(static_cast<int>(j))) << i << ", " << j << ", period " << period;
      }
    }
    EXPECT_GT(near, 20);
    EXPECT_LT(list.starts()[300], 300 * 299 / 4) << "the list has most pairs";
    moved[7] = q[7] + 0.6;
    ASSERT_TRUE(list.update(pairs, moved.data()));
    EXPECT_EQ(list.builds(), 2);
  }
}

TEST(NearPairs, show_a_coordinate_that_is_not_a_number) {
  io::Problem p = problem_of(gases[0], 150, 7, 3, "a, b = pairs(atom, cutoff = rc)");
  for (const double wrong : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e300}) {
    p.q0[17] = wrong;
    const Result r = result_of(p.model, p.q0);
    EXPECT_TRUE(std::isnan(r.V));
    EXPECT_TRUE(std::isnan(r.f[17]));
  }
}

// A method with second derivatives takes all pairs: its tangent is that of the same energy.
TEST(NearPairs, have_second_derivatives) {
  const io::Problem p = problem_of(gases[0], 130, 7, 2, "a, b = pairs(atom, cutoff = rc)");
  const auto compiled = compile(p.model);
  Sparse system(compiled, layout<algebra::SparseSpace>(*compiled, true));
  algebra::SparseMatrix K = system.space().matrix();
  VectorXd f(p.q0.size()), forward(p.q0.size()), back(p.q0.size()), v(p.q0.size());
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (double& x : v) x = normal(random);
  system.stiffness(0, p.q0, 0, 1, f, K);
  const double h = 1e-6;
  system.force(0, p.q0 + h * v, forward);
  system.force(0, p.q0 - h * v, back);
  VectorXd Kv(p.q0.size());
  algebra::SparseSpace::multiply_symmetric(K, v, Kv);
  const VectorXd difference = -(forward - back) / (2 * h);
  EXPECT_LE((Kv - difference).lpNorm<Eigen::Infinity>(), 1e-6 * (1 + Kv.lpNorm<Eigen::Infinity>()));
}

TEST(NearPairs, jump_at_the_cutoff_unless_their_energy_ends_there) {
  const auto jumps = [](const std::string& potential) {
    io::Problem p = laws::problem(shape_of(gases[0], 150, 12, 3,
                                           "[[system.term]]\nname = \"pair\"\nover = \"a, b = pairs(atom, cutoff = rc)\"\n"
                                           "potential = \"" +
                                               potential + "\"\n"));
    std::mt19937 random(3);
    std::uniform_real_distribution<double> place(0, 12);
    for (double& x : p.q0) x = place(random);
    return cutoff_jumps(p.model, p.q0);
  };
  const auto bare = jumps("1/distance(atom[a], atom[b])^6"), shifted = jumps("1/distance(atom[a], atom[b])^6 - 1/rc^6"),
             smooth = jumps("switch(distance(atom[a], atom[b]), 2, rc)/distance(atom[a], atom[b])^6");
  ASSERT_EQ(bare.size(), 1U);
  EXPECT_NEAR(bare[0].energy, std::pow(3.0, -6), 1e-12);
  EXPECT_NEAR(bare[0].force, 6 * std::pow(3.0, -7), 1e-8);
  EXPECT_EQ(bare[0].term, "pair");
  ASSERT_EQ(shifted.size(), 1U);
  EXPECT_EQ(shifted[0].energy, 0);
  EXPECT_NEAR(shifted[0].force, 6 * std::pow(3.0, -7), 1e-8);
  EXPECT_TRUE(smooth.empty());
}

// Three ions among many atoms: they are looked for.
TEST(NearPairs, jump_at_the_cutoff_where_few_of_many_have_a_charge) {
  std::string charges = "[";
  for (int k = 0; k < 150; ++k) charges += k % 47 == 11 ? "1, " : "0, ";
  io::Problem p = laws::problem(shape_of(gases[0], 150, 12, 3,
                                         "[system.tables]\nw = " + charges + "]\n" +
                                             "[[system.term]]\nname = \"ions\"\nover = \"a, b = pairs(atom, cutoff = rc)\"\n"
                                             "potential = \"w[a]*w[b]/distance(atom[a], atom[b])\"\n"));
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(0, 12);
  for (double& x : p.q0) x = place(random);
  const auto jumps = cutoff_jumps(p.model, p.q0);
  ASSERT_EQ(jumps.size(), 1U);
  EXPECT_NEAR(jumps[0].energy, 1.0 / 3, 1e-12);
}

// No list for a potential with another coordinate; no more pairs than memory has room for.
TEST(NearPairs, take_all_pairs_of_few_points_alone) {
  const auto with = [](long n, const std::string& potential) {
    return laws::problem(shape_of(
        gases[1], n, 12, 3,
        "[[system.term]]\nname = \"pair\"\nover = \"a, b = pairs(atom, cutoff = rc)\"\npotential = \"" + potential + "\"\n"));
  };
  const std::string pair = "pair(distance(atom[a], atom[b]))";
  EXPECT_TRUE(takes_a_list(with(200, pair).model.terms[0]));
  EXPECT_FALSE(takes_a_list(with(100, pair).model.terms[0]));
  const io::Problem few = with(200, pair + "*(1 + x[0]^2)"), many = with(4000, pair + "*(1 + x[0]^2)"), plain = with(4000, pair);
  EXPECT_FALSE(takes_a_list(few.model.terms[0]));
  EXPECT_NO_THROW((void)compile(few.model));
  EXPECT_THROW((void)compile(many.model), core::InputError);
  EXPECT_THROW((void)all_pairs(plain.model), core::InputError);
  const auto compiled = compile(plain.model);
  EXPECT_THROW((void)layout<algebra::SparseSpace>(*compiled, true), core::InputError);
  EXPECT_NO_THROW((void)layout<algebra::SparseSpace>(*compiled, Entries::none));
}

}  // namespace
}  // namespace actio::system
