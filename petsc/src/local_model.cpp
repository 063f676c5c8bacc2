#include <actio/petsc/local_model.hpp>

#include <actio/system/motion.hpp>
#include <algorithm>
#include <memory>

namespace actio::petsc {
namespace {

using Entries = std::vector<Eigen::Triplet<double, std::int32_t>>;

class LocalModelBuilder {
 public:
  LocalModelBuilder(const system::Model& model, const Partition& partition, bool symmetries, bool prescribed)
      : model_(model),
        p_(partition),
        symmetries_(symmetries),
        dirichlet_(prescribed ? system::dirichlet_coordinates(model) : model.fixed_dofs),
        begin_(p_.first[static_cast<std::size_t>(p_.rank)]),
        end_(begin_ + p_.owned()),
        local_(static_cast<std::size_t>(model.size()), -1) {}

  LocalModel operator()() {
    LocalModel out;
    system::Model& m = out.model;
    m.title = model_.title;
    m.parameter_names = model_.parameter_names;
    m.parameters = model_.parameters;
    m.signals = model_.signals;
    system::for_each_list([&](auto list) {
      for (const auto& function : model_.*list) (m.*list).push_back(mine(function));
    });
    const Entries S = mine(model_.stiffness, false), D = mine(model_.damping, false), M = mine(model_.mass.full, true);
    const Entries coupling =
        dirichlet_.size() > model_.fixed_dofs.size() ? mine(system::coupling_of_prescribed(model_), false) : Entries();

    if (symmetries_) m.symmetries = generators();

    number(out);
    const auto renumber = [&](system::ElementFunction& function) {
      for (auto* coordinates : {&function.dofs, &function.rows})
        for (auto& i : *coordinates) i = local_[static_cast<std::size_t>(i)];
    };
    system::for_each_function(m, renumber);
    for (auto& symmetry : m.symmetries)
      for (auto& block : symmetry.blocks) renumber(block);
    const long n = static_cast<long>(out.number.size());
    m.families = {{"q", n, 0, true}};
    m.stiffness = matrix(S, n);
    m.damping = matrix(D, n);
    m.fixed_dofs = here(model_.fixed_dofs);
    out.dirichlet = here(dirichlet_);
    out.coupling = matrix(coupling, n);
    distribute_mass(M, n, out);
    return out;
  }

 private:
  // Those of some coordinates that are of this rank, by its own numbers, sorted.
  std::vector<std::int32_t> here(const std::vector<std::int32_t>& coordinates) const {
    std::vector<std::int32_t> out;
    for (const auto i : coordinates)
      if (const std::int32_t k = local_[static_cast<std::size_t>(i)]; k >= 0) out.push_back(k);
    std::sort(out.begin(), out.end());
    return out;
  }

  bool owns(std::int32_t i) const {
    const PetscInt k = p_.number[static_cast<std::size_t>(i)];
    return k >= begin_ && k < end_;
  }

  // A function of the model with the elements of this rank; its coordinates still have the model's numbers.
  template <class Function>
  Function mine(const Function& function) {
    const auto& deciding = function.rows.empty() ? function.dofs : function.rows;
    std::vector<std::size_t> chosen;
    for (std::size_t e = 0; e < static_cast<std::size_t>(function.elements); ++e)
      if (deciding.empty() ? p_.rank == 0 : owns(deciding[e])) chosen.push_back(e);
    Function out = of_elements(function, chosen);
    for (const auto i : out.dofs) touch(i);
    return out;
  }

  // Entries of a symmetric matrix. With `apart` a coordinate that is held is coupled to no other.
  Entries mine(const Eigen::SparseMatrix<double>& A, bool apart) {
    Entries out;
    std::vector<bool> fixed;
    if (apart && A.nonZeros() > 0) {
      fixed.assign(local_.size(), false);
      for (const auto i : dirichlet_) fixed[static_cast<std::size_t>(i)] = true;
    }
    for (std::int32_t j = 0; j < A.outerSize(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator it(A, j); it; ++it) {
        const std::int32_t i = static_cast<std::int32_t>(it.row());
        if (apart && i != j && (fixed[static_cast<std::size_t>(i)] || fixed[static_cast<std::size_t>(j)])) continue;
        const bool later = p_.number[static_cast<std::size_t>(i)] > p_.number[static_cast<std::size_t>(j)];
        if (!owns(later ? i : j)) continue;
        out.emplace_back(i, j, it.value());
        touch(i);
        touch(j);
      }
    return out;
  }

  // A coordinate that this rank reads or adds to; of a node all three.
  void touch(std::int32_t i) {
    if (local_[static_cast<std::size_t>(i)] >= 0 || owns(i)) return;
    local_[static_cast<std::size_t>(i)] = 0;
    ghosts_.push_back(p_.number[static_cast<std::size_t>(i)]);
  }

  // Of the symmetries the components that coordinates of this rank have, with what they depend on.
  std::vector<system::Symmetry> generators() {
    const auto is_here = [&](std::int32_t i) { return local_[static_cast<std::size_t>(i)] >= 0 || owns(i); };
    for (std::size_t before = ghosts_.size() + 1; before != ghosts_.size();) {
      before = ghosts_.size();
      for (const auto& symmetry : model_.symmetries)
        for (const auto& block : symmetry.blocks)
          for (std::size_t e = 0; e < block.rows.size(); ++e)
            if (is_here(block.rows[e]))
              for (std::size_t k = e; k < block.dofs.size(); k += block.rows.size()) touch(block.dofs[k]);
    }
    std::vector<system::Symmetry> out;
    for (const auto& symmetry : model_.symmetries) {
      out.push_back({symmetry.name, {}});
      for (const auto& block : symmetry.blocks) {
        std::vector<std::size_t> chosen;
        for (std::size_t e = 0; e < block.rows.size(); ++e)
          if (is_here(block.rows[e])) chosen.push_back(e);
        out.back().blocks.push_back(of_elements(block, chosen));
      }
    }
    return out;
  }

  void number(LocalModel& out) {
    out.owned = p_.owned();
    std::sort(ghosts_.begin(), ghosts_.end());
    out.ghosts = ghosts_;
    out.number.resize(static_cast<std::size_t>(out.owned));
    for (PetscInt k = 0; k < out.owned; ++k) out.number[static_cast<std::size_t>(k)] = begin_ + k;
    out.number.insert(out.number.end(), ghosts_.begin(), ghosts_.end());
    for (std::size_t i = 0; i < local_.size(); ++i) {
      const PetscInt k = p_.number[i];
      if (k >= begin_ && k < end_)
        local_[i] = static_cast<std::int32_t>(k - begin_);
      else if (local_[i] == 0)
        local_[i] =
            static_cast<std::int32_t>(out.owned + (std::lower_bound(ghosts_.begin(), ghosts_.end(), k) - ghosts_.begin()));
    }
  }

  Eigen::SparseMatrix<double> matrix(const Entries& entries, long n) const {
    Eigen::SparseMatrix<double> A(n, n);
    if (entries.empty()) return A;
    Entries renumbered;
    renumbered.reserve(entries.size());
    for (const auto& e : entries)
      renumbered.emplace_back(local_[static_cast<std::size_t>(e.row())], local_[static_cast<std::size_t>(e.col())], e.value());
    A.setFromTriplets(renumbered.begin(), renumbered.end());
    return A;
  }

  void distribute_mass(const Entries& M, long n, LocalModel& out) const {
    using Kind = system::MassMatrix::Kind;
    out.mass.kind = model_.mass.kind;
    if (out.mass.kind == Kind::none) return;
    out.model.mass.kind = Kind::diagonal;
    out.model.mass.diagonal = Eigen::VectorXd::Ones(n);
    if (out.mass.kind == Kind::full) {
      out.mass.full = matrix(M, n);
      return;
    }
    out.mass.diagonal = Eigen::VectorXd::Zero(n);
    for (std::size_t i = 0; i < local_.size(); ++i)
      if (local_[i] >= 0 && local_[i] < out.owned) out.mass.diagonal[local_[i]] = model_.mass.diagonal[static_cast<long>(i)];
  }

  const system::Model& model_;
  const Partition& p_;
  bool symmetries_;
  std::vector<std::int32_t> dirichlet_;
  PetscInt begin_, end_;
  std::vector<std::int32_t> local_;  // of coordinate i; before they are numbered 0: a ghost; -1: not here
  std::vector<PetscInt> ghosts_;
};

}  // namespace

LocalModel local_model(const system::Model& model, const Partition& partition, bool symmetries, bool prescribed) {
  return LocalModelBuilder(model, partition, symmetries, prescribed)();
}

}  // namespace actio::petsc
