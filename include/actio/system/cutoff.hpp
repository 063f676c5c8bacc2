#pragma once
#include <string>
#include <vector>

#include <actio/system/model.hpp>

namespace actio::system {

// What of a term of pairs is not continuous where they cross its cutoff.
struct CutoffJump {
  std::string term;
  double cutoff = 0;
  double energy = 0;  // largest |V| of a pair at the cutoff [J]; 0: V goes to 0
  double force = 0;   // largest |dV/dr| of one there; 0: it goes to 0
};
// Of the terms that have some, tried with pairs that are oriented as in q.
std::vector<CutoffJump> cutoff_jumps(const Model& model, const Eigen::VectorXd& q);

}  // namespace actio::system
