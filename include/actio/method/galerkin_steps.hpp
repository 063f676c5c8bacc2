#pragma once
#include <actio/discrete/galerkin.hpp>
#include <actio/expr/kernel.hpp>
#include <actio/system/model.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// A step of Gauss' methods for a system of few coordinates, generated as C: all stages at once, side by side in vectors, from the
// polynomial of the last step by the simple iteration, which for any L(q, v) takes L_vv of each stage, and near its end sines by
// series (lanes/angles.hpp). What the stepper of galerkin.hpp makes, but for rounding.
namespace actio::method {

class GalerkinSteps {
 public:
  // Nothing where steps are not generated: for systems with constraints, friction, signals, callbacks; beside velocities in L
  // with forces; of many coordinates or operations; where there is no C compiler.
  static std::optional<GalerkinSteps> make(const system::Model& model, const discrete::Galerkin& rule,
                                           const expr::CompileOptions& options);
  // The C, for tests and for reading.
  static std::string text(const system::Model& model, const discrete::Galerkin& rule, bool vector_functions = true);

  // What a step changes.
  struct State {
    double *q, *p;          // (n)
    double *q_low, *p_low;  // (n) below their last digits
    double* mean;           // (n) (q1 - q0)/h
  };
  // From the W_j of the last step, of h_last, in w(j, i); those of this step come back there. False where the iteration does not
  // converge: nothing is changed then.
  bool step(double t, double h, double h_last, const State& state, int& iterations) const;
  double& w(long j, long i) const { return W_[static_cast<std::size_t>(i * lanes_ + j)]; }

 private:
  GalerkinSteps() = default;
  using Step = long (*)(double t, double h, const double* predict, const double* u, double* q, double* p, double* q_low,
                        double* p_low, double* mean, double* W);
  discrete::Galerkin rule_;
  long lanes_ = 0;
  std::vector<double> uniforms_;             // t, parameters, masses, inverse masses
  mutable std::vector<double> W_, predict_;  // (n x lanes), (m x lanes)
  mutable double ratio_ = 0;                 // of the steps that predict_ is for
  Step step_ = nullptr;
  std::shared_ptr<const void> code_;
};

}  // namespace actio::method
