#pragma once
#include <actio/expr/kernel.hpp>
#include <actio/method/spec.hpp>
#include <actio/system/model.hpp>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

// Whole steps of small systems, generated as C over lanes: a lane is one member of an ensemble, `width` of them are a block.
// Every lane is computed by the same vector code, whatever the others hold and whether they are used: its numbers do not depend
// on its place, its neighbours, or how many there are.
//
//   verlet     p += h/2 f(q0),   q1 = q0 + h M^-1 p,   p += h/2 f(q1)
//              or, of the form position, q += h/2 M^-1 p,   p += h f(q),   q += h/2 M^-1 p
//   midpoint   M w - p0 - h/2 f(q0 + h/2 w) = 0 by Newton's method,   q1 = q0 + h w,   p1 = 2 M w - p0
//
// with f = -dV/dq (and forces F(t, q) in verlet), as their steppers make them, but for rounding. Newton's matrix M - h^2/4 df/dq
// is factored as L D L' without pivoting, unrolled (of two coordinates by its determinant); each lane stops by the rule of
// solve/newton.hpp and stands still until the other 31 of its group have. A lane fails after 30 iterations; the stepper would
// try again with pivoting and with its increments halved.
//
// A lane for which a condition of its state is true after a step stands still from then on.
//
//   Lanes lanes(model, spec, std::array{2});              // parameter 2 differs from lane to lane
//   lanes.start(t, c, x);  lanes.step(substeps, c, x, note);
//
// A block's state x is (rows x width): q in rows 0 to n-1, p in rows n to 2n-1, then what the method carries from step to step.
// The values c of the parameters that differ are (parameters x width).
namespace actio::method {

// When a lane stops: value != 0. Columns of the graph: q (n), then v (n). Uniforms: the time, then the parameters.
struct LaneStop {
  expr::Graph graph;
  expr::Id value = -1;
};

class Lanes {
 public:
  static constexpr long width = 64;
  static constexpr long note_rows = 3;
  static constexpr long most_implicit = 8;  // coordinates of an implicit step

  // One evaluation of the method each: of a composed method there are several a step.
  struct Substeps {
    std::vector<double> h;      // [s]
    std::vector<double> at;     // the time of its force [s]: its end with kicks at both ends, else its middle
    std::vector<double> s;      // the guess w + s (w - w_before) for the next w
    std::vector<double> end;    // the time at its end [s]
    std::vector<double> whole;  // 1 where it is the last of a step, and lanes may stop; else 0
  };
  // What goes wrong in a lane; its state is then not a number.
  enum class Note { fine = 0, not_finite = 1, not_converged = 2 };

  // "" where steps of this method can be generated for the model, else why not.
  static std::string why_not(const system::Model& model, const Spec& spec);
  // The C, for tests and for reading. `varied`: parameters with a value a lane, by number, ascending.
  static std::string text(const system::Model& model, const Spec& spec, std::span<const int> varied,
                          const LaneStop* stop = nullptr, bool vector_functions = true);

  Lanes() = default;
  // Throws core::InputError: why_not, or no C compiler.
  Lanes(const system::Model& model, const Spec& spec, std::span<const int> varied, const expr::CompileOptions& options = {},
        const LaneStop* stop = nullptr);

  long coordinates() const { return n_; }
  long rows() const { return rows_; }
  // With a LaneStop: the row that is 1 of lanes that move, else 0; and the row of the times the lanes stopped at, not a number of
  // those that have not.
  long moves() const { return rows_ - 2; }
  long stopped_at() const { return rows_ - 1; }
  // Sets what the method carries, from q and p.
  void start(double t, const double* c, double* x) const;
  // note (note_rows x width): the lane's Note, where it is not fine. Of an implicit method, added to the second row, its Newton
  // iterations, and to the third, its steps until it stopped.
  void step(const Substeps& substeps, const double* c, double* x, double* note) const;

  // Adds the substeps of one step h from the time t. `before` are the sizes of the last two substeps, 0 where there was none.
  struct Before {
    double h = 0, h_before = 0;
  };
  void add(double t, double h, Before& before, Substeps& to) const;

 private:
  using Start = void (*)(double at, const double* u, const double* c, double* x);
  using Step = void (*)(long count, const double* h, const double* at, const double* s, const double* end, const double* whole,
                        const double* u, const double* c, double* x, double* note);
  long n_ = 0, rows_ = 0;
  bool force_in_the_middle_ = false;
  std::vector<double> uniforms_;  // t, parameters, masses, inverse masses
  std::vector<double> gamma_;     // of the composition; {1} where there is none
  Start start_ = nullptr;
  Step step_ = nullptr;
  std::shared_ptr<const void> code_;
};

}  // namespace actio::method
