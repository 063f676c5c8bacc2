#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/discrete/pulled_back.hpp>
#include <actio/io/problem.hpp>
#include <actio/system/assembled.hpp>

// Vectors and matrices of bodies in velocities q', Omega.
namespace actio::discrete {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;
using Full = algebra::DenseSpace<Eigen::Dynamic>;
using algebra::SparseSpace;

io::Problem links(long count) {
  return io::load_text(
      "[system]\ncoordinates = [\"s\", \"u\"]\nmass = [[2, 0.3], [0.3, 1]]\nparameters = { N = " + std::to_string(count) +
          R"toml( }
bodies = [{ name = "link[N]", mass = 1.3, inertia = [0.1, 0.12, 0.05] }]
[[system.term]]
over = "k = 0..N-2"
potential = "(1 + 0.1*s)*distance(link[k].point(0.3, 0, 0), link[k+1].point(0, 0.4, 1))^2"
[[system.joint]]
type = "spherical"
over = "k = 1..N-1"
between = ["link[k].point(0, 0, 0.5)", "link[k-1].point(0, 0, -0.5)"]
[initial]
position = { s = 0.3, u = 0.2 }
[initial.bodies."link[0..N-1]"]
orientation = { axis = [1, "i", 2], angle = "0.3*i" }
position = ["0.1*i", 0, "-0.5 - i"]
[method]
name = "lie-group"
[run]
step = 1
steps = 1
)toml",
      "links.toml");
}

struct Setting {
  explicit Setting(long count, bool springs = true) : problem(links(count)) {
    free = problem.model;
    std::erase_if(free.constraints, [](const auto& c) { return c.of_rotations; });
    if (!springs) free.terms.clear();
    compiled = system::compile(free, {"none", ""}, false);
    bodies = std::make_unique<BodyCoordinates>(free, compiled->mass);
    system = std::make_unique<system::Assembled<SparseSpace>>(compiled, system::layout<SparseSpace>(*compiled, true));
    frame = Frame::Zero(3, bodies->coordinates());
    for (const auto& b : bodies->bodies())
      put_rotation(BodyCoordinates::rotation(problem.q0, b), Matrix3::Identity(), b.rotation, frame);
  }
  // dq/dw, by what velocity() says
  MatrixXd E() const {
    MatrixXd out(bodies->coordinates(), bodies->size());
    VectorXd v(bodies->coordinates());
    for (long j = 0; j < bodies->size(); ++j) {
      bodies->velocity(problem.q0, VectorXd::Unit(bodies->size(), j), v);
      out.col(j) = v;
    }
    return out;
  }
  io::Problem problem;
  system::Model free;
  std::shared_ptr<const system::CompiledModel> compiled;
  std::unique_ptr<BodyCoordinates> bodies;
  std::unique_ptr<system::Assembled<SparseSpace>> system;
  Frame frame;
};

TEST(BodyCoordinates, pull_forces_and_momenta_back_by_the_transpose) {
  Setting s(3);
  const MatrixXd E = s.E();
  VectorXd f(s.bodies->coordinates()), r(s.bodies->size());
  for (long i = 0; i < f.size(); ++i) f[i] = std::sin(1.3 * static_cast<double>(i) + 0.2);
  s.bodies->pull(s.problem.q0, f, r);
  EXPECT_LT((r - E.transpose() * f).norm(), 1e-14);
  // their mass is E'ME, and p = M v of mu = (mass) w
  const MatrixXd M(s.system->model().mass.full), mass(s.bodies->mass());
  EXPECT_LT((E.transpose() * M * E - mass).norm(), 1e-14);
  const VectorXd w = VectorXd::LinSpaced(s.bodies->size(), -1, 1);
  VectorXd p(f.size());
  s.bodies->push_momentum(s.problem.q0, mass * w, p);
  EXPECT_LT((p - M * E * w).norm(), 1e-14);
}

TEST(BodyCoordinates, move_along_their_velocities) {
  Setting s(3);
  const VectorXd w = VectorXd::LinSpaced(s.bodies->size(), -1, 1);
  VectorXd plus = s.problem.q0, minus = plus, v = plus;
  s.bodies->velocity(s.problem.q0, w, v);
  for (const Retraction tau : {Retraction::exponential, Retraction::cayley}) {
    s.bodies->retract(tau, s.problem.q0, 1e-5, w, plus);
    s.bodies->retract(tau, s.problem.q0, -1e-5, w, minus);
    EXPECT_LT(((plus - minus) / 2e-5 - v).norm(), 1e-9);
    s.bodies->retract(tau, plus, -1e-5, w, minus);
    EXPECT_LT((minus - s.problem.q0).norm(), 4e-15);
  }
}

TEST(BodyCoordinates, find_the_nearest_rotation) {
  Setting s(2);
  const auto& body = s.bodies->bodies()[1];
  VectorXd q = s.problem.q0;
  Matrix3 stretch;
  stretch << 1.2, 0.1, 0, 0.1, 0.8, -0.2, 0, -0.2, 1.1;
  BodyCoordinates::rotation(q, body) = BodyCoordinates::rotation(s.problem.q0, body) * stretch;  // its polar factor
  ASSERT_TRUE(s.bodies->make_rotations(q));
  EXPECT_LT((q - s.problem.q0).norm(), 1e-14);
  BodyCoordinates::rotation(q, body) = -Matrix3::Identity();
  EXPECT_FALSE(s.bodies->make_rotations(q));
}

template <class Space>
void expect_products() {
  Setting s(3);
  const MatrixXd E = s.E();
  const algebra::SparseJacobian pattern = s.system->kkt_solver().jacobian();
  const PulledBack<Space> pulled(*s.bodies, pattern, &*s.system->space().pattern);
  auto G = pattern;
  VectorXd g(G.rows()), g_t(g), f(E.rows());
  s.system->constraint_tangent(0, s.problem.q0, g, g_t, G);
  auto reduced = pulled.kkt_solver(false).jacobian();
  pulled.pull(G, s.frame, reduced);
  EXPECT_LT((MatrixXd(reduced) - MatrixXd(G) * E).norm(), 1e-14);

  auto A = s.system->space().matrix(), B = A;
  s.system->stiffness(0, s.problem.q0, 0, 1, f, A);
  for (long k = 0; k < B.nonZeros(); ++k) B.valuePtr()[k] = std::cos(static_cast<double>(k));
  auto K = pulled.space().matrix();
  Space::clear(K);
  pulled.add(0.7, s.frame, A, 0.4, Frame(0.4 * s.frame), &B, s.frame, K);
  EXPECT_LT((MatrixXd(K) - 0.7 * E.transpose() * (0.4 * MatrixXd(A) + MatrixXd(B)) * E).norm(), 1e-13);
  EXPECT_GT(MatrixXd(K).norm(), 1);

  Space::clear(K);
  pulled.add_ordinary_mass(K);
  for (std::size_t b = 0; b < s.bodies->bodies().size(); ++b) pulled.add_block(b, s.bodies->bodies()[b].inertia, K);
  EXPECT_LT((MatrixXd(K) - MatrixXd(s.bodies->mass())).norm(), 1e-15);
}
TEST(PulledBack, of_full_matrices_is_a_product) { expect_products<Full>(); }
TEST(PulledBack, of_sparse_matrices_is_a_product) { expect_products<SparseSpace>(); }

// Rows of the frame of a turned velocity against differences.
TEST(PulledBack, frames_are_derivatives) {
  const Vector3 omega(0.3, -1.1, 0.8), d(0.6, 0.48, -0.64);
  const Matrix3 R = Matrix3::Identity() + rotation_increment(Retraction::exponential, Vector3(0.3, 0.9, -0.2)),
                X = inverse_tangent(Retraction::cayley, d);
  Frame frame = Frame::Zero(3, 9);
  put_rotation(R, Matrix3::Identity(), 0, frame);
  add_rotated_velocity(R, omega, X, 0, frame);
  const auto velocity = [&](double x) {
    return Matrix3((R + R * rotation_increment(Retraction::exponential, x * (X * d))) * hat(omega + x * d));
  };
  const Matrix3 slope = (velocity(1e-4) - velocity(-1e-4)) / 2e-4;
  for (int k = 0; k < 9; ++k) EXPECT_NEAR(frame.col(k).dot(d), slope(k / 3, k % 3), 1e-7) << k;
}

// A chain of links: twice the links, twice the entries of L and U.
TEST(PulledBack, of_a_chain_is_factored_at_linear_cost) {
  std::vector<double> entries;
  for (const long count : {50, 100, 200}) {
    Setting s(count, false);
    const algebra::SparseJacobian pattern = s.system->kkt_solver().jacobian();
    const PulledBack<SparseSpace> pulled(*s.bodies, pattern, nullptr);
    auto G = pattern;
    VectorXd g(G.rows()), g_t(g);
    s.system->constraint_tangent(0, s.problem.q0, g, g_t, G);
    auto kkt = pulled.kkt_solver(false);
    auto reduced = kkt.jacobian();
    pulled.pull(G, s.frame, reduced);
    auto K = pulled.space().matrix();
    pulled.add_ordinary_mass(K);
    for (std::size_t b = 0; b < s.bodies->bodies().size(); ++b)
      pulled.add_block(b, s.bodies->bodies()[b].inertia + 0.01 * hat(Vector3(1, 2, 3)), K);
    ASSERT_TRUE(kkt.factor(K, reduced, reduced));
    entries.push_back(kkt.nonzeros());
  }
  EXPECT_NEAR(entries[1] / entries[0], 2, 0.1);
  EXPECT_NEAR(entries[2] / entries[1], 2, 0.1);
  EXPECT_LT(entries[2], 200.0 * 200);
}

}  // namespace
}  // namespace actio::discrete
