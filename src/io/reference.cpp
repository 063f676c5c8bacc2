#include "reference.hpp"

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
  Inside(const Vocabulary& vocabulary, const Place& place, const std::string& path)
      : vocabulary_(vocabulary), place_(place), path_(path) {}

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
      const auto ranges = expr::parse_ranges(fmt::format("i = {}{}", prefix, text), vocabulary_.integers);
      if (ranges.size() != 1) fail("one index, or one range, stands in [ ]");
      const long last = ranges.front().last({});
      return {prefix.empty() ? ranges.front().first({}) : last, last};
    } catch (const expr::SyntaxError& error) {
      fail(fmt::format("{} in [{}]", error.what(), text), error.hint);
    } catch (const std::range_error& error) { fail(error.what()); }
  }
  [[noreturn]] void fail(const std::string& message, std::string_view hint = {}) const {
    vocabulary_.document().fail(place_, fmt::format("{}: {}", path_, message), hint);
  }
  const Vocabulary& vocabulary_;
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

[[noreturn]] void unknown(const Vocabulary& vocabulary, const std::string& name, const Vocabulary::Word* word, const Place& place,
                          const std::string& path, bool body) {
  std::vector<std::string> names;
  if (!body)
    for (const auto& family : vocabulary.families) names.push_back(family.name);
  for (const auto& bodies : vocabulary.bodies) names.push_back(bodies.name);
  std::string hint = core::did_you_mean(name, names);
  if (hint.empty() && names.size() <= 12)
    hint = fmt::format("the {} are {}", body ? "bodies" : "coordinates", fmt::join(names, ", "));
  vocabulary.document().fail(place,
                             fmt::format("{}: \"{}\" is {}", path, name,
                                         word   ? noun(word->meaning)
                                         : body ? "not a body"
                                                : "not a coordinate"),
                             hint);
}

Reference range(const Vocabulary& vocabulary, const Parts& parts, long size, bool indexed, const char* what, const Place& place,
                const std::string& path) {
  Reference out;
  out.indexed = indexed;
  out.count = size;
  if (!parts.indexed) return out;
  if (!indexed) vocabulary.document().fail(place, fmt::format("{}: {} is one {} and takes no index", path, parts.name, what));
  if (parts.inside != "*") Inside(vocabulary, place, path).read(parts.inside, parts.name, size, out);
  return out;
}

Reference range_of(const Vocabulary& vocabulary, const Parts& parts, const BodyFamily& bodies, const Place& place,
                   const std::string& path) {
  Reference out = range(vocabulary, parts, bodies.count, bodies.indexed, "body", place, path);
  out.offset = bodies.offset;
  out.stride = bodies.stride();
  return out;
}

}  // namespace

Reference read_reference(const Vocabulary& vocabulary, const std::string& text, const Place& place, const std::string& path) {
  const Document& document = vocabulary.document();
  const Parts parts = parts_of(document, text, place, path);
  const Vocabulary::Word* word = vocabulary.find(parts.name);
  if (word && word->meaning == Meaning::body) {
    const BodyFamily& bodies = vocabulary.bodies[static_cast<std::size_t>(word->which)];
    long entry = 0;
    while (entry < bodies.stride() && system::body_entry(entry) != parts.member) ++entry;
    if (entry == bodies.stride())
      document.fail(place, fmt::format("{}: \"{}\" is {}", path, text, parts.dotted ? "no coordinate of a body" : "a body"),
                    fmt::format("its coordinates are {0}.R11 to {0}.R33{1}", parts.name,
                                bodies.moves ? fmt::format(" and {0}.x, {0}.y, {0}.z", parts.name) : ""));
    Reference out = range_of(vocabulary, parts, bodies, place, path);
    out.offset += entry;
    return out;
  }
  if (!word || word->meaning != Meaning::family) unknown(vocabulary, parts.name, word, place, path, false);
  if (parts.dotted) document.fail(place, fmt::format("{}: {} is a coordinate and has no \"{}\"", path, parts.name, parts.member));
  const system::Family& family = vocabulary.families[static_cast<std::size_t>(word->which)];
  Reference out = range(vocabulary, parts, family.size, family.indexed, "coordinate", place, path);
  out.offset = family.offset;
  return out;
}

Reference read_body_reference(const Vocabulary& vocabulary, const std::string& text, const Place& place, const std::string& path,
                              std::size_t& bodies) {
  const Parts parts = parts_of(vocabulary.document(), text, place, path);
  const Vocabulary::Word* word = vocabulary.find(parts.name);
  if (!word || word->meaning != Meaning::body) unknown(vocabulary, parts.name, word, place, path, true);
  if (parts.dotted) vocabulary.document().fail(place, fmt::format("{}: \"{}\" is not a body, but a part of one", path, text));
  bodies = static_cast<std::size_t>(word->which);
  return range_of(vocabulary, parts, vocabulary.bodies[bodies], place, path);
}

}  // namespace actio::io
