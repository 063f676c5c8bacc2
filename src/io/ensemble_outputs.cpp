#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <actio/expr/operations.hpp>

#include "../expr/apply.hpp"
#include "../system/differentiate.hpp"
#include "ensemble_parts.hpp"
#include "expression.hpp"
#include "values.hpp"

// What is asked of all members of an ensemble: observables, which become numbers made of q, v, the time and the parameters.
namespace actio::io {
namespace {

using expr::Id;
using run::Quantity;

constexpr long most_outputs = 10'000;
constexpr std::size_t most_nodes = 200'000;

class OutputReader {
 public:
  OutputReader(const Section& ensemble, const SymbolTable& symbols, const Problem& problem)
      : section_(ensemble),
        symbols_(symbols),
        document_(ensemble.document()),
        model_(problem.model),
        asked_(problem.observables),
        every_(problem.schedule.every),
        quantities_(run::quantities_of(problem.model)) {}

  void operator()(EnsembleRequest& out) {
    if (const Value* stop = section_.find("stop")) out.stop = read_stop(*stop);
    for (std::size_t k = 0; k < asked_.size(); ++k) add(k, out);
    if (out.outputs.empty())
      for (long i = 0; i < model_.size(); ++i) {
        run::MemberOutput& output = out.outputs.emplace_back();
        output.name = model_.coordinate_name(i);
        output.value = output.graph.column(static_cast<int>(i));
      }
    read_quantiles(out);
  }

 private:
  run::MemberStop read_stop(const Value& text) const {
    const Expression expression(symbols_, text, "ensemble.stop", {}, {true, true, true, false, ""});
    const Batch batch = assemble(expression, {}, 1);
    run::MemberStop out;
    out.value = substitute(out.graph, batch, 2, 0, {});
    if (!expr::is_boolean(out.graph[out.value].op))
      document_.fail(text.place, "ensemble.stop is a number, not a condition", "compare it with another: for example x > 2");
    return out;
  }

  void add(std::size_t k, EnsembleRequest& out) {
    const run::Observable& of = asked_[k];
    numbers_.emplace_back();
    check(of);
    if (const Quantity* whole = whole_quantity(of)) {  // those that every ensemble has
      if (whole->kind == Quantity::Kind::energy && of.name == "energy") {
        out.energy_bins = of.bins;
        numbers_.back().value = value_of(numbers_.back().graph, *whole, of.source);
        return;
      }
      if (whole->kind == Quantity::Kind::stopped_at && of.name == "stopped_at" && out.stop) {
        out.stop->bins = of.bins;
        return;
      }
    }
    if (of.name == "energy" || of.name == "stopped_at")
      throw core::InputError(of.source, fmt::format("{} is an output of an ensemble already", of.name),
                             "give yours another name");
    if (of.combine == run::Combine::none && of.elements() > most_outputs)
      throw core::InputError(
          of.source,
          fmt::format("{} has {} elements, and at most {} are outputs of an ensemble", of.name, of.elements(), most_outputs),
          "combine = \"sum\" makes one number of them");
    const system::ElementFunction& value = of.components.front();
    if (of.combine != run::Combine::none || of.elements() == 1) {
      run::MemberOutput& output = out.outputs.emplace_back();
      output.name = of.name;
      output.bins = of.bins;
      output.value = combined(output.graph, of);
      numbers_.back() = output;
      return;
    }
    for (long e = 0; e < of.elements(); ++e) {
      run::MemberOutput& output = out.outputs.emplace_back();
      output.name = fmt::format("{}[{}]", of.name, e);
      output.bins = of.bins;
      output.value = substitute(output.graph, value, run::states_of_observable, e, of.source);
    }
  }

  // An ensemble reduces over its members, at every observation.
  void check(const run::Observable& of) const {
    for (const run::Reduce kind : of.reductions)
      if (kind != run::Reduce::histogram)
        throw core::InputError(of.source,
                               fmt::format("{} of {} is over the time of one run, and an ensemble reduces over its members",
                                           run::type_of(kind).name, of.name),
                               "mean, deviation, least and largest value of the members are given without it");
    if (of.components.size() > 1)
      throw core::InputError(of.source, fmt::format("{} is a vector, and an output of an ensemble is a number", of.name));
    if (of.every != every_ || of.after > -std::numeric_limits<double>::infinity())
      throw core::InputError(of.source,
                             fmt::format("{} has times of its own, and an ensemble is observed every run.every steps", of.name),
                             "every and after are for single runs");
  }

  const Quantity* whole_quantity(const run::Observable& of) const {
    if (of.components.size() != 1 || of.elements() != 1) return nullptr;
    const system::ElementFunction& value = of.components.front();
    const expr::Node& node = value.graph[value.value];
    const long k = node.k - first_quantity();
    return node.op == expr::Op::uniform && k >= 0 && k < static_cast<long>(quantities_.size())
               ? &quantities_[static_cast<std::size_t>(k)]
               : nullptr;
  }
  long first_quantity() const { return static_cast<long>(1 + symbols_.parameters.size() + symbols_.signals.size()); }

  Id combined(expr::Graph& g, const run::Observable& of) const {
    const system::ElementFunction& value = of.components.front();
    Id out = -1;
    for (long e = 0; e < of.elements(); ++e) {
      Id x = substitute(g, value, run::states_of_observable, e, of.source);
      if (of.combine == run::Combine::rms) x = g.mul(x, x);
      const bool largest = of.combine == run::Combine::largest, smallest = of.combine == run::Combine::smallest;
      out = out < 0 ? x : largest ? g.binary(expr::Op::max, out, x) : smallest ? g.binary(expr::Op::min, out, x) : g.add(out, x);
      if (g.size() > most_nodes)
        throw core::InputError(of.source, fmt::format("{} has too many elements for an ensemble", of.name),
                               "they are written out one after another in the code of a member");
    }
    const Id n = g.constant(static_cast<double>(of.elements()));
    if (of.combine == run::Combine::mean) return g.div(out, n);
    return of.combine == run::Combine::rms ? g.unary(expr::Op::sqrt, g.div(out, n)) : out;
  }

  // Element e of a function of `states` groups of columns, in q (n), v (n), the time and the parameters.
  Id substitute(expr::Graph& g, const system::ElementFunction& f, long states, long e, const core::Source& source) const {
    std::vector<Id> columns;
    const std::vector<int> used = expr::columns_of(f.graph, f.value);
    for (long s = 0; s < states; ++s)
      for (long l = 0; l < f.locals; ++l) {
        const bool here = std::ranges::binary_search(used, static_cast<int>(s * f.locals + l));
        columns.push_back(here ? coordinate(g, static_cast<run::State>(s), f.dof(l, e), source) : g.constant(0));
      }
    for (std::size_t c = 0; c < f.data.size(); ++c) columns.push_back(g.constant(f.datum(c, e)));
    std::vector<Id> uniforms;
    for (long k = 0; k < first_quantity(); ++k) uniforms.push_back(g.uniform(static_cast<int>(k)));
    for (std::size_t q = 0; q < quantities_.size(); ++q) {
      const bool here = expr::depends_on_uniform(f.graph, f.value, static_cast<int>(uniforms.size()));
      uniforms.push_back(here ? value_of(g, quantities_[q], source) : g.constant(0));
    }
    for (const run::MemberOutput& earlier : numbers_) {
      const bool here = expr::depends_on_uniform(f.graph, f.value, static_cast<int>(uniforms.size()));
      uniforms.push_back(here ? copy(g, earlier) : g.constant(0));
    }
    return expr::substitute(g, f.graph, f.value, columns, uniforms);
  }

  Id copy(expr::Graph& g, const run::MemberOutput& of) const {
    std::vector<Id> columns, uniforms;
    for (long i = 0; i < 2 * model_.size(); ++i) columns.push_back(g.column(static_cast<int>(i)));
    for (long k = 0; k < first_quantity(); ++k) uniforms.push_back(g.uniform(static_cast<int>(k)));
    return expr::substitute(g, of.graph, of.value, columns, uniforms);
  }

  Id coordinate(expr::Graph& g, run::State state, long i, const core::Source& source) const {
    const int column = static_cast<int>(i), n = static_cast<int>(model_.size());
    switch (state) {
      case run::State::position:
        return g.column(column);
      case run::State::velocity:
        return g.column(n + column);
      case run::State::momentum:
        return g.mul(g.constant(model_.mass.diagonal[i]), g.column(n + column));
      case run::State::acceleration:
      case run::State::next:
      case run::State::reaction:
        break;
    }
    throw core::InputError(source, "accelerations, reactions and q1 are not known of the members of an ensemble",
                           "actio run --member M knows them");
  }

  Id value_of(expr::Graph& g, const Quantity& quantity, const core::Source& source) const {
    using Kind = Quantity::Kind;
    const int n = static_cast<int>(model_.size());
    const auto kinetic = [&] {
      Id sum = g.constant(0);
      for (int i = 0; i < n; ++i)
        sum = g.add(sum, g.mul(g.constant(0.5 * model_.mass.diagonal[i]), g.mul(g.column(n + i), g.column(n + i))));
      return sum;
    };
    const auto potential = [&] {
      const system::Part minus = system::minus_potential_of(model_);
      std::vector<Id> columns, uniforms;
      for (int i = 0; i < n; ++i) columns.push_back(g.column(i));
      for (long k = 0; k < first_quantity(); ++k) uniforms.push_back(g.uniform(static_cast<int>(k)));
      return g.neg(expr::substitute(g, minus.graph, minus.values[0], columns, uniforms));
    };
    switch (quantity.kind) {
      case Kind::energy:
        return g.add(kinetic(), potential());
      case Kind::kinetic_energy:
        return kinetic();
      case Kind::potential_energy:
        return potential();
      case Kind::temperature:
        return g.mul(g.constant(2.0 / static_cast<double>(n - static_cast<long>(model_.fixed_dofs.size()))), kinetic());
      case Kind::momentum: {
        Id sum = g.constant(0);
        for (const system::GeneratorBlock& block : model_.symmetries[quantity.symmetry].blocks)
          for (long e = 0; e < block.elements; ++e)
            sum = g.add(sum, g.mul(coordinate(g, run::State::momentum, block.rows[static_cast<std::size_t>(e)], source),
                                   substitute(g, block, 1, e, source)));
        return sum;
      }
      case Kind::discrete_energy:
      case Kind::discrete_momentum:
      case Kind::stopped_at:
        break;
    }
    throw core::InputError(source, fmt::format("{} is not known of the members of an ensemble", quantity.name),
                           quantity.kind == Kind::stopped_at
                               ? "it stands alone: value = \"stopped_at\", in an ensemble with a stop"
                               : "actio run --member M knows it");
  }

  void read_quantiles(EnsembleRequest& out) const {
    const Value* given = section_.find("quantiles");
    if (!given) return;
    need_kind(document_, *given, "ensemble.quantiles", Kind::array);
    for (const Value& item : given->items) {
      const std::string path = fmt::format("ensemble.quantiles[{}]", out.quantiles.size());
      const double q = finite(document_, item, path);
      if (!(q >= 0 && q <= 1)) document_.fail(item.place, fmt::format("{} is {}; it must lie between 0 and 1", path, q));
      out.quantiles.push_back(q);
    }
    std::ranges::sort(out.quantiles);
  }

  const Section& section_;
  const SymbolTable& symbols_;
  const Document& document_;
  const system::Model& model_;
  const std::vector<run::Observable>& asked_;
  long every_;
  std::vector<Quantity> quantities_;
  std::vector<run::MemberOutput> numbers_;  // the observables so far; without a value those that are not one number
};

}  // namespace

void read_outputs(const Section& ensemble, const SymbolTable& symbols, const Problem& problem, EnsembleRequest& out) {
  OutputReader(ensemble, symbols, problem)(out);
}

}  // namespace actio::io
