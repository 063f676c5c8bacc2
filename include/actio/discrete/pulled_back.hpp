#pragma once
#include <actio/algebra/kkt_of.hpp>
#include <actio/discrete/body_coordinates.hpp>
#include <array>
#include <vector>

// Matrices of a model in the velocities w (k) of body_coordinates.hpp, made of those in its coordinates q (n). Each coordinate
// has a row of dq/dw, 3 numbers for an entry of a rotation, 1 else: a table (3 x n), Frame. Where the entries go is found once.
namespace actio::discrete {

// dq_i/dOmega of every entry of a rotation, columns of a (3 x n).
using Frame = Eigen::Matrix<double, 3, Eigen::Dynamic>;

// dR = R hat(X dOmega):  row k of R gives rows hat(row k) X.
inline void put_rotation(const Matrix3& R, const Matrix3& X, long rotation, Frame& frame) {
  for (int k = 0; k < 3; ++k) frame.middleCols<3>(rotation + 3 * k).noalias() = (hat(R.row(k)) * X).transpose();
}
// That of dV, V = R hat(Omega), where R too turns by X dOmega: row k gains ((R_k . Omega) 1 - R_k Omega') X.
inline void add_rotated_velocity(const Matrix3& R, const Vector3& omega, const Matrix3& X, long rotation, Frame& frame) {
  for (int k = 0; k < 3; ++k) {
    const Vector3 r = R.row(k);
    frame.middleCols<3>(rotation + 3 * k) += ((r.dot(omega) * Matrix3::Identity() - r * omega.transpose()) * X).transpose();
  }
}

// On DenseSpace<Eigen::Dynamic> or SparseSpace.
template <class SpaceType>
class PulledBack {
 public:
  using Space = SpaceType;
  using Matrix = typename Space::Matrix;
  using KktSolver = algebra::KktOf<Space>;
  using Jacobian = typename KktSolver::Jacobian;
  static constexpr bool sparse = std::is_same_v<Space, algebra::SparseSpace>;

  // G: the pattern of the constraints' Jacobian (m x n). K: that of matrices (n x n) that will be pulled back, or none.
  PulledBack(const BodyCoordinates& bodies, const algebra::SparseJacobian& G, const algebra::SparseMatrix* K)
      : m_(G.rows()), mass_(bodies.mass()) {
    lay_matrix(bodies, K);
    lay_jacobian(bodies, G);
  }

  const Space& space() const { return space_; }
  KktSolver kkt_solver(bool regularise) const {
    if constexpr (sparse)
      return KktSolver(space_, jacobian_, regularise);
    else
      return KktSolver(space_.n, m_, regularise);
  }

  // K += the mass of ordinary coordinates.
  void add_ordinary_mass(Matrix& K) const {
    double* to = values(K);
    for (const auto& [from, slot] : ordinary_mass_) to[slot] += mass_.valuePtr()[from];
  }
  // K += A (3 x 3) on the diagonal, of body b.
  void add_block(std::size_t b, const Matrix3& A, Matrix& K) const {
    double* to = values(K);
    for (int c = 0; c < 3; ++c)
      for (int a = 0; a < 3; ++a) to[blocks_[b][static_cast<std::size_t>(c)] + a] += A(a, c);
  }
  // K += s L'(A C + B D), of A and B (n x n) on the pattern given; B may be null. An ordinary coordinate has L = 1, C = c, D = 1.
  void add(double s, const Frame& L, const algebra::SparseMatrix& A, double c, const Frame& C, const algebra::SparseMatrix* B,
           const Frame& D, Matrix& K) const {
    double* to = values(K);
    const double* b = B ? B->valuePtr() : nullptr;
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      const Entry& at = entries_[e];
      const double x = s * A.valuePtr()[e], y = b ? s * b[e] : 0;
      for (int column = 0; column < at.columns; ++column) {
        const double z = at.columns == 1 ? x * c + y : x * C(column, at.j) + y * D(column, at.j);
        double* block = to + at.slot[static_cast<std::size_t>(column)];
        if (at.rows == 1)
          *block += z;
        else
          for (int row = 0; row < 3; ++row) block[row] += z * L(row, at.i);
      }
    }
  }
  // out = G C (m x k); an ordinary coordinate has C = 1.
  void pull(const algebra::SparseJacobian& G, const Frame& C, Jacobian& out) const {
    double* to = nullptr;
    if constexpr (sparse) {
      out.coeffs().setZero();
      to = out.valuePtr();
    } else {
      out.setZero();
      to = out.data();
    }
    for (std::size_t e = 0; e < rows_.size(); ++e) {
      const Entry& at = rows_[e];
      const double x = G.valuePtr()[e];
      if (at.columns == 1)
        to[at.slot[0]] += x;
      else
        for (int column = 0; column < 3; ++column) to[at.slot[static_cast<std::size_t>(column)]] += x * C(column, at.j);
    }
  }

 private:
  struct Entry {  // (i, j) of a matrix: the rows and columns it becomes, and where the columns begin
    long i, j;
    int rows, columns;
    std::array<long, 3> slot;
  };

  static double* values(Matrix& K) {
    if constexpr (sparse)
      return K.valuePtr();
    else
      return K.data();
  }
  long slot(long row, long column) const {
    if constexpr (sparse) {
      const auto& K = *space_.pattern;
      const int *begin = K.innerIndexPtr() + K.outerIndexPtr()[column], *end = K.innerIndexPtr() + K.outerIndexPtr()[column + 1];
      return std::lower_bound(begin, end, static_cast<int>(row)) - K.innerIndexPtr();
    } else {
      return row + column * space_.n;
    }
  }
  template <class Matrix>
  static void each_place(const BodyCoordinates& bodies, const Matrix& A, std::vector<Entry>& entries) {
    entries.reserve(static_cast<std::size_t>(A.nonZeros()));
    for (long outer = 0; outer < A.outerSize(); ++outer)
      for (typename Matrix::InnerIterator it(A, outer); it; ++it)
        entries.push_back({it.row(), it.col(), bodies.place(it.row()).width, bodies.place(it.col()).width, {}});
  }

  void lay_matrix(const BodyCoordinates& bodies, const algebra::SparseMatrix* K) {
    space_.n = bodies.size();
    if (K) each_place(bodies, *K, entries_);
    if constexpr (sparse) {
      std::vector<Eigen::Triplet<double, int>> all;
      const auto fill = [&all](long row, int rows, long column, int columns) {
        for (int c = 0; c < columns; ++c)
          for (int r = 0; r < rows; ++r) all.emplace_back(static_cast<int>(row) + r, static_cast<int>(column) + c, 0.0);
      };
      for (long j = 0; j < mass_.outerSize(); ++j)
        for (algebra::SparseMatrix::InnerIterator it(mass_, j); it; ++it) fill(it.row(), 1, j, 1);
      for (const Entry& e : entries_) fill(bodies.place(e.i).at, e.rows, bodies.place(e.j).at, e.columns);
      auto pattern = std::make_shared<algebra::SparseMatrix>(space_.n, space_.n);
      pattern->setFromTriplets(all.begin(), all.end());
      pattern->makeCompressed();
      space_.pattern = std::move(pattern);
      space_.symmetric = false;
    }
    for (Entry& e : entries_)
      for (int c = 0; c < e.columns; ++c)
        e.slot[static_cast<std::size_t>(c)] = slot(bodies.place(e.i).at, bodies.place(e.j).at + c);
    std::vector<bool> turns(static_cast<std::size_t>(space_.n), false);
    for (const auto& body : bodies.bodies()) {
      blocks_.push_back({slot(body.at, body.at), slot(body.at, body.at + 1), slot(body.at, body.at + 2)});
      std::fill_n(turns.begin() + body.at, 3, true);
    }
    for (long j = 0, e = 0; j < mass_.outerSize(); ++j)
      for (algebra::SparseMatrix::InnerIterator it(mass_, j); it; ++it, ++e)
        if (!turns[static_cast<std::size_t>(j)]) ordinary_mass_.push_back({e, slot(it.row(), j)});
  }

  void lay_jacobian(const BodyCoordinates& bodies, const algebra::SparseJacobian& G) {
    each_place(bodies, G, rows_);
    if constexpr (sparse) {
      std::vector<Eigen::Triplet<double, int>> all;
      for (const Entry& e : rows_)
        for (int c = 0; c < e.columns; ++c)
          all.emplace_back(static_cast<int>(e.i), static_cast<int>(bodies.place(e.j).at) + c, 0.0);
      jacobian_.resize(G.rows(), space_.n);
      jacobian_.setFromTriplets(all.begin(), all.end());
      jacobian_.makeCompressed();
    }
    for (Entry& e : rows_)
      for (int c = 0; c < e.columns; ++c) {
        const long column = bodies.place(e.j).at + c;
        if constexpr (sparse) {
          const int *inner = jacobian_.innerIndexPtr(), *outer = jacobian_.outerIndexPtr();
          e.slot[static_cast<std::size_t>(c)] =
              std::lower_bound(inner + outer[e.i], inner + outer[e.i + 1], static_cast<int>(column)) - inner;
        } else {
          e.slot[static_cast<std::size_t>(c)] = e.i + column * m_;
        }
      }
  }

  long m_;
  algebra::SparseMatrix mass_;
  Space space_;
  algebra::SparseJacobian jacobian_;
  std::vector<Entry> entries_, rows_;
  std::vector<std::array<long, 3>> blocks_;
  std::vector<std::pair<long, long>> ordinary_mass_;
};

}  // namespace actio::discrete
