#pragma once
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>

#include <actio/run/trajectory.hpp>

// One file a format; run/trajectory.cpp chooses.
namespace actio::run {

// What a ledger is written as, in this order.
struct LedgerColumn {
  const char* name;
  double LedgerEntry::*value;
};
inline constexpr std::array<LedgerColumn, 6> ledger_columns{{{"external", &LedgerEntry::external},
                                                             {"constraints", &LedgerEntry::constraints},
                                                             {"heat", &LedgerEntry::heat},
                                                             {"dissipated", &LedgerEntry::dissipated},
                                                             {"method", &LedgerEntry::method},
                                                             {"solver", &LedgerEntry::solver}}};

// bytes: as in open_resumable.
std::unique_ptr<Trajectory> open_csv(const std::string& path, const TrajectoryHeader& header, std::int64_t bytes = -1);
std::unique_ptr<Trajectory> open_xyz(const std::string& path, const TrajectoryHeader& header, std::int64_t bytes = -1);
std::unique_ptr<Trajectory> open_dcd(const std::string& path, const TrajectoryHeader& header, std::int64_t bytes = -1);
std::unique_ptr<Trajectory> open_hdf5(const std::string& path, const TrajectoryHeader& header);
std::unique_ptr<Trajectory> open_h5md(const std::string& path, const TrajectoryHeader& header);
// Rows beside a file of HDF5, which `open` makes of them when the run ends.
using OpenFile = std::unique_ptr<Trajectory> (*)(const std::string& path, const TrajectoryHeader& header);
std::unique_ptr<Trajectory> open_rows(OpenFile open, const std::string& path, const TrajectoryHeader& header, std::int64_t bytes);
std::unique_ptr<Trajectory> open_pvd(const std::string& path, const TrajectoryHeader& header, std::int64_t frames = -1);
// What a run that is killed leaves beside an HDF5 or H5MD file.
inline std::string rows_beside(const std::string& path) { return path + ".rows"; }
// Where a CSV file has the reductions of a run, OUT.observed.csv, and what writes them. Throws core::RunError when it cannot.
std::string reductions_beside(const std::string& path);
void write_observed(const std::string& path, std::span<const Observed> observed);
// OUT.NAME.csv: the table of an event.
std::string event_beside(const std::string& path, const std::string& name);
void write_events(const std::string& path, std::span<const Observed> observed);
// A name in an HDF5 file, where a slash would be a level.
inline std::string within_group(std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}
// "" where there is none of that name.
std::string attribute_of(const TrajectoryHeader& header, std::string_view name);
// One name a column: "roof", or "bond[0]", "bond[1]", ...
std::vector<std::string> names_of(const std::vector<ObservedColumn>& columns);
// What becomes the list of frames, and the number of the frame that a file in its folder is of: <stem>_000001.vtu or .pvtu, or a
// piece of the latter, <stem>_000001_p0001.vtu. Negative where it is of none.
inline std::string next_list(const std::string& path) { return path + ".new"; }
long frame_of(std::string_view name, const std::string& stem);
// What a file with probes has for names, and a trajectory that shows it them.
TrajectoryHeader of_probes(const TrajectoryHeader& header);
// The reactions and stresses that a file has columns for, and a trajectory that shows it them; the file itself where there are
// none.
class Measures;
std::vector<std::string> measured_names(const TrajectoryHeader& header);
std::shared_ptr<Measures> measures(const TrajectoryHeader& header);
const std::vector<std::string>& names_of(const Measures& measures);
std::unique_ptr<Trajectory> show_measures(std::shared_ptr<Measures> measures, std::unique_ptr<Trajectory> file);
std::unique_ptr<Trajectory> show_probes(const TrajectoryHeader& header, std::unique_ptr<Trajectory> file);
// Header::columns alone, in their order: what a file has for names, and a trajectory that shows it them, as `measured`. Throws
// core::InputError where the run has no such column.
TrajectoryHeader of_columns(const TrajectoryHeader& header);
std::unique_ptr<Trajectory> show_columns(const TrajectoryHeader& header, std::unique_ptr<Trajectory> file);

}  // namespace actio::run
