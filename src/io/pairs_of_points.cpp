#include "pairs_of_points.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "values.hpp"

namespace actio::io {
namespace {

constexpr const char* example = "for example over = \"a, b = pairs(atom, cutoff = 9, skin = 1)\"";

// Words and signs of the text from its beginning.
class PairsText {
 public:
  explicit PairsText(const std::string& text) : text_(text) {}
  std::size_t at() const { return at_; }
  std::string word() {
    blank();
    const std::size_t begin = at_;
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    while (at_ < text_.size() && (letter(text_[at_]) || (at_ > begin && text_[at_] >= '0' && text_[at_] <= '9'))) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  bool sign(char c) {
    blank();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  // Up to a comma or the parenthesis that closes those of pairs.
  std::pair<std::size_t, std::size_t> number() {
    blank();
    const std::size_t begin = at_;
    for (int depth = 0; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (depth == 0 && (c == ',' || c == ')')) break;
      depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    }
    return {begin, at_ - begin};
  }

 private:
  void blank() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  const std::string& text_;
  std::size_t at_ = 0;
};

class PairsReader {
 public:
  PairsReader(const SymbolTable& symbols, const Value& over, const std::string& path)
      : symbols_(symbols), over_(over), path_(path), text_(over.string) {}

  std::optional<PairsOfPoints> read() {
    PairsOfPoints out;
    const bool open = text_.sign('(');
    out.first = text_.word();
    const bool comma = !out.first.empty() && text_.sign(',');
    if (comma) out.second = text_.word();
    const bool begins = !out.second.empty() && (!open || text_.sign(')')) && text_.sign('=') && text_.word() == "pairs";
    if (!begins) {
      if (over_.string.find("pairs(") != std::string::npos)
        symbols_.document().fail(over_.place, fmt::format("{}: pairs of points are the first range, and have two indices", path_),
                                 example);
      return {};
    }
    if (!text_.sign('(')) fail("pairs takes points in parentheses");
    const std::size_t begin = text_.at();
    const std::string name = text_.word();
    const PointFamily& points = family(name, begin);
    out.count = points.count;
    std::optional<double> cutoff, skin;
    while (text_.sign(',')) {
      const std::size_t key_at = text_.at();
      const std::string key = text_.word();
      std::optional<double>& value = key == "skin" ? skin : cutoff;
      if (key != "cutoff" && key != "skin") {
        const std::string hint = core::did_you_mean(key, std::vector<std::string>{"cutoff", "skin"});
        fail(key.empty() ? "pairs takes cutoff = and skin = behind its points" : fmt::format("pairs knows no \"{}\"", key),
             key_at, hint.empty() ? "it takes cutoff and skin" : hint);
      }
      if (value) fail(fmt::format("{} is given twice", key), key_at);
      if (!text_.sign('=')) fail(fmt::format("{} takes a value: {} = 1", key, key), key_at);
      value = number(key);
    }
    if (!text_.sign(')')) fail("pairs is not closed, or there is more in it than points, cutoff and skin", text_.at());
    out.end = text_.at();
    if (skin && !cutoff) fail("a skin belongs to a cutoff");
    if (cutoff) out.near = near(points, *cutoff, skin);
    return out;
  }

 private:
  [[noreturn]] void fail(const std::string& message, std::size_t at = 0, std::string_view hint = example) const {
    const Place place = at == 0 ? over_.place : symbols_.document().inside(over_, at, 1);
    symbols_.document().fail(place, fmt::format("{}: {}", path_, message), hint);
  }

  const PointFamily& family(const std::string& name, std::size_t at) const {
    const SymbolTable::Definition* found = symbols_.find(name);
    if (!found || found->meaning != Meaning::point) {
      std::vector<std::string> names;
      for (const PointFamily& points : symbols_.points) names.push_back(points.name);
      const std::string hint = names.empty() ? "[system.points] atom = [\"x\", \"y\", \"z\"] groups coordinates to points"
                                             : core::did_you_mean(name, names);
      fail(name.empty() ? "pairs takes the name of points" : fmt::format("there are no points \"{}\"", name), at, hint);
    }
    const PointFamily& points = symbols_.points[static_cast<std::size_t>(found->which)];
    if (points.count < 2) fail(fmt::format("{} is a single point, and has no pairs", name), at, "");
    return points;
  }

  double number(const std::string& key) {
    const auto [begin, length] = text_.number();
    Value part;
    part.kind = Kind::string;
    part.string = over_.string.substr(begin, length);
    part.place = symbols_.document().inside(over_, begin, std::max<std::size_t>(length, 1));
    if (length == 0) fail(fmt::format("{} has no value", key), begin);
    const double value = scalar(symbols_, part, fmt::format("{}, {}", path_, key));
    if (!(value > 0 || (value == 0 && key == "skin")))
      symbols_.document().fail(part.place,
                               fmt::format("{}: {} = {} is not {}", path_, key, value, key == "skin" ? "0 or more" : "positive"));
    return value;
  }

  system::NearPairs near(const PointFamily& points, double cutoff, std::optional<double> skin) const {
    system::NearPairs out;
    out.points = points.count;
    out.cutoff = cutoff;
    out.skin = skin.value_or(cutoff / 5);
    for (std::size_t a = 0; a < points.axes.size(); ++a) {
      const system::Family& family = symbols_.families[static_cast<std::size_t>(points.axes[a].family)];
      const double period = symbols_.period(a, points.axes.size());
      if (period > 0 && cutoff > 0.5 * period)
        fail(fmt::format("cutoff = {} is more than half of the box, which is {} along axis {}", cutoff, period, a + 1), 0,
             "within half of the box each point is near one image of another: take a larger box or a smaller cutoff");
      out.axes.push_back({family.offset + points.axes[a].first, points.axes[a].step, period});
    }
    return out;
  }

  const SymbolTable& symbols_;
  const Value& over_;
  const std::string& path_;
  PairsText text_;
};

}  // namespace

std::optional<PairsOfPoints> read_pairs_of_points(const SymbolTable& symbols, const Value& over, const std::string& path) {
  return PairsReader(symbols, over, path).read();
}

}  // namespace actio::io
