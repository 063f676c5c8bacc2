#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <random>

#include <fmt/format.h>

#include <actio/system/constraint_error.hpp>
#include <actio/system/discrete_gradient_model.hpp>

#include "differentiate.hpp"
#include "rounding.hpp"

namespace actio::system {
namespace {

using Kind = DiscreteGradients::Kind;

// xi(q) = A q + b of a declared symmetry, by rows.
struct GeneratorField {
  bool affine = true;
  std::vector<std::vector<std::pair<std::int32_t, double>>> A;  // of a row: column, value
  std::vector<double> b;
};

// What a block adds: xi and its derivatives by the locals, at 0.
void add_block(const GeneratorBlock& block, const Model& model, GeneratorField& field) {
  expr::Graph g = block.graph;
  std::vector<expr::Id> x;
  for (long l = 0; l < block.locals; ++l) x.push_back(g.column(static_cast<int>(l)));
  std::vector<expr::Id> outputs = expr::gradient(g, block.value, x);
  const auto varies = [&](expr::Id id) {
    const auto used = expr::columns_of(g, id);
    return !used.empty() && used.front() < block.locals;
  };
  if (depends_on_time(model, block) || std::any_of(outputs.begin(), outputs.end(), varies)) {
    field.affine = false;
    return;
  }
  outputs.push_back(block.value);
  const expr::KernelSource source{
      "generator", &g, outputs, true, static_cast<int>(block.locals + static_cast<long>(block.data.size())), 0};
  const expr::Module module = expr::Module::build(std::span(&source, 1), {"none", {}});
  const std::size_t elements = static_cast<std::size_t>(block.elements), locals = static_cast<std::size_t>(block.locals);
  const std::vector<double> zero(elements, 0.0);
  std::vector<const double*> in(locals, zero.data());
  for (const auto& data : block.data) in.push_back(data.data());
  std::vector<double> uniforms(1, 0.0);
  uniforms.insert(uniforms.end(), model.parameters.begin(), model.parameters.end());
  uniforms.resize(uniforms.size() + model.signals.size(), 0.0);
  std::vector<std::vector<double>> out(locals + 1, std::vector<double>(elements));
  std::vector<double*> to;
  for (auto& y : out) to.push_back(y.data());
  module.batch(0)(block.elements, uniforms.data(), in.data(), to.data());
  for (std::size_t e = 0; e < elements; ++e) {
    const std::size_t row = static_cast<std::size_t>(block.rows[e]);
    for (std::size_t l = 0; l < locals; ++l)
      if (out[l][e] != 0) field.A[row].emplace_back(block.dofs[l * elements + e], out[l][e]);
    field.b[row] += out[locals][e];
    field.affine = field.affine && std::isfinite(out[locals][e]);
  }
}

GeneratorField field_of(const Symmetry& symmetry, const Model& model) {
  GeneratorField field;
  field.A.resize(static_cast<std::size_t>(model.size()));
  field.b.resize(static_cast<std::size_t>(model.size()));
  for (const auto& block : symmetry.blocks) add_block(block, model, field);
  return field;
}

// On the coordinates of one element; false where it mentions others.
bool restrict_to(const GeneratorField& field, const Batch& b, long e, AffineField& to) {
  std::map<std::int32_t, long> local;
  for (long l = b.locals - 1; l >= 0; --l) local[b.dofs[static_cast<std::size_t>(l * b.elements + e)]] = l;
  to.A.setZero(b.locals, b.locals);
  to.b.setZero(b.locals);
  for (long l = 0; l < b.locals; ++l) {
    const std::size_t row = static_cast<std::size_t>(b.dofs[static_cast<std::size_t>(l * b.elements + e)]);
    for (const auto& [column, a] : field.A[row]) {
      const auto at = local.find(column);
      if (at == local.end()) return false;
      to.A(l, at->second) += a;
    }
    to.b[l] = field.b[row];
  }
  return true;
}

// On F of finite elements, for xi the same at every node: A F where xi = A x + b. False where there is no such A.
bool restrict_to_gradient(const GeneratorField& field, const Batch& b, AffineField& to) {
  to.A.setZero(9, 9);
  to.b.setZero(9);
  Eigen::Matrix3d A, first = Eigen::Matrix3d::Zero();
  Eigen::Vector3d shift, first_shift = Eigen::Vector3d::Zero();
  for (std::size_t k = 0; k < b.nodes.size(); ++k) {
    A.setZero();
    for (int i = 0; i < 3; ++i) {
      const std::int32_t row = b.nodes[k] + i;
      for (const auto& [column, a] : field.A[static_cast<std::size_t>(row)]) {
        const std::int32_t j = column - b.nodes[k];
        if (j < 0 || j > 2) return false;
        A(i, j) += a;
      }
      shift[i] = field.b[static_cast<std::size_t>(row)];
    }
    if (k == 0) first = A, first_shift = shift;
    if (A != first || shift != first_shift) return false;
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int K = 0; K < 3; ++K) to.A(3 * i + K, 3 * j + K) = first(i, j);
  return true;
}

// States of many sizes, some of them with positive coordinates only: dU . xi = 0 wherever it is finite, and somewhere not by
// every term of it.
bool leaves_as_it_is(const Batch& b, std::size_t first_signal, std::vector<double> uniforms, const AffineField& xi) {
  constexpr double tolerance = 1e-9;
  constexpr long block = 128;
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  const std::size_t locals = static_cast<std::size_t>(b.positions);
  std::vector<std::vector<double>> x(locals, std::vector<double>(block)), f = x;
  std::vector<const double*> in(locals + b.data.size());
  std::vector<double*> out;
  for (auto& y : f) out.push_back(y.data());
  Eigen::VectorXd at(b.positions), field(b.positions);
  bool seen = false;
  for (const double size : {1.0, 0.1, 10.0, 1e-3, 1e3, 1e-9, 1e9})
    for (const bool positive : {false, true}) {
      uniforms[0] = 10 * normal(random);
      for (std::size_t k = first_signal; k + 4 < uniforms.size(); ++k) uniforms[k] = normal(random);
      for (long e = 0; e < b.elements; e += block) {
        const long count = std::min(block, b.elements - e);
        for (auto& column : x)
          for (double& value : column) value = size * (positive ? std::abs(normal(random)) : normal(random));
        for (std::size_t l = 0; l < locals; ++l) in[l] = x[l].data();
        for (std::size_t k = 0; k < b.data.size(); ++k) in[locals + k] = b.data[k].data() + e;
        b.first(count, uniforms.data(), in.data(), out.data());
        for (long k = 0; k < count; ++k) {
          for (std::size_t l = 0; l < locals; ++l) at[static_cast<long>(l)] = x[l][static_cast<std::size_t>(k)];
          field = xi.A * at + xi.b;
          double sum = 0, sizes = 0;
          for (long l = 0; l < b.positions; ++l) {
            const double y = f[static_cast<std::size_t>(l)][static_cast<std::size_t>(k)] * field[l];
            sum += y;
            sizes += std::abs(y);
          }
          if (!std::isfinite(sizes) || sizes < 1e-200) continue;
          if (std::abs(sum) > tolerance * sizes) return false;
          seen = true;
        }
      }
    }
  return seen;
}

// A turn about some axis at one rate, or a shift: x1 - x0 = xi((x0 + x1)/2) is then on the way of the field. Not so of a screw or
// of turns of several rates in one field. A^3 = -a^2 A, and b has no part along the axis.
bool is_turn_or_shift(const AffineField& xi) {
  constexpr double tolerance = 1e-12;
  const double size = xi.A.squaredNorm();
  if (size == 0) return true;
  const Eigen::MatrixXd A2 = xi.A * xi.A, A3 = A2 * xi.A;
  const double a2 = -A3.cwiseProduct(xi.A).sum() / size;
  if (!(a2 > 0) || (A3 + a2 * xi.A).norm() > tolerance * A3.norm()) return false;
  return (xi.b + A2 * xi.b / a2).norm() <= tolerance * xi.b.norm();
}

class Builder {
 public:
  Builder(const Model& model, const CompiledModel& compiled, bool equivariant)
      : compiled_(compiled), equivariant_(equivariant), kept(model.symmetries.size(), true) {
    for (const Symmetry& symmetry : model.symmetries) fields_.push_back(field_of(symmetry, model));
    for (std::size_t k = 0; k < kept.size(); ++k) kept[k] = fields_[k].affine;
  }

  // A sum of quadratic terms keeps what it has as a whole; constraints, each with a multiplier of its own, what each has. Linear
  // ones are 0 in the middle of a step, and keep what leaves all of them 0.
  DiscreteGradients::Piece piece_of(const Batch& b, bool constraint = false) {
    DiscreteGradients::Piece piece;
    if (b.elements == 0 || (b.constant && (!constraint || b.entries.empty()))) return piece;
    piece.kind = b.constant ? Kind::quadratic : Kind::midpoint;
    for (std::size_t k = 0; k < fields_.size(); ++k) {
      if (!fields_[k].affine) continue;
      AffineField xi, other;
      bool fits = b.interpolation ? restrict_to_gradient(fields_[k], b, xi) : restrict_to(fields_[k], b, 0, xi);
      for (long e = 1; e < b.elements && fits && !b.interpolation; ++e)
        fits = restrict_to(fields_[k], b, e, other) && other.A == xi.A && other.b == xi.b;
      if (fits && xi.A.isZero(0) && xi.b.isZero(0)) continue;
      const bool projects = b.constant || (equivariant_ && is_turn_or_shift(xi));
      if (!fits || !projects || !leaves_as_it_is(b, compiled_.first_signal, compiled_.uniforms, xi)) {
        kept[k] = false;
        continue;
      }
      if (b.constant) continue;
      if (!xi.A.isZero(0)) piece.kind = Kind::trapezoidal;
      piece.symmetries.push_back(std::move(xi));
    }
    return piece;
  }

 private:
  const CompiledModel& compiled_;
  bool equivariant_;
  std::vector<GeneratorField> fields_;

 public:
  std::vector<bool> kept;
};

// f without what is added to it and depends on no local: a difference of f at two states then knows nothing of its size.
// Parameters, data and the time are the same at both.
expr::Id varying_part(expr::Graph& g, expr::Id f, long locals) {
  using expr::Op;
  const std::size_t n = static_cast<std::size_t>(f) + 1;
  const auto at = [](expr::Id id) { return static_cast<std::size_t>(id); };
  std::vector<bool> varies(n, false), asked(n, false);
  for (expr::Id id = 0; id <= f; ++id) {  // what a node is made of comes before it
    const expr::Node& node = g[id];
    if (node.op == Op::column)
      varies[at(id)] = node.k < locals;
    else
      for (const expr::Id part : {node.a, node.b, node.c})
        if (part >= 0 && varies[at(part)]) varies[at(id)] = true;
  }
  const auto linear_in = [&](const expr::Node& node) {  // the operand that the node is a multiple of; -1: none
    if (node.op == Op::neg) return node.a;
    if (node.op == Op::mul && !varies[at(node.a)]) return node.b;
    if ((node.op == Op::mul || node.op == Op::div) && !varies[at(node.b)]) return node.a;
    return expr::Id{-1};
  };
  asked[at(f)] = true;
  for (expr::Id id = f; id >= 0; --id) {
    if (!asked[at(id)] || !varies[at(id)]) continue;
    const expr::Node& node = g[id];
    if (node.op == Op::add || node.op == Op::sub)
      asked[at(node.a)] = asked[at(node.b)] = true;
    else if (const expr::Id part = linear_in(node); part >= 0)
      asked[at(part)] = true;
  }
  std::vector<expr::Id> out(n, -1);
  for (expr::Id id = 0; id <= f; ++id) {
    if (!asked[at(id)]) continue;
    const expr::Node node = g[id];  // a copy: g grows
    const auto part = [&](expr::Id of) { return out[at(of)]; };
    expr::Id& to = out[at(id)];
    if (!varies[at(id)])
      to = g.constant(0);
    else if (node.op == Op::add)
      to = g.add(part(node.a), part(node.b));
    else if (node.op == Op::sub)
      to = g.sub(part(node.a), part(node.b));
    else if (node.op == Op::neg)
      to = g.neg(part(node.a));
    else if (const expr::Id of = linear_in(node); of < 0)
      to = id;
    else if (node.op == Op::div)
      to = g.binary(Op::div, part(of), node.b);
    else
      to = g.mul(of == node.b ? node.a : node.b, part(of));
  }
  return out[at(f)];
}

// Of all locals with all.
std::vector<Batch::Entry> every_entry(long locals) {
  std::vector<Batch::Entry> entries;
  for (int j = 0; j < static_cast<int>(locals); ++j)
    for (int i = 0; i < static_cast<int>(locals); ++i) entries.push_back({i, j, false});
  return entries;
}

}  // namespace

std::shared_ptr<const DiscreteGradients> discrete_gradients(const Model& given, const expr::CompileOptions& options,
                                                            bool equivariant) {
  Model model = given;
  for_each_function(model, [](ElementFunction& function) { tabulate(function); });
  auto out = std::make_shared<DiscreteGradients>();
  out->model = compile(model, options, false);
  Model alone;  // the constraints
  if (!model.constraints.empty()) {
    alone.families = model.families;
    alone.parameter_names = model.parameter_names;
    alone.parameters = model.parameters;
    alone.signals = model.signals;
    alone.mass.kind = MassMatrix::Kind::diagonal;
    alone.mass.diagonal = Eigen::VectorXd::Ones(model.size());
    for (const Constraint& c : model.constraints) { alone.terms.push_back({c, true}); }
    out->constraints = compile(alone, options, false);
  }
  Builder builder(model, *out->model, equivariant);
  out->pattern = *out->model;
  auto& lists = out->pattern.lagrangian.batches;
  const auto whole = [&](const Batch& b, const DiscreteGradients::Piece& piece) {
    lists.push_back(b.interpolation ? Batch() : b);  // the entries of finite elements are all there
    if (piece.kind == Kind::quadratic) return;
    if (!b.interpolation) lists.back().entries = every_entry(b.locals);
    out->pattern.symmetric = false;
  };
  for (const Batch& b : out->model->lagrangian.batches) out->terms.push_back(builder.piece_of(b));
  for (std::size_t j = 0; j < out->terms.size(); ++j) whole(out->model->lagrangian.batches[j], out->terms[j]);
  if (out->constraints) {
    for (std::size_t j = 0; j < out->constraints->lagrangian.batches.size(); ++j) {
      const Batch& b = out->constraints->lagrangian.batches[j];
      out->of_constraints.push_back(builder.piece_of(b, true));
      whole(b, out->of_constraints.back());
      if (b.constant || static_cast<long>(out->model->constraints.batches[j].entries.size()) == b.locals) continue;
      long first = 0;
      for (std::size_t i = 0; i < j; ++i) first += model.constraints[i].elements;
      throw ConstraintError(first,
                            fmt::format("energy-momentum: the constraint {} mentions a coordinate that it does not depend on",
                                        model.constraints[j].name),
                            "remove that coordinate from its expression");
    }
  }
  out->kept = std::move(builder.kept);
  std::deque<Part> parts;
  std::vector<expr::KernelSource> sources;
  std::vector<expr::BatchKernel*> of;
  const auto values = [&](const std::vector<Term>& terms, std::vector<DiscreteGradients::Piece>& pieces, bool energies) {
    for (std::size_t k = 0; k < terms.size(); ++k) {
      if (pieces[k].kind == Kind::quadratic) continue;
      Part& part = parts.emplace_back(part_of(terms[k], model, true));
      expr::Id& value = part.values[0];
      if (energies) value = varying_part(part.graph, value, part.locals);
      const expr::Id rounding = rounding_of(part.graph, value);
      sources.push_back({fmt::format("value_{}", sources.size()),
                         &part.graph,
                         {value, rounding},
                         true,
                         static_cast<int>(part.columns()),
                         static_cast<int>(part.locals)});
      of.push_back(&pieces[k].value);
    }
  };
  values(model.terms, out->terms, true);
  values(alone.terms, out->of_constraints, false);
  out->module = expr::Module::build(sources, options);
  for (std::size_t k = 0; k < of.size(); ++k) *of[k] = out->module.batch(k);
  return out;
}

}  // namespace actio::system
