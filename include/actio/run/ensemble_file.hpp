#pragma once
#include <actio/run/ensemble.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What an ensemble leaves on the disk. K observations, N members, n coordinates.
//
//   .h5, .hdf5   t (K); output/<name>/mean, standard_deviation, min, max, count (K), quantile (K, Q) of the `quantiles` (Q),
//                histogram (K, bins + 2: below the range, its bins, above), bin_edges (bins + 1); member (N): their numbers;
//                parameter/<name> (N); start/q, start/v, end/q, end/v (N, n); energy_error (N), the largest |E - E0| at an
//                observation; failed_step (N), -1 of those that did not fail; with `keep` trajectory/<name> (K, N); attributes
//                with all that repeats the run, and the summary as JSON
//   .csv         one line an observation, or with `of_members` one line a member: its number, its parameters, the outputs at the
//                end, the largest energy error, why it failed
namespace actio::run {

struct EnsembleHeader {
  std::vector<std::pair<std::string, std::string>> attributes;  // "title", "problem", "method", ...
  bool keep = false;                                            // every output of every member at every observation
  bool of_members = false;                                      // what a .csv has
};

class EnsembleFile {
 public:
  EnsembleFile() = default;
  EnsembleFile(const EnsembleFile&) = delete;
  EnsembleFile& operator=(const EnsembleFile&) = delete;
  virtual ~EnsembleFile() = default;
  // Throws core::RunError when it cannot be written.
  virtual void observe(const Ensemble& now) = 0;
  virtual void finish(const Ensemble& now, std::string_view summary) = 0;
};

// Format by extension. Throws core::InputError when it is unknown, or the file cannot be made.
std::unique_ptr<EnsembleFile> open_ensemble_file(const std::string& path, const EnsembleHeader& header, const Ensemble& ensemble);

}  // namespace actio::run
