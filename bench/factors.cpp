// What factors and solves large symmetric matrices: Actio, CHOLMOD with its supernodes (GPL) and without (LGPL), MUMPS on one
// process (CeCILL-C). The matrix is that of a clamped steel brick of 8-node hexahedra, K = M + beta h^2 S, in double precision.
//   bench_factors [elements along an edge ...]
#include <cholmod.h>
#include <dmumps_c.h>

#include <actio/algebra/sparse.hpp>
#include <actio/core/parallel.hpp>
#include <cstdlib>
#include <functional>
#include <models/brick.hpp>
#include <string>
#include <thread>

#include "harness.hpp"

extern "C" void openblas_set_num_threads(int);

namespace {

using actio::algebra::SparseMatrix;
using bench::on_the_wall;
using Eigen::VectorXd;

const SparseMatrix* matrix;
VectorXd b, x;

// The first factorisation has the analysis in it where a program does not do it apart.
void report(const char* name, double analysis, double factor, double solve) {
  const double residual = (*matrix * x - b).norm() / b.norm();
  std::printf("  %-28s %9.2f s %9.2f s %9.1f ms   %.0e\n", name, analysis, factor, 1e3 * solve, residual);
  std::fflush(stdout);
}

void actio_factors() {
  actio::algebra::SparseSolver solver(*matrix, true);
  const auto factor = [&] {
    if (!solver.factor_positive(*matrix)) std::exit(1);
  };
  const double first = on_the_wall(1, factor), again = on_the_wall(2, factor);
  solver.solve(b, x);
  report("Actio", first - again, again, on_the_wall(5, [&] { solver.solve(b, x); }));
}

void cholmod_factors(bool supernodes) {
  cholmod_common common;
  cholmod_start(&common);
  common.supernodal = supernodes ? CHOLMOD_SUPERNODAL : CHOLMOD_SIMPLICIAL;
  common.nmethods = 2;
  common.method[0].ordering = CHOLMOD_AMD;
  common.method[1].ordering = CHOLMOD_METIS;
  cholmod_sparse K{};
  K.nrow = K.ncol = static_cast<std::size_t>(matrix->rows());
  K.nzmax = static_cast<std::size_t>(matrix->nonZeros());
  K.p = const_cast<int*>(matrix->outerIndexPtr());
  K.i = const_cast<int*>(matrix->innerIndexPtr());
  K.x = const_cast<double*>(matrix->valuePtr());
  K.stype = 1;
  K.itype = CHOLMOD_INT;
  K.xtype = CHOLMOD_REAL;
  K.sorted = K.packed = 1;
  cholmod_factor* L = nullptr;
  const double analysis = on_the_wall(1, [&] { L = cholmod_analyze(&K, &common); });
  const double factor = on_the_wall(supernodes ? 2 : 1, [&] { cholmod_factorize(&K, L, &common); });
  cholmod_dense right{}, *out = nullptr, *y = nullptr, *e = nullptr;
  right.nrow = right.d = right.nzmax = K.nrow;
  right.ncol = 1;
  right.x = b.data();
  right.xtype = CHOLMOD_REAL;
  const auto solve = [&] { cholmod_solve2(CHOLMOD_A, L, &right, nullptr, &out, nullptr, &y, &e, &common); };
  solve();
  const double solved = on_the_wall(5, solve);
  x = Eigen::Map<VectorXd>(static_cast<double*>(out->x), x.size());
  report(supernodes ? "CHOLMOD, supernodes" : "CHOLMOD without supernodes", analysis, factor, solved);
  cholmod_free_dense(&out, &common);
  cholmod_free_dense(&y, &common);
  cholmod_free_dense(&e, &common);
  cholmod_free_factor(&L, &common);
  cholmod_finish(&common);
}

void mumps_factors() {
  DMUMPS_STRUC_C s{};
  const auto run = [&](int job) {
    s.job = job;
    dmumps_c(&s);
    if (s.infog[0] < 0) std::exit(1);
  };
  s.par = 1;
  s.sym = 1;
  s.comm_fortran = -987654;
  run(-1);
  std::vector<int> rows, columns;
  std::vector<double> values;
  for (int j = 0; j < matrix->cols(); ++j)
    for (SparseMatrix::InnerIterator entry(*matrix, j); entry && entry.row() <= j; ++entry) {
      rows.push_back(static_cast<int>(entry.row()) + 1);
      columns.push_back(j + 1);
      values.push_back(entry.value());
    }
  s.n = static_cast<int>(matrix->rows());
  s.nnz = static_cast<MUMPS_INT8>(rows.size());
  s.irn = rows.data();
  s.jcn = columns.data();
  s.a = values.data();
  s.icntl[0] = s.icntl[1] = s.icntl[2] = -1;
  s.icntl[3] = 0;
  s.icntl[6] = 5;    // METIS
  s.icntl[13] = 50;  // [%] more memory than is estimated
  const double analysis = on_the_wall(1, [&] { run(1); }), factor = on_the_wall(2, [&] { run(2); });
  const auto solve = [&] {
    x = b;
    s.rhs = x.data();
    run(3);
  };
  solve();
  report("MUMPS, one process", analysis, factor, on_the_wall(5, solve));
  run(-2);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<int> edges;
  for (int k = 1; k < argc; ++k) edges.push_back(std::atoi(argv[k]));
  if (edges.empty()) edges = {15, 21, 31};
  for (const int edge : edges) {
    const models::Structure brick = make(models::Brick{.elements = {edge, edge, edge}});
    SparseMatrix K = brick.mass;
    K.coeffs() += 0.25e-10 * brick.stiffness.coeffs();  // h = 1e-5 s
    matrix = &K;
    b = VectorXd::Ones(K.rows());
    x = b;
    for (const int threads : {1, static_cast<int>(std::thread::hardware_concurrency())}) {
      actio::core::set_threads(threads);
      openblas_set_num_threads(threads);
      std::printf("%ld unknowns, %ld entries, threads %d\n  %-28s %11s %11s %12s   residual\n", static_cast<long>(K.rows()),
                  static_cast<long>(K.nonZeros()), threads, "", "analysis", "factor", "solve");
      actio_factors();
      cholmod_factors(true);
      mumps_factors();
      if (threads == 1 && edge <= 21) cholmod_factors(false);
      std::printf("\n");
    }
  }
}
