#include <actio/system/constraint_groups.hpp>

#include <actio/core/parallel.hpp>
#include <actio/system/compiled.hpp>
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <map>
#include <utility>

#include "../algebra/schur_complement.hpp"
#include "group_block.hpp"
#define ACTIO_KERNEL "../system/group_kernel.hpp"
#include "../algebra/each_machine.hpp"

namespace actio::system {

using algebra::lanes;
using algebra::LaneSlots;
using algebra::Machine;
using algebra::StoredLanes;

namespace {

constexpr long most_packs = 16;        // of a block: what the kernels of g are called for at once
constexpr long least_groups = 8;       // of a family, on average
constexpr long blocks_of_a_task = 16;  // for a thread, some 20 microseconds
constexpr std::size_t most_columns = 64;

struct Element {
  std::int32_t batch;
  long e;
};

bool same(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

void forget(Eigen::VectorXd& place) {
  if (place.size() > 0) place[0] = std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

// Groups of one shape: row k is an element of the same batch, of the same of the group's coordinates.
struct ConstraintGroups::Family {
  struct Row {
    std::int32_t batch;
    std::vector<std::int32_t> coordinates;  // of its locals
    std::vector<std::vector<double>> data;  // (columns) of (groups, padded)
  };
  long groups = 0, packs = 0, blocks = 0;  // packs: of a block
  int coordinates = 0, entries = 0;
  std::vector<Row> rows;
  std::vector<std::int32_t> row_starts, coordinate, product_starts;
  std::vector<GroupProduct> products;
  std::vector<LaneSlots> slots, multipliers;
  std::vector<StoredLanes> inverse, q0, q, p, G0, G, g, eta;

  Family(const Constraints& constraints, const std::vector<std::vector<std::int32_t>>& dofs,
         const std::vector<std::vector<Element>>& elements, const double* inverse_mass);
  GroupBlock block(long b);
  void evaluate(const Constraints& constraints, const double* uniforms, long b, const std::vector<StoredLanes>& at,
                std::vector<StoredLanes>& to);

 private:
  void take_products();
};

namespace {

template <class T>
auto* part(std::vector<T>& x, long b, long rows, long packs) {
  return x.data() + b * rows * packs;
}

// The coordinates of a group as they come, and where those of each of its elements are among them.
using Shape = std::vector<std::vector<std::int32_t>>;  // batch and coordinates of each row
Shape shape_of(const Constraints& constraints, const std::vector<Element>& elements, std::vector<std::int32_t>& dofs) {
  Shape shape;
  for (const Element& of : elements) {
    const ConstraintBatch& batch = constraints.batches[static_cast<std::size_t>(of.batch)];
    std::vector<std::int32_t>& row = shape.emplace_back(1, of.batch);
    for (long l = 0; l < batch.locals; ++l) {
      const std::int32_t dof = batch.dofs[static_cast<std::size_t>(l * batch.elements + of.e)];
      const auto at = std::find(dofs.begin(), dofs.end(), dof) - dofs.begin();
      if (at == static_cast<long>(dofs.size())) dofs.push_back(dof);
      row.push_back(static_cast<std::int32_t>(at));
    }
  }
  return shape;
}

bool small_enough(const Constraints& constraints, const Shape& shape, std::size_t coordinates) {
  std::size_t entries = 0;
  for (const auto& row : shape) {
    const ConstraintBatch& batch = constraints.batches[static_cast<std::size_t>(row[0])];
    if (static_cast<std::size_t>(batch.columns()) > most_columns) return false;
    entries += row.size() - 1;
  }
  return entries <= most_group_entries && coordinates <= most_group_coordinates;
}

// The pattern of G, from the tables: rows in the order of g.
algebra::SparseJacobian pattern_of(const Constraints& constraints, long n) {
  std::vector<Eigen::Triplet<double>> entries;
  for (const ConstraintBatch& b : constraints.batches)
    for (long l = 0; l < b.locals; ++l)
      for (long e = 0; e < b.elements; ++e)
        entries.emplace_back(static_cast<int>(b.at + e), b.dofs[static_cast<std::size_t>(l * b.elements + e)], 0.0);
  algebra::SparseJacobian G(constraints.count, n);
  G.setFromTriplets(entries.begin(), entries.end());
  return G;
}

}  // namespace

ConstraintGroups::Family::Family(const Constraints& constraints, const std::vector<std::vector<std::int32_t>>& dofs,
                                 const std::vector<std::vector<Element>>& elements, const double* inverse_mass)
    : groups(static_cast<long>(dofs.size())), coordinates(static_cast<int>(dofs[0].size())) {
  const long all = (groups + lanes - 1) / lanes;
  blocks = (all + most_packs - 1) / most_packs;
  packs = (all + blocks - 1) / blocks;
  const auto group = [&](long b, long i, int k) {  // of lane k of pack i; the last stands for those that are none
    return static_cast<std::size_t>(std::min((b * packs + i) * lanes + k, groups - 1));
  };
  std::vector<std::int32_t> none;
  const Shape shape = shape_of(constraints, elements[0], none);
  row_starts.push_back(0);
  for (std::size_t r = 0; r < shape.size(); ++r) {
    Row& row = rows.emplace_back(Row{shape[r][0], {shape[r].begin() + 1, shape[r].end()}, {}});
    coordinate.insert(coordinate.end(), row.coordinates.begin(), row.coordinates.end());
    row_starts.push_back(static_cast<std::int32_t>(coordinate.size()));
    for (const std::vector<double>& column : constraints.batches[static_cast<std::size_t>(row.batch)].data) {
      std::vector<double>& to = row.data.emplace_back();
      for (long k = 0; k < blocks * packs; ++k)
        for (int lane = 0; lane < lanes; ++lane) to.push_back(column[static_cast<std::size_t>(elements[group(0, k, lane)][r].e)]);
    }
  }
  entries = static_cast<int>(coordinate.size());
  take_products();
  for (long b = 0; b < blocks; ++b) {
    for (int c = 0; c < coordinates; ++c)
      for (long i = 0; i < packs; ++i) {
        LaneSlots& to = slots.emplace_back();
        StoredLanes& m = inverse.emplace_back();
        for (int k = 0; k < lanes; ++k) {
          to.at[k] = dofs[group(b, i, k)][static_cast<std::size_t>(c)];
          m.value[k] = inverse_mass ? inverse_mass[to.at[k]] : 1.0;
        }
      }
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (long i = 0; i < packs; ++i) {
        LaneSlots& to = multipliers.emplace_back();
        for (int k = 0; k < lanes; ++k)
          to.at[k] = static_cast<std::int32_t>(constraints.batches[static_cast<std::size_t>(rows[r].batch)].at +
                                               elements[group(b, i, k)][r].e);
      }
  }
  q0 = q = p = std::vector<StoredLanes>(slots.size());
  g = eta = std::vector<StoredLanes>(multipliers.size());
  G0 = G = std::vector<StoredLanes>(static_cast<std::size_t>(blocks * packs * entries));
}

void ConstraintGroups::Family::take_products() {
  product_starts.push_back(0);
  const auto each = [&](std::size_t k, auto&& f) {
    for (std::int32_t s = row_starts[k]; s < row_starts[k + 1]; ++s) f(s, coordinate[static_cast<std::size_t>(s)]);
  };
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (std::size_t l = 0; l < rows.size(); ++l) {
      each(k, [&](std::int32_t of_G, std::int32_t c) {
        each(l, [&](std::int32_t of_G0, std::int32_t other) {
          if (c == other) products.push_back({of_G, of_G0});
        });
      });
      product_starts.push_back(static_cast<std::int32_t>(products.size()));
    }
}

GroupBlock ConstraintGroups::Family::block(long b) {
  const long m = static_cast<long>(rows.size());
  return {static_cast<int>(m),
          coordinates,
          entries,
          packs,
          groups - b * packs * lanes,
          row_starts.data(),
          coordinate.data(),
          product_starts.data(),
          products.data(),
          part(slots, b, coordinates, packs),
          part(multipliers, b, m, packs),
          part(inverse, b, coordinates, packs),
          part(q0, b, coordinates, packs),
          part(q, b, coordinates, packs),
          part(p, b, coordinates, packs),
          part(G0, b, entries, packs),
          part(G, b, entries, packs),
          part(g, b, m, packs),
          part(eta, b, m, packs)};
}

// g, and the entries of G, at q0 or q
void ConstraintGroups::Family::evaluate(const Constraints& constraints, const double* uniforms, long b,
                                        const std::vector<StoredLanes>& at, std::vector<StoredLanes>& to) {
  const StoredLanes* x = at.data() + b * coordinates * packs;
  StoredLanes* G_row = to.data() + b * entries * packs;
  StoredLanes* g_row = g.data() + b * static_cast<long>(rows.size()) * packs;
  std::array<const double*, most_columns> inputs;
  std::array<double*, most_group_entries + 1> outputs;
  for (const Row& row : rows) {
    std::size_t k = 0;
    for (const std::int32_t c : row.coordinates) inputs[k++] = reinterpret_cast<const double*>(x + c * packs);
    for (const std::vector<double>& column : row.data) inputs[k++] = column.data() + b * packs * lanes;
    outputs[0] = reinterpret_cast<double*>(g_row);
    for (std::size_t l = 0; l < row.coordinates.size(); ++l)
      outputs[1 + l] = reinterpret_cast<double*>(G_row + static_cast<long>(l) * packs);
    constraints.batches[static_cast<std::size_t>(row.batch)].second(packs * lanes, uniforms, inputs.data(), outputs.data());
    g_row += packs;
    G_row += static_cast<long>(row.coordinates.size()) * packs;
  }
}

std::optional<ConstraintGroups> ConstraintGroups::of(std::shared_ptr<const CompiledModel> model, const double* inverse_mass) {
  const Constraints& constraints = model->constraints;
  if (constraints.batches.empty() || constraints.moving || constraints.least_squares) return {};
  std::vector<Element> all;
  for (const ConstraintBatch& b : constraints.batches) {
    if (static_cast<long>(b.entries.size()) != b.locals) return {};
    for (long e = 0; e < b.elements; ++e) all.push_back({static_cast<std::int32_t>(&b - constraints.batches.data()), e});
  }
  const std::vector<int> group = algebra::groups_of(pattern_of(constraints, model->n));
  std::vector<std::vector<Element>> elements(static_cast<std::size_t>(*std::max_element(group.begin(), group.end())) + 1);
  for (std::size_t k = 0; k < all.size(); ++k) elements[static_cast<std::size_t>(group[k])].push_back(all[k]);
  std::map<Shape, std::pair<std::vector<std::vector<std::int32_t>>, std::vector<std::vector<Element>>>> shapes;
  std::vector<bool> is_free(static_cast<std::size_t>(model->n), true);
  for (std::vector<Element>& of : elements) {
    if (of.size() > static_cast<std::size_t>(algebra::largest_group)) return {};
    std::vector<std::int32_t> dofs;
    Shape shape = shape_of(constraints, of, dofs);
    if (!small_enough(constraints, shape, dofs.size())) return {};
    for (const std::int32_t i : dofs) is_free[static_cast<std::size_t>(i)] = false;
    auto& family = shapes[std::move(shape)];
    family.first.push_back(std::move(dofs));
    family.second.push_back(std::move(of));
  }
  for (const std::int32_t i : model->fixed_dofs)
    if (!is_free[static_cast<std::size_t>(i)]) return {};
  if (elements.size() < static_cast<std::size_t>(least_groups) * shapes.size()) return {};
  std::optional<ConstraintGroups> made(ConstraintGroups{});
  for (const auto& [shape, family] : shapes) {
    made->families_.emplace_back(constraints, family.first, family.second, inverse_mass);
    for (long b = 0; b < made->families_.back().blocks; ++b)
      made->tasks_.push_back({static_cast<std::int32_t>(made->families_.size()) - 1, static_cast<std::int32_t>(b)});
  }
  made->sums_.resize(made->tasks_.size());
  for (long i = 0; i < model->n; ++i)
    if (is_free[static_cast<std::size_t>(i)]) {
      made->free_.push_back(static_cast<std::int32_t>(i));
      made->free_inverse_.push_back(inverse_mass ? inverse_mass[i] : 1.0);
    }
  made->uniforms_ = model->uniforms;
  made->model_ = std::move(model);
  return made;
}

ConstraintGroups::ConstraintGroups() = default;
ConstraintGroups::ConstraintGroups(const ConstraintGroups&) = default;
ConstraintGroups::ConstraintGroups(ConstraintGroups&&) noexcept = default;
ConstraintGroups& ConstraintGroups::operator=(const ConstraintGroups&) = default;
ConstraintGroups& ConstraintGroups::operator=(ConstraintGroups&&) noexcept = default;
ConstraintGroups::~ConstraintGroups() = default;

// f(family, block, its sums)
template <class F>
void ConstraintGroups::for_each_block(F&& f) {
  const long count = static_cast<long>(tasks_.size());
  core::parallel_ranges(count, blocks_of_a_task, [&](long begin, long end) {
    for (long k = begin; k < end; ++k) {
      const Task& task = tasks_[static_cast<std::size_t>(k)];
      f(families_[static_cast<std::size_t>(task.family)], task.block, sums_[static_cast<std::size_t>(k)]);
    }
  });
}

void ConstraintGroups::start(const Vector& q0) {
  if (same(q0, at_start_)) return;
  if (same(q0, at_end_)) {
    for (Family& family : families_) {
      family.q0.swap(family.q);
      family.G0.swap(family.G);
    }
    at_start_.swap(at_end_);
    forget(at_end_);
    return;
  }
  static const Machine machine = algebra::machine();
  for_each_block([&](Family& family, long b, Sums&) {
    const GroupBlock block = family.block(b);
    ACTIO_ON_MACHINE(machine, take_groups(block, q0.data(), block.q0));
    family.evaluate(model_->constraints, uniforms_.data(), b, family.q0, family.G0);
  });
  at_start_ = q0;
}

void ConstraintGroups::drift(double h, const Vector& p0, double s, const Vector& f, const Vector& eta) {
  static const Machine machine = algebra::machine();
  for_each_block([&](Family& family, long b, Sums&) {
    ACTIO_ON_MACHINE(machine, drift_groups(family.block(b), h, p0.data(), s, f.data(), eta.data()));
  });
  free_size_ = 0;
  for (std::size_t k = 0; k < free_.size(); ++k) {
    const double w = free_inverse_[k] * (p0[free_[k]] + s * f[free_[k]]);
    free_size_ += w * w;
  }
}

bool ConstraintGroups::correct(double h, double& increment, double& size) {
  static const Machine machine = algebra::machine();
  forget(at_end_);
  for_each_block([&](Family& family, long b, Sums& sums) {
    family.evaluate(model_->constraints, uniforms_.data(), b, family.q, family.G);
    sums.sound = ACTIO_ON_MACHINE(machine, correct_groups(family.block(b), h, sums.increment, sums.size));
  });
  increment = 0;
  size = free_size_;
  bool sound = true;
  for (const Sums& of : sums_) {
    increment += of.increment;
    size += of.size;
    sound = sound && of.sound;
  }
  return sound;
}

void ConstraintGroups::finish(Vector& p, Vector& eta) {
  static const Machine machine = algebra::machine();
  for_each_block(
      [&](Family& family, long b, Sums&) { ACTIO_ON_MACHINE(machine, finish_groups(family.block(b), p.data(), eta.data())); });
}

bool ConstraintGroups::project(const Vector& q, Vector& p, Vector& mu) {
  static const Machine machine = algebra::machine();
  forget(at_end_);
  for_each_block([&](Family& family, long b, Sums& sums) {
    const GroupBlock block = family.block(b);
    ACTIO_ON_MACHINE(machine, take_groups(block, q.data(), block.q));
    family.evaluate(model_->constraints, uniforms_.data(), b, family.q, family.G);
    sums.sound = ACTIO_ON_MACHINE(machine, project_groups(block, p.data()));
  });
  if (!std::all_of(sums_.begin(), sums_.end(), [](const Sums& of) { return of.sound; })) return false;
  at_end_ = q;
  finish(p, mu);
  return true;
}

}  // namespace actio::system
