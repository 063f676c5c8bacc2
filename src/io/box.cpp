#include <cmath>

#include <fmt/format.h>

#include "parts.hpp"
#include "values.hpp"

// box: the lengths of a periodic box along the axes of points. Coordinates are never wrapped; distances and angles of points are
// those of the nearest images.
namespace actio::io {

void read_box(const Section& system, SymbolTable& symbols) {
  const Value* box = system.find("box");
  if (!box) return;
  const Document& document = system.document();
  const std::string path = system.path("box");
  if (box->kind != Kind::array || box->items.size() < 2 || box->items.size() > 3)
    wrong_type(document, *box, path, "a list of two or three lengths, along the axes of points; inf along one that goes on");
  for (const Value& item : box->items) {
    const std::string here = fmt::format("{}[{}]", path, symbols.box.size());
    const bool endless = item.kind == Kind::number && std::isinf(item.number) && item.number > 0;
    const double length = endless ? 0 : scalar(symbols, item, here);
    if (!endless && !(length > 0)) document.fail(item.place, fmt::format("{} is {}; a length is positive", here, length));
    symbols.box.push_back(length);
  }
  bool any = false;
  for (const PointFamily& points : symbols.points) {
    any = true;
    if (points.axes.size() != symbols.box.size())
      document.fail(box->place, fmt::format("{} has {} lengths, and {} has {} coordinates", path, symbols.box.size(), points.name,
                                            points.axes.size()));
  }
  if (!any)
    document.fail(system.place_of("box"), fmt::format("{} is one of points, and there are none", path),
                  "[system.points] atom = [\"x\", \"y\", \"z\"] groups coordinates to points");
}

}  // namespace actio::io
