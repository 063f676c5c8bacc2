#pragma once
#include <chrono>
#include <optional>

#include <actio/session/advise.hpp>

// The parts of advise(): facts.cpp, candidates.cpp, trial.cpp, advise.cpp, words.cpp.
namespace actio::session::advice {

// What a problem is, as far as methods differ by it.
struct Facts {
  bool separable = false, linear = false, forced = false, noise = false, autonomous = true;
  bool newtonian = false;       // a potential below 0 that is homogeneous of degree -1
  bool few_coordinates = true;  // steps are generated for few
  bool signals = false;         // of samples with straight lines between them: the solution has kinks, and orders are low
  bool lists = false;           // pairs by cutoff or Ewald sums: matrices of second derivatives are large
  double step = Trial::none;    // of the file
  double length = 0;            // of the run [s]
  double ns = Trial::none, look = Trial::none;         // of a step along a short run [ns], and its h [s]
  double rate = Trial::none;                           // rms of accelerations over that of velocities along a short run [rad/s]
  double highest = Trial::none, lowest = Trial::none;  // frequencies at the start [rad/s]
  double window = 0;                                   // of the trials [s]
  double encounters = 1;  // the shortest of the motion's own times is this much shorter than their mean, of a Newtonian system
  Eigen::VectorXd q, v;   // with a thermostat: a state that its noise led to, from which trials start; else empty
  bool stiff() const { return highest > 10 * rate; }
  bool conserves() const { return !forced; }
};

inline constexpr double close = 4;  // of Facts::encounters, above which there are close ones

// Reads the problem for a method, with no more than is needed to step it.
class Source {
 public:
  Source(const LoadProblem& load, const std::vector<std::string>& overrides, const AdviseOptions& options);
  const io::Problem& problem() const { return problem_; }  // with some method that takes it
  bool step_given() const { return step_given_; }
  // Ready to run with steps of h for so many steps, or to an end where steps follow the motion; `look`: for a look at some steps,
  // without reading the file for this method anew. Throws core::InputError.
  Session open(const method::Spec& spec, double h, long steps, double end, bool look = false, bool interpreted = false) const;
  const AdviseOptions& options() const { return options_; }

 private:
  const LoadProblem& load_;
  std::vector<std::string> overrides_;
  const AdviseOptions& options_;
  bool step_given_ = true;
  io::Problem problem_;
};

class Deadline {
 public:
  explicit Deadline(double seconds) : end_(now() + seconds) {}
  double left() const { return end_ - now(); }
  static double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

 private:
  double end_;
};

// The facts, and how they are said; and the time span of the trials.
Facts facts_of(const Source& source, Advice& out);
// The first methods of a ranking, each at the two orders that promise most; of more than 100 methods all.
std::vector<std::size_t> to_be_tried(const std::vector<Ranked>& ranked, long methods, std::size_t orders);

// The methods that take the system, with orders and compositions of theirs, ranked.
std::vector<Ranked> candidates(const Source& source, const Facts& facts, double window);

void rank_by_trials(const Facts& facts, Advice& out);

// Of one method, over the window, in so much time; it ends early where it costs many times `cheapest` [ns a unit of time].
Trial try_method(const Source& source, const Facts& facts, const Ranked& candidate, double window, double seconds,
                 double cheapest);

// The method without noise between its steps.
std::unique_ptr<method::Integrator> steps_of(const Session& session);
// From the start over `count` steps of h; false where they failed or the state is not finite.
bool go(method::Integrator& steps, long count, double h);

}  // namespace actio::session::advice
