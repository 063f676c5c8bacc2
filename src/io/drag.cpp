#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "parts.hpp"
#include "rows.hpp"
#include "values.hpp"

// Drag of points in space, quadratic in their velocity relative to a wind: F = -c |v - w(t, q)| (v - w(t, q)), with
// c = rho C_d A / 2 [kg/m] for a body of drag coefficient C_d and area A in a fluid of density rho.
namespace actio::io {
namespace {

using Dofs = std::vector<std::int32_t>;  // of one local, by element

class DragReader {
 public:
  DragReader(const SymbolTable& symbols, const Section& section, const std::string& name, system::Model& model)
      : symbols_(symbols), document_(symbols.document()), section_(section), name_(name), model_(model) {}

  void read() {
    const Value& list = section_.need("points");
    const std::string path = section_.path("points");
    const std::vector<PointReference> points = read_points(symbols_, list, path, "points", 1, 3);
    if (points.empty()) document_.fail(list.place, fmt::format("{} names no point", path));
    for (std::size_t k = 0; k < points.size(); ++k) add(points[k], list.items[k], fmt::format("{}[{}]", path, k));
  }

 private:
  // A force for each coordinate of the points that one entry of the list names.
  void add(const PointReference& point, const Value& item, const std::string& path) {
    std::vector<Dofs> dofs;  // by local: the coordinates of the points, then others that the wind depends on
    for (const Reference& coordinate : point) dofs.push_back(rows_of(coordinate).rows);
    need_different(dofs, item, path);
    const std::vector<double> coefficient = read_coefficient(point, path);
    const std::vector<Batch> wind = read_wind(point, path);
    for (const Batch& component : wind)
      for (long l = 0; l < component.locals; ++l)
        if (Dofs of = dofs_of(component, l); std::ranges::find(dofs, of) == dofs.end()) dofs.push_back(std::move(of));

    system::Force drag;
    drag.elements = point[0].count;
    drag.locals = static_cast<long>(dofs.size());
    for (const Dofs& of : dofs) drag.dofs.insert(drag.dofs.end(), of.begin(), of.end());
    expr::Graph& g = drag.graph;
    const bool uniform = std::ranges::all_of(coefficient, [&](double c) { return c == coefficient.front(); });
    const expr::Id c = uniform ? g.constant(coefficient.front()) : data(coefficient, drag);
    if (g.is_constant(c, 0)) return;
    const std::vector<expr::Id> u = relative_velocity(point.size(), wind, dofs, drag);
    expr::Id square = g.constant(0);
    for (const expr::Id component : u) square = g.add(square, g.mul(component, component));
    // |u| u has the derivative 0 at u = 0, and |u| none: there |u| is the least number.
    const expr::Id least = g.constant(std::numeric_limits<double>::min());
    const expr::Id factor = g.neg(g.mul(c, g.unary(expr::Op::sqrt, g.binary(expr::Op::max, square, least))));
    for (std::size_t j = 0; j < point.size(); ++j) {
      system::Force& force = model_.forces.emplace_back(drag);
      force.name = fmt::format("{} on {}", name_, item.items[j].string);
      force.value = force.graph.mul(factor, u[j]);
      force.rows = dofs[j];
    }
  }

  // u = v - w, in the graph of the force.
  std::vector<expr::Id> relative_velocity(std::size_t axes, const std::vector<Batch>& wind, const std::vector<Dofs>& dofs,
                                          system::Force& drag) const {
    expr::Graph& g = drag.graph;
    std::vector<expr::Id> uniforms, u;
    for (std::size_t k = 0; k <= symbols_.parameters.size() + symbols_.signals.size(); ++k)
      uniforms.push_back(g.uniform(static_cast<int>(k)));
    for (std::size_t j = 0; j < axes; ++j) {
      u.push_back(g.column(static_cast<int>(drag.locals) + static_cast<int>(j)));
      if (wind.empty()) continue;
      std::vector<expr::Id> columns;
      for (long l = 0; l < wind[j].locals; ++l)
        columns.push_back(g.column(static_cast<int>(std::ranges::find(dofs, dofs_of(wind[j], l)) - dofs.begin())));
      for (const auto& column : wind[j].data) columns.push_back(data(column, drag));
      u[j] = g.sub(u[j], expr::substitute(g, wind[j].graph, wind[j].value, columns, uniforms));
    }
    return u;
  }

  // Another column of data.
  static expr::Id data(std::vector<double> column, system::Force& drag) {
    drag.data.push_back(std::move(column));
    return drag.graph.column(static_cast<int>(2 * drag.locals) + static_cast<int>(drag.data.size()) - 1);
  }

  static Dofs dofs_of(const Batch& batch, long l) {
    const auto first = batch.dofs.begin() + l * batch.elements;
    return {first, first + batch.elements};
  }

  void need_different(const std::vector<Dofs>& coordinates, const Value& item, const std::string& path) const {
    for (std::size_t j = 1; j < coordinates.size(); ++j)
      for (std::size_t k = 0; k < j; ++k)
        for (std::size_t e = 0; e < coordinates[j].size(); ++e)
          if (coordinates[j][e] == coordinates[k][e])
            document_.fail(item.items[j].place,
                           fmt::format("{} names {} twice", path, symbols_.coordinate_name(coordinates[j][e])),
                           "the coordinates of a point are along different axes");
  }

  std::vector<double> read_coefficient(const PointReference& point, const std::string& path) const {
    const Value& value = section_.need("coefficient");
    const long count = point[0].count;
    const std::string here = section_.path("coefficient");
    std::vector<double> out =
        per_index(symbols_, value, here, count, fmt::format("{} names {} {}", path, count, plural(count, "point", "points")), {},
                  {point[0].first, point[0].step});
    for (const double c : out)
      if (!(c >= 0)) document_.fail(value.place, fmt::format("{} is {}; it must not be negative", here, c));
    return out;
  }

  // The components of w; none in still air.
  std::vector<Batch> read_wind(const PointReference& point, const std::string& path) const {
    std::vector<Batch> out;
    const Value* wind = section_.find("wind");
    if (!wind) return out;
    const std::string here = section_.path("wind");
    if (wind->kind != Kind::array)
      wrong_type(document_, *wind, here, "a list of numbers or expressions, one along each axis of space");
    const auto given = static_cast<long>(wind->items.size()), needed = static_cast<long>(point.size());
    if (given != needed)
      document_.fail(wind->place, fmt::format("{} has {} {}, {} has {} {}", here, given, plural(given, "entry", "entries"), path,
                                              needed, plural(needed, "coordinate", "coordinates")));
    const Rows at = rows_of(point[0]);
    for (const Value& component : wind->items) {
      const std::string key = fmt::format("{}[{}]", here, out.size());
      if (component.kind == Kind::string) {
        const Expression w(symbols_, component, key, at.loops, {true, false, true, false, "the wind depends on positions and t"});
        out.push_back(assemble(w, at.elements, 0));
      } else {
        if (!component.is_number()) wrong_type(document_, component, key, "an expression or a number");
        Batch& constant = out.emplace_back();
        constant.value = constant.graph.constant(finite(document_, component, key));
      }
    }
    return out;
  }

  const SymbolTable& symbols_;
  const Document& document_;
  const Section& section_;
  const std::string& name_;
  system::Model& model_;
};

}  // namespace

void read_drag(const Section& section, const SymbolTable& symbols, const std::string& name, system::Model& model) {
  DragReader(symbols, section, name, model).read();
}

}  // namespace actio::io
