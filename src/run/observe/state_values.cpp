#include "state_values.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "../../system/interpolate.hpp"
#include "accumulator.hpp"

namespace actio::run {
namespace {

using Kind = Quantity::Kind;

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
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

bool StateValues::Part::asks_for(State state) const {
  return std::any_of(kernels.begin(), kernels.end(), [&](const ElementValues& v) { return v.asks_for(state); });
}

// A joint turned by less than half a turn since it was looked at last.
void StateValues::Part::follow() {
  const double moved = values[0] - angle;
  turns += moved < -std::numbers::pi ? 1 : moved > std::numbers::pi ? -1 : 0;
  angle = values[0];
  values[0] = angle + 2 * std::numbers::pi * static_cast<double>(turns);
}

StateValues::StateValues(const system::Model& model, const std::vector<Observable>& asked, const Schedule& schedule,
                         const std::optional<discrete::Nodes>& nodes, const expr::CompileOptions& options)
    : asked_(asked), schedule_(schedule), nodes_(nodes), signals_(model.signals), quantities_(quantities_of(model)) {
  freedom_ = static_cast<double>(model.size() - static_cast<long>(model.fixed_dofs.size()) - model.constraint_count());
  first_quantity_ = 1 + model.parameters.size() + model.signals.size();
  first_observable_ = first_quantity_ + quantities_.size();
  uniforms_.assign(first_observable_ + asked.size(), undefined);
  std::copy(model.parameters.begin(), model.parameters.end(), uniforms_.begin() + 1);
  known_.assign(quantities_.size(), false);
  signal_at_.assign(signals_.size(), 0);
  parts_.resize(asked.size());
  std::vector<expr::KernelSource> sources;
  for (std::size_t k = 0; k < asked.size(); ++k) prepare(k, sources);
  const auto asks = [&](Kind kind) {
    return std::any_of(parts_.begin(), parts_.end(), [&](const Part& one) {
      return std::any_of(one.quantities.begin(), one.quantities.end(),
                         [&](std::size_t q) { return quantities_[q].kind == kind; });
    });
  };
  if (asks(Kind::momentum) || asks(Kind::discrete_momentum)) {
    momentum_ = invariant::MomentumMap(model, options);
    for (auto* of : {&J_, &J_next_, &scale_}) of->resize(momentum_.size());
  }
  const auto any_asks_for = [&](State state) {
    for (std::size_t k = 0; k < asked.size(); ++k)
      if ((!asked[k].hidden || parts_[k].named) && parts_[k].asks_for(state)) return true;
    return false;
  };
  if (any_asks_for(State::reaction)) reactions_ = std::make_unique<FixedReactions>(model, options);
  if (reactions_ || any_asks_for(State::acceleration)) accelerations_ = std::make_unique<Accelerations>(model, options);
  if (!sources.empty()) module_ = expr::Module::build(sources, options);
  std::size_t at = 0;
  for (Part& one : parts_)
    for (ElementValues& values : one.kernels) values.use(module_.batch(at++));
}

// The kernels and dependences of an observable.
void StateValues::prepare(std::size_t k, std::vector<expr::KernelSource>& sources) {
  const Observable& of = asked_[k];
  Part& one = parts_[k];
  one.values.resize(static_cast<std::size_t>(of.elements()) * of.components.size());
  if (of.combine != Combine::none) one.result.resize(1);
  for (const system::ElementFunction& component : of.components) {
    one.kernels.emplace_back(component);
    sources.push_back(one.kernels.back().source(fmt::format("observe{}", sources.size())));
    for (std::size_t q = 0; q < quantities_.size(); ++q)
      if (expr::depends_on_uniform(component.graph, component.value, static_cast<int>(first_quantity_ + q)))
        one.quantities.push_back(q);
    for (std::size_t j = 0; j < k; ++j)
      if (expr::depends_on_uniform(component.graph, component.value, static_cast<int>(first_observable_ + j))) {
        one.earlier.push_back(j);
        parts_[j].named = true;
        follows_ = follows_ || asked_[j].turns;
      }
  }
  one.accelerates = one.asks_for(State::acceleration);
  one.reacts = one.asks_for(State::reaction);
  one.steps_ahead = one.asks_for(State::next);
  const bool steps_ahead =
      one.steps_ahead || std::any_of(one.quantities.begin(), one.quantities.end(), [&](auto q) {
        return quantities_[q].kind == Kind::discrete_energy || quantities_[q].kind == Kind::discrete_momentum;
      });
  if (steps_ahead && !nodes_)
    throw core::InputError(of.source,
                           fmt::format("{} asks for the discrete mechanics of a step, and the method has no discrete "
                                       "Lagrangian h sum b_j L(q0 + c_j h w, w)",
                                       of.name),
                           "verlet, symplectic-euler, variational, midpoint, rattle and shake have one, not composed");
}

void StateValues::begin(const method::Snapshot& state, long step) {
  if (step_ == step) return;
  step_ = step;
  ++look_;
  uniforms_[0] = state.t;
  for (std::size_t k = 0; k < signals_.size(); ++k)
    uniforms_[first_quantity_ - signals_.size() + k] = system::interpolate(signals_[k], state.t, signal_at_[k]);
  std::fill(known_.begin(), known_.end(), false);
  accelerated_ = reacted_ = stepped_ = mapped_ = next_mapped_ = false;
}

// The step_ that leaves the state, by a copy of the integrator: q1, p1 and Ed = sum_j b_j E(q0 + c_j h w_, w_), as
// discrete::Quadrature::energy.
void StateValues::look_ahead(const method::Integrator& integrator, const method::Snapshot& state) {
  if (stepped_) return;
  stepped_ = true;
  const double h = schedule_.step_at(std::max(0L, step_));
  const auto copy = integrator.clone();
  if (!copy->advance(1, h).ok) {
    next_ = state;
    next_.q.setConstant(undefined);
    next_.p.setConstant(undefined);
    discrete_energy_ = undefined;
    return;
  }
  copy->snapshot(next_);
  w_ = (next_.q - state.q) / h;
  discrete_energy_ = 0;
  for (int j = 0; j < nodes_->count; ++j) {
    middle_ = state.q + nodes_->c[static_cast<std::size_t>(j)] * h * w_;
    const double tj = state.t + nodes_->c[static_cast<std::size_t>(j)] * h, b = nodes_->b[static_cast<std::size_t>(j)];
    if (integrator.properties().forced) {  // p1 = D2 Ld + Fd+
      copy->applied(tj, middle_, w_, force_);
      next_.p -= b * nodes_->c[static_cast<std::size_t>(j)] * h * force_;
    }
    copy->start(tj, middle_, w_);
    discrete_energy_ += b * copy->energy();
  }
}

double StateValues::value_of(const Quantity& quantity, const method::Integrator& integrator, const method::Snapshot& state) {
  const auto kinetic = [&] { return 0.5 * state.v.dot(state.p); };
  switch (quantity.kind) {
    case Kind::energy:
      return integrator.energy();
    case Kind::kinetic_energy:
      return kinetic();
    case Kind::potential_energy:
      return integrator.energy() - kinetic();
    case Kind::temperature:
      return 2 * kinetic() / freedom_;
    case Kind::discrete_energy:
      look_ahead(integrator, state);
      return discrete_energy_;
    case Kind::momentum:
      if (!mapped_) momentum_(state.t, state.q, state.p, J_, scale_);
      mapped_ = true;
      return J_[quantity.symmetry];
    case Kind::discrete_momentum:
      look_ahead(integrator, state);
      if (!next_mapped_) momentum_(next_.t, next_.q, next_.p, J_next_, scale_);
      next_mapped_ = true;
      return J_next_[quantity.symmetry];
    case Kind::stopped_at:  // of one run there is none
      return undefined;
  }
  return undefined;
}

std::span<const double> StateValues::operator()(std::size_t k, const method::Integrator& integrator,
                                                const method::Snapshot& state) {
  Part& one = parts_[k];
  const Observable& of = asked_[k];
  if (one.look == look_) return one.now();
  one.look = look_;
  for (const std::size_t q : one.quantities)
    if (!known_[q]) {
      uniforms_[first_quantity_ + q] = value_of(quantities_[q], integrator, state);
      known_[q] = true;
    }
  for (const std::size_t j : one.earlier) (*this)(j, integrator, state);
  const bool reacts = one.reacts && !reacted_;
  if ((reacts || one.accelerates) && !accelerated_) {
    (*accelerations_)(state.t, state.q, state.v, acceleration_);
    accelerated_ = true;
  }
  if (reacts) {
    (*reactions_)(state.t, state.q, state.v, acceleration_, reaction_);
    reacted_ = true;
  }
  if (one.steps_ahead) look_ahead(integrator, state);
  const StateColumns from{state.q.data(), state.v.data(), acceleration_.data(), state.p.data(), next_.q.data(), reaction_.data()};
  double* out = one.values.data();
  for (ElementValues& values : one.kernels) {
    values(uniforms_.data(), from, out);
    out += of.elements();
  }
  if (of.turns) one.follow();
  if (!one.result.empty()) one.result[0] = combined(of.combine, one.values);
  if (of.single()) uniforms_[first_observable_ + k] = one.now()[0];
  return one.now();
}

bool StateValues::needs_integrator(std::size_t k) const {
  const Part& one = parts_[k];
  return !one.quantities.empty() || one.asks_for(State::momentum) || one.asks_for(State::next) ||
         std::any_of(one.earlier.begin(), one.earlier.end(), [&](std::size_t j) { return needs_integrator(j); });
}

void StateValues::archive(core::Archive& a) {
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    if (asked_[k].turns) a(parts_[k].angle, parts_[k].turns);
    if (a.reading()) parts_[k].look = -1;
  }
  if (a.reading()) forget();
}

}  // namespace actio::run
