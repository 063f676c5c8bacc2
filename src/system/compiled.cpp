#include <actio/system/compiled.hpp>

#include <algorithm>
#include <cmath>
#include <deque>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/system/mass_factor.hpp>

#include "chunks.hpp"
#include "differentiate.hpp"
#include "library.hpp"
#include "pair_tiles.hpp"

namespace actio::system {
namespace {

constexpr long most_fused_coordinates = 8;
constexpr std::size_t most_fused_nodes = 4000;

bool small_enough_to_fuse(const Model& model) {
  if (model.size() > most_fused_coordinates) return false;
  bool interpolated = false;
  std::size_t nodes = 0;
  for_each_function(model, [&](const auto& function) {
    nodes += function.graph.size() * static_cast<std::size_t>(function.elements);
    if constexpr (requires { function.interpolation; }) interpolated = interpolated || function.interpolation;
  });
  return !interpolated && nodes <= most_fused_nodes;
}

constexpr long shortest_run = 16;  // on average, for runs to be worth following

void take_runs(ElementDofs& b) {
  b.runs.resize(static_cast<std::size_t>(b.locals));
  for (long l = 0; l < b.locals; ++l) {
    if (b.contiguous[l] >= 0) continue;
    const auto* dof = b.dofs.data() + l * b.elements;
    auto& runs = b.runs[static_cast<std::size_t>(l)];
    for (long e = 0; e < b.elements; ++e) {
      if (e > 0 && dof[e] == dof[e - 1] + 1) continue;
      runs.push_back({e, dof[e]});
      if (static_cast<long>(runs.size()) * shortest_run <= b.elements + shortest_run) continue;
      runs.clear();
      break;
    }
  }
}

void take_places(const ElementFunction& function, ElementDofs& b) {
  b.elements = function.elements;
  b.locals = function.locals;
  b.data = function.data;
  if (function.pairs) {
    b.pairs = function.pairs;
    return;
  }
  b.dofs = function.dofs;
  b.contiguous.assign(static_cast<std::size_t>(function.locals), -1);
  for (long l = 0; l < function.locals; ++l) {
    const auto* dof = b.dofs.data() + l * b.elements;
    bool runs = b.elements > 0;
    for (long e = 1; e < b.elements && runs; ++e) runs = dof[e] == dof[0] + e;
    if (runs) b.contiguous[l] = dof[0];
  }
  take_runs(b);
}

constexpr std::size_t longest_of_list = 4000;  // nodes

bool of_many_points(const Term& term) { return term.pairs && term.pairs->near && term.pairs->near->points >= worth_a_list; }

// Whether the kernels of a term of pairs can loop over them.
bool runs_in_loops(const Term& term) {
  if (term.velocities || term.graph.size() > (of_many_points(term) ? longest_of_list : longest_of_pairs)) return false;
  expr::PairLayout layout{term.pairs->loops, term.pairs->dofs, term.locals};
  layout.columns.insert(layout.columns.end(), term.pairs->data.begin(), term.pairs->data.end());
  return expr::fit_for_loops(layout);
}

void take_nodes(const Term& term, const Model& model, Batch& b) {
  const Interpolation& of = *term.interpolation;
  const std::size_t n = static_cast<std::size_t>(of.nodes), elements = static_cast<std::size_t>(term.elements);
  const std::size_t points = static_cast<std::size_t>(of.points), at_points = points * elements;
  const bool fits = of.nodes > 0 && of.points > 0 && term.locals == 9 && term.dofs.size() == 3 * n * elements &&
                    of.slopes.size() == 3 * n * points && of.inverse.size() == 9 * at_points && of.weight.size() == at_points;
  if (!fits) throw core::InputError(fmt::format("the interpolation of {} does not fit its elements", term.name));
  for (std::size_t p = 0; p < points; ++p)
    for (std::size_t M = 0; M < 3; ++M) {
      double sum = 0, sizes = 0;
      for (std::size_t a = 0; a < n; ++a) {
        const double s = of.slopes[(p * n + a) * 3 + M];
        sum += s;
        sizes += std::abs(s);
      }
      if (!(std::abs(sum) <= 1e-12 * sizes))
        throw core::InputError(fmt::format("{}: the gradients of the shape functions do not add up to 0", term.name));
    }
  b.interpolation = term.interpolation;
  b.elements = term.elements;
  b.locals = 3 * of.nodes;
  b.data = term.data;
  b.nodes.resize(n * elements);
  for (std::size_t e = 0; e < elements; ++e)
    for (std::size_t a = 0; a < n; ++a) {
      const auto dof = [&](std::size_t i) { return term.dofs[(3 * a + i) * elements + e]; };
      if (dof(0) < 0 || dof(0) > model.size() - 3 || dof(1) != dof(0) + 1 || dof(2) != dof(0) + 2)
        throw core::InputError(fmt::format("{}: the coordinates of a node do not follow one another", term.name));
      b.nodes[e * n + a] = dof(0);
    }
}

void check_mass(const Model& model) {
  if (model.mass.kind != MassMatrix::Kind::diagonal) return;
  for (long i = 0; i < model.mass.diagonal.size(); ++i)
    if (!(model.mass.diagonal[i] > 0))
      throw core::InputError(
          fmt::format("mass is not positive definite: the mass of {} is {}", model.coordinate_name(i), model.mass.diagonal[i]));
}

void check_callbacks(const Model& model) {
  if (!model.callbacks) return;
  const Callbacks& code = *model.callbacks;
  const auto fail = [](const std::string& why) { throw core::InputError("callbacks: " + why, "see actio/system/callbacks.hpp"); };
  if (!model.library.empty()) fail("the model has a library too, give one of them");
  if (!model.equations.empty()) fail("they give forces, and the model has equations too");
  if ((code.energy || code.tangent) && !code.residual) fail("an energy or a tangent needs the residual");
  if (code.force_tangent && !code.force) fail("a force tangent needs the force");
  if (!code.residual && !code.force) fail("neither residual nor force is given");
  if (code.rows.size() != code.columns.size())
    fail(fmt::format("the tangent has {} rows of entries and {} columns, the two numbers must agree", code.rows.size(),
                     code.columns.size()));
  const auto n = model.size();
  for (std::size_t k = 0; k < code.rows.size(); ++k)
    if (code.rows[k] < 0 || code.rows[k] >= n || code.columns[k] < 0 || code.columns[k] >= n)
      fail(fmt::format("entry {} of the tangent is at ({}, {}), outside {} x {}", k, code.rows[k], code.columns[k], n, n));
}

// A coordinate that never moves is coupled to no other: its row and column of M keep the diagonal only.
MassMatrix without_coupling(MassMatrix mass, const std::vector<std::int32_t>& fixed) {
  if (mass.kind != MassMatrix::Kind::full || fixed.empty()) return mass;
  std::vector<bool> is_fixed(static_cast<std::size_t>(mass.full.rows()), false);
  for (const auto i : fixed) is_fixed[static_cast<std::size_t>(i)] = true;
  mass.full.prune([&](Eigen::Index i, Eigen::Index j, double) {
    return i == j || !(is_fixed[static_cast<std::size_t>(i)] || is_fixed[static_cast<std::size_t>(j)]);
  });
  mass.full.makeCompressed();
  mass.factor = std::make_shared<MassFactor>(mass.factor ? mass.factor->refuse() : MassFactor::Refuse());
  return mass;
}

// Collects kernels of one module, and hands them out once it is built.
class Kernels {
 public:
  // second: with the second derivatives of energies.
  Kernels(const Model& model, const expr::CompileOptions& options, int w, bool second)
      : model_(model), options_(options), w_(w), second_(second) {}

  // Each for all elements as one kernel, or for a batch of them.
  template <class To>  // Fused, or Batch
  Derivatives energy(const std::string& name, Part part, To& to) {
    Part& kept = parts_.emplace_back(std::move(part));
    lone_ = is_lone(to);
    const Derivatives d = differentiate_energy(kept, model_, w_, is_fused<To>);
    if constexpr (is_fused<To>) {
      to.available = true;
    } else {
      to.velocities = kept.states == 2;
      to.positions = kept.locals;
      to.entries = d.entries;
      to.constant = d.constant;
    }
    if constexpr (!is_fused<To>) {
      if (to.list >= 0) {
        if (second_) add(name + "_second", kept, d.second, to.second);
        return d;
      }
      if (to.pairs) {
        add_pairs(name + "_value", kept, kept.values, *to.pairs, to.pair_value);
        add_pairs(name + "_first", kept, d.first, *to.pairs, to.pair_first);
        if (second_) add(name + "_second", kept, d.second, to.second);
        return d;
      }
    }
    add(name + "_value", kept, kept.values, to.value);
    add(name + "_first", kept, d.first, to.first);
    if (second_) add(name + "_second", kept, d.second, to.second);
    return d;
  }
  // Of pairs that are near, beside the second derivatives of energy().
  void list(const std::string& name, const Term& term, bool of_lagrangian, Batch& to) {
    Term inside = term;
    inside.value = term.pairs->near->inside;
    Part& kept = parts_.emplace_back(part_of(inside, model_, of_lagrangian));
    const expr::Id near = add_value(kept, term, term.pairs->near->near, model_);
    const Derivatives d = differentiate_energy(kept, model_, w_, false);
    add_pairs(name + "_list_value", kept, kept.values, *to.pairs, to.list_value, near);
    add_pairs(name + "_list_first", kept, d.first, *to.pairs, to.list_first, near);
  }
  template <class To>  // Fused, or RowBatch
  Derivatives rows(const std::string& name, Part part, To& to) {
    Part& kept = parts_.emplace_back(std::move(part));
    lone_ = is_lone(to);
    const Derivatives d = differentiate_rows(kept, model_, w_, is_fused<To>);
    if constexpr (is_fused<To>) {
      to.available = true;
    } else {
      to.states = kept.states;
      to.entries = d.locals;
    }
    add(name + "_first", kept, d.first, to.first);
    add(name + "_second", kept, d.second, to.second);
    return d;
  }
  template <class To>  // Fused, or ConstraintBatch
  Derivatives constraints(const std::string& name, Part part, bool moving, To& to) {
    Part& kept = parts_.emplace_back(std::move(part));
    lone_ = is_lone(to);
    Derivatives d = differentiate_constraints(kept, model_, moving, is_fused<To>);
    if constexpr (is_fused<To>) {
      to.available = true;
      if (!moving)
        d.second.insert(d.second.begin() + static_cast<long>(kept.values.size()), kept.values.size(), kept.graph.constant(0));
    } else {
      to.entries = d.locals;
    }
    add(name + "_value", kept, d.first, to.value);
    add(name + "_tangent", kept, d.second, to.second);
    return d;
  }

  // Batches must not have moved since.
  expr::Module build() {
    expr::Module module = expr::Module::build(sources_, options_);
    for (std::size_t k = 0; k < sources_.size(); ++k) {
      if (single_[k]) *single_[k] = module.single(k);
      if (batch_[k]) *batch_[k] = module.batch(k);
      if (pairs_[k]) *pairs_[k] = module.pairs(k);
      if (lists_[k]) *lists_[k] = module.lists(k);
    }
    return module;
  }

 private:
  template <class To>
  static constexpr bool is_fused = std::is_same_v<To, Fused>;
  static bool is_lone(const Fused&) { return false; }
  static bool is_lone(const Batch& b) { return b.elements == 1 && !b.interpolation; }
  static bool is_lone(const ElementDofs& b) { return b.elements == 1; }
  void add(const std::string& name, const Part& part, std::vector<expr::Id> outputs, expr::Kernel& to) {
    add(name, part, std::move(outputs), false);
    single_.back() = &to;
  }
  void add(const std::string& name, const Part& part, std::vector<expr::Id> outputs, expr::BatchKernel& to) {
    add(name, part, std::move(outputs), true);
    batch_.back() = &to;
  }
  void add(const std::string& name, const Part& part, std::vector<expr::Id> outputs, bool batch) {
    sources_.push_back(
        {name, &part.graph, std::move(outputs), batch, static_cast<int>(part.columns()), static_cast<int>(part.locals)});
    sources_.back().lone = batch && lone_;
    single_.push_back(nullptr);
    batch_.push_back(nullptr);
    pairs_.push_back(nullptr);
    lists_.push_back(nullptr);
  }
  void add_pairs(const std::string& name, const Part& part, std::vector<expr::Id> outputs, const Pairs& pairs,
                 expr::PairKernel& to) {
    add_pairs(name, part, std::move(outputs), pairs);
    pairs_.back() = &to;
  }
  void add_pairs(const std::string& name, const Part& part, std::vector<expr::Id> outputs, const Pairs& pairs,
                 expr::PairListKernel& to, expr::Id near) {
    add_pairs(name, part, std::move(outputs), pairs);
    sources_.back().near = near;
    lists_.back() = &to;
  }
  void add_pairs(const std::string& name, const Part& part, std::vector<expr::Id> outputs, const Pairs& pairs) {
    expr::PairLayout& layout = layouts_.emplace_back(expr::PairLayout{pairs.loops, pairs.dofs, part.locals});
    layout.columns.insert(layout.columns.end(), pairs.data.begin(), pairs.data.end());
    add(name, part, std::move(outputs), false);
    sources_.back().pairs = &layout;
  }
  const Model& model_;
  const expr::CompileOptions& options_;
  int w_;
  bool second_;
  bool lone_ = false;  // the kernels that are added are of one element
  std::deque<Part> parts_;
  std::vector<expr::KernelSource> sources_;
  std::vector<expr::Kernel*> single_;
  std::vector<expr::BatchKernel*> batch_;
  std::vector<expr::PairKernel*> pairs_;
  std::vector<expr::PairListKernel*> lists_;
  std::deque<expr::PairLayout> layouts_;
};

// An element's force pushes only the coordinate it depends on.
bool on_the_diagonal(const RowBatch& b) {
  return std::all_of(b.entries.begin(), b.entries.end(), [&](int l) {
    for (long e = 0; e < b.elements; ++e)
      if (b.dofs[static_cast<std::size_t>(l * b.elements + e)] != b.rows[static_cast<std::size_t>(e)]) return false;
    return true;
  });
}

}  // namespace

bool takes_a_list(const Term& term) { return of_many_points(term) && runs_in_loops(term); }

std::shared_ptr<const CompiledModel> compile(const Model& model, const expr::CompileOptions& options, bool fuse,
                                             Highest highest) {
  check_mass(model);
  auto out = std::make_shared<CompiledModel>();
  CompiledModel& m = *out;
  m.n = model.size();
  m.mass = without_coupling(model.mass, model.fixed_dofs);
  const auto shared = [](const Eigen::SparseMatrix<double>& A) {
    return A.nonZeros() > 0 ? std::make_shared<const Eigen::SparseMatrix<double>>(A) : nullptr;
  };
  m.stiffness = shared(model.stiffness);
  m.damping = shared(model.damping);
  m.signals = model.signals;
  m.fixed_dofs = m.dirichlet = model.fixed_dofs;
  m.lagrangian.velocities = lagrangian_needs_velocity(model);
  m.dissipation.velocities = true;
  m.separable = model.mass.kind != MassMatrix::Kind::none && !m.lagrangian.velocities;
  m.force_needs_velocity = system::force_needs_velocity(model);
  m.uniforms.assign(1, 0.0);
  m.uniforms.insert(m.uniforms.end(), model.parameters.begin(), model.parameters.end());
  m.first_signal = m.uniforms.size();
  m.uniforms.resize(m.uniforms.size() + model.signals.size(), 0.0);
  const int w = static_cast<int>(m.uniforms.size());
  m.uniforms.resize(m.uniforms.size() + 4, 0.0);
  check_callbacks(model);
  m.callbacks = model.library.empty() ? model.callbacks : load_library(model.library, model.size(), model.parameters);

  const Callbacks* code = m.callbacks.get();
  const bool alone = m.separable && model.dissipation.empty() && model.forces.empty() && !m.damping && !(code && code->forced());
  Kernels kernels(model, options, w, highest != Highest::first || !alone);
  m.has_energy = model.equations.empty() ? !(code && code->residual && !code->energy) : !model.measured_energy.empty();
  m.linear = !code || code->linear;
  m.symmetric = !m.lagrangian.velocities && model.equations.empty() && !(code && code->force_tangent && !code->symmetric);
  const bool fused = fuse && small_enough_to_fuse(model);
  const auto energies = [&](const std::string& name, const std::vector<Term>& terms, bool of_lagrangian, Energies& to) {
    const auto note = [&](const Derivatives& d) {
      m.linear = m.linear && d.constant;
      m.symmetric = m.symmetric && !(d.mixed && !of_lagrangian);
    };
    if (fused) return note(kernels.energy(name, sum_of(terms, model, to.velocities, of_lagrangian), to.fused));
    to.batches.resize(terms.size());
    for (std::size_t k = 0; k < terms.size(); ++k) {
      Batch& b = to.batches[k];
      if (terms[k].interpolation) {
        take_nodes(terms[k], model, b);
      } else if (terms[k].pairs && !runs_in_loops(terms[k])) {
        ElementFunction tables = terms[k];
        tabulate(tables);
        take_places(tables, b);
      } else {
        take_places(terms[k], b);
      }
      if (b.pairs && takes_a_list(terms[k]))
        b.list = m.lists++;
      else if (b.pairs)
        b.tiles = std::make_shared<const PairTiles>(tiles_of(*b.pairs));
      if (b.list < 0) b.chunks = chunks_of(b, m.n);
      if (b.list >= 0) kernels.list(fmt::format("{}_{}", name, k), terms[k], of_lagrangian, b);
      const Derivatives d = kernels.energy(fmt::format("{}_{}", name, k), part_of(terms[k], model, of_lagrangian), to.batches[k]);
      to.batches[k].stiff = terms[k].stiff;
      m.stiff_linear = m.stiff_linear && (d.constant || !terms[k].stiff);
      note(d);
    }
  };
  const auto rows = [&](const std::string& name, const auto& list, Rows& to) {
    if (list.empty()) return;
    if (fused) {
      m.linear = kernels.rows(name, sum_of_rows(list, model), to.fused).constant && m.linear;
      return;
    }
    to.batches.resize(list.size());
    for (std::size_t k = 0; k < list.size(); ++k) {
      RowBatch& b = to.batches[k];
      take_places(list[k], b);
      b.rows = list[k].rows;
      b.chunks = chunks_of(b, m.n);
      m.linear = kernels.rows(fmt::format("{}_{}", name, k), part_of(list[k], list[k].states(), model), b).constant && m.linear;
      m.symmetric = m.symmetric && on_the_diagonal(b);
    }
  };
  const auto constraints = [&](Constraints& to) {
    to.count = model.constraint_count();
    to.least_squares = model.least_squares;
    for (const Constraint& c : model.constraints) to.moving = to.moving || depends_on_time(model, c);
    if (to.count == 0) return;
    if (fused) {
      m.linear = kernels.constraints("constraint", sum_of(model.constraints, model), to.moving, to.fused).constant && m.linear;
      return;
    }
    to.batches.resize(model.constraints.size());
    long at = 0;
    for (std::size_t k = 0; k < to.batches.size(); ++k) {
      const Constraint& c = model.constraints[k];
      ConstraintBatch& b = to.batches[k];
      take_places(c, b);
      b.at = std::exchange(at, at + c.elements);
      b.chunks = chunks_of(b);
      const std::string name = fmt::format("constraint_{}", k);
      m.linear = kernels.constraints(name, part_of(c, c.states(), model), to.moving, b).constant && m.linear;
    }
  };
  if (model.equations.empty()) {
    energies("energy", model.terms, true, m.lagrangian);
    if (!model.dissipation.empty()) energies("friction", model.dissipation, false, m.dissipation);
    rows("force", model.forces, m.forces);
    constraints(m.constraints);
  } else {
    m.lagrangian.velocities = true;
    energies("measured", model.measured_energy, false, m.lagrangian);
    m.linear = true;  // of the equations alone
    rows("equation", model.equations, m.equations);
  }
  m.module = kernels.build();
  if (highest == Highest::third) m.third = third_derivatives(model, options, fused);
  return out;
}

}  // namespace actio::system
