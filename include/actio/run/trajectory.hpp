#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <actio/expr/kernel.hpp>
#include <actio/run/observables.hpp>
#include <actio/run/observer.hpp>
#include <actio/run/pieces.hpp>
#include <actio/run/probe.hpp>
#include <actio/system/model.hpp>
#include <actio/system/support.hpp>

// A trajectory on disk while the run goes on: what was observed before a failure, an interrupt or a full disk is there.
//
//   .h5, .hdf5   datasets t (N), q, v, p (N, n), energy (N), momentum/<name> (N), coordinates (n names); attributes with
//                all that repeats the run, and the certificate once it is there
//                ledger/external, /constraints, /heat, /dissipated, /method, /solver (N) [J] from the start, where forces act
//                multipliers (N, m), constraints (m names), where constraints are kept or a window is asked for
//                reaction/<support>.x, stress/<probe>.xx, ... (N), of solids
//                event/<name>/t, x, x', ... (times), of events; attribute columns: their names, one a line
//                with TrajectoryHeader::columns t and those datasets alone; of states columns/<name> (N), as CSV names them
//   .csv         one line an observation, columns t, x.., x'.., p(x).., energy, momenta; numbers read back to the same bits.
//                Reductions go to OUT.observed.csv, one line a number: name, reduction, figure, index, value; the table of
//                an event to OUT.NAME.csv
//   .xyz         of points: a frame an observation, with labels and places
//   .dcd         of points: a frame an observation, places in single precision, as CHARMM, NAMD and OpenMM write them
//   .h5md        of points: places, velocities, energy, momenta and the ledger, as H5MD 1.1
//   .pvd         for ParaView, of solids: a list of VTU files in a folder of its name, one an observation: displacement and
//                velocity at the nodes, stress and groups of the cells; complete after every flush. On several processes each
//                writes its own cells (Pieces), and the list has PVTU files, which name these
namespace actio::run {

// A column, or one for each element, that a file was asked for by name.
struct OutputColumn {
  std::string name;     // in a CSV file
  std::string dataset;  // in an HDF5 file, from its root
  long elements = 1;
  std::string definition{}, unit{};  // of an observable
};

struct TrajectoryHeader {
  std::vector<std::string> coordinates;                         // n names
  std::vector<std::string> momentum;                            // one a declared symmetry
  std::vector<std::string> multipliers;                         // m names of constraints whose multipliers are observed
  std::vector<std::pair<std::string, std::string>> attributes;  // "title", "problem", "method", "method.beta", "version", ...
  double smallest_step = 0, largest_step = 0;                   // h [s]
  bool ledger = false;                                          // the run keeps one: what forces and the method did
  double start = 0;                                             // the time of the first observation [s]
  long every = 1;                                               // steps between two; 0: they are at times of their own
  std::vector<system::SolidBody> solids{};                      // what a .pvd shows
  std::vector<Probe> probes{};                                  // .csv and .h5 have them in place of coordinates and multipliers
  std::vector<StressProbe> stresses{};                          // .csv and .h5 have them beside
  std::vector<system::Support> supports{};                      // whose reactions .csv and .h5 have
  const system::Model* model = nullptr;                         // for these three; read while a trajectory is opened
  expr::CompileOptions compile{};                               // of the kernels they take
  std::vector<std::string> measured{};                          // the columns they become: made when a trajectory is opened
  Atoms atoms{};                                                // what files of points show
  std::vector<ObservedColumn> observed{};                       // what Observation::observed has
  Pieces pieces{};                                              // of a .pvd; the others are written by one process
  std::vector<std::string> columns{};                           // .csv and .h5 have these alone; none: all
  std::vector<OutputColumn> chosen{};                           // what they become: made when a trajectory is opened
};

// The names of all columns, as a CSV file has them, but for t.
std::vector<std::string> column_names(const TrajectoryHeader& header);
// Places of columns that `asked` names: of one; or of a family or a group, "x" of "x[0]", "x[1]", "p(x)" of "p(x[0])", "ledger"
// of "ledger/method". None where there is no such name.
std::vector<std::size_t> columns_named(std::string_view asked, std::span<const std::string> names);

class Trajectory : public Observer {
 public:
  // Certificate as JSON; an HDF5 file keeps it as an attribute. `observed`: the reductions of the run. Completes the file.
  virtual void finish(std::string_view certificate, std::span<const Observed> observed = {}) = 0;
  // Writes all observations so far to the disk; returns their bytes there, for open_resumable.
  virtual std::int64_t sync() { return 0; }
  // After a failure: which rows a reader finds, and where, for a message; "" where nothing is known to be missing.
  virtual std::string remains() const { return ""; }
  // The run will not be resumed: what was kept for that is removed.
  virtual void forget() {}
};

// Format by extension. Throws core::InputError when the extension is unknown or the file cannot be made.
// Writing throws core::RunError (a full disk), with what was observed before it kept.
std::unique_ptr<Trajectory> open_trajectory(const std::string& path, const TrajectoryHeader& header);

// The first of the files `read` that a run with the output `path` and events of those names would overwrite, by `path` itself or
// by a file beside it (OUT.rows, the frames of a .pvd), with the name of the written file; two empty strings if there is none.
// Names of one file, also by links, count as the same.
struct Clash {
  std::string read, written;
};
Clash clash(const std::string& path, std::span<const std::string> read, std::span<const std::string> events = {});

// Whether several processes write a file of that name together, each its piece: all of them open it and observe.
bool in_pieces(const std::string& path);

// The same of a run that may be killed and resumed; `bytes` is what sync() gave for the state it goes on from, after which
// nothing is kept, or negative for a new file. A file of HDF5 cannot be relied on after a kill: rows go to OUT.rows, and become
// OUT in finish(). Throws core::InputError when the file is not the one that was left.
std::unique_ptr<Trajectory> open_resumable(const std::string& path, const TrajectoryHeader& header, std::int64_t bytes = -1);

}  // namespace actio::run
