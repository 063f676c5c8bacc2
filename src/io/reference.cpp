#include "reference.hpp"

#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include <actio/expr/parse.hpp>
#include <actio/system/bodies.hpp>

namespace actio::io {
namespace {

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// What stands between the brackets, read as a range.
class Inside {
 public:
  Inside(const SymbolTable& symbols, const Place& place, const std::string& path)
      : symbols_(symbols), place_(place), path_(path) {}

  void read(std::string_view inside, const std::string& name, long size, Reference& out) const {
    std::string_view range = inside;
    if (const std::size_t step = inside.find(" step "); step != std::string_view::npos) {
      out.step = whole(inside.substr(step + 6), "1..").first;
      if (out.step < 1) fail(fmt::format("the step is {}; it must be at least 1", out.step));
      range = inside.substr(0, step);
    }
    const bool many = range.find("..") != std::string_view::npos;
    const auto [first, last] = many ? whole(range, "") : whole(range, "1..");
    out.first = first;
    if (!many && out.step > 1) fail("a step needs a range");
    if (last < first) fail(fmt::format("{}..{} names no coordinate", first, last), "both ends of a range are included");
    if (first < 0 || last >= size)
      fail(fmt::format("{0} has {1} {2}, {0}[0] to {0}[{3}]", name, size, plural(size, "entry", "entries"), size - 1));
    out.count = (last - first) / out.step + 1;
  }

 private:
  // "a..b", or with a prefix "1.." the one number b twice.
  std::pair<long, long> whole(std::string_view text, std::string_view prefix) const {
    try {
      const auto ranges = expr::parse_ranges(fmt::format("i = {}{}", prefix, text), symbols_.integers);
      if (ranges.size() != 1) fail("one index, or one range, stands in [ ]");
      const long last = ranges.front().last({});
      return {prefix.empty() ? ranges.front().first({}) : last, last};
    } catch (const expr::SyntaxError& error) {
      fail(fmt::format("{} in [{}]", error.what(), text), error.hint);
    } catch (const std::range_error& error) { fail(error.what()); }
  }
  [[noreturn]] void fail(const std::string& message, std::string_view hint = {}) const {
    symbols_.document().fail(place_, fmt::format("{}: {}", path_, message), hint);
  }
  const SymbolTable& symbols_;
  const Place& place_;
  const std::string& path_;
};

// A reference taken apart: name, what stands in [ ], what stands after a dot.
struct Parts {
  std::string name, inside, member;
  bool indexed = false, dotted = false;
};
Parts parts_of(const Document& document, const std::string& text, const Place& place, const std::string& path) {
  const std::string_view whole = without_blanks(text);
  const std::size_t open = whole.find('['), close = whole.find(']');
  Parts out;
  out.indexed = open != std::string_view::npos;
  if (out.indexed && close == std::string_view::npos)
    document.fail(place, fmt::format("{}: \"{}\" has no closing ]", path, whole));
  if (out.indexed) out.inside = without_blanks(whole.substr(open + 1, close - open - 1));
  std::string_view rest = out.indexed ? whole.substr(close + 1) : whole;
  const std::size_t dot = rest.find('.');
  out.dotted = dot != std::string_view::npos;
  if (out.dotted) out.member = without_blanks(rest.substr(dot + 1));
  rest = without_blanks(rest.substr(0, dot));
  if (out.indexed && !rest.empty()) document.fail(place, fmt::format("{}: \"{}\" has more after ]", path, whole));
  out.name = out.indexed ? std::string(without_blanks(whole.substr(0, open))) : std::string(rest);
  return out;
}

[[noreturn]] void unknown(const SymbolTable& symbols, const std::string& name, const SymbolTable::Definition* definition,
                          const Place& place, const std::string& path, bool body) {
  std::vector<std::string> names;
  if (!body)
    for (const auto& family : symbols.families) names.push_back(family.name);
  for (const auto& bodies : symbols.bodies) names.push_back(bodies.name);
  std::string hint = core::did_you_mean(name, names);
  if (hint.empty() && names.size() <= 12)
    hint = fmt::format("the {} are {}", body ? "bodies" : "coordinates", fmt::join(names, ", "));
  symbols.document().fail(place,
                          fmt::format("{}: \"{}\" is {}", path, name,
                                      definition ? noun(definition->meaning)
                                      : body     ? "not a body"
                                                 : "not a coordinate"),
                          hint);
}

Reference range(const SymbolTable& symbols, const Parts& parts, long size, bool indexed, const char* what, const Place& place,
                const std::string& path) {
  Reference out;
  out.indexed = indexed;
  out.count = size;
  if (!parts.indexed) return out;
  if (!indexed) symbols.document().fail(place, fmt::format("{}: {} is one {} and takes no index", path, parts.name, what));
  if (parts.inside != "*") Inside(symbols, place, path).read(parts.inside, parts.name, size, out);
  return out;
}

Reference range_of(const SymbolTable& symbols, const Parts& parts, const BodyFamily& bodies, const Place& place,
                   const std::string& path) {
  Reference out = range(symbols, parts, bodies.count, bodies.indexed, "body", place, path);
  out.offset = bodies.offset;
  out.stride = bodies.stride();
  return out;
}

}  // namespace

Reference read_reference(const SymbolTable& symbols, const std::string& text, const Place& place, const std::string& path) {
  const Document& document = symbols.document();
  const Parts parts = parts_of(document, text, place, path);
  const SymbolTable::Definition* definition = symbols.find(parts.name);
  if (definition && definition->meaning == Meaning::body) {
    const BodyFamily& bodies = symbols.bodies[static_cast<std::size_t>(definition->which)];
    long entry = 0;
    while (entry < bodies.stride() && system::body_entry(entry) != parts.member) ++entry;
    if (entry == bodies.stride())
      document.fail(place, fmt::format("{}: \"{}\" is {}", path, text, parts.dotted ? "no coordinate of a body" : "a body"),
                    fmt::format("its coordinates are {0}.R11 to {0}.R33{1}", parts.name,
                                bodies.moves ? fmt::format(" and {0}.x, {0}.y, {0}.z", parts.name) : ""));
    Reference out = range_of(symbols, parts, bodies, place, path);
    out.offset += entry;
    return out;
  }
  if (!definition || definition->meaning != Meaning::family) unknown(symbols, parts.name, definition, place, path, false);
  if (parts.dotted) document.fail(place, fmt::format("{}: {} is a coordinate and has no \"{}\"", path, parts.name, parts.member));
  const system::Family& family = symbols.families[static_cast<std::size_t>(definition->which)];
  Reference out = range(symbols, parts, family.size, family.indexed, "coordinate", place, path);
  out.offset = family.offset;
  return out;
}

Reference read_body_reference(const SymbolTable& symbols, const std::string& text, const Place& place, const std::string& path,
                              std::size_t& bodies) {
  const Parts parts = parts_of(symbols.document(), text, place, path);
  const SymbolTable::Definition* definition = symbols.find(parts.name);
  if (!definition || definition->meaning != Meaning::body) unknown(symbols, parts.name, definition, place, path, true);
  if (parts.dotted) symbols.document().fail(place, fmt::format("{}: \"{}\" is not a body, but a part of one", path, text));
  bodies = static_cast<std::size_t>(definition->which);
  return range_of(symbols, parts, symbols.bodies[bodies], place, path);
}

std::vector<PointReference> read_points(const SymbolTable& symbols, const Value& list, const std::string& path,
                                        const std::string& key, std::size_t least, std::size_t most) {
  constexpr std::array<std::string_view, 4> numbers{"no", "one", "two", "three"};
  const Document& document = symbols.document();
  need_kind(document, list, path, Kind::array);
  std::vector<PointReference> out;
  for (const Value& item : list.items) {
    const std::string here = fmt::format("{}[{}]", path, out.size());
    const std::size_t given = item.items.size();
    if (item.kind != Kind::array || given < least || given > most)
      document.fail(item.place,
                    fmt::format("{} must be {}{} coordinates, along the axes of space, not {}", here,
                                least == most ? "" : fmt::format("{} to ", numbers[least]), numbers[most],
                                item.kind == Kind::array ? fmt::format("{}", given) : std::string(noun(item.kind))),
                    fmt::format("for example {} = [[\"x\", \"y\", \"z\"]]", key));
    PointReference& x = out.emplace_back();
    for (const Value& name : item.items) {
      need_kind(document, name, fmt::format("{}[{}]", here, x.size()), Kind::string);
      x.push_back(read_reference(symbols, name.string, name.place, here));
      if (x.back().count != x[0].count)
        document.fail(name.place, fmt::format("{} has {} {}, and {} has {}", item.items[0].string, x[0].count,
                                              plural(x[0].count, "entry", "entries"), name.string, x.back().count));
    }
  }
  return out;
}

}  // namespace actio::io
