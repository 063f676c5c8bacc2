#include <actio/run/observables.hpp>

#include <actio/invariant/momentum.hpp>
#include <actio/run/lags.hpp>
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "../../system/interpolate.hpp"
#include "accelerations.hpp"
#include "accumulator.hpp"
#include "column_sums.hpp"
#include "element_values.hpp"
#include "fixed_reactions.hpp"

namespace actio::run {
namespace {

using Kind = Quantity::Kind;
constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
constexpr double most_stored = 1e8;  // numbers, of lags

double combined(Combine how, std::span<const double> x) {
  const double n = static_cast<double>(x.size());
  const auto extreme = [&](auto better) {
    double out = x[0];
    for (const double e : x)
      if (better(e, out) || std::isnan(e)) out = e;
    return out;
  };
  switch (how) {
    case Combine::none:
      return x[0];
    case Combine::sum:
      return sum_of(x, [](double e) { return e; });
    case Combine::mean:
      return sum_of(x, [](double e) { return e; }) / n;
    case Combine::rms:
      return std::sqrt(sum_of(x, [](double e) { return e * e; }) / n);
    case Combine::largest:
      return extreme([](double a, double b) { return a > b; });
    case Combine::smallest:
      return extreme([](double a, double b) { return a < b; });
  }
  return undefined;
}

// One observable: its kernels, its values at the last state looked at, and its reductions.
struct Watched {
  const Observable* of = nullptr;
  std::vector<ElementValues> kernels;
  std::vector<std::size_t> quantities, earlier;                   // that its expressions contain
  std::vector<double> values;                                     // of all elements, component after component
  std::vector<double> result;                                     // the combined one, or empty: `values`
  long look = -1;                                                 // of the values
  bool named = false;                                             // by one after it
  bool accelerates = false, reacts = false, steps_ahead = false;  // its expressions contain x'', a reaction, the next state
  double angle = undefined;                                       // of a joint, within half a turn
  long turns = 0;
  std::vector<std::unique_ptr<Accumulator>> accumulators;
  ColumnSums sums;            // of a column that is one number
  long first = 0, times = 0;  // the first step that is reduced; how many values were reduced or written
  double from = undefined, to = undefined;

  bool reduced() const { return !of->reductions.empty(); }
  bool written() const { return !reduced() && !of->hidden && !of->of_event; }
  void looked_at(double t) {
    if (times++ == 0) from = t;
    to = t;
  }
  // A joint turned by less than half a turn since it was looked at last.
  void follow() {
    const double moved = values[0] - angle;
    turns += moved < -std::numbers::pi ? 1 : moved > std::numbers::pi ? -1 : 0;
    angle = values[0];
    values[0] = angle + 2 * std::numbers::pi * static_cast<double>(turns);
  }
  std::span<const double> now() const { return result.empty() ? values : result; }
};

}  // namespace

struct Observables::Parts {
  std::vector<Observable> asked;
  Schedule schedule;
  std::optional<discrete::Nodes> nodes;
  std::vector<system::Signal> signals;
  std::vector<Quantity> quantities;
  double freedom = 0;
  expr::Module module;
  invariant::MomentumMap momentum;
  std::unique_ptr<Accelerations> accelerations;
  std::unique_ptr<FixedReactions> reactions;
  bool follows = false;  // angles, which are looked at after every step
  std::vector<Watched> watched;
  std::vector<ObservedColumn> columns;
  std::vector<double> row;

  // Of the state that is looked at.
  long step = -1, look = 0;
  std::vector<double> uniforms;
  std::vector<bool> known;  // quantities
  std::size_t first_quantity = 0, first_observable = 0;
  std::vector<std::size_t> signal_at;
  Eigen::VectorXd acceleration, reaction, middle, w, force;
  bool accelerated = false, reacted = false, stepped = false, followed = false, next_followed = false;
  method::Snapshot next;
  double discrete_energy = undefined;
  std::vector<double> J, J_next, scale;

  Parts(const system::Model& model, std::vector<Observable> list, const Schedule& s, const std::optional<discrete::Nodes>& n,
        const expr::CompileOptions& options)
      : asked(std::move(list)), schedule(s), nodes(n), signals(model.signals), quantities(quantities_of(model)) {
    freedom = static_cast<double>(model.size() - static_cast<long>(model.fixed_dofs.size()) - model.constraint_count());
    first_quantity = 1 + model.parameters.size() + model.signals.size();
    first_observable = first_quantity + quantities.size();
    uniforms.assign(first_observable + asked.size(), undefined);
    std::copy(model.parameters.begin(), model.parameters.end(), uniforms.begin() + 1);
    known.assign(quantities.size(), false);
    signal_at.assign(signals.size(), 0);
    watched.resize(asked.size());
    std::vector<expr::KernelSource> sources;
    for (std::size_t k = 0; k < asked.size(); ++k) prepare(k, sources);
    const auto asks = [&](Kind kind) {
      return std::any_of(watched.begin(), watched.end(), [&](const Watched& one) {
        return std::any_of(one.quantities.begin(), one.quantities.end(),
                           [&](std::size_t q) { return quantities[q].kind == kind; });
      });
    };
    if (asks(Kind::momentum) || asks(Kind::discrete_momentum)) {
      momentum = invariant::MomentumMap(model, options);
      for (auto* of : {&J, &J_next, &scale}) of->resize(momentum.size());
    }
    const auto any_asks_for = [&](State state) {
      return std::any_of(watched.begin(), watched.end(),
                         [&](const Watched& one) { return (!one.of->hidden || one.named) && asks_for(one, state); });
    };
    if (any_asks_for(State::reaction)) reactions = std::make_unique<FixedReactions>(model, options);
    if (reactions || any_asks_for(State::acceleration)) accelerations = std::make_unique<Accelerations>(model, options);
    if (!sources.empty()) module = expr::Module::build(sources, options);
    std::size_t at = 0;
    for (Watched& one : watched)
      for (ElementValues& values : one.kernels) values.use(module.batch(at++));
  }

  // The kernels, dependences and reductions of an observable.
  void prepare(std::size_t k, std::vector<expr::KernelSource>& sources) {
    const Observable& of = asked[k];
    Watched& one = watched[k];
    one.of = &of;
    const long elements = of.elements();
    one.values.resize(static_cast<std::size_t>(elements) * of.components.size());
    if (of.combine != Combine::none) one.result.resize(1);
    for (const system::ElementFunction& component : of.components) {
      one.kernels.emplace_back(component);
      sources.push_back(one.kernels.back().source(fmt::format("observe{}", sources.size())));
      for (std::size_t q = 0; q < quantities.size(); ++q)
        if (expr::depends_on_uniform(component.graph, component.value, static_cast<int>(first_quantity + q)))
          one.quantities.push_back(q);
      for (std::size_t j = 0; j < k; ++j)
        if (expr::depends_on_uniform(component.graph, component.value, static_cast<int>(first_observable + j))) {
          one.earlier.push_back(j);
          watched[j].named = true;
          follows = follows || asked[j].turns;
        }
    }
    one.accelerates = asks_for(one, State::acceleration);
    one.reacts = asks_for(one, State::reaction);
    one.steps_ahead = asks_for(one, State::next);
    const bool steps_ahead =
        one.steps_ahead || std::any_of(one.quantities.begin(), one.quantities.end(), [&](auto q) {
          return quantities[q].kind == Kind::discrete_energy || quantities[q].kind == Kind::discrete_momentum;
        });
    if (steps_ahead && !nodes)
      throw core::InputError(of.source,
                             fmt::format("{} asks for the discrete mechanics of a step, and the method has no discrete "
                                         "Lagrangian h sum b_j L(q0 + c_j h w, w)",
                                         of.name),
                             "verlet, symplectic-euler, variational, midpoint, rattle and shake have one, not composed");
    if (one.written()) {
      columns.push_back({of.name, of.unit, of.definition, static_cast<long>(of.combine == Combine::none ? elements : 1)});
      row.resize(row.size() + static_cast<std::size_t>(columns.back().elements));
    }
    const double spacing = schedule.step[0] * static_cast<double>(of.every);
    for (const Reduce kind : of.reductions) {
      if (type_of(kind).of_lags) check_lags(of, kind);
      one.accumulators.push_back(make_accumulator(kind, of, spacing));
    }
    if (!one.reduced()) return;
    one.first = (schedule.first_at(of.after) + of.every - 1) / of.every * of.every;
    if (one.first > schedule.steps)
      throw core::InputError(
          of.source,
          fmt::format("{} has no value: the run ends at t = {:g} before the first", of.name, schedule.time(schedule.steps)),
          "run longer, or choose a smaller after or every");
  }

  void check_lags(const Observable& of, Reduce kind) const {
    const std::string_view name = type_of(kind).name;
    if (!schedule.step.equal())
      throw core::InputError(of.source,
                             fmt::format("{} of {} needs steps of one size, and those of the run differ", name, of.name));
    const double width =
        static_cast<double>(of.combine == Combine::none ? of.elements() : 1) * static_cast<double>(of.components.size());
    const double numbers = Lags::numbers(schedule.steps / of.every + 1, width);
    if (numbers > most_stored)
      throw core::InputError(of.source,
                             fmt::format("{} of {} would keep {:.2g} numbers in memory, and at most {:.0g} are", name, of.name,
                                         numbers, most_stored),
                             "observe fewer elements, or seldom: every = 100");
  }

  static bool asks_for(const Watched& one, State state) {
    return std::any_of(one.kernels.begin(), one.kernels.end(), [&](const ElementValues& v) { return v.asks_for(state); });
  }

  bool due(const Watched& one, long done) const { return one.reduced() && done >= one.first && done % one.of->every == 0; }

  void begin(const method::Snapshot& state, long at) {
    if (step == at) return;
    step = at;
    ++look;
    uniforms[0] = state.t;
    for (std::size_t k = 0; k < signals.size(); ++k)
      uniforms[first_quantity - signals.size() + k] = system::interpolate(signals[k], state.t, signal_at[k]);
    std::fill(known.begin(), known.end(), false);
    accelerated = reacted = stepped = followed = next_followed = false;
  }

  // The step that leaves the state, by a copy of the integrator: q1, p1 and Ed = sum_j b_j E(q0 + c_j h w, w), as
  // discrete::Quadrature::energy.
  void look_ahead(const method::Integrator& integrator, const method::Snapshot& state) {
    if (stepped) return;
    stepped = true;
    const double h = schedule.step_at(std::max(0L, step));
    const auto copy = integrator.clone();
    if (!copy->advance(1, h).ok) {
      next = state;
      next.q.setConstant(undefined);
      next.p.setConstant(undefined);
      discrete_energy = undefined;
      return;
    }
    copy->snapshot(next);
    w = (next.q - state.q) / h;
    discrete_energy = 0;
    for (int j = 0; j < nodes->count; ++j) {
      middle = state.q + nodes->c[static_cast<std::size_t>(j)] * h * w;
      const double tj = state.t + nodes->c[static_cast<std::size_t>(j)] * h, b = nodes->b[static_cast<std::size_t>(j)];
      if (integrator.properties().forced) {  // p1 = D2 Ld + Fd+
        copy->applied(tj, middle, w, force);
        next.p -= b * nodes->c[static_cast<std::size_t>(j)] * h * force;
      }
      copy->start(tj, middle, w);
      discrete_energy += b * copy->energy();
    }
  }

  double value_of(const Quantity& quantity, const method::Integrator& integrator, const method::Snapshot& state) {
    const auto kinetic = [&] { return 0.5 * state.v.dot(state.p); };
    switch (quantity.kind) {
      case Kind::energy:
        return integrator.energy();
      case Kind::kinetic_energy:
        return kinetic();
      case Kind::potential_energy:
        return integrator.energy() - kinetic();
      case Kind::temperature:
        return 2 * kinetic() / freedom;
      case Kind::discrete_energy:
        look_ahead(integrator, state);
        return discrete_energy;
      case Kind::momentum:
        if (!followed) momentum(state.t, state.q, state.p, J, scale);
        followed = true;
        return J[quantity.symmetry];
      case Kind::discrete_momentum:
        look_ahead(integrator, state);
        if (!next_followed) momentum(next.t, next.q, next.p, J_next, scale);
        next_followed = true;
        return J_next[quantity.symmetry];
      case Kind::stopped_at:  // of one run there is none
        return undefined;
    }
    return undefined;
  }

  void evaluate(std::size_t k, const method::Integrator& integrator, const method::Snapshot& state) {
    Watched& one = watched[k];
    if (one.look == look) return;
    one.look = look;
    for (const std::size_t q : one.quantities)
      if (!known[q]) {
        uniforms[first_quantity + q] = value_of(quantities[q], integrator, state);
        known[q] = true;
      }
    for (const std::size_t j : one.earlier) evaluate(j, integrator, state);
    const bool reacts = one.reacts && !reacted;
    if ((reacts || one.accelerates) && !accelerated) {
      (*accelerations)(state.t, state.q, state.v, acceleration);
      accelerated = true;
    }
    if (reacts) {
      (*reactions)(state.t, state.q, state.v, acceleration, reaction);
      reacted = true;
    }
    if (one.steps_ahead) look_ahead(integrator, state);
    const StateColumns from{state.q.data(), state.v.data(), acceleration.data(), state.p.data(), next.q.data(), reaction.data()};
    double* out = one.values.data();
    for (ElementValues& values : one.kernels) {
      values(uniforms.data(), from, out);
      out += one.of->elements();
    }
    if (one.of->turns) one.follow();
    if (!one.result.empty()) one.result[0] = combined(one.of->combine, one.values);
    if (one.of->single()) uniforms[first_observable + k] = one.now()[0];
  }
};

Observables::Observables(const system::Model& model, std::vector<Observable> asked, const Schedule& schedule,
                         const std::optional<discrete::Nodes>& nodes, const expr::CompileOptions& options)
    : parts_(std::make_unique<Parts>(model, std::move(asked), schedule, nodes, options)) {}
Observables::~Observables() = default;

const std::vector<ObservedColumn>& Observables::columns() const { return parts_->columns; }

long Observables::next(long done) const {
  if (parts_->follows) return done + 1;
  long out = parts_->schedule.steps + 1;
  for (const Watched& one : parts_->watched)
    if (one.reduced()) out = std::min(out, std::max(one.first, (done / one.of->every + 1) * one.of->every));
  return out;
}

bool Observables::due(long done) const {
  return parts_->follows ||
         std::any_of(parts_->watched.begin(), parts_->watched.end(), [&](const Watched& one) { return parts_->due(one, done); });
}

void Observables::reduce(const method::Integrator& integrator, const method::Snapshot& state, long step) {
  Parts& p = *parts_;
  p.begin(state, step);
  for (std::size_t k = 0; k < p.watched.size(); ++k) {
    Watched& one = p.watched[k];
    if (one.of->turns && one.named) p.evaluate(k, integrator, state);
    if (!p.due(one, step)) continue;
    p.evaluate(k, integrator, state);
    for (const auto& accumulator : one.accumulators) accumulator->add(state.t, one.now());
    one.looked_at(state.t);
  }
}

std::span<const double> Observables::values(const method::Integrator& integrator, const method::Snapshot& state, long step) {
  Parts& p = *parts_;
  p.begin(state, step);
  auto to = p.row.begin();
  for (std::size_t k = 0; k < p.watched.size(); ++k) {
    Watched& one = p.watched[k];
    if (!one.written()) continue;
    p.evaluate(k, integrator, state);
    to = std::copy(one.now().begin(), one.now().end(), to);
    if (!one.of->single()) continue;
    one.sums.add(state.t, one.now()[0]);
    one.looked_at(state.t);
  }
  return p.row;
}

void Observables::forget_state() { parts_->step = -1; }

double Observables::value(std::size_t k, const method::Integrator& integrator, const method::Snapshot& state, long step) {
  Parts& p = *parts_;
  forget_state();
  p.begin(state, step);
  p.evaluate(k, integrator, state);
  forget_state();
  return p.watched[k].now()[0];
}

bool Observables::needs_integrator(std::size_t k) const {
  const Watched& one = parts_->watched[k];
  const auto needs = [&](std::size_t j) { return needs_integrator(j); };
  return !one.quantities.empty() || Parts::asks_for(one, State::momentum) || Parts::asks_for(one, State::next) ||
         std::any_of(one.earlier.begin(), one.earlier.end(), needs);
}

std::vector<Observed> Observables::results() const {
  std::vector<Observed> out;
  for (const Watched& one : parts_->watched) {
    const Observable& of = *one.of;
    const bool column = one.written() && of.single();
    if (!one.reduced() && !column) continue;
    Observed& to = out.emplace_back(Observed{
        of.name, of.unit, of.definition, of.combine == Combine::none ? of.elements() : 1, one.times, one.from, one.to, {}});
    if (column) to.column = one.sums.summary();
    for (std::size_t k = 0; k < one.accumulators.size(); ++k)
      to.reductions.push_back(
          {std::string(type_of(of.reductions[k]).name), one.accumulators[k]->text(), one.accumulators[k]->figures()});
  }
  return out;
}

void Observables::archive(core::Archive& a) {
  Parts& p = *parts_;
  std::size_t count = p.watched.size();
  a(count);
  if (count != p.watched.size()) throw core::InputError("the saved state has another layout");
  for (Watched& one : p.watched) {
    a(one.times, one.from, one.to);
    for (const auto& accumulator : one.accumulators) accumulator->archive(a);
    if (one.written() && one.of->single()) one.sums.archive(a);
    if (one.of->turns) a(one.angle, one.turns);
    if (a.reading()) one.look = -1;
  }
  if (a.reading()) p.step = -1;
}

}  // namespace actio::run
