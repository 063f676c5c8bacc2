#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/method/compatibility.hpp>
#include <actio/method/composition.hpp>
#include <actio/method/spectral.hpp>

#include "parts.hpp"

namespace actio::session::advice {
namespace {

using method::Keeps;
using method::Matrices;
using method::Spec;

constexpr int highest_order = 8;

// The orders that a field gives: gauss of 2, 3, 4 stages.
void add_orders(const Spec& spec, std::vector<Spec>& out) {
  const int own = spec.properties().order;
  Spec tried = spec;
  for (const core::AnyField& field : tried.fields()) {
    int* const* number = std::get_if<int*>(&field.value);
    if (!number) continue;
    const int given = **number;
    for (int value = given + 1; value <= static_cast<int>(field.most); ++value) {
      **number = value;
      const int order = tried.properties().order;
      if (order <= own || order > highest_order) break;
      out.push_back(tried);
    }
    **number = given;
  }
}

// Composing pays where a step is cheap, and where no other method has the orders.
bool worth_composing(const Spec& spec) {
  const method::Traits& t = spec.traits();
  return method::composable(t, spec.properties()) && (t.matrices == Matrices::none || t.matrices == Matrices::mass ||
                                                      t.on_groups || spec.properties().keeps == Keeps::energy);
}

std::vector<Spec> with_orders(const Spec& spec, const Facts& facts) {
  std::vector<Spec> out{spec};
  if (facts.signals) return out;
  add_orders(spec, out);
  if (worth_composing(spec))
    for (const auto& [order, scheme] : {std::pair(4, "suzuki"), std::pair(6, "kahan-li"), std::pair(8, "kahan-li")}) {
      Spec composed = spec;
      composed.composed = true;
      composed.composition = {order, scheme};
      out.push_back(composed);
    }
  return out;
}

// What a step of the linear oscillator says.
class LinearTheory {
 public:
  explicit LinearTheory(Spec spec) : spec_(std::move(spec)) {}
  // The largest h w with which a motion is off by less than `error` after it has turned by `angle`; none: no theory.
  double accurate(double angle, double error) const {
    for (double Omega = 3; Omega > 1e-5; Omega *= 0.8) {
      const method::Spectrum s = method::spectrum(spec_, Omega);
      const double damping = std::isnan(s.damping_ratio) ? 0 : std::abs(s.damping_ratio);
      if (s.radius > 1 + 1e-6 || !(angle * std::max(std::abs(s.period_error), damping) <= error)) continue;
      if (swing(Omega) <= error) return Omega;
    }
    return Trial::none;
  }
  // The same step, or the next shorter one with which a motion of frequency w stays bounded.
  double stable(double h, double w) const {
    for (int k = 0; k < 60 && h * w > 0.01 && method::spectrum(spec_, h * w).radius > 1 + 1e-6; ++k) h *= 0.8;
    return h;
  }

 private:
  // What does not add up: the difference of one step A from the exact one R, in (q, v/w), over h w. With A = C R' C^-1 it is that
  // of C from 1, as of symplectic Euler, whose period is that of Verlet.
  double swing(double Omega) const {
    Eigen::MatrixXd A = method::amplification(spec_, Omega);  // on (q, h v), or (q, h v, h^2 a)
    if (A.cols() > 2) A.col(0) -= Omega * Omega * A.col(2);
    const double c = std::cos(Omega), s = std::sin(Omega);
    return std::hypot(A(0, 0) - c, A(1, 1) - c, std::hypot(Omega * A(0, 1) - s, A(1, 0) / Omega + s)) / Omega;
  }

  Spec spec_;
};

class Ranking {
 public:
  Ranking(const Source& source, const Facts& facts, double window) : source_(source), facts_(facts), window_(window) {}

  void predict(Ranked& r) {
    const Spec& spec = r.spec;
    if (spec.traits().finds_step || (spec.traits().transforms_time && !facts_.newtonian)) return;
    const double rate = std::isfinite(facts_.rate)      ? facts_.rate
                        : std::isfinite(facts_.highest) ? facts_.highest
                        : std::isfinite(facts_.step)    ? 0.2 / facts_.step
                                                        : 100 / window_;
    r.step_guess = step(spec, rate);
    r.predicted = ns_a_step(spec, r.step_guess) / r.step_guess;
    // The first step of those that follow the motion is as long as the others in the fictitious time; it is measured here by
    // time.
  }

 private:
  // By linear theory at the frequency of the motion, below the limit of the highest.
  double step(const Spec& spec, double rate) const {
    const method::Traits& t = spec.traits();
    const double angle = std::max(1.0, rate * window_), error = source_.options().error;
    if (t.needs_split) return 0.6 / rate;
    if (t.chooses_steps) return 0.3 / rate;
    Spec plain = spec;
    if (t.transforms_time || t.on_groups) plain.choice = method::Verlet{};  // what it is on an oscillator
    plain.control = nullptr;
    const LinearTheory theory(plain);
    double Omega = 0.1;
    try {
      Omega = theory.accurate(angle, error);
    } catch (const core::InputError&) {}  // no oscillator is one for it: rigid bodies
    if (std::isnan(Omega)) Omega = 1e-4;
    double h = Omega / rate;
    if (t.transforms_time) return h * std::max(1.0, facts_.encounters / 2) / facts_.encounters;
    h /= facts_.encounters;
    if (facts_.highest > 0) try {
        h = theory.stable(h, facts_.highest);
      } catch (const core::InputError&) {}
    return h;
  }

  // Of a step or two, interpreted where there are few coordinates: ratios are what matters.
  double ns_a_step(const Spec& spec, double h) {
    Spec plain = spec;
    plain.composed = false;
    const double parts = std::max<double>(1, static_cast<double>(method::gammas(spec).size()));
    double stages = 1;
    const std::string name(spec.description().name);
    if (const auto it = measured_.find(name); it != measured_.end()) {  // of more stages
      if (!spec.composed && spec.order() > it->second.order) stages = static_cast<double>(spec.order()) / it->second.order;
      return parts * stages * it->second.ns;
    }
    const double ns = measure(plain, facts_.look > 0 ? std::min(h, facts_.look) : h);  // which is known to be possible
    measured_[name] = {ns, std::max(1, plain.order())};
    return parts * ns;
  }

  double measure(const Spec& spec, double h) {
    const bool interpreted = facts_.few_coordinates && !facts_.lists;
    const method::Traits& t = spec.traits();
    // Matrices of pairs by cutoff are nearly full: their factors take some hundred forces.
    if (facts_.lists && t.matrices != Matrices::none && t.matrices != Matrices::mass) return 300 * cheapest_;
    double ns = Trial::none;
    try {
      const Session s = source_.open(spec, h, 1, source_.problem().schedule.start + window_, true, interpreted);
      const auto steps = steps_of(s);
      steps->start(s.problem.schedule.start, s.task.q0, s.task.v0);
      steps->set_reference();
      if (!go(*steps, 1, h)) return ns;
      for (int repeat = 0; repeat < 3; ++repeat) {
        const double begin = Deadline::now();
        if (!go(*steps, 2, h)) break;
        const double took = 0.5e9 * (Deadline::now() - begin);
        ns = std::isnan(ns) ? took : std::min(ns, took);
        if (took > 1e7) break;
      }
    } catch (const core::InputError&) {
    } catch (const core::RunError&) {}
    if (interpreted && t.generated_steps) ns /= 4;
    if (std::isfinite(ns)) cheapest_ = std::min(cheapest_, ns);
    return ns;
  }

  struct Measured {
    double ns;
    int order;
  };
  const Source& source_;
  const Facts& facts_;
  double window_;
  double cheapest_ = 1e12;
  std::map<std::string, Measured> measured_;
};

// Whether the method keeps what the system does: where forces and friction act, nothing is kept by either.
bool keeps_structure(const Spec& spec, const Facts& facts) {
  return spec.keeps() != Keeps::nothing || !facts.conserves() || !facts.autonomous;
}

// Made for a system of this kind, which is not asked of every one: a part whose motion is known, close encounters, bodies; the
// family of Newmark for linear structures under loads.
bool made_for(const Spec& spec, const Facts& facts) {
  const method::Traits& t = spec.traits();
  if (facts.linear && facts.forced && t.takes_equations && t.separable) return spec.keeps() != Keeps::nothing;
  return t.needs_split || t.on_groups || (t.transforms_time && facts.encounters > close);
}

std::string keeps_words(const Spec& spec, const Facts& facts) {
  const std::string without = facts.conserves() ? "" : " where no force and no friction acts";
  switch (spec.keeps()) {
    case Keeps::canonical:
      return "keeps the symplectic form and momenta" + without;
    case Keeps::conjugate_form:
      return "keeps a form conjugate to the symplectic one, and its momenta" + without;
    case Keeps::energy:
      return "keeps energy and momenta" + without;
    case Keeps::nothing:
      break;
  }
  return facts.conserves() ? "keeps nothing, so its errors grow faster in long runs" : "keeps nothing";
}

// What a step takes, and why that suits the system.
std::string solves_words(const Spec& spec, const Facts& facts, const system::Model& model) {
  const method::Traits& t = spec.traits();
  if (t.finds_step) return "finds its steps by itself, so none can be chosen for an error";
  if (t.chooses_steps) return "chooses its steps by a tolerance";
  if (t.on_groups) return "turns the bodies by rotations, without constraints that keep them rigid";
  if (t.transforms_time && !facts.newtonian) return "follows the motion where the potential is below 0, which is not known here";
  if (t.transforms_time)
    return facts.encounters > close ? "follows the close encounters with its steps" : "follows the motion with its steps";
  if (t.needs_split) return "moves exactly along the part that is known, and kicks by the rest";
  if (!model.constraints.empty() && t.constraints == method::Constraints::kept)
    return t.needs_constraints ? "solves for the multipliers of the constraints alone"
                               : "solves for positions and multipliers together";
  if (t.matrices == Matrices::none || t.is_explicit)
    return facts.stiff() ? "solves no equations, with steps below the limit of the stiff motions" : "solves no equations";
  if (facts.linear) return "solves one linear system in a step, whose matrix it factors once";
  if (t.matrices == Matrices::potential || t.matrices == Matrices::stiff) return "solves one linear system in a step";
  if (!facts.separable) return "solves equations in each step, and takes any Lagrangian";
  return facts.stiff() ? "solves equations in each step, which the stiff motions do not shorten"
                       : "solves equations in each step";
}

std::string reason_of(const Spec& spec, const Facts& facts, const system::Model& model) {
  return "It " + solves_words(spec, facts, model) + ", and " + keeps_words(spec, facts) + ".";
}

}  // namespace

std::vector<Ranked> candidates(const Source& source, const Facts& facts, double window) {
  const io::Problem& p = source.problem();
  const auto& only = source.options().methods;
  Ranking ranking(source, facts, window);
  std::vector<Ranked> out;
  for (const Spec& spec : method::all_methods()) {
    if (!only.empty() && std::ranges::find(only, spec.description().name) == only.end()) continue;
    if (spec.traits().needs_constraints && p.model.constraints.empty() && only.empty()) continue;  // it is another one then
    for (const Spec& variant : with_orders(spec, facts)) {
      if (!method::why_incompatible(p.model, variant).empty()) continue;
      Ranked r;
      r.spec = variant;
      r.structure = keeps_structure(variant, facts);
      ranking.predict(r);
      r.reason = reason_of(variant, facts, p.model);
      out.push_back(std::move(r));
    }
  }
  const auto rank = [&](const Ranked& r) {
    const bool unknown = std::isnan(r.predicted);
    return std::tuple(unknown, !r.structure, !made_for(r.spec, facts), unknown ? 0 : r.predicted);
  };
  std::ranges::stable_sort(out, {}, rank);
  return out;
}

}  // namespace actio::session::advice
