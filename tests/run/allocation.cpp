#include <atomic>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include <actio/run/integrate.hpp>
#include <run/fakes.hpp>

// Counts every allocation of this program, to show that an observation makes none.
namespace {

std::atomic<long> allocations = 0;

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size == 0 ? 1 : size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

using namespace actio;
using Eigen::VectorXd;

namespace {

long allocations_of_a_run(long steps) {
  // A step that allocates nothing itself.
  fakes::Fake drift(
      2,
      [](VectorXd& q, VectorXd& v, double h) {
        for (int i = 0; i < 2; ++i) q[i] += h * v[i];
      },
      [](const VectorXd&, const VectorXd& v) { return 0.5 * v.squaredNorm(); });
  invariant::MomentumMap momentum(fakes::plane(), {"none", {}});
  run::Task task;
  task.method = method::Spec{method::Verlet{}, true, {}};  // a long name
  task.q0 = VectorXd{{1, 0}};
  task.v0 = VectorXd{{0, 0.5}};
  task.schedule = {0, 1e-3, steps, 1};
  const long before = allocations;
  EXPECT_EQ(run::integrate(drift, momentum, task).verdict, invariant::Certificate::Verdict::kept);
  return allocations - before;
}

}  // namespace

TEST(Integrate, an_observation_allocates_nothing) {
  allocations_of_a_run(1000);
  EXPECT_EQ(allocations_of_a_run(1000), allocations_of_a_run(3000));
}
