#pragma once
#include <actio/discrete/galerkin.hpp>
#include <actio/discrete/nodes.hpp>
#include <actio/method/integrator.hpp>
#include <optional>

namespace actio::method {

// Ed = -d Ld/dh of a step, the mean over the quadrature of Ld of the energies v dL/dv - L there [J].
class DiscreteEnergy {
 public:
  explicit DiscreteEnergy(const Spec& spec);
  // Of the step that `steps` has made last, of tau from a state to another. `path`: false where that integrator was moved since.
  // It may be anywhere after.
  double operator()(Integrator& steps, const Snapshot& start, const Snapshot& end, double tau, bool path);

 private:
  std::optional<discrete::Nodes> nodes_;
  std::optional<discrete::Galerkin> rule_;
  std::vector<double> at_;
  Eigen::MatrixXd W_;
  Eigen::VectorXd q_, v_, w_;
};

}  // namespace actio::method
