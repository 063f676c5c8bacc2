#pragma once
#include <actio/algebra/digits.hpp>
#include <actio/algebra/vector.hpp>
#include <actio/core/archive.hpp>
#include <actio/core/function_ref.hpp>
#include <actio/solve/forcing.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

// Factorisations of matrices that depend on one number, a step h: made once for each, kept while there is room.
namespace actio::solve {

// x = K^-1 b. A K that turns out to be diagonal is divided by, and a large space orders and analyses its pattern only when one is
// not.
template <class Space>
class Factor {
 public:
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  explicit Factor(const Space& space) : space_(space) {}

  bool factor(const Matrix& K) { return factor<false>(K); }
  bool factor_pivoted(const Matrix& K) { return factor<true>(K); }
  void solve(const Vector& b, Vector& x) const {
    if (!divide(b, x)) solver_->solve(b, x);
  }
  // Of solvers that know it (Digits).
  void solve(const Vector& b, Vector& x, algebra::Digits digits) const {
    if (!divide(b, x)) solver_->solve(b, x, digits);
  }
  void solve_pivoted(const Vector& b, Vector& x) const {
    if (!divide(b, x)) solver_->solve_pivoted(b, x);
  }
  // As exactly as is asked for (forcing.hpp).
  bool solve(const Vector& b, Vector& x, double& eta) const requires TakesTolerance<typename Space::Solver, Vector> {
    if (!divide(b, x)) return solver_->solve(b, x, eta);
    eta = 0;
    return true;
  }
  void archive(core::Archive& a) {
    bool made = solver_.has_value();
    a(made);
    if (a.reading()) solver_.reset();
    if (made && !solver_) solver_.emplace(space_.solver());
    if (made) a.part(*solver_);
  }
  // How often an iterative solver did with what it had made of an earlier matrix.
  long reused() const {
    if constexpr (requires { solver_->reused(); }) return solver_ ? solver_->reused() : 0;
    return 0;
  }
  // Numbers kept.
  std::size_t size() const {
    if (diagonal_) return static_cast<std::size_t>(space_.n);
    if constexpr (requires { solver_->nonzeros(); }) return static_cast<std::size_t>(solver_->nonzeros());
    return static_cast<std::size_t>(space_.n) * static_cast<std::size_t>(space_.n);
  }
  // What a factorisation costs, in solves; 0 where it is not known, or hardly more than one.
  double cost_in_solves() const {
    if constexpr (requires { solver_->cost_in_solves(); }) return diagonal_ || !solver_ ? 0 : solver_->cost_in_solves();
    return 0;
  }

 private:
  // A large space that knows a diagonal matrix, and has its vectors at hand number by number.
  static constexpr bool divides = !Space::static_size && requires(const Matrix& K, Vector& d) {
    Space::diagonal(K, d);
    d = d.cwiseInverse();
  };
  // x = b / diagonal, where K is one
  bool divide(const Vector& b, Vector& x) const {
    if constexpr (divides)
      if (diagonal_) {
        x = inverse_.cwiseProduct(b);
        return true;
      }
    return false;
  }

  template <bool pivoted>
  bool factor(const Matrix& K) {
    if constexpr (divides) {
      diagonal_ = Space::diagonal(K, inverse_);
      if (diagonal_) {
        inverse_ = inverse_.cwiseInverse();
        return inverse_.allFinite();
      }
    }
    if (!solver_) solver_.emplace(space_.solver());
    return pivoted ? solver_->factor_pivoted(K) : solver_->factor(K);
  }

  Space space_;
  bool diagonal_ = false;
  Vector inverse_{};
  std::optional<typename Space::Solver> solver_;
};

// A few of them; when there is no room the one that was not used for the longest time leaves. Copies keep them.
template <class Space>
class Factorisations {
 public:
  using Vector = typename Space::Vector;
  using Matrix = typename Space::Matrix;
  explicit Factorisations(const Space& space) : space_(space) {}

  // x = K^-1 b, where tangent(K) makes K for this key. False when K is singular or not finite. b and x are not the same vector.
  bool solve(double key, core::FunctionRef<void(Matrix&)> tangent, const Vector& b, Vector& x) {
    Kept* kept = find(key);
    if (!kept) {
      if (!K_) K_.emplace(space_.matrix());
      tangent(*K_);
      K_of_ = key;
      kept = &room();
      kept->key = key;
      ++count_;
      make(*kept, *K_);
    } else if (!kept->made) {  // archived: made again, and counted before
      Matrix K = space_.matrix();
      tangent(K);
      make(*kept, K);
      if (key == K_of_) K_ = std::move(K);
    }
    kept->used = ++clock_;
    if (!kept->invertible) {
      kept->key = std::numeric_limits<double>::quiet_NaN();  // made again, should it be wanted again
      return false;
    }
    kept->pivoted ? kept->factor.solve_pivoted(b, x) : kept->factor.solve(b, x);
    return true;
  }
  // y = K x; false when the K of this key is no longer at hand.
  bool multiply(double key, const Vector& x, Vector& y) const {
    if (!K_ || K_of_ != key) return false;
    if constexpr (requires { space_.symmetric; }) {
      if (space_.symmetric) {
        Space::multiply_symmetric(*K_, x, y);
        return true;
      }
    }
    Space::multiply(*K_, x, y);
    return true;
  }
  // Numbers in the factor that is kept for the key.
  std::size_t size(double key) const {
    for (const Kept& k : kept_)
      if (k.key == key) return k.size;
    return 0;
  }
  long count() const { return count_; }  // factorisations made so far

  // The keys; their factors are made again when they are wanted.
  void archive(core::Archive& a) {
    a(clock_, count_, K_of_);
    std::size_t size = kept_.size();
    a(size);
    if (size > most_kept) throw core::InputError("the saved state has another layout");
    if (a.reading()) {
      K_.reset();
      kept_.clear();
      kept_.reserve(most_kept);
      for (std::size_t k = 0; k < size; ++k) kept_.push_back(Kept{0, Factor<Space>(space_)});
    }
    for (Kept& k : kept_) a(k.key, k.used, k.size);
  }

  static constexpr std::size_t most_kept = 16;
  static constexpr std::size_t most_numbers = std::size_t{1} << 27;  // 1 GiB: with more, no other is added

 private:
  struct Kept {
    double key;
    Factor<Space> factor;
    bool made = false, pivoted = false, invertible = false;
    std::uint64_t used = 0;
    std::size_t size = 0;  // of the factor
  };

  Kept* find(double key) {
    for (Kept& k : kept_)
      if (k.key == key) return &k;
    return nullptr;
  }
  static void make(Kept& kept, const Matrix& K) {
    kept.made = true;
    kept.pivoted = false;
    kept.invertible = kept.factor.factor(K);
    if (!kept.invertible) {
      kept.pivoted = true;
      kept.invertible = kept.factor.factor_pivoted(K);
    }
    kept.size = kept.factor.size();
  }
  Kept& room() {
    std::size_t numbers = 0;
    for (const Kept& k : kept_) numbers += k.size;
    if (kept_.empty() || (kept_.size() < most_kept && numbers <= most_numbers)) {
      kept_.reserve(most_kept);
      return kept_.emplace_back(kept_.empty() ? Kept{0, Factor<Space>(space_)} : kept_.front());  // its analysis is of use
    }
    Kept* oldest = &kept_.front();
    for (Kept& k : kept_)
      if (k.used < oldest->used) oldest = &k;
    oldest->factor = Factor<Space>(space_);  // with pivots of its own
    return *oldest;
  }

  Space space_;
  std::optional<Matrix> K_;
  double K_of_ = 0;  // its key
  std::vector<Kept> kept_;
  std::uint64_t clock_ = 0;
  long count_ = 0;
};

}  // namespace actio::solve
