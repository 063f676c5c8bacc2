#include "structured.hpp"

#include "structure.hpp"

namespace actio::algebra {

std::shared_ptr<const StructuredAnalysis> StructuredAnalysis::find(const SparseMatrix& pattern) {
  Structure structure = find_structure(pattern, TridiagonalAnalysis::least, BlocksAnalysis::most, BandedAnalysis::most);
  auto made = std::make_shared<StructuredAnalysis>();
  switch (structure.kind) {
    case Structure::Kind::none:
      return nullptr;
    case Structure::Kind::chain:
    case Structure::Kind::ring:
      made->of_ = std::make_shared<TridiagonalAnalysis>(pattern, structure.order, structure.kind == Structure::Kind::ring);
      break;
    case Structure::Kind::banded:
      made->banded_entries_ = static_cast<double>(pattern.cols()) * (structure.bandwidth + 1);
      made->of_ = std::make_shared<BandedAnalysis>(pattern, std::move(structure.order), structure.bandwidth);
      break;
    case Structure::Kind::blocks:
      made->of_ = std::make_shared<BlocksAnalysis>(pattern, structure.order, structure.starts);
  }
  return made;
}

Structured::Structured(const StructuredAnalysis& analysis) {
  if (const auto* a = std::get_if<0>(&analysis.of_)) of_ = std::make_unique<Tridiagonal>(*a);
  if (const auto* a = std::get_if<1>(&analysis.of_)) of_ = std::make_unique<Banded>(*a);
  if (const auto* a = std::get_if<2>(&analysis.of_)) of_ = std::make_unique<Blocks>(*a);
}

bool Structured::factor(const SparseMatrix& K) {
  return std::visit([&](auto& solver) { return solver->factor(K); }, of_);
}

void Structured::solve(const double* b, double* x, Work& work) const {
  if (const auto* tridiagonal = std::get_if<0>(&of_)) return (*tridiagonal)->solve(b, x, work.tridiagonal);
  if (const auto* banded = std::get_if<1>(&of_)) return (*banded)->solve(b, x, work.banded);
  std::get<2>(of_)->solve(b, x, work.blocks);
}

bool Structured::factor_and_solve(const SparseMatrix& K, const double* b, double* x, Work& work) {
  if (const auto* tridiagonal = std::get_if<0>(&of_)) return (*tridiagonal)->factor_and_solve(K, b, x, work.tridiagonal);
  if (!factor(K)) return false;
  solve(b, x, work);
  return true;
}

void Structured::pivots(Eigen::VectorXd& d) const {
  std::visit([&](const auto& solver) { solver->pivots(d); }, of_);
}

double Structured::nonzeros() const {
  return std::visit([](const auto& solver) { return solver->nonzeros(); }, of_);
}

const char* Structured::method() const {
  constexpr const char* names[] = {"tridiagonal L D L'", "banded L D L'", "L D L' of blocks"};
  return names[of_.index()];
}

}  // namespace actio::algebra
