#include "field.hpp"

#include <array>

#include <fmt/format.h>

#include <actio/expr/kernel.hpp>

#include "expression.hpp"

namespace actio::io {

expr::Id read_with_names(const SymbolTable& symbols, const Value& value, const std::string& path,
                         const std::vector<std::string>& names, const std::vector<expr::Id>& nodes, const OfField& allowed,
                         expr::Graph& into) {
  const Document& document = symbols.document();
  if (value.is_number()) return into.constant(finite(document, value, path));
  if (value.kind != Kind::string) wrong_type(document, value, path, "a number or an expression");
  Allowed here{false, false, allowed.time, false, allowed.why};
  here.signals = allowed.signals;
  const Expression expression(symbols, value, path, names, here);
  std::vector<expr::Id> columns(expression.columns.size(), into.constant(0)), uniforms;
  for (const int c : expr::columns_of(expression.graph, expression.value)) {
    const Column& column = expression.columns[static_cast<std::size_t>(c)];
    if (column.kind != Column::Kind::loop) expression.fail(column, fmt::format("a table is not allowed in {}", path));
    const auto which = static_cast<std::size_t>(column.which);
    symbols.check_local(names[which], "an index", document.inside(value, column.offset, column.length));
    columns[static_cast<std::size_t>(c)] = nodes[which];
  }
  for (std::size_t k = 0; k <= symbols.parameters.size() + symbols.signals.size(); ++k)
    uniforms.push_back(into.uniform(static_cast<int>(k)));
  return expr::substitute(into, expression.graph, expression.value, columns, uniforms);
}

void read_component(const SymbolTable& symbols, const Value& value, const std::string& path, const OfField& allowed,
                    std::size_t component, system::Field& out) {
  expr::Graph& g = out.graph;
  const std::vector<expr::Id> nodes =
      allowed.place ? std::vector<expr::Id>{g.column(0), g.column(1), g.column(2)} : std::vector<expr::Id>{};
  const std::vector<std::string> names = allowed.place ? std::vector<std::string>{"X", "Y", "Z"} : std::vector<std::string>{};
  out.value[component] = read_with_names(symbols, value, path, names, nodes, allowed, g);
}

system::Field read_field(const SymbolTable& symbols, const Value& value, const std::string& path, const OfField& allowed) {
  const Document& document = symbols.document();
  need_kind(document, value, path, Kind::array);
  if (value.items.size() != 3)
    document.fail(value.place, fmt::format("{} has {} {}, not 3", path, value.items.size(),
                                           plural(static_cast<long>(value.items.size()), "entry", "entries")));
  system::Field out;
  for (std::size_t i = 0; i < 3; ++i) read_component(symbols, value.items[i], fmt::format("{}[{}]", path, i), allowed, i, out);
  return out;
}

Eigen::Matrix3Xd values_at(const SymbolTable& symbols, const system::Field& field, const Eigen::Matrix3Xd& X) {
  const std::array sources{
      expr::KernelSource{"field", &field.graph, {field.value[0], field.value[1], field.value[2]}, true, 3, 0}};
  expr::CompileOptions options;
  options.compiler = "none";
  std::vector<double> uniforms{0};
  uniforms.insert(uniforms.end(), symbols.parameters.begin(), symbols.parameters.end());
  uniforms.resize(uniforms.size() + symbols.signals.size(), 0);
  const Eigen::MatrixX3d columns = X.transpose();
  Eigen::MatrixX3d out(X.cols(), 3);
  const std::array<const double*, 3> x{columns.col(0).data(), columns.col(1).data(), columns.col(2).data()};
  const std::array<double*, 3> y{out.col(0).data(), out.col(1).data(), out.col(2).data()};
  expr::Module::build(sources, options).batch(0)(X.cols(), uniforms.data(), x.data(), y.data());
  return out.transpose();
}

}  // namespace actio::io
