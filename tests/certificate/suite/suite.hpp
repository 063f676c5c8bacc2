#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <actio/invariant/certificate.hpp>
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <actio/run/integrate.hpp>

// The certificate as an instrument: runs whose verdict is known before they are made, some sound and some spoiled on purpose, and
// how often the verdict is another one. Runs are read, put together and integrated as `actio run` does it.
namespace certificate {

using namespace actio;
using Verdict = invariant::Certificate::Verdict;

// What may be said of a run, as a set; `refused`: it is not begun. What is wrong with a run is seen where it fails or is not
// resolved.
enum Right : unsigned { kept = 1, no_claims = 2, unresolved = 4, failed = 8, refused = 16, seen = unresolved | failed };
unsigned set_of(Verdict verdict);

// Takes one step of `system` in place of its own, and leaves it there.
using Step = std::function<method::BatchReport(method::Integrator& system, double h, long number)>;

struct Run {
  std::string kind{}, name{};
  std::string problem{};                 // a text, or the path of a file
  std::vector<std::string> overrides{};  // as on the command line
  bool spoiled = false;
  unsigned right = kept;
  // Where not empty: the steps are those of the problem with these overrides too, another method or another system than the one
  // that is certified.
  std::vector<std::string> stepped_as{};
  Step step{};                               // where given: takes the steps
  std::function<void(io::Problem&)> edit{};  // where given: changes what was read
  std::string unsaid{};                      // where given: a word that must not be in the certificate
  bool long_run = false;                     // for the benchmark alone
};

// All of them, in the order of the table. Names are unique.
const std::vector<Run>& all();

// What came of one.
struct Result {
  const Run* run = nullptr;
  bool started = false;  // false: it was refused before its first step
  std::string why;       // by this message
  Verdict verdict = Verdict::failed;
  std::vector<std::string> broken, unresolved;
  std::string text;                   // the certificate
  std::string failure;                // the first line of it
  double seconds = 0, measuring = 0;  // steps and observation; the rest of integrate()
  bool said = false;                  // the word that must not be
  bool wrong() const;
};
// `clock` [s] tells what the run and its measuring take; one that stands still measures all, on every machine.
Result make(const Run& run, const expr::CompileOptions& kernels, const std::function<double()>& clock = {});

// Counts by kind and a line for each run with the wrong verdict.
std::string table(const std::vector<Result>& results);
std::string offenders(const std::vector<Result>& results);
struct Rates {
  long spoiled = 0, false_kept = 0;
  long sound = 0, false_failed = 0, false_unresolved = 0;
  long not_started = 0;
};
Rates rates(const std::vector<Result>& results);

// A problem put together as the program does, with the steps of the run.
struct Opened {
  io::Problem problem;
  std::unique_ptr<method::Integrator> integrator;
  invariant::MomentumMap momentum;
  run::Task task;
};
Opened open(const Run& run, const expr::CompileOptions& kernels);

// One file a group; each adds to the list.
void add_spoiled_steps(std::vector<Run>& runs);
void add_spoiled_systems(std::vector<Run>& runs);
void add_large_steps(std::vector<Run>& runs);
void add_spoiled_numbers(std::vector<Run>& runs);
void add_sound_methods(std::vector<Run>& runs);
void add_sound_systems(std::vector<Run>& runs);
void add_sound_numbers(std::vector<Run>& runs);

}  // namespace certificate
