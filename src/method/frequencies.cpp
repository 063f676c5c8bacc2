#include <actio/core/error.hpp>
#include <actio/method/frequencies.hpp>
#include <actio/method/linearisation.hpp>
#include <actio/solve/extreme_eigenvalues.hpp>
#include <algorithm>
#include <cmath>

namespace actio::method {
namespace {

// Of the second derivatives, those of all elements together.
double entries_of_hessians(const system::Model& model) {
  double sum = static_cast<double>(model.stiffness.nonZeros());
  for (const system::Term& term : model.terms) {
    const double of_point = term.interpolation ? 81.0 * static_cast<double>(term.interpolation->points) : 1;
    const double locals = static_cast<double>(term.locals);
    sum += static_cast<double>(term.elements) * (term.interpolation ? of_point : locals * (locals + 1) / 2);
  }
  return sum;
}

// An entry takes some 400 ns, interpreted, put into a matrix and multiplied; an explicit step 5 ns a coordinate. So this is a
// tenth of the steps, or a tenth of a second.
double most_interpreted(long steps, double coordinates) {
  constexpr double at_once = 3e5, of_a_step = 0.1 * 5 / 400;
  return std::max(at_once, of_a_step * static_cast<double>(steps) * coordinates);
}

}  // namespace

Frequencies frequencies(const system::Model& model, double t, const Eigen::VectorXd& q, const expr::CompileOptions& options) {
  Frequencies out;
  const Linearisation motion = linearise(model, t, q, options, most_coordinates, most_entries);
  out.why_not = motion.why_not;
  if (!out.measured()) return out;
  solve::ExtremeEigenvalues lambda;
  try {
    lambda = solve::extreme_eigenvalues(motion.K, motion.M);
  } catch (const core::InputError&) {
    out.why_not = "the matrices are too large to factor";
    return out;
  }
  out.highest = lambda.highest > 0 ? std::sqrt(lambda.highest) : Frequencies::unknown;
  out.lowest = std::sqrt(lambda.lowest_positive);
  out.growth = std::sqrt(std::abs(lambda.lowest));
  out.rigid = lambda.zeros;
  out.unstable = lambda.negatives;
  out.at_least = lambda.at_least;
  return out;
}

double highest_frequency(const system::Model& model, double t, const Eigen::VectorXd& q, long steps) {
  if (entries_of_hessians(model) > most_interpreted(steps, static_cast<double>(model.size()))) return Frequencies::unknown;
  const Linearisation motion = linearise(model, t, q, {"none", {}}, most_coordinates);
  if (!motion.done()) return Frequencies::unknown;
  const double lambda = solve::highest_eigenvalue(motion.K, motion.M);
  return lambda > 0 ? std::sqrt(lambda) : lambda == 0 ? 0 : Frequencies::unknown;
}

}  // namespace actio::method
