#include <actio/petsc/partition.hpp>

#include <petscmat.h>

#include <algorithm>
#include <numeric>
#include <string>

#include <actio/core/checksum.hpp>
#include <actio/core/error.hpp>
#include <actio/petsc/error.hpp>
#include <actio/petsc/handle.hpp>

namespace actio::petsc {
namespace {

using Numbers = std::vector<PetscInt>;
constexpr PetscInt few = 16;      // nodes a rank that are not worth a partitioner
constexpr long most_joined = 64;  // locals of an element whose every pair is an edge; of more, each and the next

// Nodes: the three coordinates of a node of a solid, or one coordinate.
struct Nodes {
  Numbers of;     // coordinate i
  Numbers first;  // coordinate of a node
  std::vector<bool> solid;
};

Nodes nodes_of(const system::Model& model) {
  const std::size_t n = static_cast<std::size_t>(model.size());
  Nodes nodes;
  nodes.solid.assign(n, false);
  const auto mark = [&](const std::vector<system::Term>& terms) {
    for (const system::Term& term : terms) {
      if (!term.interpolation) continue;
      const std::size_t elements = static_cast<std::size_t>(term.elements);
      for (long a = 0; a < term.interpolation->nodes; ++a)
        for (std::size_t e = 0; e < elements; ++e)
          nodes.solid[static_cast<std::size_t>(term.dofs[3 * static_cast<std::size_t>(a) * elements + e])] = true;
    }
  };
  mark(model.terms);
  mark(model.dissipation);
  nodes.of.resize(n);
  for (std::size_t i = 0; i < n;) {
    const std::size_t size = nodes.solid[i] ? 3 : 1;
    for (std::size_t k = 0; k < size && i + k < n; ++k) nodes.of[i + k] = static_cast<PetscInt>(nodes.first.size());
    nodes.first.push_back(static_cast<PetscInt>(i));
    i += size;
  }
  return nodes;
}

// join(a, b) for every two coordinates that meet.
template <class Join>
void for_each_edge(const system::Model& model, Join&& join) {
  system::for_each_function(model, [&](const system::ElementFunction& function) {
    const long count = function.elements;
    const long locals = count > 0 ? static_cast<long>(function.dofs.size()) / count : 0;
    for (long e = 0; e < count; ++e)
      for (long l = 0; l < locals; ++l) {
        if (!function.rows.empty()) join(function.rows[static_cast<std::size_t>(e)], function.dof(l, e));
        const long end = locals <= most_joined ? locals : std::min(locals, l + 2);
        for (long k = l + 1; k < end; ++k) join(function.dof(l, e), function.dof(k, e));
      }
  });
  for (const auto* A : {&model.stiffness, &model.damping, &model.mass.full})
    for (int j = 0; j < A->outerSize(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator it(*A, j); it; ++it)
        if (it.row() > j) join(static_cast<std::int32_t>(it.row()), j);
}

Numbers blocks(PetscInt nodes, int ranks) {
  Numbers part(static_cast<std::size_t>(nodes));
  for (PetscInt k = 0; k < nodes; ++k)
    part[static_cast<std::size_t>(k)] = static_cast<PetscInt>(static_cast<std::int64_t>(k) * ranks / nodes);
  return part;
}

// The rows of nodes [begin, end) of the graph, as PETSc takes them: its own memory, ascending, without the diagonal.
Mat graph(MPI_Comm comm, const system::Model& model, const Nodes& nodes, PetscInt begin, PetscInt end) {
  std::vector<Numbers> rows(static_cast<std::size_t>(end - begin));
  const auto tidy = [](Numbers& row) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  };
  const auto add = [&](PetscInt a, PetscInt b) {
    if (a < begin || a >= end) return;
    Numbers& row = rows[static_cast<std::size_t>(a - begin)];
    if (row.size() == row.capacity() && row.size() > 32) tidy(row);
    row.push_back(b);
  };
  for_each_edge(model, [&](std::int32_t i, std::int32_t j) {
    const PetscInt a = nodes.of[static_cast<std::size_t>(i)], b = nodes.of[static_cast<std::size_t>(j)];
    if (a == b) return;
    add(a, b);
    add(b, a);
  });
  std::size_t edges = 0;
  for (Numbers& row : rows) {
    tidy(row);
    edges += row.size();
  }
  PetscInt *starts = nullptr, *columns = nullptr;
  check(PetscMalloc1(rows.size() + 1, &starts));
  check(PetscMalloc1(edges, &columns));
  starts[0] = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::copy(rows[k].begin(), rows[k].end(), columns + starts[k]);
    starts[k + 1] = starts[k] + static_cast<PetscInt>(rows[k].size());
  }
  Mat adjacency = nullptr;
  check(MatCreateMPIAdj(comm, end - begin, static_cast<PetscInt>(nodes.first.size()), starts, columns, nullptr, &adjacency));
  return adjacency;
}

// The rank of every node, on all ranks; empty where PETSc has no partitioner, or that leaves a rank without a node.
Numbers by_graph(MPI_Comm comm, int rank, int ranks, const system::Model& model, const Nodes& nodes) {
#if defined(PETSC_HAVE_PTSCOTCH) || defined(PETSC_HAVE_PARMETIS)
  const std::int64_t all = static_cast<std::int64_t>(nodes.first.size());
  const auto begin_of = [&](int r) { return static_cast<PetscInt>(all * r / ranks); };
  Handle<Mat, MatDestroy> adjacency(graph(comm, model, nodes, begin_of(rank), begin_of(rank + 1)));
  Handle<MatPartitioning, MatPartitioningDestroy> partitioning;
  check(MatPartitioningCreate(comm, partitioning.out()));
  check(MatPartitioningSetAdjacency(partitioning.get(), adjacency.get()));
#if defined(PETSC_HAVE_PTSCOTCH)
  check(MatPartitioningSetType(partitioning.get(), MATPARTITIONINGPTSCOTCH));
#else
  check(MatPartitioningSetType(partitioning.get(), MATPARTITIONINGPARMETIS));
#endif
  check(MatPartitioningSetFromOptions(partitioning.get()));
  Handle<IS, ISDestroy> mine, everyone;
  check(MatPartitioningApply(partitioning.get(), mine.out()));
  check(ISAllGather(mine.get(), everyone.out()));
  const PetscInt* parts = nullptr;
  check(ISGetIndices(everyone.get(), &parts));
  Numbers part(parts, parts + all);
  check(ISRestoreIndices(everyone.get(), &parts));
  std::vector<bool> used(static_cast<std::size_t>(ranks), false);
  for (const PetscInt p : part) {
    if (p < 0 || p >= ranks) return {};
    used[static_cast<std::size_t>(p)] = true;
  }
  return std::find(used.begin(), used.end(), false) == used.end() ? part : Numbers();
#else
  return {};
#endif
}

// Constraints numbered through the model's list, those of a rank one after another.
void partition_constraints(const system::Model& model, Partition& p) {
  std::vector<int> owner;
  for (const system::Constraint& c : model.constraints)
    for (long e = 0; e < c.elements; ++e)
      owner.push_back(c.dofs.empty() ? 0 : p.owner(p.number[static_cast<std::size_t>(c.dofs[static_cast<std::size_t>(e)])]));
  p.first_constraint.assign(static_cast<std::size_t>(p.ranks) + 1, 0);
  for (const int rank : owner) ++p.first_constraint[static_cast<std::size_t>(rank) + 1];
  std::partial_sum(p.first_constraint.begin(), p.first_constraint.end(), p.first_constraint.begin());
  Numbers next(p.first_constraint.begin(), p.first_constraint.end() - 1);
  for (const int rank : owner) p.constraint.push_back(next[static_cast<std::size_t>(rank)]++);
}

}  // namespace

int Partition::owner(PetscInt of) const {
  return static_cast<int>(std::upper_bound(first.begin(), first.end(), of) - first.begin()) - 1;
}

PartitionChecksum::PartitionChecksum(const Partition& p) : comm_(p.comm), sum_(0) {
  for (const Numbers* numbers : {&p.first, &p.number})
    sum_ = core::checksum({reinterpret_cast<const char*>(numbers->data()), numbers->size() * sizeof(PetscInt)}, sum_);
}

void PartitionChecksum::archive(core::Archive& a) const {
  std::uint32_t sum = sum_;
  a(sum);
  if (a.reading() && on_any(comm_, sum != sum_))
    throw core::InputError("each process saved a factor or a preconditioner for another partition of the coordinates",
                           "resume with the -mat_partitioning_type of the run");
}

Partition partition(MPI_Comm comm, const system::Model& model) {
  Partition p;
  p.comm = comm;
  MPI_Comm_rank(comm, &p.rank);
  MPI_Comm_size(comm, &p.ranks);
  const Nodes nodes = nodes_of(model);
  const PetscInt count = static_cast<PetscInt>(nodes.first.size());
  if (count < p.ranks)
    throw core::InputError("a problem of " + std::to_string(count) + (nodes.solid[0] ? " node" : " coordinate") +
                               (count == 1 ? "" : "s") + " cannot run on " + std::to_string(p.ranks) + " processes",
                           "take at most " + std::to_string(count) + ", or leave -np out");
  Numbers part;
  if (p.ranks > 1 && count >= few * p.ranks) part = by_graph(comm, p.rank, p.ranks, model, nodes);
  if (part.empty()) part = blocks(count, p.ranks);

  const auto size = [&](PetscInt node) {
    return nodes.solid[static_cast<std::size_t>(nodes.first[static_cast<std::size_t>(node)])] ? 3 : 1;
  };
  p.first.assign(static_cast<std::size_t>(p.ranks) + 1, 0);
  for (PetscInt k = 0; k < count; ++k) p.first[static_cast<std::size_t>(part[static_cast<std::size_t>(k)]) + 1] += size(k);
  std::partial_sum(p.first.begin(), p.first.end(), p.first.begin());
  Numbers next(p.first.begin(), p.first.end() - 1);
  p.number.resize(nodes.of.size());
  for (PetscInt k = 0; k < count; ++k) {
    PetscInt& at = next[static_cast<std::size_t>(part[static_cast<std::size_t>(k)])];
    const std::size_t first = static_cast<std::size_t>(nodes.first[static_cast<std::size_t>(k)]);
    for (int i = 0; i < size(k); ++i) p.number[first + static_cast<std::size_t>(i)] = at++;
  }
  p.of_node = nodes.solid;
  partition_constraints(model, p);
  return p;
}

}  // namespace actio::petsc
