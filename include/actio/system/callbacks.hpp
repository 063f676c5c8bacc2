#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <actio/system/model.hpp>

// Forces that a code of your own assembles: a finite-element code keeps its meshes, elements and materials, and takes methods,
// solvers and the certificate.
//
//   M a = -r(t, q) + F(t, q, v),   r = dV/dq
//
//   system::Callbacks code;
//   code.rows = ...; code.columns = ...;                                   // where the tangents have entries
//   code.residual = [&](double t, auto q, auto r) { ... };                 // r[i] += dV/dq_i
//   code.tangent = [&](double t, auto q, auto values) { ... };             // values[k] += dr_i/dq_j, i = rows[k], j = columns[k]
//   system::Model model = system::model_of(n, std::move(code));
//   model.mass.kind = system::MassMatrix::Kind::full;
//   model.mass.full = ...;                                                 // both triangles
//   model.fixed_dofs = {0, 1, 2};                                          // coordinates that never move, if any
//   auto integrator = method::make_integrator(model, {method::Newmark{}});
//
// What comes from a potential goes into the residual, what does not (friction, loads that follow or depend on the time) into the
// force. Every method of a Lagrangian 1/2 v'Mv - V takes them, but for those that ask for more than V' and V''
// (why_incompatible() says so). Copies of an integrator share the functions, one call at a time. An exception passes through; the
// integrator must then be started again. What cannot be evaluated is said by NaN: the step is not solved, or a shorter increment
// is tried.
namespace actio::system {

struct Callbacks {
  using In = std::span<const double>;  // (n), but for fixed coordinates what the method asks for
  using Out = std::span<double>;       // zero when the function is called: it adds

  // Both triangles, in any order; what is given to an entry twice adds up.
  std::vector<std::int32_t> rows, columns;

  std::function<double(double t, In q)> energy;             // V [J]; empty: it is not known, and no claim about it is measured
  std::function<void(double t, In q, Out r)> residual;      // dV/dq [N] (n); empty: V = 0
  std::function<void(double t, In q, Out values)> tangent;  // d2V/dq2 (rows), symmetric; empty: explicit methods only
  std::function<void(double t, In q, In v, Out F)> force;   // F [N] (n); empty: 0
  std::function<void(double t, In q, In v, double wq, double wv, Out values)> force_tangent;  // wq dF/dq + wv dF/dv (rows);
                                                                                              // empty: F depends on t alone
  bool linear = false;     // no entry of a tangent ever changes: one factorisation serves every step of one size
  bool time = false;       // V depends on t: its energy is not expected to hold
  bool velocity = true;    // F depends on v, where it has a tangent
  bool symmetric = false;  // so are the tangents of F

  std::string hessian_word = "the tangent of the residual";  // what messages call what `tangent` is made of

  // Of those that Actio makes itself (system/ewald.hpp): what messages call them, and a line on each part.
  std::string name{};  // "the Ewald sum"; empty: they are a user's
  std::vector<std::string> description{};
  long energies = 0;  // how many numbers V is a sum of

  bool built_in() const { return !name.empty(); }
  bool without_tangent() const { return residual && !tangent; }
  bool forced() const { return static_cast<bool>(force); }
  bool needs_velocity() const { return force && force_tangent && velocity; }
};

// n coordinates "q[0]", "q[1]", ... with the forces of a code; the mass is left to be given.
Model model_of(long n, Callbacks code);

}  // namespace actio::system
