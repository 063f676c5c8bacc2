#include "excluded_pairs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include <actio/expr/kernel.hpp>

namespace actio::io {
namespace {

using IndexPair = std::pair<long, long>;
using IndexPairs = std::vector<IndexPair>;

constexpr long most_excluded = 20'000'000, most_tried = 100'000'000;
constexpr long tried_at_once = 4096;

class PairSearch {
 public:
  PairSearch(const Expression& condition, long points) : condition_(condition), points_(points) {}

  IndexPairs find() const {
    if (auto some = candidates(condition_.value)) {
      std::ranges::sort(*some);
      some->erase(std::unique(some->begin(), some->end()), some->end());
      return those_that_hold(*some);
    }
    if (points_ * (points_ - 1) / 2 > most_tried)
      fail(fmt::format("{} would have to be tried for all pairs of {} points", condition_.path(), points_),
           "an equality of a number of i and one of j is found faster: floor(i/3) == floor(j/3), or molecule[i] == molecule[j]");
    IndexPairs out, part;
    for (long i = 0; i < points_; ++i)
      for (long j = i + 1; j < points_; ++j) {
        part.emplace_back(i, j);
        const bool last = i == points_ - 2 && j == points_ - 1;
        if (static_cast<long>(part.size()) < tried_at_once && !last) continue;
        const IndexPairs found = those_that_hold(part);
        out.insert(out.end(), found.begin(), found.end());
        need_few(out);
        part.clear();
      }
    return out;
  }

 private:
  enum class Of { none, i, j, both };

  [[noreturn]] void fail(const std::string& message, std::string_view hint) const {
    condition_.symbols().document().fail(condition_.text().place, message, hint);
  }
  void need_few(const IndexPairs& pairs) const {
    if (static_cast<long>(pairs.size()) > most_excluded)
      fail(fmt::format("{} holds for more than {} pairs", condition_.path(), most_excluded), "");
  }

  // The values of an expression of the two indices for pairs of them.
  std::vector<double> values(expr::Id id, const IndexPairs& pairs) const {
    std::vector<double> out(pairs.size());
    std::vector<std::vector<double>> columns(condition_.columns.size());
    for (const int c : expr::columns_of(condition_.graph, id)) {
      const Column& column = condition_.columns[static_cast<std::size_t>(c)];
      for (const auto& [i, j] : pairs) columns[static_cast<std::size_t>(c)].push_back(value_of(column, i, j));
    }
    std::vector<const double*> x;
    for (std::vector<double>& column : columns) {
      column.resize(pairs.size());
      x.push_back(column.data());
    }
    std::vector<double> uniforms{0};
    const SymbolTable& symbols = condition_.symbols();
    uniforms.insert(uniforms.end(), symbols.parameters.begin(), symbols.parameters.end());
    const std::vector<expr::KernelSource> sources{
        {"condition", &condition_.graph, {id}, true, static_cast<int>(columns.size()), 0}};
    expr::CompileOptions options;
    options.compiler = "none";
    const expr::Module module = expr::Module::build(sources, options);
    double* y = out.data();
    module.batch(0)(static_cast<long>(pairs.size()), uniforms.data(), x.data(), &y);
    return out;
  }
  double value_of(const Column& column, long i, long j) const {
    if (column.kind == Column::Kind::loop) return static_cast<double>(column.which == 0 ? i : j);
    const auto& table = condition_.symbols().tables[static_cast<std::size_t>(column.which)];
    long at = 0;
    try {
      at = column.index(std::array{i, j});
    } catch (const std::range_error& error) { condition_.fail(column, fmt::format("{} in {}", error.what(), condition_.path())); }
    if (at < 0 || at >= static_cast<long>(table.values.size()))
      condition_.fail(column,
                      fmt::format("{} is {}[{}] at i = {}, j = {} in {}, but the table has {} {}", condition_.text_of(column),
                                  table.name, at, i, j, condition_.path(), table.values.size(),
                                  plural(static_cast<long>(table.values.size()), "entry", "entries")));
    return table.values[static_cast<std::size_t>(at)];
  }

  IndexPairs those_that_hold(const IndexPairs& pairs) const {
    need_few(pairs);
    const std::vector<double> holds = values(condition_.value, pairs);
    IndexPairs out;
    for (std::size_t k = 0; k < pairs.size(); ++k)
      if (holds[k] != 0) out.push_back(pairs[k]);
    return out;
  }

  // Which of the two indices an expression is of.
  Of indices_of(expr::Id id) const {
    bool i = false, j = false;
    for (const int c : expr::columns_of(condition_.graph, id)) {
      const Column& column = condition_.columns[static_cast<std::size_t>(c)];
      const bool loop = column.kind == Column::Kind::loop;
      const auto index = loop ? std::nullopt : column.index.in_two_loops();
      i = i || (loop ? column.which == 0 : !index || index->by_i != 0);
      j = j || (loop ? column.which == 1 : !index || index->by_j != 0);
    }
    return i ? (j ? Of::both : Of::i) : j ? Of::j : Of::none;
  }

  // Pairs among which all are where the condition holds; nothing where that is not seen.
  std::optional<IndexPairs> candidates(expr::Id id) const {
    const expr::Node node = condition_.graph[id];
    if (node.op == expr::Op::equal) return with_equal(node.a, node.b);
    if (node.op != expr::Op::logical_and && node.op != expr::Op::logical_or) return {};
    auto a = candidates(node.a);
    if (node.op == expr::Op::logical_and && a) return a;
    auto b = candidates(node.b);
    if (node.op == expr::Op::logical_and) return b;
    if (!a || !b) return {};
    a->insert(a->end(), b->begin(), b->end());
    need_few(*a);
    return a;
  }
  std::optional<IndexPairs> with_equal(expr::Id a, expr::Id b) const {
    Of of_a = indices_of(a), of_b = indices_of(b);
    if (of_a == Of::j || of_b == Of::i) {
      std::swap(a, b);
      std::swap(of_a, of_b);
    }
    if (of_a != Of::i || of_b != Of::j) return {};
    IndexPairs same;  // both indices k
    for (long k = 0; k < points_; ++k) same.emplace_back(k, k);
    const std::vector<double> of_i = values(a, same), of_j = values(b, same);
    std::vector<std::pair<double, long>> sorted;
    for (long j = 0; j < points_; ++j)
      if (!std::isnan(of_j[static_cast<std::size_t>(j)])) sorted.emplace_back(of_j[static_cast<std::size_t>(j)], j);
    std::ranges::sort(sorted);
    IndexPairs out;
    for (long i = 0; i < points_; ++i) {
      const double value = of_i[static_cast<std::size_t>(i)];
      for (auto at = std::ranges::lower_bound(sorted, std::pair{value, i + 1}); at != sorted.end() && at->first == value; ++at)
        out.emplace_back(i, at->second);
      need_few(out);
    }
    return out;
  }

  const Expression& condition_;
  long points_;
};

}  // namespace

std::vector<std::pair<long, long>> pairs_where(const Expression& condition, long points) {
  return PairSearch(condition, points).find();
}

}  // namespace actio::io
