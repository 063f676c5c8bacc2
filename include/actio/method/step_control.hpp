#pragma once
#include <Eigen/Core>
#include <actio/expr/kernel.hpp>
#include <actio/system/model.hpp>
#include <string>

// How the steps of a run follow its motion: by a fictitious time tau, dt = sigma(q) dtau, of which a step is always as long.
// Short steps where sigma is small, and what equal steps keep is not lost, as it is when a step is chosen from the state it
// leaves.
namespace actio::method {

struct StepControl {
  enum class Kind {
    reversible,  // any symmetric method, its steps by Hairer and Soederlind's controller
    poincare,    // gauss, lobatto or midpoint on sigma (T + V - H0)
    own          // the method has its own; `eps` is a step of its fictitious time
  } kind = Kind::reversible;
  // sigma = (sum over the elements)^power [s] in units of eps; or of the model's potential V:
  enum class Sigma {
    function,
    force,  // |grad V|^(-1/2), in the metric of the inverse mass
    energy  // 1/|V|, V < 0
  } sigma = Sigma::function;
  system::ElementFunction sum{};  // of positions: its columns are theirs, then data
  double power = 1;
  std::string definition{};  // as it was written: "r^1.5"
  double eps = 0;            // a step of tau; 0: the size of the first step is given
};

// sigma at a state of the model; `options` for its kernel.
double sigma(const system::Model& model, const StepControl& control, double t, const Eigen::VectorXd& q,
             const expr::CompileOptions& options = {});

}  // namespace actio::method
