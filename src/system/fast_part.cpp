#include <actio/system/fast_part.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <actio/system/model.hpp>

namespace actio::system {
namespace {

std::string why_not_kepler(const Model& model) {
  const auto& points = model.fast->points;
  if (points.size() < 2) return "needs two points or more";
  if (model.mass.kind != MassMatrix::Kind::diagonal) return "needs a diagonal mass";
  const auto axes = static_cast<std::size_t>(points[0][2] < 0 ? 2 : 3);
  if (static_cast<long>(axes * points.size()) != model.size())
    return fmt::format("needs every coordinate in a point, and {} of {} are", axes * points.size(), model.size());
  for (const auto& point : points)
    for (std::size_t axis = 1; axis < axes; ++axis)
      if (model.mass.diagonal[point[axis]] != model.mass.diagonal[point[0]])
        return fmt::format("needs one mass for all coordinates of a point, and those of {} and {} differ",
                           model.coordinate_name(point[0]), model.coordinate_name(point[axis]));
  return "";
}

std::string why_not_linear(const Model& model) {
  if (model.size() > most_modes)
    return fmt::format("takes at most {} coordinates, and there are {}: its modes are a full matrix", most_modes, model.size());
  bool any = model.stiffness.nonZeros() > 0;
  for (const Term& term : model.terms) {
    if (!term.stiff) continue;
    any = true;
    if (depends_on_time(model, term))
      return fmt::format("takes no stiff term that depends on time{}", term.name.empty() ? "" : ", as " + term.name + " does");
  }
  return any ? "" : "takes system.stiffness and the terms with stiff = true, and there are none";
}

}  // namespace

std::string why_no_fast_part(const Model& model) {
  const bool kepler = model.fast->kind == FastPart::Kind::kepler;
  const std::string why = kepler ? why_not_kepler(model) : why_not_linear(model);
  return why.empty() ? "" : fmt::format("system.split: fast = \"{}\" {}", fast_names[kepler ? 0 : 1], why);
}

}  // namespace actio::system
