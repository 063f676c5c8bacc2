#pragma once
#include <Eigen/Core>
#include <actio/expr/kernel.hpp>
#include <actio/system/model.hpp>
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

}  // namespace actio::method
