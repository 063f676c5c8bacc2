#include <actio/session/reference.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <actio/core/error.hpp>
#include <actio/method/spec.hpp>

namespace actio::session {
namespace {

constexpr double most_kept = 2e8;  // numbers: 1.6 GB

// As the problem asks, in steps of about h: a whole number of them leads from one observation to the next.
double refine(io::Problem& p, double h) {
  run::Schedule& s = p.schedule;
  if (!s.one_size())
    throw core::InputError("a reference with a step: the steps of the file differ, so no other step meets all its observations",
                           "give a reference that chooses its own steps: cvode-adams");
  const double coarse = s.step[0], parts = std::max(1.0, std::ceil(coarse / h * (1 - 1e-9)));
  if (!(parts * static_cast<double>(s.steps) < 1e15))
    throw core::InputError(fmt::format("the reference: steps of {} are too many", h), "take larger steps, or an earlier run.end");
  const auto m = static_cast<long>(parts);
  run::Steps fine;
  (void)fine.append(coarse / parts, (s.steps - (s.last_is_shorter ? 1 : 0)) * m);  // two changes always fit
  if (s.last_is_shorter) (void)fine.append(s.last_step() / parts, m);
  s.last_is_shorter = false;
  s.step = std::move(fine);
  s.steps *= m;
  s.every *= m;
  return s.step[0];
}

// Of a run whose steps follow the motion: steps of h to its end, observed at the times that it gives.
void take_equal_steps(io::Problem& p, double h) {
  run::Schedule& s = p.schedule;
  if (!(h > 0) || !s.to_a_time() || s.at.empty())
    throw core::InputError("the reference: the steps of the file follow the motion, and its observations are where they end",
                           "give times with run.at or run.every_time, run.end, and a reference with a step: gauss@0.001");
  p.method.control = nullptr;
  s.step = h;
  if (p.method.transforms_time()) return;
  const double count = std::ceil((s.end - s.start) / h * (1 - 1e-12));
  if (!(count < 1e15)) throw core::InputError(fmt::format("the reference: steps of {} are too many", h), "take larger steps");
  s.follows = false;
  s.steps = static_cast<long>(count);
}

}  // namespace

Reference::Reference(const std::string& words) {
  const std::size_t at = words.find('@');
  method_ = words.substr(0, at);
  if (method::method_named(method_) == nullptr) {
    const std::vector<std::string> known = method::method_names();
    const std::string hint = core::did_you_mean(method_, known);
    throw core::InputError(fmt::format("the reference: unknown method \"{}\"", method_),
                           hint.empty() ? fmt::format("known methods: {}", fmt::join(known, ", ")) : hint);
  }
  if (at == std::string::npos) {
    if (!method::method_named(method_)->traits().chooses_steps)
      throw core::InputError(fmt::format("the reference: {} takes the steps it is given, and none is", method_),
                             fmt::format("for example {}@0.0001", method_));
    return;
  }
  const std::string number = words.substr(at + 1);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), asked_);
  if (error != std::errc() || end != number.data() + number.size() || !(asked_ > 0) || !std::isfinite(asked_))
    throw core::InputError(fmt::format("the reference: \"{}\" is not a positive step", number),
                           fmt::format("for example {}@0.0001", method_));
}

void Reference::prepare(io::Problem& p) {
  const double rows = p.schedule.at.empty() ? static_cast<double>(p.schedule.steps) / static_cast<double>(p.schedule.every)
                                            : static_cast<double>(p.schedule.at.size());
  const double numbers = rows * static_cast<double>(p.model.size());
  if (p.schedule.follows && p.schedule.at.empty()) take_equal_steps(p, asked_);  // says that it needs times
  if (numbers > most_kept)
    throw core::InputError(
        fmt::format("the reference keeps its positions at every observation: {:.2g} numbers are too many", numbers),
        "observe less often: run.every=100");
  p.level = invariant::Level::off;
  if (p.schedule.follows) {
    take_equal_steps(p, asked_);
    step_ = asked_;
    return;
  }
  step_ = asked_ > 0 ? refine(p, asked_) : p.schedule.step.largest();
}

void Reference::finish(const invariant::Certificate& certificate, std::vector<Extreme> extremes) {
  if (const auto& failure = certificate.failure)
    throw core::RunError(failure->step, failure->t, "the reference: " + failure->message, failure->hint);
  energy_error_ = invariant::energy_error(certificate);
  extremes_ = std::move(extremes);
}

void Reference::observe(const run::Observation& now) {
  t_.push_back(now.state.t);
  q_.push_back(now.state.q);
  moved_ = std::max(moved_, (now.state.q - q_.front()).norm());
}

long Reference::at(double t) const {
  const double spacing = t_.size() > 1 ? (t_.back() - t_.front()) / static_cast<double>(t_.size() - 1) : 0;
  const double slack = 1e-6 * spacing;
  const auto found = std::lower_bound(t_.begin(), t_.end(), t - slack);
  return found != t_.end() && *found <= t + slack ? found - t_.begin() : -1;
}

void Errors::observe(double t, const Eigen::Ref<const Eigen::VectorXd>& q) {
  const long k = reference_.at(t);
  if (k < 0) {
    at_end = invariant::unmeasured;  // until one is compared again
    return;
  }
  const double distance = (q - reference_.q(k)).norm();
  at_end = reference_.moved() > 0 ? distance / reference_.moved() : distance;
  if (!(at_end <= largest)) largest = at_end;
}

std::vector<std::pair<std::string, double>> peak_errors(const std::vector<Extreme>& run, const std::vector<Extreme>& reference) {
  std::vector<std::pair<std::string, double>> out;
  for (const Extreme& peak : reference) {
    const auto same = std::ranges::find(run, peak.name, &Extreme::name);
    const double size = std::abs(peak.largest);
    const double error = same == run.end() ? Extreme::none : std::abs(std::abs(same->largest) - size);
    out.emplace_back(peak.name, size > 0 ? error / size : error);
  }
  return out;
}

std::string Reference::words() const {
  const std::string steps =
      method::method_named(method_)->traits().chooses_steps ? "its own steps" : fmt::format("steps of {:.6g}", step_);
  std::string out = fmt::format("reference: {} with {}, {} observations", method_, steps, observations());
  if (!std::isnan(energy_error_)) out += fmt::format("; its energy error is {:.1e}", energy_error_);
  out += moved_ > 0 ? fmt::format(
                          "\nposition error: |q - q_ref|, the largest over the observations and the one at the end, in parts of "
                          "{:.4g}, which is the farthest that q_ref is from its start\n",
                          moved_)
                    : "\nposition error: |q - q_ref|, the largest over the observations and the one at the end\n";
  return out + "peak error: of the value farthest from 0 over the observations, in parts of that of the reference\n";
}

}  // namespace actio::session
