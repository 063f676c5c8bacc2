#include <actio/core/error.hpp>
#include <actio/system/assembled.hpp>
#include <actio/system/pairs.hpp>
#include <algorithm>

#include <fmt/format.h>

namespace actio::system {
namespace {

// pair(row, column, slot) for the first coordinates of every pair of nodes of elements with an interpolation, step(column, slot)
// for every node.
template <class Pair, class Step>
void for_each_pair(const CompiledModel& model, Entries which, Slots& slots, Pair&& pair, Step&& step) {
  const auto energies = [&](const Energies& energy, std::vector<Slots::List>& lists) {
    lists.resize(energy.batches.size());
    for (std::size_t j = 0; j < energy.batches.size(); ++j) {
      const Batch& b = energy.batches[j];
      if (!b.interpolation || (which == Entries::stiff && !b.stiff)) continue;
      const long n = b.interpolation->nodes;
      lists[j].resize(static_cast<std::size_t>((n + 1) * n * b.elements));
      std::int32_t* slot = lists[j].data();
      const std::int32_t* node = b.nodes.data();
      for (long e = 0; e < b.elements; ++e, node += n)
        for (long c = 0; c < n; ++c) {
          step(node[c], *slot++);
          for (long a = 0; a < n; ++a) pair(node[a], node[c], *slot++);
        }
    }
  };
  if (which == Entries::mass) return;
  energies(model.lagrangian, slots.lagrangian);
  if (which == Entries::all) energies(model.dissipation, slots.dissipation);
}

// f(row, column, slot) for every other entry a model adds to its matrix.
template <class F>
void for_each_entry(const CompiledModel& model, Entries which, Slots& slots, F&& f) {
  const auto energies = [&](const Energies& energy, std::vector<Slots::List>& lists) {
    lists.resize(energy.batches.size());
    for (std::size_t j = 0; j < energy.batches.size(); ++j) {
      const Batch& b = energy.batches[j];
      if (b.interpolation || (which == Entries::stiff && !b.stiff)) continue;
      if (b.list >= 0 && b.elements > most_of_all_pairs)
        throw core::InputError(fmt::format("second derivatives take all {} pairs of the {} points, at most {}", b.elements,
                                           b.pairs->near->points, most_of_all_pairs),
                               "verlet, rattle and shake take forces alone, and these go by a list of the pairs that are near");
      const auto mirrored = std::count_if(b.entries.begin(), b.entries.end(), [](const auto& e) { return e.mirrored; });
      lists[j].resize((b.entries.size() + static_cast<std::size_t>(mirrored)) * static_cast<std::size_t>(b.elements));
      std::size_t s = 0;
      Slots::List& of_batch = lists[j];
      const auto visit = [&](int row, int column) {
        if (b.pairs)
          return b.pairs->for_each_run(0, b.elements, [&](long, long outer, long inner, long length) {
            const expr::Affine &to = b.pairs->dofs[static_cast<std::size_t>(row)],
                               &by = b.pairs->dofs[static_cast<std::size_t>(column)];
            for (const long end = inner + length; inner < end; ++inner)
              f(static_cast<std::int32_t>(to(outer, inner)), static_cast<std::int32_t>(by(outer, inner)), of_batch[s++]);
          });
        for (long e = 0; e < b.elements; ++e) f(b.dofs[row * b.elements + e], b.dofs[column * b.elements + e], of_batch[s++]);
      };
      for (const auto& entry : b.entries) visit(entry.row, entry.column);
      for (const auto& entry : b.entries)
        if (entry.mirrored) visit(entry.column, entry.row);
    }
  };
  const auto rows = [&](const Rows& row, std::vector<Slots::List>& lists) {
    lists.resize(row.batches.size());
    for (std::size_t j = 0; j < row.batches.size(); ++j) {
      const RowBatch& b = row.batches[j];
      lists[j].resize(b.entries.size() * static_cast<std::size_t>(b.elements));
      std::size_t s = 0;
      for (const int l : b.entries)
        for (long e = 0; e < b.elements; ++e) f(b.rows[e], b.dofs[l * b.elements + e], lists[j][s++]);
    }
  };
  const auto matrix = [&](const Eigen::SparseMatrix<double>& A, Slots::List& list) {
    list.resize(static_cast<std::size_t>(A.nonZeros()));
    std::size_t s = 0;
    for (int j = 0; j < A.outerSize(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator it(A, j); it; ++it) f(static_cast<int>(it.row()), j, list[s++]);
  };
  if (which != Entries::mass) energies(model.lagrangian, slots.lagrangian);
  if (which == Entries::all) {
    energies(model.dissipation, slots.dissipation);
    rows(model.forces, slots.forces);
    rows(model.equations, slots.equations);
    if (model.damping) matrix(*model.damping, slots.damping);
  }
  if (model.stiffness && which != Entries::mass) matrix(*model.stiffness, slots.stiffness);
  if (model.mass.kind == MassMatrix::Kind::diagonal) {
    slots.mass.resize(static_cast<std::size_t>(model.n));
    for (int i = 0; i < static_cast<int>(model.n); ++i) f(i, i, slots.mass[i]);
  } else if (model.mass.kind == MassMatrix::Kind::full) {
    matrix(model.mass.full, slots.mass);
  }
  if (const Callbacks* code = model.callbacks.get(); code && which != Entries::stiff && which != Entries::mass) {
    slots.callbacks.resize(code->rows.size());
    for (std::size_t k = 0; k < code->rows.size(); ++k) f(code->rows[k], code->columns[k], slots.callbacks[k]);
  }
}

std::vector<bool> is_fixed(const CompiledModel& model) {
  std::vector<bool> fixed(static_cast<std::size_t>(model.n), false);
  for (const std::int32_t i : model.dirichlet) fixed[static_cast<std::size_t>(i)] = true;
  return fixed;
}

// f(k, i, slot) for every entry of the constraints' Jacobian.
template <class F>
void for_each_constraint_entry(const CompiledModel& model, Slots& slots, F&& f) {
  const auto& batches = model.constraints.batches;
  slots.constraints.resize(batches.size());
  for (std::size_t j = 0; j < batches.size(); ++j) {
    const ConstraintBatch& b = batches[j];
    slots.constraints[j].resize(b.entries.size() * static_cast<std::size_t>(b.elements));
    std::size_t s = 0;
    for (const int l : b.entries)
      for (long e = 0; e < b.elements; ++e) f(b.at + e, b.dofs[l * b.elements + e], slots.constraints[j][s++]);
  }
}

// A dense Jacobian, (m x n): row by row on spaces of fixed size, column by column else.
template <class Space>
void lay_constraints(const CompiledModel& model, Slots& slots) {
  const long m = model.constraints.count, n = model.n;
  const auto slot_of = [&](long k, long i) { return static_cast<std::int32_t>(Space::static_size ? k * n + i : k + i * m); };
  if (m * n > 2'000'000'000) throw core::InputError("the Jacobian of the constraints has more than 2e9 entries");
  for_each_constraint_entry(model, slots, [&](long k, long i, std::int32_t& slot) { slot = slot_of(k, i); });
  for (const std::int32_t i : model.dirichlet)
    for (long k = 0; k < m; ++k) slots.pinned_constraints.push_back(slot_of(k, i));
}

// A sparse one, with its pattern.
template <>
void lay_constraints<algebra::SparseSpace>(const CompiledModel& model, Slots& slots) {
  const long m = model.constraints.count;
  std::vector<Eigen::Triplet<double, int>> entries;
  for_each_constraint_entry(
      model, slots, [&](long k, long i, std::int32_t&) { entries.emplace_back(static_cast<int>(k), static_cast<int>(i), 0.0); });
  slots.jacobian.resize(m, model.n);
  slots.jacobian.setFromTriplets(entries.begin(), entries.end());
  const int* starts = slots.jacobian.outerIndexPtr();
  const int* columns = slots.jacobian.innerIndexPtr();
  for_each_constraint_entry(model, slots, [&](long k, long i, std::int32_t& slot) {
    slot = static_cast<std::int32_t>(std::lower_bound(columns + starts[k], columns + starts[k + 1], i) - columns);
  });
  const auto fixed = is_fixed(model);
  for (std::int32_t s = 0; s < slots.jacobian.nonZeros(); ++s)
    if (fixed[columns[s]]) slots.pinned_constraints.push_back(s);
}

}  // namespace

template <class Space>
Layout<Space> layout(const CompiledModel& model, Entries entries) {
  const bool tangents = entries != Entries::none;
  auto slots = std::make_shared<Slots>();
  Space space;
  space.n = model.n;
  if (model.constraints.count > 0) lay_constraints<Space>(model, *slots);
  if (tangents)
    for_each_entry(model, entries, *slots,
                   [&](int row, int column, std::int32_t& slot) { slot = static_cast<std::int32_t>(row + column * model.n); });
  if (tangents)
    for_each_pair(
        model, entries, *slots,
        [&](int row, int column, std::int32_t& slot) { slot = static_cast<std::int32_t>(row + column * model.n); },
        [&](int, std::int32_t& slot) { slot = static_cast<std::int32_t>(model.n); });
  const auto fixed = is_fixed(model);
  if (tangents && !model.dirichlet.empty())
    for (std::int32_t k = 0, n = static_cast<std::int32_t>(model.n); k < n * n; ++k) {
      const std::int32_t row = k % n, column = k / n;
      if (!fixed[row] && !fixed[column]) continue;
      (row == column ? slots->pinned_diagonal : slots->pinned).push_back(k);
    }
  return {std::move(space), std::move(slots)};
}

template <>
Layout<algebra::SparseSpace> layout<algebra::SparseSpace>(const CompiledModel& model, Entries entries) {
  auto slots = std::make_shared<Slots>();
  algebra::SparseSpace space;
  space.n = model.n;
  space.symmetric = model.symmetric || entries == Entries::potential || entries == Entries::stiff || entries == Entries::mass;
  if (model.constraints.count > 0) lay_constraints<algebra::SparseSpace>(model, *slots);
  if (entries == Entries::none) return {std::move(space), std::move(slots)};

  std::vector<std::vector<int>> columns(static_cast<std::size_t>(model.n));
  const auto tidy = [](std::vector<int>& column) {
    std::sort(column.begin(), column.end());
    column.erase(std::unique(column.begin(), column.end()), column.end());
  };
  const auto add = [&](std::vector<int>& rows, int row) {
    if (rows.size() == rows.capacity() && rows.size() > 32) tidy(rows);  // before it grows: keeps memory near the pattern's own
    rows.push_back(row);
  };
  std::vector<int> node_of(static_cast<std::size_t>(model.n), -1);  // the first coordinate of its node
  for_each_pair(
      model, entries, *slots, [&](int row, int column, std::int32_t&) { add(columns[column], row); },
      [&](int column, std::int32_t&) {
        for (int i = 0; i < 3; ++i) {
          int& node = node_of[static_cast<std::size_t>(column + i)];
          if (node >= 0 && node != column) throw core::InputError("nodes of finite elements share some of their coordinates");
          node = column;
        }
      });
  for (int i = 0; i < static_cast<int>(model.n); ++i) columns[i].push_back(i);
  for_each_entry(model, entries, *slots, [&](int row, int column, std::int32_t&) { add(columns[column], row); });
  // The three coordinates of a node are coupled to the same ones, and with the same ones.
  for (auto& column : columns) {
    tidy(column);
    for (std::size_t k = 0, count = column.size(); k < count; ++k) {
      const int node = node_of[static_cast<std::size_t>(column[k])];
      if (node < 0) continue;
      if (k + 2 < count && column[k] == node && column[k + 2] == node + 2)
        k += 2;
      else
        column.insert(column.end(), {node, node + 1, node + 2});
    }
    tidy(column);
  }
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (node_of[j] != static_cast<int>(j)) continue;
    for (const std::size_t other : {j + 1, j + 2})
      columns[j].insert(columns[j].end(), columns[other].begin(), columns[other].end());
    tidy(columns[j]);
    columns[j + 1] = columns[j + 2] = columns[j];
  }
  std::size_t nonzeros = 0;
  for (auto& column : columns) {
    tidy(column);
    nonzeros += column.size();
  }
  if (nonzeros > 2'000'000'000) throw core::InputError("the matrix of this system has more than 2e9 entries");
  auto pattern = std::make_shared<algebra::SparseMatrix>(model.n, model.n);
  pattern->resizeNonZeros(static_cast<Eigen::Index>(nonzeros));
  auto* starts = pattern->outerIndexPtr();
  auto* rows = pattern->innerIndexPtr();
  starts[0] = 0;
  for (long j = 0; j < model.n; ++j) {
    std::copy(columns[j].begin(), columns[j].end(), rows + starts[j]);
    starts[j + 1] = starts[j] + static_cast<int>(columns[j].size());
  }
  std::fill_n(pattern->valuePtr(), nonzeros, 0.0);
  const auto find = [&](int row, int column, std::int32_t& slot) {
    slot = static_cast<std::int32_t>(std::lower_bound(rows + starts[column], rows + starts[column + 1], row) - rows);
  };
  for_each_pair(model, entries, *slots, find,
                [&](int column, std::int32_t& slot) { slot = starts[column + 1] - starts[column]; });
  for_each_entry(model, entries, *slots, find);
  if (!model.dirichlet.empty()) {
    const auto fixed = is_fixed(model);
    for (int column = 0; column < static_cast<int>(model.n); ++column)
      for (std::int32_t k = starts[column]; k < starts[column + 1]; ++k)
        if (fixed[column] || fixed[rows[k]]) (rows[k] == column ? slots->pinned_diagonal : slots->pinned).push_back(k);
  }
  space.pattern = std::move(pattern);
  return {std::move(space), std::move(slots)};
}

template Layout<algebra::DenseSpace<1>> layout(const CompiledModel&, Entries);
template Layout<algebra::DenseSpace<2>> layout(const CompiledModel&, Entries);
template Layout<algebra::DenseSpace<3>> layout(const CompiledModel&, Entries);
template Layout<algebra::DenseSpace<4>> layout(const CompiledModel&, Entries);
template Layout<algebra::DenseSpace<Eigen::Dynamic>> layout(const CompiledModel&, Entries);

}  // namespace actio::system
