#pragma once
#include <atomic>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <actio/io/problem.hpp>
#include <actio/method/spec.hpp>
#include <actio/session/session.hpp>

// Which method, what step: methods ranked by what a problem is, the first of them tried on it at equal error. It chooses nothing
// and changes no file: the lines are for the user to paste.
//
//   Advice advice = advise([](const io::LoadOptions& how) { return io::load("kepler.toml", how); }, {}, {});
//   std::cout << text(advice);
namespace actio::session {

// How much is tried, and by what error methods are compared.
struct AdviseOptions {
  double error = 1e-4;                                     // of positions at the times compared, over the farthest that they move
  long tries = 3;                                          // methods that are tried
  double seconds = 10;                                     // for all trials together
  std::vector<std::string> methods;                        // only these are ranked; empty: all that take the system
  Choices choices;                                         // how kernels and matrices are made (session.hpp)
  const std::atomic<bool>* stop = nullptr;                 // set from a signal handler: the advice so far is given back
  std::function<void(const std::string& words)> progress;  // what is being tried
};

// What a trial measured. The step is the longest whose error is the one asked for, to two digits.
struct Trial {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  double step = none;          // h [s]; the first one where steps follow the motion
  double steps_a_time = none;  // steps in a unit of time
  double ns_a_step = none;     // [ns]
  double cost = none;          // [ns] of computing a unit of time
  double order = none;         // of positions, by steps h, h/2 and h/4
  double error = none;         // of positions at that step, by the finest of the three
  double energy_error = none;  // |E - E0| over the largest kinetic energy; NaN where the energy is not expected to stay
  std::string verdict;         // of the certificate, as in JSON
  std::string why_not;         // "", or why nothing was measured
  std::string remark;          // "", or what limits the step
  bool measured() const { return why_not.empty(); }
};

// A method that takes the problem, with its place in the ranking and, where it was tried, what that measured.
struct Ranked {
  method::Spec spec;
  std::string reason;  // one sentence
  // By the linear theory of the method: a step [s], and the cost of a unit of time [ns]; NaN: unknown.
  double step_guess = Trial::none, predicted = Trial::none;
  bool structure = true;  // it keeps what the system keeps
  bool tried = false;
  Trial trial;
  std::string name() const { return spec.name(); }
};

// What advise() gives back.
struct Advice {
  // What the ranking rests on: "frequencies", "from 1.2 to 340 rad/s".
  struct Fact {
    std::string label, text;
  };
  std::string title, path, time_unit;       // of the problem; "" where it names no units
  std::vector<Fact> facts;                  // in the order of the text
  double start = 0, window = 0, share = 0;  // the trials' time span [s], and what part of the run that is
  double error = 0;
  std::string error_words;     // what the error is of
  std::vector<Ranked> ranked;  // the best first: those that were tried by their cost, then the others by rank
  long best = -1;              // in `ranked`; -1: no trial came to an end
  bool interrupted = false;
};

// `load` reads the problem; its options are how it is read for one method. A [method] and a run.step of the file need not be
// there.
using LoadProblem = std::function<io::Problem(const io::LoadOptions&)>;
// Ranks the methods and tries the first of them, with `overrides` as for a run. Throws core::InputError where the problem is
// wrong whatever the method, and where no method takes it.
Advice advise(const LoadProblem& load, const std::vector<std::string>& overrides, const AdviseOptions& options);

// `[method]` and the step of `[run]`, to be pasted into a problem file.
std::string lines_to_paste(const method::Spec& spec, double step);
// As `actio advise` prints it, and with --json.
std::string text(const Advice& advice);
std::string json(const Advice& advice);

}  // namespace actio::session
