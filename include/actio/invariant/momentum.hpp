#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <actio/expr/kernel.hpp>
#include <actio/system/model.hpp>

namespace actio::algebra {
struct SparseSpace;
}
namespace actio::system {
template <class Space>
class Assembled;
}

// The momentum map J_k = p . xi_k(q) of every declared symmetry. By Noether's theorem it is constant where the Lagrangian is
// invariant under the flow of xi_k, and a discrete Lagrangian keeps it exactly when that flow is also linear or affine in q
// (KMOW 2.2): then points between q0 and q1 and the velocity (q1 - q0)/h move with it.
namespace actio::invariant {

class MomentumMap {
 public:
  MomentumMap() = default;
  explicit MomentumMap(const system::Model& model, const expr::CompileOptions& options = {});
  // For a system without a model: its symmetries, which have no parameters (system/symmetry.hpp).
  explicit MomentumMap(std::vector<system::Symmetry> symmetries, const expr::CompileOptions& options = {});

  std::size_t size() const { return symmetries_.size(); }
  long coordinates() const { return coordinates_; }  // of the model; of symmetries alone: the least that they need
  const std::string& name(std::size_t k) const { return symmetries_[k].name; }
  bool affine(std::size_t k) const { return symmetries_[k].affine; }  // in q, at fixed time; no time in it either
  bool compiled() const { return module_.compiled(); }
  const std::string& why_interpreted() const { return module_.why_interpreted(); }

  // J_k [kg m^2/s for a rotation, kg m/s for a shift] (size()), and the size of what was added up, in the same units:
  // sum_i |p_i| (|xi_i(0)| + |xi_i(q) - xi_i(0)|) + impulse |xi_i(q)|. Round-off in J is a small multiple of eps * scale.
  // One caller at a time: evaluation uses scratch memory of the map; copies are independent.
  void operator()(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& p, std::span<double> J, std::span<double> scale,
                  double impulse = 0);
  // xi_k(q) (n).
  void field(std::size_t k, double t, const Eigen::VectorXd& q, Eigen::VectorXd& xi);
  // How far xi_k(q) points out of the constraints, at their point next to q: the largest |G xi| of one beside sum_i |G_i xi_i|. 0
  // where there are none.
  double leaves_constraints(std::size_t k, double t, const Eigen::VectorXd& q);

 private:
  // xi at many places by one kernel.
  struct Batch {
    expr::BatchKernel kernel;
    std::size_t symmetry = 0;
    long locals = 0, elements = 0;
    std::vector<std::int32_t> rows, dofs;
    std::vector<std::vector<double>> columns;  // gathered positions, then the block's data
    std::vector<const double*> inputs;         // where they start
    std::vector<double> out, at_zero;
  };
  struct Component {
    std::size_t symmetry;
    std::int32_t row;
    double at_zero;
  };
  struct Declared {
    std::string name;
    bool affine = true;
  };
  void evaluate_single(double t, const Eigen::VectorXd& q);
  void evaluate(Batch& batch, double t, const Eigen::VectorXd& q);

  std::vector<Declared> symmetries_;
  long coordinates_ = 0;
  std::vector<double> uniforms_;  // time, then the parameters
  expr::Module module_;
  expr::Kernel single_;  // every component written on its own, in one kernel
  std::vector<Component> components_;
  std::vector<std::int32_t> gathered_;  // coordinates the single kernel reads
  bool in_place_ = false;               // it reads q itself
  std::vector<double> single_in_, single_out_;
  std::vector<Batch> batches_;
  std::shared_ptr<const system::Assembled<algebra::SparseSpace>> constraints_;  // evaluated by copies
};

}  // namespace actio::invariant
