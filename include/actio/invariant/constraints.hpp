#pragma once
#include <span>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <actio/expr/kernel.hpp>
#include <actio/system/model.hpp>

// Constraints g(t, q) = 0 as a run is judged by them: their values and rates at a state, evaluated apart from the method that is
// to keep them.
namespace actio::invariant {

class ConstraintMap {
 public:
  ConstraintMap() = default;
  ConstraintMap(std::span<const system::Constraint> constraints, const system::Model& model,
                const expr::CompileOptions& options = {});

  long size() const { return m_; }  // m
  // g, their rates G v + g_t, and |dg_k/dq| (m) each, with G = dg/dq: |g_k| / |dg_k/dq| is a distance, the rate over it a speed.
  // One caller at a time; copies are independent.
  void operator()(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& g, Eigen::VectorXd& rate,
                  Eigen::VectorXd& slope);
  // G (m x n). Columns of coordinates that never move are zero.
  Eigen::SparseMatrix<double> jacobian(double t, const Eigen::VectorXd& q);
  bool moving() const { return moving_; }  // some g depends on the time

 private:
  struct Batch {
    expr::BatchKernel kernel;  // g, dg/dt, then dg/d(local)
    long locals = 0, elements = 0, first = 0;
    std::vector<std::int32_t> dofs;            // (locals x elements)
    std::vector<std::vector<double>> columns;  // gathered positions, then data
    std::vector<std::vector<double>> out;      // (2 + locals) of (elements)
    std::vector<const double*> inputs;
    std::vector<double*> outputs;
  };
  void evaluate(Batch& batch, double t, const Eigen::VectorXd& q);

  long m_ = 0, n_ = 0;
  bool moving_ = false;
  std::vector<bool> fixed_;
  std::vector<double> uniforms_;
  expr::Module module_;
  std::vector<Batch> batches_;
};

}  // namespace actio::invariant
