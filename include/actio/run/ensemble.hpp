#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <actio/core/aligned_vector.hpp>
#include <actio/expr/kernel.hpp>
#include <actio/method/lanes.hpp>
#include <actio/method/spec.hpp>
#include <actio/run/members.hpp>
#include <actio/run/reduction.hpp>
#include <actio/run/schedule.hpp>
#include <actio/system/model.hpp>

// Many runs of one system at once, which differ in their start and in parameters: members of an ensemble. A member's numbers are
// those of the member alone, to the bit, for any number of threads (method/lanes.hpp).
//
//   Ensemble ensemble(task);
//   while (ensemble.advance()) use(ensemble.reduced(1).mean);        // at every observation
//   for (const MemberFailure& f : ensemble.failures()) ...
namespace actio::run {

// What is run, and what is asked of every member.
struct EnsembleTask {
  std::string title;
  method::Spec method;
  system::Model model;                // with the parameters of the file
  Schedule schedule;                  // of all members: their steps and observations are the same
  Members members;                    // how many, and what differs between them
  std::vector<MemberOutput> outputs;  // numbers of a member at each observation
  std::vector<double> quantiles;      // in [0, 1], ascending
  std::optional<MemberStop> stop{};   // members that stop: the last output is the time they stopped at, "stopped_at"
  std::optional<Bins> energy_bins{};
};

// A member that failed; the others go on.
struct MemberFailure {
  long member = 0, step = 0;  // its state after that many steps is not a number
  double t = 0;
  method::Lanes::Note why = method::Lanes::Note::fine;
};
std::string words(const MemberFailure& failure);  // without the member

// The members side by side, from one observation to the next.
class Ensemble {
 public:
  // Throws core::InputError: steps cannot be generated for the system, or there is no C compiler.
  explicit Ensemble(EnsembleTask task, const expr::CompileOptions& options = {});

  const EnsembleTask& task() const { return task_; }
  // To the next observation; the first call is the one of the start. False after the last, or when `stop` is set.
  bool advance(const std::atomic<bool>* stop = nullptr, const std::function<void(long step)>& progress = {});
  bool stopped() const { return stopped_; }

  long step() const { return step_; }  // of the observation
  double t() const { return t_; }
  // Output 0 is the energy, then those of the task.
  std::size_t outputs() const { return values_.size(); }
  const std::string& name(std::size_t k) const { return names_[k]; }
  const std::optional<Bins>& bins(std::size_t k) const {
    if (k == 0) return task_.energy_bins;
    return k > task_.outputs.size() ? task_.stop->bins : task_.outputs[k - 1].bins;
  }
  std::span<const double> values(std::size_t k) const;  // (members); not a number of those that failed
  const Reduced& reduced(std::size_t k) const { return reduced_[k]; }
  // The largest |E - E0| of each member at the observations so far, not between them; not a number of those that failed, and
  // where an energy was not; of none where forces act or the Lagrangian depends on time, which change it.
  std::span<const double> energy_errors() const { return worst_; }
  bool energy_expected_to_stay() const { return energy_stays_; }
  double q(long member, long coordinate) const { return state(member, coordinate); }  // member: from 0
  double p(long member, long coordinate) const { return state(member, lanes_.coordinates() + coordinate); }
  // Of Newton's method, a step of a member: of those that did not fail, until they stopped.
  double iterations() const;
  const std::vector<MemberFailure>& failures() const { return failures_; }  // by step, then member
  double seconds() const { return seconds_; }                               // of the steps alone

 private:
  static constexpr long width = method::Lanes::width, note_rows = method::Lanes::note_rows;
  using Blocks = core::AlignedVector;  // (rows x width) a block, one after another
  static double* block(Blocks& of, long b, long rows) { return of.data() + b * rows * width; }
  static const double* block(const Blocks& of, long b, long rows) { return of.data() + b * rows * width; }
  long lanes_used(long b) const { return std::min(width, task_.members.count - b * width); }
  bool is_finite(const double* state, long lane) const;
  double state(long member, long row) const;
  void start();
  void make_observer(const expr::CompileOptions& options);
  void observe();
  void follow_energy();
  void chunk(long from, long count);
  void find_failure(long b, const double* before, long from, long count);

  EnsembleTask task_;
  method::Lanes lanes_;
  method::Lanes::Before before_;
  long blocks_ = 0, varied_ = 0;
  Blocks state_, constants_, notes_;
  std::vector<std::int64_t> failed_;  // the step; -1: it did not
  std::vector<std::int64_t> why_;
  std::vector<MemberFailure> failures_;
  std::vector<std::string> names_;
  std::vector<double> uniforms_;  // of the observer
  expr::Module observer_;
  std::vector<Blocks> values_;  // one row each
  std::vector<Reduced> reduced_;
  std::vector<double> energy0_, worst_;
  long step_ = -1;
  double t_ = 0, seconds_ = 0;
  bool stopped_ = false, energy_stays_ = true;
};

}  // namespace actio::run
