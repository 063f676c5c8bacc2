#pragma once
#include <actio/algebra/sparse_kkt.hpp>
#include <memory>
#include <vector>

#include "lu.hpp"

// S = G1 D^-1 G0' with D diagonal, (m x m), and its factor: group by group where constraints fall into groups of at most 8 that
// share no coordinate, as those of rigid molecules do; else by KLU.
namespace actio::algebra {

// Of the mean diagonal of G1 K^-1 G0', where rows may be redundant and share their multipliers.
constexpr double regularisation = 1e-11;

constexpr int largest_group = 8;  // rows
// The group of each row: rows that share a coordinate are of one, and so are those that others lead to.
std::vector<int> groups_of(const SparseJacobian& pattern);

class SchurAnalysis {
 public:
  explicit SchurAnalysis(const SparseJacobian& pattern);
  // What forming S takes, which says how much it fills up.
  static double products_of(const SparseJacobian& pattern);

 private:
  friend class SchurComplement;
  struct Product {
    int g1, g0;  // entries of the Jacobians
  };
  SparseJacobian G;  // zero
  SparseMatrix S;    // its pattern, unless there are groups
  std::shared_ptr<const LuAnalysis> lu;
  // Groups: rows of g are rows[starts[g]] .. rows[starts[g + 1] - 1], its entries by columns from entries[g] on.
  std::vector<int> starts, rows, entries;
  std::vector<int> diagonal;        // (m) the entry of S
  std::vector<int> product_starts;  // (entries of S, and one more)
  std::vector<Product> products;    // what an entry is the sum of
};

class SchurComplement {
 public:
  explicit SchurComplement(std::shared_ptr<const SchurAnalysis> analysis);
  // inverse: D^-1, (n). left_out: rows that count as 0 and have no multiplier, or null. regularised: by `regularisation` of the
  // mean diagonal. False: singular.
  bool factor(const SparseJacobian& G1, const Eigen::VectorXd& inverse, const SparseJacobian& G0,
              const std::vector<int>* left_out, bool regularised);
  // D x - G0' y = r, G1 x = g
  void solve(const Eigen::VectorXd& r, const Eigen::VectorXd& g, Eigen::VectorXd& x, Eigen::VectorXd& y);
  double nonzeros() const { return lu_ ? lu_->nonzeros() : static_cast<double>(S_.nonZeros()); }
  void archive(core::Archive& a);

 private:
  bool factor_groups();
  void solve_groups(double* y) const;

  std::shared_ptr<const SchurAnalysis> analysis_;
  std::unique_ptr<Lu> lu_;  // null: there are groups
  SparseMatrix S_;          // of groups one column, entry after entry, and then their factors
  SparseJacobian G1_, G0_;
  Eigen::VectorXd inverse_, rest_;
  std::vector<double> weighted_, scale_;  // entries of G0 D^-1; of rows
  std::vector<int> pivots_, left_out_;
};

}  // namespace actio::algebra
