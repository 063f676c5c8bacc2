#include <actio/algebra/sparse.hpp>
#include <atomic>
#include <cassert>
#include <mutex>
#include <optional>
#include <vector>

#include "ldl.hpp"
#include "lu.hpp"
#include "structured.hpp"
#include "supernodal.hpp"

namespace actio::algebra {

// Each part is made at its first need, once for all solvers of a pattern.
struct SparsePattern::Analysis {
  explicit Analysis(std::shared_ptr<const SparseMatrix> given) : matrix(std::move(given)) { assert(matrix->isCompressed()); }

  const MinimumDegree& minimum_degree() {
    std::call_once(minimum_degree_once_, [&] { minimum_degree_.emplace(*matrix); });
    return *minimum_degree_;
  }
  const std::shared_ptr<const StructuredAnalysis>& structured() {
    std::call_once(structured_once_,
                   [&] { structured_ = StructuredAnalysis::make(*matrix, [&] { return minimum_degree().nonzeros; }); });
    return structured_;
  }
  std::shared_ptr<const SupernodalAnalysis> supernodal() {
    std::call_once(supernodal_once_, [&] {
      minimum_degree();
      if (minimum_degree_->flops >= supernodal_switch * minimum_degree_->nonzeros)
        supernodal_ = SupernodalAnalysis::make(*matrix, minimum_degree_->order);
    });
    return supernodal_;
  }
  std::shared_ptr<const LdlAnalysis> ldl() {
    std::call_once(ldl_once_, [&] { ldl_ = std::make_shared<LdlAnalysis>(*matrix, minimum_degree()); });
    return ldl_;
  }
  std::shared_ptr<const LuAnalysis> lu() {
    std::call_once(lu_once_, [&] { lu_ = std::make_shared<LuAnalysis>(*matrix); });
    return lu_;
  }

  const std::shared_ptr<const SparseMatrix> matrix;

 private:
  std::once_flag minimum_degree_once_, structured_once_, supernodal_once_, ldl_once_, lu_once_;
  std::optional<MinimumDegree> minimum_degree_;
  std::shared_ptr<const StructuredAnalysis> structured_;
  std::shared_ptr<const SupernodalAnalysis> supernodal_;
  std::shared_ptr<const LdlAnalysis> ldl_;
  std::shared_ptr<const LuAnalysis> lu_;
};

SparsePattern::SparsePattern(std::shared_ptr<const SparseMatrix> matrix)
    : analysis_(matrix ? std::make_shared<Analysis>(std::move(matrix)) : nullptr) {}
const SparseMatrix& SparsePattern::operator*() const { return *analysis_->matrix; }

// The memory of the factors that were needed so far, and which of them is the last factorisation.
struct SparseSolver::Numbers {
  enum class ActiveFactor { none, structured, supernodal, ldl, lu } active = ActiveFactor::none;
  bool positive = false;  // so was the last matrix
  bool ldl_ok = false;    // the last L D L'
  std::unique_ptr<Structured> structured;
  std::unique_ptr<Supernodal> supernodal;
  std::unique_ptr<Ldl> ldl;
  std::unique_ptr<Lu> lu;
};

// What a solve writes to, beside x: each solver has its own.
struct SparseSolver::Work {
  std::vector<double> right;
  Structured::Work structured;
  std::optional<Supernodal::Work> supernodal;
};

SparseSolver::SparseSolver() noexcept = default;
SparseSolver::SparseSolver(SparsePattern pattern, bool symmetric)
    : pattern_(std::move(pattern)), symmetric_(symmetric), work_(std::make_unique<Work>()) {}
SparseSolver::SparseSolver(const SparseMatrix& pattern, bool symmetric)
    : SparseSolver(SparsePattern(std::make_shared<const SparseMatrix>(pattern)), symmetric) {}
SparseSolver::~SparseSolver() = default;
SparseSolver::SparseSolver(const SparseSolver& other)
    : pattern_(other.pattern_),
      symmetric_(other.symmetric_),
      factorisations_(other.factorisations_),
      numbers_(other.numbers_),
      work_(other.work_ ? std::make_unique<Work>() : nullptr) {}
SparseSolver::SparseSolver(SparseSolver&&) noexcept = default;
SparseSolver& SparseSolver::operator=(SparseSolver other) noexcept {
  pattern_ = std::move(other.pattern_);
  symmetric_ = other.symmetric_;
  factorisations_ = other.factorisations_;
  numbers_ = std::move(other.numbers_);
  work_ = std::move(other.work_);
  return *this;
}

// Numbers to write to: new ones while a copy still reads the old.
SparseSolver::Numbers& SparseSolver::own() {
  if (!numbers_ || numbers_.use_count() > 1)
    numbers_ = std::make_shared<Numbers>();
  else
    std::atomic_thread_fence(std::memory_order_acquire);  // after the last reads of a copy that another thread gave up
  return *numbers_;
}

SparseSolver::Numbers* SparseSolver::own_structured() {
  const auto& analysis = pattern_.analysis_->structured();
  if (!analysis) return nullptr;
  Numbers& f = own();
  if (!f.structured) f.structured = std::make_unique<Structured>(*analysis);
  f.active = Numbers::ActiveFactor::structured;
  ++factorisations_;
  return &f;
}

bool SparseSolver::factor(const SparseMatrix& K) {
  if (symmetric_) return factor_positive(K) || factor_indefinite(K);
  ++factorisations_;
  Numbers& f = own();
  if (!f.lu) f.lu = std::make_unique<Lu>(pattern_.analysis_->lu());
  f.active = Numbers::ActiveFactor::lu;
  return f.lu->factor(K);
}

bool SparseSolver::factor_and_solve(const SparseMatrix& K, const Eigen::VectorXd& b, Eigen::VectorXd& x) {
  if (Numbers* f = symmetric_ ? own_structured() : nullptr) {
    x.resize(b.size());
    f->positive = f->structured->factor_and_solve(K, b.data(), x.data(), work_->structured);
    if (f->positive) return true;
    if (!factor_indefinite(K)) return false;
  } else if (!factor(K)) {
    return false;
  }
  solve(b, x);
  return true;
}

// What is written for positive definite matrices has refused K.
bool SparseSolver::factor_indefinite(const SparseMatrix& K) {
  Numbers& f = *numbers_;
  if (f.active != Numbers::ActiveFactor::ldl) {
    if (!f.ldl) f.ldl = std::make_unique<Ldl>(pattern_.analysis_->ldl());
    f.active = Numbers::ActiveFactor::ldl;
    f.ldl_ok = f.ldl->factor(K);
  }
  if (f.ldl_ok) return true;
  if (!f.lu) f.lu = std::make_unique<Lu>(pattern_.analysis_->lu());
  f.active = Numbers::ActiveFactor::lu;
  return f.lu->factor(K);
}

bool SparseSolver::factor_positive(const SparseMatrix& K) {
  if (Numbers* f = own_structured()) return f->positive = f->structured->factor(K);
  ++factorisations_;
  Numbers& f = own();
  if (auto analysis = pattern_.analysis_->supernodal()) {
    if (!f.supernodal) f.supernodal = std::make_unique<Supernodal>(std::move(analysis));
    f.active = Numbers::ActiveFactor::supernodal;
    return f.positive = f.supernodal->factor(K);
  }
  if (!f.ldl) f.ldl = std::make_unique<Ldl>(pattern_.analysis_->ldl());
  f.active = Numbers::ActiveFactor::ldl;
  f.ldl_ok = f.ldl->factor(K);
  return f.positive = f.ldl_ok && f.ldl->positive();
}

void SparseSolver::solve(const Eigen::VectorXd& b, Eigen::VectorXd& x, Digits digits) const {
  const Numbers& f = *numbers_;
  x.resize(b.size());
  switch (f.active) {
    case Numbers::ActiveFactor::structured:
      return f.structured->solve(b.data(), x.data(), work_->structured);
    case Numbers::ActiveFactor::supernodal:
      if (!work_->supernodal) work_->supernodal.emplace();
      return f.supernodal->solve(b.data(), x.data(), *work_->supernodal, digits);
    case Numbers::ActiveFactor::ldl:
      work_->right.resize(static_cast<std::size_t>(b.size()));
      return f.ldl->solve(b.data(), x.data(), work_->right.data());
    case Numbers::ActiveFactor::lu:
      return f.lu->solve(b.data(), x.data());
    case Numbers::ActiveFactor::none:
      assert(false);
  }
}

void SparseSolver::archive(core::Archive& a) {
  bool lu = numbers_ && numbers_->lu;
  a(factorisations_, lu);
  if (a.reading()) {
    numbers_ = pattern_ ? std::make_shared<Numbers>() : nullptr;
    if (lu && !numbers_) throw core::InputError("the saved state belongs to another system");
    if (lu) numbers_->lu = std::make_unique<Lu>(pattern_.analysis_->lu());
  }
  if (lu) numbers_->lu->archive(a);
}

bool SparseSolver::positive() const { return numbers_ && numbers_->positive; }

void SparseSolver::pivots(Eigen::VectorXd& d) const {
  switch (numbers_->active) {
    case Numbers::ActiveFactor::structured:
      return numbers_->structured->pivots(d);
    case Numbers::ActiveFactor::supernodal:
      return numbers_->supernodal->pivots(d);
    case Numbers::ActiveFactor::ldl:
      return numbers_->ldl->pivots(d);
    default:
      assert(false);
  }
}

double SparseSolver::nonzeros() const {
  switch (numbers_ ? numbers_->active : Numbers::ActiveFactor::none) {
    case Numbers::ActiveFactor::structured:
      return numbers_->structured->nonzeros();
    case Numbers::ActiveFactor::supernodal:
      return numbers_->supernodal->nonzeros();
    case Numbers::ActiveFactor::ldl:
      return numbers_->ldl->nonzeros();
    case Numbers::ActiveFactor::lu:
      return numbers_->lu->nonzeros();
    default:
      return 0;
  }
}

double SparseSolver::cost_in_solves() const {
  // Nanoseconds of one core [operation, entry of the factor, the same in a solve], within a factor of 1.5 for meshes in two and
  // three dimensions of 600 to 80000 coordinates.
  struct Times {
    double operation, entry, solved;
  };
  constexpr Times supernodal{0.025, 30, 1.2}, ldl{0.7, 0, 2}, lu{0.35, 0, 1};
  constexpr double assembled = 8, least_operations = 1e6;
  const auto cost = [&](double operations, const Times& t) {
    if (!(operations >= least_operations)) return 0.0;
    const double entries = nonzeros();
    return (operations * t.operation + entries * t.entry) /
           (entries * t.solved + static_cast<double>(pattern_->nonZeros()) * assembled);
  };
  switch (numbers_ ? numbers_->active : Numbers::ActiveFactor::none) {
    case Numbers::ActiveFactor::supernodal:
      return cost(numbers_->supernodal->flops(), supernodal);
    case Numbers::ActiveFactor::ldl:
      return cost(pattern_.analysis_->minimum_degree().flops, ldl);
    case Numbers::ActiveFactor::lu:
      return cost(numbers_->lu->flops(), lu);
    default:
      return 0;
  }
}

const char* SparseSolver::method() const {
  switch (numbers_ ? numbers_->active : Numbers::ActiveFactor::none) {
    case Numbers::ActiveFactor::structured:
      return numbers_->structured->method();
    case Numbers::ActiveFactor::supernodal:
      return "supernodal L L'";
    case Numbers::ActiveFactor::ldl:
      return "L D L'";
    case Numbers::ActiveFactor::lu:
      return "L U";
    default:
      return "none";
  }
}

}  // namespace actio::algebra
