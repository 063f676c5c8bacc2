#include "values.hpp"

#include <array>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include <actio/core/random.hpp>
#include <actio/expr/kernel.hpp>

#include "elements.hpp"

namespace actio::io {
namespace {

long index_of(const Expression& expression, const Column& column, long i) {
  try {
    return column.index(std::array{i});
  } catch (const std::range_error& error) { expression.fail(column, fmt::format("{} in {}", error.what(), expression.path())); }
}

// The values of column c for `size` values of i.
std::vector<double> fill(const Expression& expression, const Column& column, long size, const Draws& draws,
                         const Indices& indices) {
  std::vector<double> out(static_cast<std::size_t>(size));
  const std::vector<double>* table =
      column.kind == Column::Kind::table ? &expression.symbols().tables[static_cast<std::size_t>(column.which)].values : nullptr;
  const long entries = table ? static_cast<long>(table->size()) : 0;
  for (long k = 0; k < size; ++k) {
    const long i = indices.first + k * indices.step;
    double& x = out[static_cast<std::size_t>(k)];
    if (table) {
      const long at = index_of(expression, column, i);
      if (at < 0 || at >= entries)
        expression.fail(column, fmt::format("{} is entry {} at i = {} in {}, but the table has {} {}", expression.text_of(column),
                                            at, i, expression.path(), entries, plural(entries, "entry", "entries")));
      x = (*table)[static_cast<std::size_t>(at)];
    } else if (column.kind == Column::Kind::loop) {
      x = static_cast<double>(i);
    } else {  // the occurrence in the text is the upper half of the stream
      const std::uint32_t stream = draws.stream + (static_cast<std::uint32_t>(column.which) << 8);
      const core::Draw drawn = core::draw(draws.seed, stream, static_cast<std::uint64_t>(draws.first + i));
      x = column.kind == Column::Kind::normal ? drawn.normal : drawn.uniform;
    }
  }
  return out;
}

std::vector<double> evaluate(const Expression& expression, long size, const Draws& draws, const Indices& indices = {}) {
  std::vector<double> out(static_cast<std::size_t>(size));
  std::vector<std::vector<double>> columns;
  std::vector<const double*> x;
  for (const Column& column : expression.columns) columns.push_back(fill(expression, column, size, draws, indices));
  for (const auto& column : columns) x.push_back(column.data());
  std::vector<double> uniforms{0};
  uniforms.insert(uniforms.end(), expression.symbols().parameters.begin(), expression.symbols().parameters.end());
  const std::vector<expr::KernelSource> sources{
      {"values", &expression.graph, {expression.value}, true, static_cast<int>(columns.size()), 0}};
  expr::CompileOptions options;
  options.compiler = "none";
  const expr::Module module = expr::Module::build(sources, options);
  double* y = out.data();
  module.batch(0)(size, uniforms.data(), x.data(), &y);
  return out;
}

Allowed allowed(const Draws& draws) {
  Allowed out;
  out.random = draws.allowed;
  out.why = "this is evaluated once, from parameters and tables";
  return out;
}

void need_finite(const Expression& expression, double x, long i, bool indexed) {
  if (std::isfinite(x)) return;
  const std::string at = indexed ? fmt::format(" at i = {}", i) : "";
  expression.symbols().document().fail(expression.text().place,
                                       fmt::format("{} is {}{}; it must be finite", expression.path(), x, at));
}

}  // namespace

void need_same_for_all(const Expression& expression) {
  const SymbolTable& symbols = expression.symbols();
  const std::vector<int> found = symbols.by_member_in(expression.graph, expression.value);
  if (found.empty()) return;
  symbols.document().fail(
      expression.text().place,
      fmt::format("{} is one number for all members of the ensemble, but the parameter {} differs between them",
                  expression.path(), symbols.parameter_names[static_cast<std::size_t>(found.front())]),
      "energies, forces, [initial] and other parameters may depend on it");
}

double scalar(const SymbolTable& symbols, const Value& value, const std::string& path, const Draws& draws) {
  if (value.kind != Kind::string) return finite(symbols.document(), value, path);
  const Expression expression(symbols, value, path, {}, allowed(draws));
  if (!draws.by_member) need_same_for_all(expression);
  const double x = evaluate(expression, 1, draws).front();
  need_finite(expression, x, 0, false);
  return x;
}

std::vector<double> per_index(const SymbolTable& symbols, const Value& value, const std::string& path, long size,
                              const std::string& shape, const Draws& draws, const Indices& indices) {
  const Document& document = symbols.document();
  if (value.kind == Kind::array) {
    const long given = static_cast<long>(value.items.size());
    if (given != size)
      document.fail(value.place, fmt::format("{} has {} {}, {}", path, given, plural(given, "entry", "entries"), shape));
    std::vector<double> out;
    Draws one = draws;
    for (const Value& item : value.items) {
      out.push_back(scalar(symbols, item, fmt::format("{}[{}]", path, out.size()), one));
      ++one.first;
    }
    return out;
  }
  if (value.kind == Kind::string) {
    const Expression expression(symbols, value, path, {"i"}, allowed(draws));
    if (!draws.by_member) need_same_for_all(expression);
    std::vector<double> out = evaluate(expression, size, draws, indices);
    for (std::size_t k = 0; k < out.size(); ++k)
      need_finite(expression, out[k], indices.first + static_cast<long>(k) * indices.step, true);
    return out;
  }
  if (!value.is_number()) wrong_type(document, value, path, "a number, a list, or an expression of i");
  return std::vector<double>(static_cast<std::size_t>(size), finite(document, value, path));
}

}  // namespace actio::io
