#include "elements.hpp"

#include "element_columns.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <unordered_map>

#include <fmt/format.h>

namespace actio::io {
namespace {

constexpr long most_entries = 1'000'000'000;  // of index and data tables together

// Calls f(loops) for every element, in order.
template <class F>
void walk(const Elements& elements, std::vector<long>& loops, std::size_t level, F&& f) {
  const std::vector<expr::Range>& ranges = elements.ranges;
  if (level == ranges.size()) return f(loops);
  const std::span<const long> outer(loops.data(), level);
  const long first = ranges[level].first(outer), last = ranges[level].last(outer);
  for (long k = first; k <= last; k += level == 0 ? elements.step : 1) {
    loops[level] = k;
    walk(elements, loops, level + 1, f);
  }
}

class Counter {
 public:
  Counter(const std::vector<expr::Range>& ranges, const Document& document, const Value& over, const std::string& path)
      : ranges_(ranges), document_(document), over_(over), path_(path), loops_(ranges.size()) {}

  long count(std::size_t level = 0) {
    const long first = end_of(ranges_[level].first, level), last = end_of(ranges_[level].last, level);
    for (long end : {first, last})
      if (end < -farthest_index || end > farthest_index)
        document_.fail(over_.place, fmt::format("index \"{}\" of {} reaches {}; it must stay within {}", ranges_[level].name,
                                                path_, end, farthest_index));
    if (last < first) return 0;
    if (level + 1 == ranges_.size()) return bounded(last - first + 1);
    visited_ = bounded(visited_ + (last - first + 1));
    long total = 0;
    for (long k = first; k <= last; ++k) {
      loops_[level] = k;
      total = bounded(total + count(level + 1));
    }
    return total;
  }

 private:
  long end_of(const expr::Index& index, std::size_t level) const {
    try {
      return index(std::span<const long>(loops_.data(), level));
    } catch (const std::range_error& error) { document_.fail(over_.place, fmt::format("{} in {}", error.what(), path_)); }
  }
  long bounded(long n) const {
    if (n > most_elements) document_.fail(over_.place, fmt::format("{} is more than {} elements", path_, most_elements));
    return n;
  }
  const std::vector<expr::Range>& ranges_;
  const Document& document_;
  const Value& over_;
  const std::string& path_;
  std::vector<long> loops_;
  long visited_ = 0;
};

[[noreturn]] void out_of_range(const Expression& expression, const Column& column, const Extent& extent, long index,
                               const std::vector<long>& loops) {
  std::string at;
  for (std::size_t k = 0; k < loops.size(); ++k)
    at += fmt::format("{}{} = {}", k == 0 ? " at " : ", ", expression.loop_names()[k], loops[k]);
  const std::string is = at.empty() ? "is out of range" : fmt::format("is {}[{}]{}", extent.name, index, at);
  expression.fail(
      column,
      fmt::format("{} {} in {}, but {} has {} {}, {}[0] to {}[{}]", expression.text_of(column), is, expression.path(),
                  extent.name, extent.size, plural(extent.size, "entry", "entries"), extent.name, extent.name, extent.size - 1),
      at.empty() ? "" : "shorten the range, or write periodic = true to wrap around");
}

long index_of(const Expression& expression, const Column& column, const std::vector<long>& loops) {
  try {
    return column.index(loops);
  } catch (const std::range_error& error) { expression.fail(column, fmt::format("{} in {}", error.what(), expression.path())); }
}

// The columns an expression uses, sorted into locals and data.
struct Plan {
  std::vector<long> local, data;  // of each column: its number among the locals or data, or -1
  std::vector<bool> moves, accelerates;
  long data_count = 0;
};

Plan plan(const Expression& expression) {
  const std::size_t n = expression.columns.size();
  Plan out{std::vector<long>(n, -1), std::vector<long>(n, -1), {}, {}, 0};
  std::unordered_map<std::string, long> locals;
  for (int used : expr::columns_of(expression.graph, expression.value)) {
    const auto c = static_cast<std::size_t>(used);
    const Column& column = expression.columns[c];
    if (!Expression::is_coordinate(column)) {
      out.data[c] = out.data_count++;
      continue;
    }
    const auto [at, fresh] =
        locals.emplace(fmt::format("{} {} {}", column.which, column.entry, column.index.key()), static_cast<long>(locals.size()));
    const auto local = static_cast<std::size_t>(at->second);
    if (fresh) {
      out.moves.push_back(false);
      out.accelerates.push_back(false);
    }
    out.local[c] = at->second;
    if (column.kind == Column::Kind::velocity) out.moves[local] = true;
    if (column.kind == Column::Kind::acceleration) out.accelerates[local] = true;
  }
  return out;
}

// The graph of a batch with its columns known: data that never change become constants, the rest follow the locals.
void complete(Batch& batch, const Expression& expression, const Plan& plan, int derivatives,
              std::vector<std::vector<double>> data) {
  const SymbolTable& symbols = expression.symbols();
  std::vector<expr::Id> columns(expression.columns.size(), -1);
  std::vector<expr::Id> data_ids;
  const long first = (derivatives + 1) * batch.locals;
  for (std::size_t k = 0; k < data.size(); ++k) {
    if (const std::optional<double> value = only_value(data[k])) {
      data_ids.push_back(batch.graph.constant(*value));
    } else {
      data_ids.push_back(batch.graph.column(static_cast<int>(first + static_cast<long>(batch.data.size()))));
      batch.data.push_back(std::move(data[k]));
    }
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const Column::Kind kind = expression.columns[c].kind;
    const long derivative = static_cast<long>(kind) - static_cast<long>(Column::Kind::position);
    if (plan.local[c] >= 0)
      columns[c] = batch.graph.column(static_cast<int>(plan.local[c] + derivative * batch.locals));
    else
      columns[c] = plan.data[c] >= 0 ? data_ids[static_cast<std::size_t>(plan.data[c])] : batch.graph.constant(0);
  }
  batch.value = expr::substitute(batch.graph, expression.graph, expression.value, columns, uniforms_in(batch.graph, symbols));
}

}  // namespace

namespace {

// Pairs of points as two ranges, and perhaps others behind them.
Elements elements_of_pairs(const SymbolTable& symbols, const Value& over, const PairsOfPoints& pairs, const std::string& path) {
  Value ranges = over;
  ranges.string = fmt::format("{0} = 0..{2}, {1} = {0}+1..{3}", pairs.first, pairs.second, pairs.count - 2, pairs.count - 1);
  if (ranges.string.size() < pairs.end) ranges.string.append(pairs.end - ranges.string.size(), ' ');
  ranges.string += over.string.substr(pairs.end);
  Elements out{read_ranges(symbols, ranges, path), false, 0};
  out.count = pairs.count * (pairs.count - 1) / 2;
  if (out.ranges.size() > 2) {
    const std::vector<expr::Range> within(out.ranges.begin() + 2, out.ranges.end());
    std::vector<long> at{0, 1};  // the ends of those within do not depend on the pair
    long each = 1;
    for (const expr::Range& range : within) {
      each *= std::max(0L, range.last(at) - range.first(at) + 1);
      at.push_back(range.first(at));
    }
    out.count *= each;
  }
  if (pairs.near)
    out.near = NearElements{*pairs.near, nullptr};
  else if (out.count > most_elements)
    symbols.document().fail(over.place, fmt::format("{} is more than {} elements", path, most_elements));
  return out;
}

}  // namespace

Elements read_elements(const SymbolTable& symbols, const Value& over, const std::string& path, bool periodic) {
  need_kind(symbols.document(), over, path, Kind::string);
  if (const auto pairs = read_pairs_of_points(symbols, over, path)) {
    if (periodic)
      symbols.document().fail(over.place, fmt::format("{} has pairs of points, which no index wraps", path),
                              "a periodic box is [system] box = [20, 20, 20]");
    Elements elements = elements_of_pairs(symbols, over, *pairs, path);
    if (elements.count == 0) symbols.document().fail(over.place, fmt::format("{} holds no element", path));
    return elements;
  }
  Elements elements{read_ranges(symbols, over, path), periodic, 0};
  elements.count = Counter(elements.ranges, symbols.document(), over, path).count();
  if (elements.count == 0)
    symbols.document().fail(over.place, fmt::format("{} holds no element", path),
                            "both ends of a range are included: first..last");
  return elements;
}

Elements every_index(long size, bool periodic) {
  expr::Range range{"i", {}, {}};
  range.first.steps.push_back({'c', 0});
  range.last.steps.push_back({'c', size - 1});
  return {{range}, periodic, size};
}

Elements strided(long first, long count, long step) {
  expr::Range range{"i", {}, {}};
  range.first.steps.push_back({'c', first});
  range.last.steps.push_back({'c', first + (count - 1) * step});
  return {{range}, false, count, step};
}

Batch assemble(const Expression& expression, const Elements& elements, int derivatives) {
  const Plan plan = io::plan(expression);
  const SymbolTable& symbols = expression.symbols();
  Batch batch;
  batch.locals = static_cast<long>(plan.moves.size());
  batch.elements = elements.count;
  batch.moves = plan.moves;
  batch.accelerates = plan.accelerates;
  if (batch.locals + 2 * plan.data_count > most_entries / elements.count)
    symbols.document().fail(expression.text().place,
                            fmt::format("{} needs tables of more than {} entries", expression.path(), most_entries));
  const auto count = static_cast<std::size_t>(elements.count);
  batch.dofs.resize(plan.moves.size() * count);
  std::vector<std::vector<double>> data(static_cast<std::size_t>(plan.data_count), std::vector<double>(count));

  std::vector<Extent> extents;
  for (const Column& column : expression.columns) extents.push_back(extent_of(column, symbols));
  std::vector<long> loops(elements.ranges.size());
  std::size_t element = 0;
  walk(elements, loops, 0, [&](const std::vector<long>& at) {
    for (std::size_t c = 0; c < extents.size(); ++c) {
      const Column& column = expression.columns[c];
      const Extent& extent = extents[c];
      const bool loop = column.kind == Column::Kind::loop;
      long index = loop ? at[static_cast<std::size_t>(column.which)] : index_of(expression, column, at);
      if (elements.periodic && !loop) index = (index % extent.size + extent.size) % extent.size;
      if (!loop && (index < 0 || index >= extent.size)) out_of_range(expression, column, extent, index, at);
      if (plan.local[c] >= 0)
        batch.dofs[static_cast<std::size_t>(plan.local[c]) * count + element] =
            static_cast<std::int32_t>(extent.offset + extent.stride * index);
      else if (plan.data[c] >= 0)
        data[static_cast<std::size_t>(plan.data[c])][element] =
            loop ? static_cast<double>(index)
                 : symbols.tables[static_cast<std::size_t>(column.which)].values[static_cast<std::size_t>(index)];
    }
    ++element;
  });

  complete(batch, expression, plan, derivatives, std::move(data));
  return batch;
}

}  // namespace actio::io
