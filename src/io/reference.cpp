#include "reference.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include <actio/expr/parse.hpp>

namespace actio::io {
namespace {

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// What stands between the brackets, read as a range.
class Inside {
 public:
  Inside(const Vocabulary& vocabulary, const Place& place, const std::string& path)
      : vocabulary_(vocabulary), place_(place), path_(path) {}

  void read(std::string_view inside, Reference& out) const {
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
    const system::Family& family = vocabulary_.families[out.family];
    if (first < 0 || last >= family.size)
      fail(fmt::format("{0} has {1} {2}, {0}[0] to {0}[{3}]", family.name, family.size, plural(family.size, "entry", "entries"),
                       family.size - 1));
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

}  // namespace

Reference read_reference(const Vocabulary& vocabulary, const std::string& text, const Place& place, const std::string& path) {
  const Document& document = vocabulary.document();
  const std::string_view whole = trim(text);
  const std::size_t open = whole.find('[');
  const std::string name(trim(whole.substr(0, open)));
  const Vocabulary::Word* word = vocabulary.find(name);
  if (!word || word->meaning != Meaning::family) {
    std::vector<std::string> names;
    for (const auto& family : vocabulary.families) names.push_back(family.name);
    std::string hint = core::did_you_mean(name, names);
    if (hint.empty() && names.size() <= 12) hint = fmt::format("the coordinates are {}", fmt::join(names, ", "));
    document.fail(place, fmt::format("{}: \"{}\" is {}", path, name, word ? noun(word->meaning) : "not a coordinate"), hint);
  }
  Reference out;
  out.family = static_cast<std::size_t>(word->which);
  const system::Family& family = vocabulary.families[out.family];
  out.count = family.size;
  if (open == std::string_view::npos) return out;
  if (!family.indexed) document.fail(place, fmt::format("{}: {} is one coordinate and takes no index", path, name));
  if (!whole.ends_with(']')) document.fail(place, fmt::format("{}: \"{}\" has no closing ]", path, whole));
  const std::string_view inside = trim(whole.substr(open + 1, whole.size() - open - 2));
  if (inside != "*") Inside(vocabulary, place, path).read(inside, out);
  return out;
}

long coordinate(const Vocabulary& vocabulary, const Reference& reference, long k) {
  return vocabulary.families[reference.family].offset + reference.index(k);
}

}  // namespace actio::io
