#pragma once
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include <actio/core/error.hpp>
#include <actio/invariant/level.hpp>
#include <actio/io/places.hpp>
#include <actio/method/spec.hpp>
#include <actio/run/event.hpp>
#include <actio/run/members.hpp>
#include <actio/run/observable.hpp>
#include <actio/run/probe.hpp>
#include <actio/run/schedule.hpp>
#include <actio/system/model.hpp>
#include <actio/system/support.hpp>

// A problem file, read and checked. See docs/problem-file.md for every key.
namespace actio::io {

// [ensemble]: the members, and what is asked of them.
struct EnsembleRequest {
  run::Members members;
  std::vector<run::MemberOutput> outputs;
  std::vector<double> quantiles;
  std::optional<run::MemberStop> stop;
  std::optional<run::Bins> energy_bins;
  bool keep = false;  // every output of every member at every observation is written
  // Why the members cannot run together. One of them alone may; outputs, quantiles and stop are then not read.
  std::optional<core::InputError> refused;
};

// Friction D = a M + b K by the damping ratios of two motions, xi = (a/w + b w)/2.
struct Rayleigh {
  std::string path;                   // "system.rayleigh"
  std::array<double, 2> ratio{};      // xi
  std::array<long, 2> mode{};         // from 1, rigid ones not counted; 0: the file gives frequencies
  std::array<double, 2> frequency{};  // [Hz]
  double mass = 0, stiffness = 0;     // a [1/s], b [s]
};

// Velocities that initial.temperature has drawn.
struct ThermalStart {
  double kT = 0;  // k_B T, in the units of energy of the file
  long coordinates = 0, constraints = 0, momenta = 0;
  long freedom() const { return coordinates - constraints - momenta; }  // f of f/2 k_B T, the mean of the kinetic energy
};

struct Problem {
  std::string path;
  std::string text;                    // the file, for the output's attributes
  std::vector<std::string> overrides;  // key=value as given
  std::vector<std::string> files;      // that it names: the paths they were read from
  system::Model model;
  Eigen::VectorXd q0, v0;  // (n)
  method::Spec method;
  run::Schedule schedule;
  run::Bounds bounds;                                   // [certificate]
  invariant::Level level = invariant::Level::standard;  // of the certificate
  std::vector<run::Probe> probes;                       // of solids
  std::vector<run::StressProbe> stresses;
  std::vector<system::Support> supports;
  std::vector<std::pair<std::string, Eigen::VectorXd>> bases;  // of [system.base]: name, and the direction r (n)
  std::vector<Rayleigh> rayleigh;                              // what was computed from ratios; it is in the model's damping
  std::optional<ThermalStart> drawn;
  std::vector<run::Observable> observables;  // those of events among them
  std::vector<run::Event> events;
  std::vector<std::string> columns;  // run.columns: the columns of a trajectory file; none: all
  bool project = false;              // initial.project: the start is moved onto the constraints
  bool equilibrium = false;          // initial.static: the start is moved to where the forces at run.start are in balance
  std::shared_ptr<const EnsembleRequest> ensemble;         // null: there is none. The rest is then the file's own, of no member
  std::vector<std::pair<std::string, std::string>> units;  // that the file names, and those that follow: {"time", "48.8882 fs"}
  run::Atoms atoms;                                        // the points of the file, for a trajectory
  Places places;                                           // for errors that are found when the problem is made ready to run
};

struct LoadOptions {
  std::vector<std::string> overrides;  // "run.end=1e4", "method.name=verlet", "system.parameters.c=2"
  std::string method;                  // replaces method.name; fields of [method] that the new method lacks are dropped
  std::vector<std::string> sweep{};    // "c=1,2,3": an ensemble of all combinations of these values of parameters
};

// Throws core::InputError with file:line:column, a caret and a hint.
Problem load(const std::string& path, const LoadOptions& options = {});
// The same from a text; `path` is used in messages and to find files named in it.
Problem load_text(const std::string& text, const std::string& path, const LoadOptions& options = {});
// One more event, of a function, beside those of the file. Throws core::InputError where its name is none, or taken.
void add_event(Problem& problem, run::Event event);
// A method by its name, or by what stands under [method] in a problem file.
method::Spec load_method(const std::string& text);

}  // namespace actio::io
