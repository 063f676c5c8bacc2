#include <actio/core/error.hpp>
#include <actio/system/assembled.hpp>
#include <algorithm>

namespace actio::system {
namespace {

// f(row, column, slot) for every entry a model adds to its matrix: batches, then the mass, then the library.
template <class F>
void for_each_entry(const CompiledModel& model, Slots& slots, F&& f) {
  slots.batch.resize(model.batches.size());
  for (std::size_t j = 0; j < model.batches.size(); ++j) {
    const Batch& b = model.batches[j];
    const auto mirrored = std::count_if(b.entries.begin(), b.entries.end(), [](const auto& e) { return e.mirrored; });
    slots.batch[j].resize((b.entries.size() + static_cast<std::size_t>(mirrored)) * static_cast<std::size_t>(b.elements));
    std::size_t s = 0;
    const auto visit = [&](int row, int column) {
      for (long e = 0; e < b.elements; ++e) f(b.dofs[row * b.elements + e], b.dofs[column * b.elements + e], slots.batch[j][s++]);
    };
    for (const auto& entry : b.entries) visit(entry.row, entry.column);
    for (const auto& entry : b.entries)
      if (entry.mirrored) visit(entry.column, entry.row);
  }
  if (model.mass.kind == MassMatrix::Kind::diagonal) {
    slots.mass.resize(static_cast<std::size_t>(model.n));
    for (int i = 0; i < static_cast<int>(model.n); ++i) f(i, i, slots.mass[i]);
  } else if (model.mass.kind == MassMatrix::Kind::full) {
    slots.mass.resize(static_cast<std::size_t>(model.mass.full.nonZeros()));
    std::size_t s = 0;
    for (int j = 0; j < model.mass.full.outerSize(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator it(model.mass.full, j); it; ++it)
        f(static_cast<int>(it.row()), j, slots.mass[s++]);
  }
  if (const auto* library = model.library.get()) {
    const long n = model.n, count = library->nonzeros > 0 ? library->nonzeros : n * n;
    slots.library.resize(static_cast<std::size_t>(count));
    for (long k = 0; k < count; ++k) {
      if (library->nonzeros > 0)
        f(library->rows[k], library->cols[k], slots.library[k]);
      else
        f(static_cast<int>(k % n), static_cast<int>(k / n), slots.library[k]);
    }
  }
}

}  // namespace

template <class Space>
Layout<Space> layout(const CompiledModel& model, bool tangents) {
  auto slots = std::make_shared<Slots>();
  Space space;
  space.n = model.n;
  if (tangents)
    for_each_entry(model, *slots,
                   [&](int row, int column, std::int32_t& slot) { slot = static_cast<std::int32_t>(row + column * model.n); });
  return {std::move(space), std::move(slots)};
}

template <>
Layout<algebra::SparseSpace> layout<algebra::SparseSpace>(const CompiledModel& model, bool tangents) {
  auto slots = std::make_shared<Slots>();
  algebra::SparseSpace space;
  space.n = model.n;
  space.symmetric = !model.velocities;
  if (!tangents) return {std::move(space), std::move(slots)};

  std::vector<std::vector<int>> columns(static_cast<std::size_t>(model.n));
  for (int i = 0; i < static_cast<int>(model.n); ++i) columns[i].push_back(i);
  const auto tidy = [](std::vector<int>& column) {
    std::sort(column.begin(), column.end());
    column.erase(std::unique(column.begin(), column.end()), column.end());
  };
  for_each_entry(model, *slots, [&](int row, int column, std::int32_t&) {
    auto& rows = columns[column];
    if (rows.size() == rows.capacity() && rows.size() > 32) tidy(rows);  // before it grows: keeps memory near the pattern's own
    rows.push_back(row);
  });
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
  for_each_entry(model, *slots, [&](int row, int column, std::int32_t& slot) {
    slot = static_cast<std::int32_t>(std::lower_bound(rows + starts[column], rows + starts[column + 1], row) - rows);
  });
  space.pattern = std::move(pattern);
  return {std::move(space), std::move(slots)};
}

template Layout<algebra::DenseSpace<1>> layout(const CompiledModel&, bool);
template Layout<algebra::DenseSpace<2>> layout(const CompiledModel&, bool);
template Layout<algebra::DenseSpace<3>> layout(const CompiledModel&, bool);
template Layout<algebra::DenseSpace<4>> layout(const CompiledModel&, bool);
template Layout<algebra::DenseSpace<Eigen::Dynamic>> layout(const CompiledModel&, bool);

}  // namespace actio::system
