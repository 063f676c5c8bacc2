#pragma once
#include <actio/algebra/sparse_kkt.hpp>
#include <actio/core/checksum.hpp>
#include <cstdint>
#include <utility>
#include <vector>

// Constraints that hold one coordinate each, as those of a prescribed boundary do: what they hold is known before anything is
// solved.
//
//   x_d = g / G1,   K_ff x_f = r_f - K_fd x_d,   y = (K_d. x - r_d) / G0
//
// K_ff is factored as K would be where nothing is held: in its pattern, with what is held on a diagonal of its own. Further
// constraints are left out (bordered.hpp).
namespace actio::algebra {

// What the patterns of K (n x n) and G (m x n) say.
struct HeldAnalysis {
  struct Entry {
    int slot, row, column;  // of K, at (row, column)
  };
  HeldAnalysis(const SparseMatrix& K, const SparseJacobian& G) {
    std::vector<char> held(static_cast<std::size_t>(G.cols()));
    for (int k = 0; k < G.rows(); ++k) {
      const int s = G.outerIndexPtr()[k];
      if (G.outerIndexPtr()[k + 1] != s + 1 || std::exchange(held[static_cast<std::size_t>(G.innerIndexPtr()[s])], 1) != 0) {
        others.push_back(k);
        continue;
      }
      rows.push_back(k);
      slots.push_back(s);
      coordinates.push_back(G.innerIndexPtr()[s]);
    }
    for (int j = 0; j < K.cols(); ++j)
      for (int s = K.outerIndexPtr()[j]; s < K.outerIndexPtr()[j + 1]; ++s) {
        const int i = K.innerIndexPtr()[s];
        if (held[static_cast<std::size_t>(i)]) in_rows.push_back({s, i, j});
        if (held[static_cast<std::size_t>(j)]) in_columns.push_back({s, i, j});
      }
  }

  std::vector<int> rows, slots;            // (m_h) of G, that have one entry in a column of its own; and which
  std::vector<int> coordinates;            // (m_h)
  std::vector<int> others;                 // rows of G
  std::vector<Entry> in_rows, in_columns;  // of what is held
};

// A matrix that was factored last is not factored again, nor by a copy: a mass that is constant, of each projection.
class Held {
 public:
  Held(std::shared_ptr<const HeldAnalysis> analysis, const SparseSpace& space)
      : analysis_(std::move(analysis)), K_(space.matrix()), solver_(space.solver()) {}

  bool factor(const SparseMatrix& K, const SparseJacobian& G1, const SparseJacobian& G0) {
    g1_ = entries(G1);
    g0_ = entries(G0);
    const bool at_hand = made_ && (K.coeffs() == given_).all();
    if (!at_hand) {
      given_ = K.coeffs();
      make();
    }
    // what was at hand when it was archived counts as that
    refactored_ = !at_hand && !(archived_ && sum_of(given_) == sum_);
    archived_ = false;
    return made_ && regular();
  }
  bool refactored() const { return refactored_; }  // the last call of factor() made a factor
  bool of(const SparseJacobian& G0) const { return made_ && (entries(G0) == g0_).all(); }

  // g and y (m_h)
  void solve(const Eigen::VectorXd& r, const Eigen::VectorXd& g, Eigen::VectorXd& x, Eigen::VectorXd& y,
             Digits digits = Digits::all) const {
    const HeldAnalysis& a = *analysis_;
    const auto m = static_cast<Eigen::Index>(a.coordinates.size());
    right_ = r;
    x.setZero(r.size());
    for (Eigen::Index k = 0; k < m; ++k) x[a.coordinates[static_cast<std::size_t>(k)]] = g[k] / g1_[k];
    for (std::size_t e = 0; e < columns_.size(); ++e) right_[a.in_columns[e].row] -= columns_[e] * x[a.in_columns[e].column];
    for (const int i : a.coordinates) right_[i] = diagonal_ * x[i];
    held_ = x;
    solver_.solve(right_, x, digits);
    for (const int i : a.coordinates) x[i] = held_[i];
    right_ = -r;
    for (std::size_t e = 0; e < rows_.size(); ++e) right_[a.in_rows[e].row] += rows_[e] * x[a.in_rows[e].column];
    y.resize(m);
    for (Eigen::Index k = 0; k < m; ++k) y[k] = right_[a.coordinates[static_cast<std::size_t>(k)]] / g0_[k];
  }

  void archive(core::Archive& a) {
    solver_.archive(a);
    bool at_hand = made_ || archived_;
    std::uint32_t sum = made_ ? sum_of(given_) : sum_;
    a(at_hand, sum);
    if (!a.reading()) return;
    made_ = false;
    archived_ = at_hand;
    sum_ = sum;
  }
  // The last factor, as what it is of. False: it cannot be made again.
  bool archive_factor(core::Archive& a) {
    a(given_, g1_, g0_);
    if (!a.reading()) return true;
    const auto m = static_cast<Eigen::Index>(analysis_->coordinates.size());
    if (given_.size() != K_.nonZeros() || g1_.size() != m || g0_.size() != m)
      throw core::InputError("the saved state has another layout");
    make();
    return made_ && regular();
  }
  double nonzeros() const { return solver_.nonzeros(); }
  double cost_in_solves() const { return solver_.cost_in_solves(); }

 private:
  static std::uint32_t sum_of(const Eigen::ArrayXd& values) {
    return core::checksum(
        {reinterpret_cast<const char*>(values.data()), sizeof(double) * static_cast<std::size_t>(values.size())});
  }
  Eigen::ArrayXd entries(const SparseJacobian& G) const {
    Eigen::ArrayXd out(static_cast<Eigen::Index>(analysis_->slots.size()));
    for (Eigen::Index k = 0; k < out.size(); ++k) out[k] = G.valuePtr()[analysis_->slots[static_cast<std::size_t>(k)]];
    return out;
  }
  bool regular() const { return (g1_.abs() > 0).all() && (g0_.abs() > 0).all() && g1_.allFinite() && g0_.allFinite(); }
  void make() {
    K_.coeffs() = given_;
    diagonal_ = K_.diagonal().cwiseAbs().mean();
    if (!(diagonal_ > 0)) diagonal_ = 1;
    const auto take = [&](const std::vector<HeldAnalysis::Entry>& entries, std::vector<double>& values) {
      values.resize(entries.size());
      for (std::size_t e = 0; e < entries.size(); ++e) {
        const auto& [s, i, j] = entries[e];
        values[e] = given_[s];
        K_.valuePtr()[s] = i == j ? diagonal_ : 0;
      }
    };
    take(analysis_->in_rows, rows_);
    take(analysis_->in_columns, columns_);
    made_ = solver_.factor(K_);
  }

  std::shared_ptr<const HeldAnalysis> analysis_;
  bool made_ = false, refactored_ = false;  // solver_ has the factor for given_
  bool archived_ = false;                   // the factor that was at hand is not made again; what it was of has this sum
  std::uint32_t sum_ = 0;
  Eigen::ArrayXd given_;  // the entries of K
  SparseMatrix K_;        // that is factored
  SparseSolver solver_;
  double diagonal_ = 1;
  Eigen::ArrayXd g1_, g0_;              // (m_h)
  std::vector<double> rows_, columns_;  // the entries of K that K_ has not
  mutable Eigen::VectorXd right_, held_;
};

}  // namespace actio::algebra
