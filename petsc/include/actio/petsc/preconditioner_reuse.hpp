#pragma once
#include <actio/core/archive.hpp>
#include <cmath>

namespace actio::petsc {

// When a preconditioner that is used for later matrices should be rebuilt: as a machine is replaced (solve/factor_reuse.hpp),
// once a digit of a solution takes more iterations than the mean of all digits since it was made, its cost included. The unit is
// an iteration; digits, for a solve may want two and the next twelve. All is counted, so that all ranks decide alike and runs
// repeat.
class PreconditionerReuse {
 public:
  static constexpr double least_cost = 2;  // below it nothing is kept
  bool known() const { return known_; }
  bool worth_reusing() const { return known_ && cost_ >= least_cost; }

  // Rebuilt. The cost follows from the operations of both, once they are known.
  void made() { iterations_ = digits_ = recent_iterations_ = recent_digits_ = fresh_ = worn_ = 0; }
  void set_cost(double cost) {
    cost_ = cost;
    known_ = true;
  }
  void solved(double iterations, double digits) {
    iterations_ += iterations;
    digits_ += digits;
    recent_iterations_ += iterations;
    recent_digits_ += digits;
    if (recent_digits_ < window) return;
    worn_ = recent_iterations_ / recent_digits_;
    if (fresh_ == 0) fresh_ = worn_;
    recent_iterations_ = recent_digits_ = 0;
  }
  bool should_rebuild() const { return !worth_reusing() || worn_ > (cost_ + iterations_) / digits_; }
  // Iterations after which a new one would have led to so many digits.
  double patience(double digits) const {
    const double rate = fresh_ > 0 ? fresh_ : digits_ > 0 ? iterations_ / digits_ : 0;
    return std::ceil(cost_ + (rate > 0 ? rate * digits : cost_)) + 1;
  }

  void archive(core::Archive& a) { a(known_, cost_, iterations_, digits_, recent_iterations_, recent_digits_, fresh_, worn_); }

 private:
  static constexpr double window = 8;  // digits: a step's, or most of them
  bool known_ = false;
  double cost_ = 0, iterations_ = 0, digits_ = 0;
  double recent_iterations_ = 0, recent_digits_ = 0;
  double fresh_ = 0, worn_ = 0;  // iterations a digit: at first, and lately
};

}  // namespace actio::petsc
