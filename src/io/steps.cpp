#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <actio/expr/kernel.hpp>

#include "expression.hpp"
#include "parts.hpp"
#include "steps.hpp"
#include "values.hpp"

namespace actio::io {
namespace {

constexpr long most_evaluated = 20'000'000;
constexpr double eps = std::numeric_limits<double>::epsilon();

void need_positive(const Document& document, const Place& place, const std::string& path, double h, const std::string& when) {
  if (!std::isfinite(h)) document.fail(place, fmt::format("{} is {}{}; it must be finite", path, h, when));
  if (!(h > 0)) document.fail(place, fmt::format("{} is {}{}; it must be positive", path, h, when));
}

// An expression of t and the parameters, as a function of t.
class OfTime {
 public:
  OfTime(const SymbolTable& symbols, const Value& text) : expression_(symbols, text, "run.step", {}, allowed()), uniforms_{0} {
    for (const Column& column : expression_.columns)
      expression_.fail(column, fmt::format("{} in run.step: it is an expression of the time t and of parameters",
                                           expression_.text_of(column)));
    need_same_for_all(expression_);
    uniforms_.insert(uniforms_.end(), symbols.parameters.begin(), symbols.parameters.end());
    module_ = expr::Module::build(std::vector<expr::KernelSource>{{"step", &expression_.graph, {expression_.value}, false, 0, 0}},
                                  {"none", {}});
    kernel_ = module_.single(0);
    moves_ = expr::depends_on_uniform(expression_.graph, expression_.value, 0);
  }
  bool depends_on_time() const { return moves_; }
  double operator()(double t) {
    uniforms_[0] = t;
    double h = 0;
    kernel_(uniforms_.data(), nullptr, nullptr, &h);
    return h;
  }

 private:
  static Allowed allowed() {
    Allowed out;
    out.time = true;
    out.signals = false;
    out.why = "run.step is an expression of the time t and of parameters";
    return out;
  }
  Expression expression_;
  std::vector<double> uniforms_;
  expr::Module module_;
  expr::Kernel kernel_;
  bool moves_ = false;
};

// True when t has reached `end`, whatever the rounding of the steps until there.
bool reached(double t, double start, double end) {
  return std::isfinite(end) && end - t <= 4 * eps * (std::abs(start) + std::abs(end)) + 8 * eps * std::abs(end - start);
}

}  // namespace

std::optional<run::Steps> read_cycle(const SymbolTable& symbols, const Value& value) {
  const Document& document = symbols.document();
  if (value.is_number()) return run::Steps(positive(document, value, "run.step"));
  if (value.kind == Kind::string) {
    OfTime step(symbols, value);
    if (step.depends_on_time()) return {};
    const double h = step(0);
    need_positive(document, value.place, "run.step", h, "");
    return run::Steps(h);
  }
  if (value.kind != Kind::array) wrong_type(document, value, "run.step", "a number, a list of them, or an expression of t");
  if (value.items.empty()) document.fail(value.place, "run.step is an empty list", "for example step = [0.1, 0.2]");
  run::Steps steps;
  for (std::size_t k = 0; k < value.items.size(); ++k) {
    const Value& item = value.items[k];
    const std::string path = fmt::format("run.step[{}]", k);
    const double h = scalar(symbols, item, path);
    need_positive(document, item.place, path, h, "");
    if (!steps.append(h)) document.fail(item.place, fmt::format("run.step changes more than {} times", run::Steps::most_changes));
  }
  return steps;
}

double steps_to(const run::Steps& cycle, double start, double end) {
  const double length = static_cast<double>(cycle.cycle()), period = cycle.time(0, cycle.cycle());
  if (cycle.equal()) {
    const double exact = (end - start) / cycle[0], whole = std::round(exact);
    const double slack = 4 * eps * (std::abs(start) + std::abs(end)) / cycle[0];
    return std::max(1.0, std::abs(exact - whole) <= slack + 8 * eps * whole ? whole : std::ceil(exact));
  }
  const double cycles = std::max(0.0, std::floor((end - start) / period) - 1);
  if (!(cycles * length < 1e15)) return cycles * length;
  long k = static_cast<long>(cycles) * cycle.cycle();
  do ++k;
  while (!reached(cycle.time(start, k), start, end));
  return static_cast<double>(k);
}

run::Steps steps_of_time(const SymbolTable& symbols, const Value& value, double start, double end, long most) {
  const Document& document = symbols.document();
  OfTime step(symbols, value);
  run::Steps steps;
  core::Sum t{start, 0};
  for (long k = 0; k < most && (k == 0 || !reached(t.value(), start, end)); ++k) {
    const double now = t.value(), h = step(now);
    if (k == most_evaluated)
      document.fail(
          value.place,
          fmt::format("run.step is evaluated {:.0e} times until t = {}; at most that many can be", static_cast<double>(k), now),
          "take larger steps, or a list of them: it is repeated");
    need_positive(document, value.place, "run.step", h, fmt::format(" at t = {}", now));
    t.add(h);
    if (!(t.value() > now)) document.fail(value.place, fmt::format("run.step is {} at t = {}: too small to change t", h, now));
    if (!steps.append(h))
      document.fail(value.place, fmt::format("run.step changes more than {} times until t = {}", run::Steps::most_changes, now),
                    "take larger steps, or a list of them: it is repeated");
  }
  return steps;
}

}  // namespace actio::io
