#pragma once
#include <Eigen/Core>
#include <actio/expr/kernel.hpp>
#include <actio/system/model.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace actio::method {

// The gaps of a model's contacts at a state, numbered through the elements of model.contacts.
class Gaps {
 public:
  struct Value {
    double g = 0;                // [m], or the unit of the expression
    double rate = 0;             // dg/dq v
    double size = 0, speed = 0;  // what g and the rate are added up from, of which rounding is an eps
  };

  explicit Gaps(const system::Model& model, const expr::CompileOptions& options = {});
  std::size_t size() const { return places_.size(); }
  double restitution(std::size_t k) const { return contact(k).restitution; }
  std::string name(std::size_t k) const;
  void operator()(const Eigen::VectorXd& q, const Eigen::VectorXd& v, std::vector<Value>& out);
  Value at(std::size_t k, const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  // dg_k/dq (n); 0 of coordinates that never move.
  void gradient(std::size_t k, const Eigen::VectorXd& q, Eigen::VectorXd& out);

 private:
  void evaluate(std::size_t k, const Eigen::VectorXd& q);
  const system::Contact& contact(std::size_t k) const { return (*contacts_)[places_[k].first]; }
  std::shared_ptr<const std::vector<system::Contact>> contacts_;
  std::vector<std::pair<std::size_t, long>> places_;  // contact, element
  std::vector<bool> fixed_;
  std::vector<double> uniforms_;
  expr::Module module_;  // of each contact: g, and its derivatives by the locals
  std::vector<expr::Kernel> kernels_;
  std::vector<double> in_, out_;
};

constexpr double rounding_of_gap = 64 * std::numeric_limits<double>::epsilon();  // relative to what it is added up from

// What rounding makes of a gap before and after a step of h; whether things touch by that, and come closer.
inline double of_gap(const Gaps::Value& v, double h) { return rounding_of_gap * (v.size + v.speed * std::abs(h)); }
inline bool touches(const Gaps::Value& v, double h) { return v.g <= of_gap(v, h); }
inline bool approaches(const Gaps::Value& v, double h) { return (h > 0 ? v.rate : -v.rate) < -rounding_of_gap * v.speed; }
// Of a flight whose gap is positive at both ends: it may be below 0 between them, as far as the tangents at both ends tell.
inline bool may_dip(const Gaps::Value& a, const Gaps::Value& b, double h) {
  const double r0 = h > 0 ? a.rate : -a.rate, r1 = h > 0 ? b.rate : -b.rate, all = std::abs(h);
  if (!(r0 < 0 && r1 > 0)) return false;
  const double meet = std::clamp((b.g - a.g - r1 * all) / (r0 - r1), 0.0, all);
  return a.g + r0 * meet < 0.5 * std::min(a.g, b.g);
}

// Throws core::InputError where gap k is below 0 at the start of a run.
void need_open(const Gaps& gaps, std::size_t k, const Gaps::Value& v);

}  // namespace actio::method
