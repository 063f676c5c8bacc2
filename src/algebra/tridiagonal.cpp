#include "tridiagonal.hpp"

#include <algorithm>
#include <cassert>

#define ACTIO_KERNEL "tridiagonal_kernel.hpp"
#include "each_machine.hpp"
#include "entry.hpp"

namespace actio::algebra {

TridiagonalAnalysis::TridiagonalAnalysis(const SparseMatrix& pattern, const std::vector<int>& order, bool ring)
    : n_(static_cast<long>(order.size())), ring_(ring), rows_{} {
  assert(n_ >= least);
  const long rows = (n_ + lanes - 1) / lanes;
  coordinates_.resize(static_cast<std::size_t>(rows));
  diagonal_.resize(coordinates_.size());
  coupling_.resize(coordinates_.size());
  for (int k = 0; k < lanes; ++k) {
    const long begin = k * n_ / lanes, end = (k + 1) * n_ / lanes;
    rows_.full[k] = end - begin == rows ? -1 : 0;
    rows_.left[k] = k > 0 || ring ? -1 : 0;
    for (long i = 0; i < rows; ++i) {
      const long at = std::max(end - rows + i, begin);  // a row that is not there reads another
      const int here = order[at], before = order[at > 0 ? at - 1 : ring ? n_ - 1 : 1];
      coordinates_[i].at[k] = here;
      diagonal_[i].at[k] = entry(pattern, here, here);
      coupling_[i].at[k] = entry(pattern, here, before);
    }
  }
  rows_.runs = rows > lanes;
  for (int k = 0; k < lanes; ++k) {
    rows_.start[k] = coordinates_[rows - 1].at[k] - (rows - 1);
    for (long i = 1; i < rows; ++i) rows_.runs = rows_.runs && coordinates_[i].at[k] == rows_.start[k] + i;
  }
  rows_.last = rows - 1;
  rows_.middle = (rows - 1) / 2;
  rows_.even = n_ % lanes == 0;
  rows_.coordinates = coordinates_.data();
  rows_.diagonal = diagonal_.data();
  rows_.coupling = coupling_.data();
}

Tridiagonal::Tridiagonal(std::shared_ptr<const TridiagonalAnalysis> analysis, Machine on)
    : analysis_(std::move(analysis)), machine_(on), rows_(analysis_->coordinates_.size() - 1), factor_{} {
  factor_.rows = rows_.data();
}

bool Tridiagonal::factor(const SparseMatrix& K) {
  return ACTIO_ON_MACHINE(machine_, factor(analysis_->rows_, K.valuePtr(), factor_));
}

void Tridiagonal::solve(const double* b, double* x, Work& work) const {
  if (work.size() <= rows_.size()) work.resize(rows_.size() + 1);
  ACTIO_ON_MACHINE(machine_, solve(analysis_->rows_, factor_, b, x, work.data()));
}

bool Tridiagonal::factor_and_solve(const SparseMatrix& K, const double* b, double* x, Work& work) {
  if (work.size() <= rows_.size()) work.resize(rows_.size() + 1);
  return ACTIO_ON_MACHINE(machine_, factor_and_solve(analysis_->rows_, K.valuePtr(), factor_, b, x, work.data()));
}

// Of the ring of ends: 0, 2, 4, 6 are eliminated first, then 1 and 5, then 3 and 7.
void Tridiagonal::pivots(Eigen::VectorXd& d) const {
  const TridiagonalRows& a = analysis_->rows_;
  d.resize(analysis_->n_);
  for (long i = 0; i < a.last; ++i)
    for (int k = 0; k < lanes; ++k)
      if (i > 0 || a.full[k] != 0) d[a.coordinates[i].at[k]] = 1 / rows_[i].inverse[k];
  for (int k = 0; k < lanes; ++k)
    d[a.coordinates[a.last].at[k]] = k % 2 == 0   ? factor_.halvings[0].pivot[k]
                                     : k % 4 == 1 ? factor_.halvings[1].pivot[k]
                                     : k == 3     ? factor_.halvings[2].pivot[k]
                                                  : 1 / factor_.last_inverse[k];
}

// Three a column, but the last ends; the first piece of a chain has nothing before it.
double Tridiagonal::nonzeros() const {
  const TridiagonalAnalysis& a = *analysis_;
  const long ring = 3 * (a.n_ - lanes) + 4 * 3 + 2 * 3 + 2 + 1;
  const long first = a.rows_.middle + (a.rows_.full[0] != 0 ? 1 : 0);
  return static_cast<double>(a.ring_ ? ring : ring - first - 2);
}

}  // namespace actio::algebra
