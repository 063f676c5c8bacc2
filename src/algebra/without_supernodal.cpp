#include "supernodal.hpp"

// Built in place of supernodal.cpp when ACTIO_GPL is off: there is never an analysis, so the rest is never reached.
namespace actio::algebra {

std::shared_ptr<const SupernodalAnalysis> SupernodalAnalysis::make(const SparseMatrix&, const std::vector<int>&) {
  return nullptr;
}

struct Supernodal::Implementation {};
Supernodal::Supernodal(std::shared_ptr<const SupernodalAnalysis>) {}
Supernodal::~Supernodal() = default;
bool Supernodal::factor(const SparseMatrix&) { return false; }
void Supernodal::solve(const double*, double*, Work&, Digits) const {}
void Supernodal::pivots(Eigen::VectorXd&) const {}
double Supernodal::nonzeros() const { return 0; }
double Supernodal::flops() const { return 0; }

}  // namespace actio::algebra
