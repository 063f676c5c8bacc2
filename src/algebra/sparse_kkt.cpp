#include <Eigen/SparseCholesky>
#include <actio/algebra/sparse_kkt.hpp>
#include <actio/core/error.hpp>
#include <algorithm>
#include <cmath>
#include <mutex>
#include <vector>

#include "bordered.hpp"
#include "held.hpp"
#include "lu.hpp"
#include "schur_complement.hpp"

namespace actio::algebra {

namespace {

// All n + m unknowns, by columns: where the entries of K, G1, G0 and the multipliers' diagonal go.
struct WholeMatrix {
  WholeMatrix(const SparseMatrix& K, const SparseJacobian& G) {
    const long n = K.cols(), m = G.rows();
    const SparseMatrix columns = numbered(G);
    A.resize(n + m, n + m);
    A.reserve(K.nonZeros() + 2 * G.nonZeros() + m);
    of_K.reserve(static_cast<std::size_t>(K.nonZeros()));
    of_G1.resize(static_cast<std::size_t>(G.nonZeros()));
    for (int j = 0; j < n; ++j) {
      A.startVec(j);
      for (SparseMatrix::InnerIterator it(K, j); it; ++it) {
        of_K.push_back(static_cast<int>(A.data().size()));
        A.insertBack(it.row(), j) = 0;
      }
      for (SparseMatrix::InnerIterator it(columns, j); it; ++it) {
        of_G1[static_cast<std::size_t>(it.value())] = static_cast<int>(A.data().size());
        A.insertBack(n + it.row(), j) = 0;
      }
    }
    for (int k = 0; k < m; ++k) {
      A.startVec(n + k);
      for (SparseJacobian::InnerIterator it(G, k); it; ++it) {
        of_G0.push_back(static_cast<int>(A.data().size()));
        A.insertBack(it.col(), n + k) = 0;
      }
      of_diagonal.push_back(static_cast<int>(A.data().size()));
      A.insertBack(n + k, n + k) = 0;
    }
    A.finalize();
    lu = std::make_shared<LuAnalysis>(A, false);
  }

  // G by columns, each entry the number that it has by rows
  static SparseMatrix numbered(const SparseJacobian& G) {
    SparseJacobian numbers = G;
    for (int s = 0; s < numbers.nonZeros(); ++s) numbers.valuePtr()[s] = s;
    return numbers;
  }

  SparseMatrix A;
  std::vector<int> of_K, of_G1, of_G0, of_diagonal;
  std::shared_ptr<const LuAnalysis> lu;
};

}  // namespace

// Each part is made at its first need, once for all copies.
struct SparseKkt::Analysis {
  Analysis(const SparseSpace& whole, SparseJacobian jacobian)
      : space(whole),
        G(std::move(jacobian)),
        may_eliminate(SchurAnalysis::products_of(G) <= 16.0 * static_cast<double>(G.nonZeros())) {}
  const std::shared_ptr<const HeldAnalysis>& held() const {
    std::call_once(held_once_, [this] { held_ = std::make_shared<const HeldAnalysis>(*space.pattern, G); });
    return held_;
  }
  const WholeMatrix& whole() const {
    std::call_once(whole_once_, [this] { whole_ = std::make_unique<WholeMatrix>(*space.pattern, G); });
    return *whole_;
  }
  const std::shared_ptr<const SchurAnalysis>& schur() const {
    std::call_once(schur_once_, [this] { schur_ = std::make_shared<const SchurAnalysis>(G); });
    return schur_;
  }

  SparseSpace space;
  SparseJacobian G;  // zero
  bool may_eliminate;

 private:
  mutable std::once_flag held_once_, whole_once_, schur_once_;
  mutable std::shared_ptr<const HeldAnalysis> held_;
  mutable std::unique_ptr<const WholeMatrix> whole_;
  mutable std::shared_ptr<const SchurAnalysis> schur_;
};

struct SparseKkt::Numbers {
  enum class ActiveFactor { none, held, bordered, schur, whole } active = ActiveFactor::none;
  bool of_K() const { return active == ActiveFactor::held || active == ActiveFactor::bordered; }
  std::unique_ptr<Held> held;
  std::unique_ptr<Bordered> bordered;
  bool may_border = true;  // it is worth it, or has not been tried
  double scale = 1;        // of the multipliers, where all unknowns are solved for
  SparseMatrix A;          // made when needed
  std::unique_ptr<Lu> of_A;
  std::unique_ptr<SchurComplement> schur;
  Eigen::VectorXd inverse;      // D^-1
  Eigen::VectorXd right, left;  // (n + m)
  std::vector<int> redundant;   // (m) 1: this row follows from others, where rows may
  std::vector<int> left_out;    // those, or more where what is left of them lost rank
  bool leaves_out = false;      // the last factorisation was without those

  void make_held(const Analysis& a) { held = std::make_unique<Held>(a.held(), a.space); }
  void make_bordered(const Analysis& a) { bordered = std::make_unique<Bordered>(a.held(), a.space, a.G); }
  void make_schur(const Analysis& a) { schur = std::make_unique<SchurComplement>(a.schur()); }
  void make_whole(const Analysis& a) {
    of_A = std::make_unique<Lu>(a.whole().lu);
    A = a.whole().A;
    right.resize(A.cols());
    left.resize(A.cols());
  }
};

SparseKkt::SparseKkt(const SparseSpace& space, SparseJacobian pattern, bool regularise) : regularise_(regularise) {
  pattern.makeCompressed();
  pattern.coeffs().setZero();
  analysis_ = std::make_shared<const Analysis>(space, std::move(pattern));
  numbers_ = std::make_unique<Numbers>();
}
SparseKkt::SparseKkt(const SparseKkt& other)
    : analysis_(other.analysis_),
      regularise_(other.regularise_),
      numbers_(other.numbers_ ? std::make_unique<Numbers>() : nullptr) {
  if (!numbers_) return;
  const Numbers& from = *other.numbers_;
  if (from.held) numbers_->held = std::make_unique<Held>(*from.held);
  if (from.bordered) numbers_->bordered = std::make_unique<Bordered>(*from.bordered);
  numbers_->may_border = from.may_border;
  numbers_->redundant = from.redundant;
  if (from.of_K()) numbers_->active = from.active;
}
SparseKkt::SparseKkt(SparseKkt&&) noexcept = default;
SparseKkt& SparseKkt::operator=(SparseKkt other) noexcept {
  analysis_ = std::move(other.analysis_);
  regularise_ = other.regularise_;
  numbers_ = std::move(other.numbers_);
  return *this;
}
SparseKkt::~SparseKkt() = default;

SparseKkt::Multipliers SparseKkt::multipliers() const { return Multipliers::Zero(analysis_ ? analysis_->G.rows() : 0); }
SparseKkt::Jacobian SparseKkt::jacobian() const { return analysis_ ? analysis_->G : Jacobian(); }

void SparseKkt::add_transposed(double w, const Jacobian& G, const Multipliers& g, Vector& x) {
  const int* columns = G.innerIndexPtr();
  for (int k = 0; k < G.outerSize(); ++k)
    for (int s = G.outerIndexPtr()[k]; s < G.outerIndexPtr()[k + 1]; ++s) x[columns[s]] += w * g[k] * G.valuePtr()[s];
}

namespace {

// Of the square of a row's size; elimination makes 1e4 times the shift of what follows from others.
constexpr double dependent = 1e-9, shift = 1e-14;
constexpr int most_beside = 256;  // constraints, of those that hold a coordinate each

long count(const std::vector<int>& rows) { return std::count(rows.begin(), rows.end(), 1); }
void leave_out(const std::vector<int>& rows, double* g) {
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (rows[k] != 0) g[k] = 0;
}

// The pivots say that rank was lost.
bool well_conditioned(const Lu& lu) { return lu.reciprocal_condition() > 1e-14; }

// Rows of G that follow from others: with D the diagonal of K and rows scaled to one size, the pivots of G D^-1 G' = L P L' are
// the squares of what is left of a row beside those before it.
std::vector<int> dependent_rows(const SparseMatrix& K, const SparseJacobian& G) {
  const Eigen::VectorXd diagonal = K.diagonal();
  const double least = 1e-6 * diagonal.cwiseAbs().maxCoeff();  // a thin rod's own axis would outweigh all else
  SparseJacobian N = G;
  for (int k = 0; k < N.rows(); ++k) {
    double square = 0;
    for (SparseJacobian::InnerIterator it(N, k); it; ++it) {
      if (const double d = std::max(std::abs(diagonal[it.col()]), least); d > 0) it.valueRef() /= std::sqrt(d);
      square += it.value() * it.value();
    }
    if (square > 0) N.middleRows(k, 1) /= std::sqrt(square);
  }
  SparseMatrix S = N * SparseJacobian(N).transpose();
  std::vector<int> out(static_cast<std::size_t>(G.rows()));
  Eigen::SimplicialLDLT<SparseMatrix> cholesky;
  cholesky.setShift(shift);
  cholesky.compute(S);
  if (cholesky.info() != Eigen::Success) return out;
  const Eigen::VectorXd pivots = cholesky.vectorD();
  for (int k = 0; k < G.rows(); ++k) {
    const int at = cholesky.permutationP().size() > 0 ? cholesky.permutationP().indices()[k] : k;
    out[static_cast<std::size_t>(k)] = pivots[at] < dependent ? 1 : 0;
  }
  return out;
}

}  // namespace

void SparseKkt::compress(Matrix& K) const {
  Vector d;
  if (analysis_->may_eliminate && K.nonZeros() > K.rows() && SparseSpace::diagonal(K, d) && d.cwiseInverse().allFinite())
    K = Matrix(d.asDiagonal());
}

bool SparseKkt::factor(const Matrix& K, const Jacobian& G1, const Jacobian& G0) {
  if (!regularise_) return factor(K, G1, G0, Rows::all);
  Numbers& x = *numbers_;
  if (x.redundant.empty()) x.redundant = dependent_rows(K, G0);
  x.left_out = x.redundant;
  if (factor(K, G1, G0, Rows::independent)) return true;
  x.left_out = dependent_rows(K, G0);
  if (x.left_out == x.redundant) return false;
  if (count(x.left_out) <= count(x.redundant)) x.redundant = x.left_out;  // else a dead point, which is passed
  return factor(K, G1, G0, Rows::independent);
}
bool SparseKkt::factor_sharing(const Matrix& K, const Jacobian& G) {
  return factor(K, G, G, regularise_ ? Rows::regularised : Rows::all);
}
bool SparseKkt::choose_rows(const Matrix& K, const Jacobian& G) {
  if (!regularise_) return false;
  std::vector<int> rows = dependent_rows(K, G);
  if (rows == numbers_->redundant || count(rows) > count(numbers_->redundant)) return false;
  numbers_->redundant = std::move(rows);
  return true;
}

bool SparseKkt::factor(const Matrix& K, const Jacobian& G1, const Jacobian& G0, Rows rows) {
  Numbers& x = *numbers_;
  const Analysis& a = *analysis_;
  x.leaves_out = rows == Rows::independent;
  const auto left_out = [&](int k) { return x.leaves_out && x.left_out[static_cast<std::size_t>(k)] != 0; };
  x.active = Numbers::ActiveFactor::whole;
  if (a.may_eliminate && SparseSpace::diagonal(K, x.inverse)) {
    x.inverse = x.inverse.cwiseInverse();
    if (x.inverse.allFinite()) x.active = Numbers::ActiveFactor::schur;
  } else if (a.held()->others.empty()) {
    x.active = Numbers::ActiveFactor::held;
  } else if (x.may_border && !regularise_ && static_cast<int>(a.held()->others.size()) <= most_beside) {
    x.active = Numbers::ActiveFactor::bordered;
  }
  if (x.active == Numbers::ActiveFactor::held) {
    if (!x.held) x.make_held(a);
    return x.held->factor(K, G1, G0);
  }
  if (x.active == Numbers::ActiveFactor::bordered) {
    const bool first = !x.bordered;
    if (first) x.make_bordered(a);
    const bool made = x.bordered->factor(K, G1, G0);
    if (made && first) x.may_border = x.bordered->worth_bordering();
    const bool ok = made && x.may_border && x.bordered->border(G1, G0);
    if (ok || !first) return ok;
    x.bordered.reset();
    x.active = Numbers::ActiveFactor::whole;
  }
  if (x.active == Numbers::ActiveFactor::schur) {
    if (!x.schur) x.make_schur(a);
    return x.schur->factor(G1, x.inverse, G0, x.leaves_out ? &x.left_out : nullptr, rows == Rows::regularised);
  }
  const WholeMatrix& whole = a.whole();
  const long n = a.space.n;
  if (!x.of_A) x.make_whole(a);
  // multipliers in units that make G as large as K
  const double size_of_K = K.coeffs().matrix().norm() / std::sqrt(static_cast<double>(n)),
               size_of_G = G1.coeffs().matrix().norm() / std::sqrt(static_cast<double>(G1.rows()));
  x.scale = size_of_K > 0 && size_of_G > 0 ? size_of_K / size_of_G : 1;
  double* A = x.A.valuePtr();
  for (std::size_t s = 0; s < whole.of_K.size(); ++s) A[whole.of_K[s]] = K.valuePtr()[s];
  for (std::size_t s = 0; s < whole.of_G1.size(); ++s) A[whole.of_G1[s]] = x.scale * G1.valuePtr()[s];
  for (std::size_t s = 0; s < whole.of_G0.size(); ++s) A[whole.of_G0[s]] = -x.scale * G0.valuePtr()[s];
  for (const int k : whole.of_diagonal) A[k] = 0;
  if (x.leaves_out)
    for (int k = 0; k < G1.rows(); ++k)
      if (left_out(k)) {
        for (int s = G1.outerIndexPtr()[k]; s < G1.outerIndexPtr()[k + 1]; ++s)
          A[whole.of_G1[static_cast<std::size_t>(s)]] = A[whole.of_G0[static_cast<std::size_t>(s)]] = 0;
        A[whole.of_diagonal[static_cast<std::size_t>(k)]] = size_of_K > 0 ? size_of_K : 1;
      }
  if (rows == Rows::regularised) {
    x.inverse = K.diagonal().cwiseAbs();
    double sum = 0;  // of G1_ki G0_ki / K_ii
    for (int k = 0; k < G1.rows(); ++k)
      for (int s = G1.outerIndexPtr()[k]; s < G1.outerIndexPtr()[k + 1]; ++s)
        if (const double K_ii = x.inverse[G1.innerIndexPtr()[s]]; K_ii > 0)
          sum += std::abs(G1.valuePtr()[s] * G0.valuePtr()[s]) / K_ii;
    for (const int k : whole.of_diagonal) A[k] = regularisation * x.scale * x.scale * sum / static_cast<double>(G1.rows());
  }
  return x.of_A->factor(x.A) && well_conditioned(*x.of_A);
}

void SparseKkt::solve(const Vector& r, const Multipliers& g, Vector& x, Multipliers& y, Digits digits) const {
  Numbers& f = *numbers_;
  if (f.active == Numbers::ActiveFactor::held) return f.held->solve(r, g, x, y, digits);
  if (f.active == Numbers::ActiveFactor::bordered) return f.bordered->solve(r, g, x, y, digits);
  if (f.active == Numbers::ActiveFactor::schur) return f.schur->solve(r, g, x, y);
  const long n = r.size(), m = g.size();
  f.right.head(n) = r;
  f.right.tail(m) = f.scale * g;
  if (f.leaves_out) leave_out(f.left_out, f.right.data() + n);
  f.of_A->solve(f.right.data(), f.left.data());
  x = f.left.head(n);
  y = f.scale * f.left.tail(m);
}

void SparseKkt::archive(core::Archive& a) {
  bool held = numbers_ && numbers_->held, bordered = numbers_ && numbers_->bordered, schur = numbers_ && numbers_->schur,
       whole = numbers_ && numbers_->of_A, may_border = numbers_ && numbers_->may_border;
  a(held, bordered, schur, whole, may_border);
  std::vector<int> redundant;
  if (regularise_) {
    if (numbers_) redundant = numbers_->redundant;
    a(redundant);
    if (!redundant.empty() && (!analysis_ || static_cast<long>(redundant.size()) != analysis_->G.rows()))
      throw core::InputError("the saved state belongs to another system");
  }
  if (a.reading() && numbers_) {
    *numbers_ = Numbers();
    numbers_->may_border = may_border;
    numbers_->redundant = redundant;
    if (held) numbers_->make_held(*analysis_);
    if (bordered) numbers_->make_bordered(*analysis_);
    if (schur) numbers_->make_schur(*analysis_);
    if (whole) numbers_->make_whole(*analysis_);
  }
  if ((held || bordered || schur || whole) && !numbers_) throw core::InputError("the saved state belongs to another system");
  if (held) numbers_->held->archive(a);
  if (bordered) numbers_->bordered->archive(a);
  if (schur) numbers_->schur->archive(a);
  if (whole) numbers_->of_A->archive(a);
}

bool SparseKkt::archive_factor(core::Archive& a) {
  if (!numbers_ || (!numbers_->held && !numbers_->bordered)) throw core::InputError("the saved state belongs to another system");
  numbers_->active = numbers_->held ? Numbers::ActiveFactor::held : Numbers::ActiveFactor::bordered;
  return numbers_->held ? numbers_->held->archive_factor(a) : numbers_->bordered->archive_factor(a);
}
bool SparseKkt::refactored() const {
  if (numbers_->active == Numbers::ActiveFactor::bordered) return numbers_->bordered->refactored();
  return numbers_->active != Numbers::ActiveFactor::held || numbers_->held->refactored();
}
bool SparseKkt::holds(const Jacobian& G0) {
  if (!numbers_ || !numbers_->of_K()) return false;
  return numbers_->active == Numbers::ActiveFactor::held ? numbers_->held->of(G0) : numbers_->bordered->rebind(G0);
}

double SparseKkt::cost_in_solves() const {
  if (!numbers_ || !numbers_->of_K()) return 0;
  return numbers_->active == Numbers::ActiveFactor::held ? numbers_->held->cost_in_solves()
                                                         : numbers_->bordered->cost_in_solves();
}
double SparseKkt::nonzeros() const {
  switch (numbers_->active) {
    case Numbers::ActiveFactor::held:
      return numbers_->held->nonzeros();
    case Numbers::ActiveFactor::bordered:
      return numbers_->bordered->nonzeros();
    case Numbers::ActiveFactor::schur:
      return numbers_->schur->nonzeros();
    case Numbers::ActiveFactor::whole:
      return numbers_->of_A->nonzeros();
    case Numbers::ActiveFactor::none:
      break;
  }
  return 0;
}
const char* SparseKkt::method() const {
  switch (numbers_->active) {
    case Numbers::ActiveFactor::held:
      return "K of what is not held";
    case Numbers::ActiveFactor::bordered:
      return "K, bordered";
    case Numbers::ActiveFactor::schur:
      return "G1 K^-1 G0'";
    case Numbers::ActiveFactor::whole:
      return "all unknowns";
    case Numbers::ActiveFactor::none:
      break;
  }
  return "none";
}

}  // namespace actio::algebra
