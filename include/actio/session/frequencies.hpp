#pragma once
#include <actio/method/frequencies.hpp>
#include <actio/session/session.hpp>
#include <optional>
#include <string>

namespace actio::session {

// The unit of time of a problem, where it has one: "s", "day", "48.8882 fs"; "" where the file names no units. Solids are in
// seconds without a word.
std::string time_unit(const io::Problem& problem);
// "rad/day", "rad per 48.8882 fs", "rad per unit of time".
std::string per_time(const std::string& what, const std::string& unit);

// The frequencies of a problem linearised at its start, and what they ask of its method's steps.
struct Linearised {
  method::Frequencies of;
  std::string why_no_limit;  // "", or why no step can be named
  double limit = 0;          // of h highest [1], of the method: 0 where every step grows, infinite where none does
  double step = 0;           // the largest of the problem [s]

  bool stable() const { return !(step * of.highest > limit); }
};
Linearised linearise(const Session& session);

// A step above the limit of the problem's method, by the highest frequency that a few products find at the start: then it is
// above it for certain, of the linearised system. Costs a small share of the run.
struct StepTooLarge {
  double step = 0, limit = 0, frequency = 0;  // the largest of the problem [s], what the method allows [s], [rad/s]
  bool of_start = false;                      // the system is not linear: it holds at the start
  std::string unit;                           // of time, by time_unit
  std::string words(const std::string& method) const;
};
std::optional<StepTooLarge> step_too_large(const Session& session);
// What is said to try of a run that failed so.
std::string likely_cause(const StepTooLarge& step, const std::string& method);

}  // namespace actio::session
