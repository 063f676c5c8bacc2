#pragma once
#include <Eigen/Core>
#include <actio/algebra/sparse.hpp>
#include <memory>
#include <vector>

#include "lanes.hpp"

// L D L' of a symmetric matrix that is tridiagonal, or tridiagonal with corners, after a reordering: a chain or a ring of n
// coordinates is cut into eight pieces, which are eliminated side by side, each from both of its ends towards its middle. What
// remains couples their last coordinates, a ring of eight, and is halved three times (cyclic reduction). As an L D L' of the
// reordered matrix it is backward stable where that is positive definite.
//   H. H. Wang, A parallel method for tridiagonal equations, ACM TOMS 7 (1981) 170; R. W. Hockney, J. ACM 12 (1965) 95.
namespace actio::algebra {

// A piece has `rows` coordinates, or one less: then its row 0 is an equation of its own. `last` holds the ends of the pieces;
// `middle` is eliminated last of the others.
struct TridiagonalRows {
  long last, middle;
  bool even;                // no piece is shorter
  LaneMask full{}, left{};  // pieces with a row 0; those coupled to a piece before
  bool runs;                // in each piece the coordinates of rows i > 0 are start + i, and there are at least 8 of them
  long start[lanes];
  const LaneSlots* coordinates;  // of each row
  const LaneSlots* diagonal;     // entries of K there
  const LaneSlots* coupling;     // and to the row before
};

struct TridiagonalFactor {
  struct alignas(64) Row {
    Lanes inverse;    // 1/d
    Lanes next;       // of L: to the row eliminated after it
    Lanes separator;  // of L: to the end of the piece before (rows above the middle, and it) or of its own
  };
  struct Halving {  // of the ring of ends: pivots, and what each takes from those at a distance before and behind
    Lanes pivot, before, behind;
  };
  Row* rows;
  Lanes middle_right{};  // of L: from the middle to the end of its own piece
  Halving halvings[3]{};
  Lanes last_inverse{};
};

class TridiagonalAnalysis {
 public:
  static constexpr long least = 64;  // coordinates; fewer are too few for eight pieces

  // `order` lists the coordinates along the chain; in a ring the last is coupled to the first.
  TridiagonalAnalysis(const SparseMatrix& pattern, const std::vector<int>& order, bool ring);
  TridiagonalAnalysis(const TridiagonalAnalysis&) = delete;
  TridiagonalAnalysis& operator=(const TridiagonalAnalysis&) = delete;

 private:
  friend class Tridiagonal;
  long n_;
  bool ring_;
  std::vector<LaneSlots> coordinates_, diagonal_, coupling_;
  TridiagonalRows rows_;
};

class Tridiagonal {
 public:
  explicit Tridiagonal(std::shared_ptr<const TridiagonalAnalysis> analysis, Machine on = machine());
  Tridiagonal(const Tridiagonal&) = delete;
  Tridiagonal& operator=(const Tridiagonal&) = delete;

  bool factor(const SparseMatrix& K);  // false: not positive definite or not finite
  using Work = std::vector<StoredLanes>;
  void solve(const double* b, double* x, Work& work) const;                              // (n) each; b may be x
  bool factor_and_solve(const SparseMatrix& K, const double* b, double* x, Work& work);  // in one pass; false: x is as it was
  void pivots(Eigen::VectorXd& d) const;
  double nonzeros() const;

 private:
  std::shared_ptr<const TridiagonalAnalysis> analysis_;
  Machine machine_;
  std::vector<TridiagonalFactor::Row> rows_;
  TridiagonalFactor factor_;
};

}  // namespace actio::algebra
