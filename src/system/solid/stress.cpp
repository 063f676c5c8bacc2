#include <actio/system/stress.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <actio/system/neighbours.hpp>
#include <actio/system/solid.hpp>

namespace actio::system {
namespace {

constexpr std::array<std::array<std::size_t, 2>, 6> place{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}}};

struct Gradient {
  expr::Graph graph;
  std::array<expr::Id, 9> F{};
  std::vector<expr::Id> P;
};

Gradient gradient_of(const Term& term) {
  Gradient out{term.graph, {}, {}};
  for (std::size_t k = 0; k < 9; ++k) out.F[k] = out.graph.column(static_cast<int>(k));
  out.P = expr::gradient(out.graph, term.value, out.F);
  return out;
}

// P = P' at every F, of some without symmetry: of W(F) that are the same in a turned frame none is, as P F' = F P' then. Where P
// is zero or not finite it tells nothing: W may be given up to a strain only. What tells nothing anywhere is no small strain.
bool of_small_strain(const Gradient& W, const std::vector<double>& uniforms, std::size_t data) {
  const std::array sources{
      expr::KernelSource{"stress", &W.graph, W.P, false, static_cast<int>(9 + data), static_cast<int>(9 + data)}};
  expr::CompileOptions options;
  options.compiler = "none";
  const expr::Module module = expr::Module::build(sources, options);
  constexpr std::array slope{0.03, 0.05, -0.02, -0.04, -0.04, 0.07, 0.01, 0.03, 0.02};  // of F - 1
  std::vector<double> F(9 + data, 1);
  std::array<double, 9> P{};
  bool told = false;
  for (const double s : {1.0, 1e-1, -1e-1, 1e-2, -1e-2, 1e-3, -1e-3, 10.0}) {
    for (std::size_t k = 0; k < 9; ++k) F[k] = (k % 4 == 0 ? 1 : 0) + s * slope[k];
    module.single(0)(uniforms.data(), F.data(), F.data(), P.data());
    double size = 0, skew = 0;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        size = std::isfinite(P[3 * i + j]) ? std::max(size, std::abs(P[3 * i + j])) : std::numeric_limits<double>::infinity();
        skew = std::max(skew, std::abs(P[3 * i + j] - P[3 * j + i]));
      }
    if (size == 0 || !std::isfinite(size)) continue;
    if (!(skew <= 1e-10 * size)) return false;
    told = true;
  }
  return told;
}

// J sigma and J; of a small strain P and 1
std::vector<expr::Id> outputs_of(Gradient& W, bool small) {
  expr::Graph& g = W.graph;
  const auto& F = W.F;
  std::vector<expr::Id> out;
  const auto PF = [&](std::size_t i, std::size_t j) {
    expr::Id sum = g.mul(W.P[3 * i], F[3 * j]);
    for (std::size_t K = 1; K < 3; ++K) sum = g.add(sum, g.mul(W.P[3 * i + K], F[3 * j + K]));
    return sum;
  };
  for (const auto [i, j] : place) {
    const expr::Id one = small ? W.P[3 * i + j] : PF(i, j), other = small ? W.P[3 * j + i] : PF(j, i);
    out.push_back(i == j ? one : g.mul(g.constant(0.5), g.add(one, other)));
  }
  const auto minor = [&](std::size_t a, std::size_t b) { return g.sub(g.mul(F[3 + a], F[6 + b]), g.mul(F[3 + b], F[6 + a])); };
  const expr::Id J = g.add(g.sub(g.mul(F[0], minor(1, 2)), g.mul(F[1], minor(0, 2))), g.mul(F[2], minor(0, 1)));
  out.push_back(small ? g.constant(1) : J);
  return out;
}

// The columns of what comes out, by solid, block and cell; -1: not asked for.
class OutputColumns {
 public:
  OutputColumns(const Model& model, std::span<const SolidElement> elements) {
    for (const SolidBody& solid : model.solids) {
      auto& blocks = of_.emplace_back();
      for (const CellBlock& block : solid.mesh->blocks) blocks.emplace_back(static_cast<std::size_t>(block.size()), -1);
    }
    for (std::size_t e = 0; e < elements.size(); ++e)
      at(static_cast<std::size_t>(elements[e].solid), pair(elements[e])) = static_cast<std::int32_t>(e);
  }
  std::int32_t& at(std::size_t solid, const Cells::value_type& cell) {
    return of_[solid][static_cast<std::size_t>(cell.first)][static_cast<std::size_t>(cell.second)];
  }

 private:
  static Cells::value_type pair(const SolidElement& e) { return {e.block, e.cell}; }
  std::vector<std::vector<std::vector<std::int32_t>>> of_;
};

std::vector<SolidElement> cells_of(const Model& model) {
  std::vector<SolidElement> out;
  for (std::size_t s = 0; s < model.solids.size(); ++s) {
    const Mesh& mesh = *model.solids[s].mesh;
    for (std::size_t b = 0; b < mesh.blocks.size(); ++b)
      for (std::int32_t c = 0; c < mesh.blocks[b].size(); ++c)
        out.push_back({static_cast<std::int32_t>(s), static_cast<std::int32_t>(b), c});
  }
  return out;
}

}  // namespace

double von_mises(const Eigen::Vector<double, 6>& s) {
  const double xy = s[0] - s[1], yz = s[1] - s[2], zx = s[2] - s[0];
  return std::sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

ElementStress::ElementStress(const Model& model, std::span<const SolidElement> elements, const expr::CompileOptions& options)
    : elements_(static_cast<long>(elements.size())) {
  uniforms_.assign(1, 0.0);
  uniforms_.insert(uniforms_.end(), model.parameters.begin(), model.parameters.end());
  uniforms_.resize(uniforms_.size() + model.signals.size(), 0.0);
  OutputColumns column(model, elements);
  std::deque<Gradient> energies;
  std::vector<expr::KernelSource> sources;
  for (const Term& term : model.terms) {
    const auto solid = std::ranges::find_if(model.solids, [&](const SolidBody& one) { return is_of(term, one); });
    if (solid == model.solids.end() || term.interpolation->cells.empty()) continue;
    std::vector<std::size_t> chosen;
    Part part;
    for (std::size_t e = 0; e < term.interpolation->cells.size(); ++e) {
      const std::int32_t at = column.at(static_cast<std::size_t>(solid - model.solids.begin()), term.interpolation->cells[e]);
      if (at < 0) continue;
      chosen.push_back(e);
      part.at.push_back(at);
    }
    if (chosen.empty()) continue;
    // Of fewer elements than lanes a kernel takes some one by one, which rounds otherwise. A stress is not to depend on its
    // company.
    while (chosen.size() % ElementBlock::lanes != 0) chosen.push_back(chosen.back());
    const Term here = of_elements(term, chosen);
    Batch& b = part.batch;
    b.elements = here.elements;
    b.positions = 9;
    b.locals = 3 * here.interpolation->nodes;
    b.data = here.data;
    b.interpolation = here.interpolation;
    const auto nodes = static_cast<std::size_t>(b.interpolation->nodes), count = chosen.size();
    for (std::size_t e = 0; e < count; ++e)
      for (std::size_t a = 0; a < nodes; ++a) b.nodes.push_back(here.dofs[3 * a * count + e]);
    block_.reserve(b);
    Gradient& W = energies.emplace_back(gradient_of(term));
    std::vector<expr::Id> outputs = outputs_of(W, of_small_strain(W, uniforms_, term.data.size()));
    const int columns = static_cast<int>(9 + term.data.size());
    sources.push_back({fmt::format("stress_{}", parts_.size()), &W.graph, std::move(outputs), true, columns, columns});
    parts_.push_back(std::move(part));
  }
  if (sources.empty()) return;
  module_ = expr::Module::build(sources, options);
  for (std::size_t k = 0; k < parts_.size(); ++k) parts_[k].kernel = module_.batch(k);
}

void ElementStress::operator()(double t, const Eigen::VectorXd& q, SevenRows& out) {
  uniforms_[0] = t;
  out.setZero(7, elements_);
  for (const Part& part : parts_)
    for (long e = 0; e < part.batch.elements; e += ElementBlock::lanes) {
      const long count = block_.take(part.batch, e);
      block_.gather(0, q.data());
      for (long p = 0; p < part.batch.interpolation->points; ++p) {
        block_.deform(p, 0, 0);
        block_.run(part.kernel, uniforms_.data(), 9);
        for (long k = 0; k < count && e + k < static_cast<long>(part.at.size()); ++k) {
          const double w = block_.weight(p, k);
          const long column = part.at[static_cast<std::size_t>(e + k)];
          for (long j = 0; j < 7; ++j) out(j, column) += w * block_.output(j)[k];
        }
      }
    }
}

CellStress::CellStress(const Model& model, std::span<const SolidElement> cells, const expr::CompileOptions& options)
    : CellStress(model, around(model, cells), options) {}
CellStress::CellStress(const Model& model, const expr::CompileOptions& options) : CellStress(model, cells_of(model), options) {}
CellStress::CellStress(const Model& model, Around around, const expr::CompileOptions& options)
    : around_(std::move(around)), elements_(model, around_.elements, options) {}

CellStress::Around CellStress::around(const Model& model, std::span<const SolidElement> cells) {
  Around out;
  OutputColumns number(model, {});
  std::vector<std::optional<Neighbours>> near(model.solids.size());
  for (const SolidElement& cell : cells) {
    const auto solid = static_cast<std::size_t>(cell.solid);
    const Mesh& mesh = *model.solids[solid].mesh;
    const Cells::value_type here{cell.block, cell.cell};
    const auto add = [&](const Cells::value_type& element) {
      std::int32_t& at = number.at(solid, element);
      if (at < 0) {
        at = static_cast<std::int32_t>(out.elements.size());
        out.elements.push_back({cell.solid, element.first, element.second});
      }
      out.of.push_back(at);
    };
    if (dimension_of(kind_of(mesh, here)) == 3) {
      add(here);
    } else {
      if (!near[solid]) near[solid].emplace(mesh);
      for (const auto& element : near[solid]->of(nodes_of(mesh, here))) add(element);
    }
    out.first.push_back(out.of.size());
  }
  return out;
}

void CellStress::operator()(double t, const Eigen::VectorXd& q, StressRows& out) {
  elements_(t, q, integrals_);
  out.resize(6, cells());
  for (long c = 0; c < cells(); ++c) {
    Eigen::Vector<double, 7> sum = Eigen::Vector<double, 7>::Zero();
    for (std::size_t k = around_.first[static_cast<std::size_t>(c)]; k < around_.first[static_cast<std::size_t>(c) + 1]; ++k)
      sum += integrals_.col(around_.of[k]);
    out.col(c) = sum.head<6>() / sum[6];  // 0/0 where there are none
  }
}

}  // namespace actio::system
