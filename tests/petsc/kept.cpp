#include <gtest/gtest.h>
#include <unistd.h>

#include <actio/core/archive.hpp>
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <actio/petsc/distributed.hpp>
#include <actio/petsc/preconditioner_reuse.hpp>
#include <cmath>
#include <filesystem>
#include <models/mesh.hpp>
#include <string>
#include <vector>

#include "petsc/options.hpp"

// Solids whose matrices cost several solves to factor, or to make a preconditioner of, so that both serve later matrices.
namespace actio::petsc {
namespace {

using test::Options;

std::vector<std::string> multigrid(const std::string& rtol) { return {"-ksp_type", "cg", "-pc_type", "gamg", "-ksp_rtol", rtol}; }

// A beam of 256 cubes of rubber, 1275 coordinates, that is let go.
const io::Problem& beam() {
  static const io::Problem problem = [] {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("actio-petsc-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    models::write_msh(models::mesh_of({system::Cell::hexahedron8, {16, 4, 4}, {4, 1, 1}}), (folder / "beam.msh").string());
    io::Problem made = io::load_text(R"toml([system.solid]
mesh = ")toml" + (folder / "beam.msh").string() +
                                         R"toml("
damping = { rayleigh = [0.1, 0] }
fixed = ["x0"]
gravity = [0, 0, -9.81]
material = { model = "neo-hookean", E = 5e6, nu = 0.3, density = 1100 }
[method]
name = "newmark"
[run]
step = 0.005
steps = 12
)toml",
                                     "beam.toml");
    std::filesystem::remove_all(folder);
    return made;
  }();
  return problem;
}

struct Motion {
  std::unique_ptr<method::Integrator> integrator;
  method::BatchReport report;
  explicit Motion(std::unique_ptr<method::Integrator> made) : integrator(std::move(made)) {
    integrator->start(0, beam().q0, beam().v0);
  }
  Motion() : Motion(make_integrator(PETSC_COMM_WORLD, beam().model, beam().method)) {}
  Eigen::VectorXd go(long steps, double h = 0.005) {
    report = integrator->advance(steps, h);
    EXPECT_TRUE(report.ok) << report.what;
    method::Snapshot now;
    integrator->snapshot(now);
    Eigen::VectorXd all(2 * now.q.size());
    all << now.q - beam().q0, now.v;
    return all;
  }
};

void expect_same(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  for (const Eigen::Index part : {0L, 1L}) {
    const Eigen::Index n = a.size() / 2;
    EXPECT_LT((a - b).segment(part * n, n).norm(), 1e-10 * a.segment(part * n, n).norm());
  }
}

// One that factors every matrix, without PETSc, is the measure. Moved from the rest position by 0.1 m, told to 1e-10.
const Eigen::VectorXd& exact() {
  static const Eigen::VectorXd all =
      Motion(method::make_integrator(beam().model, beam().method, {{}, method::BuildOptions::Space::sparse})).go(12);
  return all;
}

TEST(DistributedKept, factors_are_fewer_than_iterations_and_end_where_one_process_does) {
  Motion kept;
  expect_same(kept.go(12), exact());
  EXPECT_LT(2 * kept.report.factorisations, kept.report.iterations);
  EXPECT_EQ(kept.report.linear_iterations, 0);
}

TEST(DistributedKept, multigrid_solves_no_further_than_a_step_needs_and_ends_there_too) {
  for (const char* rtol : {"1e-12", "1e-6"}) {
    SCOPED_TRACE(rtol);
    const Options options(multigrid(rtol));
    Motion kept;
    const Eigen::VectorXd end = kept.go(12);
    expect_same(end, exact());
    for (const auto i : beam().model.fixed_dofs) EXPECT_EQ(end[i], 0);
    EXPECT_LT(2 * kept.report.factorisations, kept.report.iterations);
    EXPECT_GT(kept.report.linear_iterations, kept.report.iterations);
    EXPECT_LT(kept.report.linear_iterations, 40 * 12);  // some 13 digits of each step; to 1e-12 three times it takes 60
  }
}

TEST(DistributedKept, a_preconditioner_that_leads_nowhere_is_made_again) {
  const Options options(multigrid("1e-10"));
  Motion kept;
  (void)kept.go(3);
  const Eigen::VectorXd after = kept.go(2, 0.05);  // K is another matrix
  EXPECT_GE(kept.report.factorisations, 1);
  Motion one(method::make_integrator(beam().model, beam().method, {{}, method::BuildOptions::Space::sparse}));
  (void)one.go(3);
  expect_same(after, one.go(2, 0.05));
}

TEST(DistributedKept, a_mass_that_central_differences_lump_is_shared_out_once) {
  const method::Spec lumped{method::CentralDifference{.mass = "lumped"}, false, {}};
  Motion many(make_integrator(PETSC_COMM_WORLD, beam().model, lumped));
  Motion one(method::make_integrator(beam().model, lumped, {{}, method::BuildOptions::Space::sparse}));
  expect_same(many.go(12, 1e-3), one.go(12, 1e-3));
}

// MUMPS of several ranks adds in the order in which messages come; multigrid does not.
TEST(DistributedKept, a_run_goes_on_to_the_bit_from_what_was_archived_with_its_preconditioner) {
  const Options options(multigrid("1e-8"));
  Motion whole;
  (void)whole.go(4);
  core::Archive out;
  whole.integrator->archive(out);
  Motion resumed(whole.integrator->clone());  // nodes are dealt out alike
  (void)resumed.go(1, 0.01);
  core::Archive in(out.bytes());
  resumed.integrator->archive(in);
  EXPECT_TRUE(in.finished());
  const Eigen::VectorXd a = whole.go(6), b = resumed.go(6);
  EXPECT_EQ((a - b).norm(), 0);
  EXPECT_EQ(whole.report.linear_iterations, resumed.report.linear_iterations);
}

TEST(PreconditionerReuse, replaces_a_preconditioner_once_a_digit_takes_more_iterations_than_the_mean_with_its_cost) {
  PreconditionerReuse reuse;
  EXPECT_TRUE(reuse.should_rebuild());  // nothing is known of it
  reuse.set_cost(20);
  reuse.made();
  EXPECT_TRUE(reuse.worth_reusing());
  const auto window = [&](double iterations) {
    reuse.solved(iterations / 4, 2);
    reuse.solved(3 * iterations / 4, 6);
  };
  window(8);  // means 28/8, 44/16, 64/24: a digit 3.5, 2.75, 2.67
  EXPECT_FALSE(reuse.should_rebuild());
  window(16);
  EXPECT_FALSE(reuse.should_rebuild());
  window(20);
  EXPECT_FALSE(reuse.should_rebuild());
  window(23);  // 2.875 of a mean of 87/32 = 2.72
  EXPECT_TRUE(reuse.should_rebuild());
  EXPECT_EQ(reuse.patience(12), 20 + 12 + 1);  // one a digit at first
  reuse.made();
  EXPECT_FALSE(reuse.should_rebuild());
  PreconditionerReuse cheap;
  cheap.set_cost(1);
  EXPECT_FALSE(cheap.worth_reusing());
}

}  // namespace
}  // namespace actio::petsc
