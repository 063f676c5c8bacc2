#pragma once
#include <actio/core/error.hpp>
#include <actio/run/histogram.hpp>
#include <actio/system/element_function.hpp>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What is asked of the states of a run: numbers made of coordinates, velocities and what a run knows besides, as they are or
// reduced over the time. Declared here for problem files, runs and ensembles alike.
namespace actio::system {
struct Model;
}
namespace actio::run {

// What a run knows of a state beside its coordinates.
struct Quantity {
  enum class Kind {
    energy,            // v . dL/dv - L
    kinetic_energy,    // T, which is v . p / 2
    potential_energy,  // E - T
    temperature,       // 2 T / (n - m), in units of energy: n coordinates that move, m constraints
    discrete_energy,   // KMOW (2.11): -dLd/dh of the step that leaves the state
    stopped_at,        // the time a member of an ensemble stopped at
    momentum,          // p . xi(q) of a symmetry
    discrete_momentum  // KMOW (2.10): D2 Ld(q0, q1) . xi(q1) of the step that leaves the state
  } kind;
  std::string name;          // in expressions
  std::size_t symmetry = 0;  // of a momentum
};
// Those of a model: a momentum has the name of its symmetry with _ for what no name has, "angular_momentum".
std::vector<Quantity> quantities_of(const system::Model& model);
// Why the model has none of that kind; "" where it has.
std::string why_undefined(Quantity::Kind kind, const system::Model& model);

// What becomes of the values over the time.
enum class Reduce {
  mean,
  rms,
  largest,
  smallest,
  histogram,
  radial_distribution,  // of distances: how often, beside points spread evenly in a box
  autocorrelation,
  mean_square_displacement
};
struct ReduceType {
  Reduce kind;
  std::string_view name;  // in problem files and results
  bool of_vectors;        // the value may be a vector; all others take numbers
  bool of_lags;           // of times a lag apart: they ask for equal steps
  bool of_bins = false;
};
std::span<const ReduceType> reduce_types();
const ReduceType& type_of(Reduce kind);

// What becomes of the values of all elements at one time.
enum class Combine { none, sum, mean, rms, largest, smallest };
struct CombineType {
  Combine kind;
  std::string_view name;
};
std::span<const CombineType> combine_types();

struct Observable {
  std::string name;
  std::string unit;        // as it is to be written; "" where none was given
  std::string definition;  // the expression, with its range
  core::Source source{};   // of the definition, for errors
  // The value, or the components of a vector, over the same elements. Columns of a graph, `locals` each: positions q0,
  // velocities, accelerations, momenta, positions q1 at the end of the step that leaves the state, reactions; then data.
  // Uniforms: the time, the parameters, the signals, the quantities of the model, then the observables before this one that are
  // one number.
  std::vector<system::ElementFunction> components{};
  Combine combine = Combine::none;
  std::vector<Reduce> reductions{};                         // none: the values are written with every observation
  std::optional<Bins> bins{};                               // of a histogram, and of a radial distribution
  std::vector<double> box{};                                // of the latter: the lengths of the periodic box
  long every = 1;                                           // steps between two values that are reduced
  double after = -std::numeric_limits<double>::infinity();  // [s] those before are not
  bool hidden = false;                                      // for others to name: neither written nor reduced
  bool of_event = false;                                    // for an event: neither written nor reduced
  bool turns = false;                                       // an angle within half a turn, which is followed from step to step
  long elements() const { return components.empty() ? 0 : components.front().elements; }
  bool single() const { return components.size() == 1 && (elements() == 1 || combine != Combine::none); }
};
enum class State { position, velocity, acceleration, momentum, next, reaction };  // groups of columns of an observable
inline constexpr long states_of_observable = 6;

// What a reduction comes to.
struct Figure {
  std::string name;  // "value", "standard_error", "lag"
  std::vector<double> values;
  bool list = false;  // else there is one
};
// A column that is one number, over the times at which it was written. Values that are not finite do not count, but for `last`.
struct ColumnSummary {
  double largest, largest_time, smallest, smallest_time, rms, last;
};
struct SummaryFigure {
  const char* name;  // in results
  double ColumnSummary::*value;
};
inline constexpr std::array summary_figures{
    SummaryFigure{"largest", &ColumnSummary::largest},   SummaryFigure{"largest_time", &ColumnSummary::largest_time},
    SummaryFigure{"smallest", &ColumnSummary::smallest}, SummaryFigure{"smallest_time", &ColumnSummary::smallest_time},
    SummaryFigure{"rms", &ColumnSummary::rms},           SummaryFigure{"last", &ColumnSummary::last}};
struct Observed {
  std::string name, unit, definition;
  long elements = 1;
  long times = 0;              // at which the value was looked at
  double first = 0, last = 0;  // of them [s]
  struct Reduction {
    std::string name, text;  // text: in words, for a terminal
    std::vector<Figure> figures;
  };
  std::vector<Reduction> reductions;
  std::optional<ColumnSummary> column{};  // where it is one, and has no reductions
  bool event = false;                     // its one "reduction" is the table of an event, a list a column; `times` of them
};
inline bool reduces(std::span<const Observed> observed) {
  for (const Observed& of : observed)
    if (!of.column && !of.event) return true;
  return false;
}

}  // namespace actio::run
