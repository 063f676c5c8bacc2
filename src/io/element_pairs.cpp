#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>

#include <actio/run/observable.hpp>
#include <actio/system/pairs.hpp>

#include "element_columns.hpp"

// A potential over two loops, and perhaps short ones within them, as a loop over pairs.
namespace actio::io {
namespace {

constexpr std::size_t most_within = 64;  // values of the loops within, together

// The loops of the pairs, the second with ends affine in the index of the first; and the values of those within, which are the
// same for every pair: 3 x 3 atoms of two molecules.
struct PairRanges {
  expr::PairLoops loops;
  std::vector<std::vector<long>> within;
};

// All values of the loops from the third on, after `values`. False: they depend on the pair, or are many.
bool walk_within(const std::vector<expr::Range>& ranges, std::vector<long>& values, std::vector<std::vector<long>>& out) {
  const std::size_t level = 2 + values.size();
  if (level == ranges.size()) {
    out.push_back(values);
    return out.size() <= most_within;
  }
  const auto first = Offset(ranges[level].first, level).in_two_loops(values),
             last = Offset(ranges[level].last, level).in_two_loops(values);
  for (const auto& end : {first, last})
    if (!end || end->by_i != 0 || end->by_j != 0) return false;
  for (long k = first->constant; k <= last->constant; ++k) {
    values.push_back(k);
    const bool few = walk_within(ranges, values, out);
    values.pop_back();
    if (!few) return false;
  }
  return true;
}

std::optional<PairRanges> pairs_of(const Elements& elements) {
  const std::vector<expr::Range>& ranges = elements.ranges;
  if (ranges.size() < 2 || elements.periodic || elements.step != 1) return {};
  const auto from = Offset(ranges[1].first, 1).in_two_loops(), to = Offset(ranges[1].last, 1).in_two_loops();
  if (!from || !to) return {};
  PairRanges out{{ranges[0].first({}), ranges[0].last({}), *from, *to}, {}};
  std::vector<long> values;
  if (!walk_within(ranges, values, out.within) || out.within.empty()) return {};
  return out;
}

// The least and the largest index over all pairs.
std::pair<long, long> ends_of(const expr::Affine& index, const expr::PairLoops& loops) {
  std::pair out{std::numeric_limits<long>::max(), std::numeric_limits<long>::min()};
  for (long i = loops.first; i <= loops.last; ++i) {
    const long from = loops.from(i, 0), to = loops.to(i, 0);
    if (to < from) continue;
    out.first = std::min({out.first, index(i, from), index(i, to)});
    out.second = std::max({out.second, index(i, from), index(i, to)});
  }
  return out;
}

// The coordinates and the data of a pair, each once.
class PairColumns {
 public:
  PairColumns(const expr::PairLoops& loops, const SymbolTable& symbols) : loops_(loops), symbols_(symbols) {}

  // Throws at a column that is not found, for the reason.
  [[noreturn]] void fail(const Expression& expression, const Column& column, const std::vector<long>& within) const {
    const bool loop = column.kind == Column::Kind::loop;
    const std::string text = expression.text_of(column);
    const auto index = loop ? loop_index(column.which, within) : column.index.in_two_loops(within);
    if (!index)
      expression.fail(column,
                      fmt::format("{} is of pairs with a cutoff, and the index of {} is not a sum of multiples of theirs",
                                  expression.path(), text),
                      "a table with an entry for each point takes the index alone; / and % have no place in it");
    const auto [lowest, highest] = ends_of(*index, loops_);
    const Extent extent = extent_of(column, symbols_);
    expression.fail(column, fmt::format("{} reaches {}[{}] in {}, but {} has {} entries, {}[0] to {}[{}]", text, extent.name,
                                        lowest < 0 ? lowest : highest, expression.path(), extent.name, extent.size, extent.name,
                                        extent.name, extent.size - 1));
  }

  // What the column is with these values of the loops within: its number, from 0, among the coordinates, or from -1 down among
  // the data. Nothing where its index is not affine in the pair's, or leaves its family.
  std::optional<long> find(const Column& column, const std::vector<long>& within) {
    const bool loop = column.kind == Column::Kind::loop, table = column.kind == Column::Kind::table;
    if (!loop && !table && column.kind != Column::Kind::position) return {};
    const auto index = loop ? loop_index(column.which, within) : column.index.in_two_loops(within);
    if (!index) return {};
    const auto [lowest, highest] = ends_of(*index, loops_);
    const Extent extent = extent_of(column, symbols_);
    if (!loop && (lowest < 0 || highest >= extent.size)) return {};
    const std::array<long, 5> key{static_cast<long>(column.kind), loop ? 0 : column.which, index->constant, index->by_i,
                                  index->by_j};
    if (!loop && !table)
      return add({extent.offset + extent.stride * index->constant, extent.stride * index->by_i, extent.stride * index->by_j});
    const auto [at, fresh] = data_.emplace(key, -1 - static_cast<long>(data.size()));
    if (!fresh) return at->second;
    data.push_back(*index);
    data.back().constant -= lowest;
    std::vector<double>& values = tables.emplace_back();
    if (loop) {
      for (long n = lowest; n <= highest; ++n) values.push_back(static_cast<double>(n));
    } else {
      const auto& all = symbols_.tables[static_cast<std::size_t>(column.which)].values;
      values.assign(all.begin() + lowest, all.begin() + highest + 1);
    }
    return at->second;
  }

  long add(const expr::Affine& dof) {  // the number of this coordinate
    const auto [at, fresh] = locals_.emplace(std::array{dof.constant, dof.by_i, dof.by_j}, static_cast<long>(dofs.size()));
    if (fresh) dofs.push_back(dof);
    return at->second;
  }

  std::vector<expr::Affine> dofs, data;
  std::vector<std::vector<double>> tables;

 private:
  static expr::Affine loop_index(long which, const std::vector<long>& within) {
    if (which < 2) return {0, which == 0, which == 1};
    return {within[static_cast<std::size_t>(which) - 2], 0, 0};
  }
  const expr::PairLoops& loops_;
  const SymbolTable& symbols_;
  std::map<std::array<long, 3>, long> locals_;
  std::map<std::array<long, 5>, long> data_;
};

// The value of a batch becomes 0 beyond the cutoff, and where `excluded` is not 0.
void leave_out_the_far(Batch& batch, system::NearPairs& near, const std::vector<std::array<long, 2>>& ends, expr::Id excluded) {
  expr::Graph& g = batch.graph;
  expr::Id square = g.constant(0);
  for (std::size_t a = 0; a < ends.size(); ++a) {
    const expr::Id d = nearest_image(g, g.sub(g.column(static_cast<int>(ends[a][0])), g.column(static_cast<int>(ends[a][1]))),
                                     near.axes[a].period);
    square = g.add(square, g.mul(d, d));
  }
  near.inside = batch.value;
  near.near = g.sub(square, g.constant(near.cutoff * near.cutoff));
  if (!g.is_constant(excluded, 0)) near.near = g.where(excluded, g.constant(1), near.near);
  batch.value = g.where(g.binary(expr::Op::less, near.near, g.constant(0)), near.inside, g.constant(0));
}

// `states`: as many groups of columns as locals stand before the data.
std::optional<Batch> assemble_pairs(const Expression& expression, const Elements& elements, long states) {
  const auto ranges = pairs_of(elements);
  if (!ranges) return {};
  const NearElements* const near = elements.near ? &*elements.near : nullptr;
  const std::vector<int> used = expr::columns_of(expression.graph, expression.value);
  PairColumns columns(ranges->loops, expression.symbols());
  std::vector<std::vector<long>> found;  // of every value of the loops within, of every used column
  for (const std::vector<long>& within : ranges->within) {
    std::vector<long>& at = found.emplace_back();
    for (const int c : used) {
      const Column& column = expression.columns[static_cast<std::size_t>(c)];
      const auto place = columns.find(column, within);
      if (!place && near) columns.fail(expression, column, within);
      if (!place) return {};
      at.push_back(*place);
    }
  }
  std::vector<std::array<long, 2>> ends;  // of a near pair: the locals of its points along each axis
  std::vector<std::pair<int, long>> of_exclude;
  if (near) {
    for (const system::NearPairs::Axis& axis : near->pairs.axes)
      ends.push_back({columns.add({axis.offset, axis.stride, 0}), columns.add({axis.offset, 0, axis.stride})});
    if (near->exclude)
      for (const int c : expr::columns_of(near->exclude->graph, near->exclude->value)) {
        const Column& column = near->exclude->columns[static_cast<std::size_t>(c)];
        const auto place = columns.find(column, {});
        if (!place) columns.fail(*near->exclude, column, {});
        of_exclude.emplace_back(c, *place);
      }
  }
  Batch batch;
  batch.locals = static_cast<long>(columns.dofs.size());
  batch.elements = elements.count / static_cast<long>(ranges->within.size());
  batch.moves.resize(columns.dofs.size());
  batch.accelerates.resize(columns.dofs.size());
  std::vector<expr::Id> data;
  std::vector<expr::Affine> kept;
  for (std::size_t k = 0; k < columns.data.size(); ++k) {
    if (const std::optional<double> value = only_value(columns.tables[k])) {
      data.push_back(batch.graph.constant(*value));
      continue;
    }
    data.push_back(batch.graph.column(static_cast<int>(states * batch.locals + static_cast<long>(kept.size()))));
    kept.push_back(columns.data[k]);
    batch.data.push_back(std::move(columns.tables[k]));
  }
  const std::vector<expr::Id> uniforms = uniforms_in(batch.graph, expression.symbols());
  std::vector<expr::Id> ids(expression.columns.size(), batch.graph.constant(0));
  for (const std::vector<long>& at : found) {
    for (std::size_t k = 0; k < used.size(); ++k)
      ids[static_cast<std::size_t>(used[k])] =
          at[k] >= 0 ? batch.graph.column(static_cast<int>(at[k])) : data[static_cast<std::size_t>(-1 - at[k])];
    const expr::Id value = expr::substitute(batch.graph, expression.graph, expression.value, ids, uniforms);
    batch.value = batch.value < 0 ? value : batch.graph.add(batch.value, value);
  }
  system::Pairs pairs(ranges->loops, std::move(columns.dofs), std::move(kept));
  if (near) {
    std::vector<expr::Id> excluded(near->exclude ? near->exclude->columns.size() : 0, batch.graph.constant(0));
    for (const auto& [column, place] : of_exclude)
      excluded[static_cast<std::size_t>(column)] =
          place >= 0 ? batch.graph.column(static_cast<int>(place)) : data[static_cast<std::size_t>(-1 - place)];
    pairs.near = near->pairs;
    leave_out_the_far(batch, *pairs.near, ends,
                      near->exclude
                          ? expr::substitute(batch.graph, near->exclude->graph, near->exclude->value, excluded, uniforms)
                          : batch.graph.constant(0));
  } else if (ranges->within.size() > 1 && batch.graph.size() > system::longest_of_pairs) {
    return {};
  }
  batch.pairs = std::make_shared<const system::Pairs>(std::move(pairs));
  return batch;
}

}  // namespace

Batch assemble_potential(const Expression& expression, const Elements& elements) {
  if (auto batch = assemble_pairs(expression, elements, 1)) return *std::move(batch);
  if (elements.near)
    expression.symbols().document().fail(
        expression.text().place,
        fmt::format("{} is of pairs with a cutoff, and needs more than their two points", expression.path()),
        "its indices are sums and multiples of the two, and further ranges do not depend on them");
  return assemble(expression, elements, 0);
}

Batch assemble_observed(const Expression& expression, const Elements& elements) {
  if (elements.ranges.size() == 2)
    if (auto batch = assemble_pairs(expression, elements, run::states_of_observable)) return *std::move(batch);
  return assemble(expression, elements, run::states_of_observable - 1);
}

}  // namespace actio::io
