#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <actio/io/matrix_market.hpp>
#include <actio/system/mass_factor.hpp>

#include "parts.hpp"
#include "values.hpp"

namespace actio::io {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

// Larger masses are factored, and so found positive definite, when a run first needs it: that can take a minute and gigabytes.
constexpr long most_rows_to_factor_at_once = 20'000;

bool is_file(const std::string& text) {
  if (text.size() < 4) return false;
  std::string end = text.substr(text.size() - 4);
  for (char& c : end)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return end == ".mtx";
}

std::string shape(const Vocabulary& vocabulary) {
  return fmt::format("the system has {} {}", vocabulary.size(), plural(vocabulary.size(), "coordinate", "coordinates"));
}

// Entry i of a diagonal that was given by `value`.
void need_positive(const Vocabulary& vocabulary, const Value& value, double mass, std::size_t entry, long coordinate) {
  if (mass > 0) return;
  const Place& place = value.kind == Kind::array ? value.items[entry].place : value.place;
  vocabulary.document().fail(
      place, fmt::format("the mass of {} is {}; it must be positive", vocabulary.coordinate_name(coordinate), mass));
}

Eigen::VectorXd diagonal(const Vocabulary& vocabulary, const Value& value, const std::string& path) {
  Eigen::VectorXd out(vocabulary.size());
  if (value.kind == Kind::table) {
    std::vector<std::string> names;
    for (const auto& family : vocabulary.families) names.push_back(family.name);
    const Section section(vocabulary.document(), value, path, names);
    for (const auto& family : vocabulary.families) {
      const Value& given = section.need(family.name);
      const auto masses =
          per_index(vocabulary, given, section.path(family.name), family.size,
                    fmt::format("{} has {} {}", family.name, family.size, plural(family.size, "coordinate", "coordinates")));
      for (std::size_t i = 0; i < masses.size(); ++i) {
        need_positive(vocabulary, given, masses[i], i, family.offset + static_cast<long>(i));
        out[family.offset + static_cast<long>(i)] = masses[i];
      }
    }
    return out;
  }
  if (value.kind == Kind::array) {
    const auto masses = per_index(vocabulary, value, path, vocabulary.size(), shape(vocabulary));
    for (std::size_t i = 0; i < masses.size(); ++i) {
      need_positive(vocabulary, value, masses[i], i, static_cast<long>(i));
      out[static_cast<long>(i)] = masses[i];
    }
    return out;
  }
  if (!value.is_number() && value.kind != Kind::string)
    wrong_type(vocabulary.document(), value, path, "a number, a list, a matrix, a table of families or a Matrix Market file");
  const double mass = scalar(vocabulary, value, path);
  need_positive(vocabulary, value, mass, 0, 0);
  out.setConstant(mass);
  return out;
}

Sparse matrix(const Vocabulary& vocabulary, const Value& value, const std::string& path) {
  const Document& document = vocabulary.document();
  const long n = vocabulary.size(), rows = static_cast<long>(value.items.size());
  if (rows != n)
    document.fail(value.place, fmt::format("{} has {} {}, {}", path, rows, plural(rows, "row", "rows"), shape(vocabulary)));
  std::vector<Eigen::Triplet<double>> triplets;
  for (long i = 0; i < n; ++i) {
    const Value& row = value.items[static_cast<std::size_t>(i)];
    const std::string here = fmt::format("{}[{}]", path, i);
    need_kind(document, row, here, Kind::array);
    const auto entries = per_index(vocabulary, row, here, n, shape(vocabulary));
    for (long j = 0; j < n; ++j)
      if (const double x = entries[static_cast<std::size_t>(j)]; x != 0)
        triplets.emplace_back(static_cast<int>(i), static_cast<int>(j), x);
  }
  Sparse out(n, n);
  out.setFromTriplets(triplets.begin(), triplets.end());
  return out;
}

class Checker {
 public:
  Checker(const Vocabulary& vocabulary, const Value& value) : vocabulary_(vocabulary), value_(value) {}

  void symmetric(const Sparse& M) const {
    const Sparse transposed = M.transpose();
    const Sparse difference = M - transposed;
    const Eigen::VectorXd scale = M.diagonal().cwiseAbs().cwiseSqrt();
    for (long j = 0; j < difference.outerSize(); ++j)
      for (Sparse::InnerIterator it(difference, j); it; ++it)
        if (std::abs(it.value()) > 1e-12 * scale[it.row()] * scale[j])  // round-off of whoever wrote it
          fail(it.row(), j,
               fmt::format("the mass is not symmetric: entry ({}, {}) is {}, entry ({}, {}) is {}", it.row(), j,
                           M.coeff(it.row(), j), j, it.row(), M.coeff(j, it.row())),
               "entries count from 0 here");
  }
  void positive(const Sparse& M) const {
    const Eigen::VectorXd D = M.diagonal();
    for (long i = 0; i < D.size(); ++i)
      if (!(D[i] > 0))
        fail(i, i,
             fmt::format("the mass is not positive definite: {} has {} on the diagonal", vocabulary_.coordinate_name(i), D[i]));
  }
  // For the factorisation of M, now or later, when this no longer exists.
  system::MassFactor::Refuse refuse() const {
    std::vector<core::Source> diagonal;
    if (value_.kind == Kind::array)
      for (std::size_t i = 0; i < value_.items.size(); ++i)
        diagonal.push_back(vocabulary_.document().source(value_.items[i].items[i].place));
    return
        [whole = vocabulary_.document().source(value_.place), diagonal, families = vocabulary_.families](long i, double pivot) {
          if (i < 0) throw core::InputError(whole, "the mass is not positive definite: its Cholesky factorisation fails");
          system::Model names;
          names.families = families;
          throw core::InputError(diagonal.empty() ? whole : diagonal[static_cast<std::size_t>(i)],
                                 fmt::format("the mass is not positive definite: its Cholesky factorisation meets {:.3g} at {}",
                                             pivot, names.coordinate_name(i)));
        };
  }

 private:
  [[noreturn]] void fail(long i, long j, const std::string& message, std::string_view hint = {}) const {
    const bool entry = i >= 0 && value_.kind == Kind::array;
    const Place& place =
        entry ? value_.items[static_cast<std::size_t>(i)].items[static_cast<std::size_t>(j)].place : value_.place;
    vocabulary_.document().fail(place, message, hint);
  }
  const Vocabulary& vocabulary_;
  const Value& value_;
};

}  // namespace

system::MassMatrix read_mass(const Section& system, const Vocabulary& vocabulary) {
  system::MassMatrix mass;
  const Value* value = system.find("mass");
  if (!value) return mass;
  const std::string path = system.path("mass");
  const bool file = value->kind == Kind::string && is_file(value->string);
  const bool full = value->kind == Kind::array && !value->items.empty() && value->items.front().kind == Kind::array;
  mass.kind = system::MassMatrix::Kind::diagonal;
  if (!file && !full) {
    mass.diagonal = diagonal(vocabulary, *value, path);
    return mass;
  }
  Sparse M = file ? read_matrix_market(need_file(vocabulary, *value, path), vocabulary.size()) : matrix(vocabulary, *value, path);
  const Checker check(vocabulary, *value);
  check.symmetric(M);
  const Sparse transposed = M.transpose();
  M = 0.5 * (M + transposed);
  M.prune([](Eigen::Index, Eigen::Index, double x) { return x != 0; });
  check.positive(M);
  if (M.nonZeros() == M.rows()) {  // full in the file, diagonal in fact
    mass.diagonal = M.diagonal();
    return mass;
  }
  mass.kind = system::MassMatrix::Kind::full;
  M.makeCompressed();
  mass.full = std::move(M);
  mass.factor = std::make_shared<system::MassFactor>(check.refuse());
  if (mass.full.rows() <= most_rows_to_factor_at_once) mass.factor->of(mass.full);
  return mass;
}

}  // namespace actio::io
