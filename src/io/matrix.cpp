#include "matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <actio/io/matrix_market.hpp>

#include "pattern.hpp"
#include "values.hpp"

namespace actio::io {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

class Reader {
 public:
  Reader(const SymbolTable& symbols, const Value& value, const std::string& path, const std::string& noun, bool positive)
      : symbols_(symbols), value_(value), path_(path), noun_(noun), positive_(positive) {}

  GivenMatrix operator()() const {
    GivenMatrix out;
    const bool rows = value_.kind == Kind::array && !value_.items.empty() && value_.items[0].kind == Kind::array;
    if (!rows && !is_matrix_file(value_)) {
      out.entries = diagonal(out.no_mass);
      for (const NoMass& of : out.no_mass) out.entries[of.coordinate] = placeholder(out.entries);
      return out;
    }
    Sparse M = rows ? matrix() : read_matrix_market(file(), symbols_.listed(), symbols_.listed());
    make_symmetric(M);
    M.prune([](Eigen::Index, Eigen::Index, double x) { return x != 0; });
    if (positive_) need_positive(M, out.no_mass);
    const bool only_diagonal = M.nonZeros() == (Eigen::VectorXd(M.diagonal()).array() != 0).count();
    out.diagonal = only_diagonal;  // full in the file, diagonal in fact
    if (only_diagonal) {
      out.entries = M.diagonal();
    } else {
      M.makeCompressed();
      out.full = std::move(M);
    }
    return out;
  }

 private:
  std::string file() const { return need_file(symbols_, value_, path_); }

  // Entry i of a diagonal that was given by `value`.
  void need_positive(const Value& value, double x, std::size_t entry, long coordinate, std::vector<NoMass>& no_mass) const {
    if (!positive_ || x > 0) return;
    const Place& place = value.kind == Kind::array ? value.items[entry].place : value.place;
    const std::string message =
        fmt::format("the {} of {} is {}; it must be positive", noun_, symbols_.coordinate_name(coordinate), x);
    if (x < 0) symbols_.document().fail(place, message);
    no_mass.push_back({static_cast<std::int32_t>(coordinate), symbols_.document().source(place), message});
  }

  // In the place of masses that are 0: the smallest of the others.
  static double placeholder(const Eigen::VectorXd& entries) {
    double least = std::numeric_limits<double>::infinity();
    for (const double x : entries)
      if (x > 0) least = std::min(least, x);
    return std::isfinite(least) ? least : 1;
  }

  Eigen::VectorXd diagonal(std::vector<NoMass>& no_mass) const {
    Eigen::VectorXd out(symbols_.listed());
    if (value_.kind == Kind::table) {
      std::vector<std::string> names;
      for (const auto& family : symbols_.families) names.push_back(family.name);
      const Section section(symbols_.document(), value_, path_, names);
      for (const auto& family : symbols_.families) {
        const Value& given = section.need(family.name);
        const auto entries =
            per_index(symbols_, given, section.path(family.name), family.size,
                      fmt::format("{} has {} {}", family.name, family.size, plural(family.size, "coordinate", "coordinates")));
        for (std::size_t i = 0; i < entries.size(); ++i) {
          need_positive(given, entries[i], i, family.offset + static_cast<long>(i), no_mass);
          out[family.offset + static_cast<long>(i)] = entries[i];
        }
      }
      return out;
    }
    if (value_.kind == Kind::array) {
      const auto entries = per_index(symbols_, value_, path_, symbols_.listed(), shape_of(symbols_));
      for (std::size_t i = 0; i < entries.size(); ++i) {
        need_positive(value_, entries[i], i, static_cast<long>(i), no_mass);
        out[static_cast<long>(i)] = entries[i];
      }
      return out;
    }
    if (!value_.is_number() && value_.kind != Kind::string)
      wrong_type(symbols_.document(), value_, path_, "a number, a list, a matrix, a table of families or a Matrix Market file");
    const double x = scalar(symbols_, value_, path_);
    need_positive(value_, x, 0, 0, no_mass);
    if (!no_mass.empty()) throw core::InputError(no_mass.front().place, no_mass.front().message);  // of all
    out.setConstant(x);
    return out;
  }

  Sparse matrix() const {
    const Document& document = symbols_.document();
    const long n = symbols_.listed(), rows = static_cast<long>(value_.items.size());
    if (rows != n)
      document.fail(value_.place, fmt::format("{} has {} {}, {}", path_, rows, plural(rows, "row", "rows"), shape_of(symbols_)));
    std::vector<Eigen::Triplet<double>> triplets;
    for (long i = 0; i < n; ++i) {
      const Value& row = value_.items[static_cast<std::size_t>(i)];
      const std::string here = fmt::format("{}[{}]", path_, i);
      need_kind(document, row, here, Kind::array);
      const auto entries = per_index(symbols_, row, here, n, shape_of(symbols_));
      for (long j = 0; j < n; ++j)
        if (const double x = entries[static_cast<std::size_t>(j)]; x != 0)
          triplets.emplace_back(static_cast<int>(i), static_cast<int>(j), x);
    }
    Sparse out(n, n);
    out.setFromTriplets(triplets.begin(), triplets.end());
    return out;
  }

  // Symmetric up to the round-off of whoever wrote it; then exactly.
  void make_symmetric(Sparse& M) const {
    const Sparse T = M.transpose();
    Eigen::VectorXd scale = Eigen::VectorXd::Zero(M.rows());
    for (long j = 0; j < M.outerSize(); ++j)
      for (Sparse::InnerIterator it(M, j); it; ++it) scale[j] = std::max(scale[j], std::abs(it.value()));
    bool exact = true;
    for (long j = 0; j < M.outerSize(); ++j) {
      Sparse::InnerIterator a(M, j), b(T, j);
      while (a || b) {  // both ascend
        const bool in_a = a && (!b || a.row() <= b.row()), in_b = b && (!a || b.row() <= a.row());
        const long i = in_a ? a.row() : b.row();
        const double x = in_a ? a.value() : 0, y = in_b ? b.value() : 0;
        exact = exact && x == y;
        if (std::abs(x - y) > 1e-12 * std::sqrt(scale[i] * scale[j])) fail_asymmetric(i, j, x, y);
        if (in_a) ++a;
        if (in_b) ++b;
      }
    }
    if (!exact) M = Sparse(0.5 * (M + T));
  }

  [[noreturn]] void fail_asymmetric(long i, long j, double x, double y) const {
    const int base = value_.kind == Kind::array ? 0 : 1;
    const bool listed = x != 0;
    fail(listed ? i : j, listed ? j : i,
         fmt::format("the {} is not symmetric: entry ({}, {}) is {}, entry ({}, {}) is {}", noun_, i + base, j + base, x,
                     j + base, i + base, y),
         positive_ ? (base == 0 ? "entries count from 0 here" : "entries count from 1, as in the file")
                   : "write forces without a potential, such as gyroscopic ones, in [system.force]");
  }

  void need_positive(Sparse& M, std::vector<NoMass>& no_mass) const {
    const auto name = [&](long i) { return symbols_.coordinate_name(i); };
    const std::string not_positive = fmt::format("the {} is not positive definite: ", noun_);
    const Eigen::VectorXd D = M.diagonal();
    for (long i = 0; i < D.size(); ++i) {
      if (D[i] > 0) continue;
      const std::string message = fmt::format("{}{} has {} on the diagonal", not_positive, name(i), D[i]);
      if (D[i] != 0 || M.col(i).nonZeros() > 0) fail(i, i, message);
      no_mass.push_back({static_cast<std::int32_t>(i), place_of(i, i), message});
    }
    if (!no_mass.empty()) {
      for (const NoMass& of : no_mass) M.coeffRef(of.coordinate, of.coordinate) = placeholder(D);
      M.makeCompressed();
    }
    if (M.rows() <= most_rows_to_factor_at_once) return;
    for (long j = 0; j < M.outerSize(); ++j)
      for (Sparse::InnerIterator it(M, j); it; ++it)
        if (it.row() > j && !(it.value() * it.value() < D[it.row()] * D[j]))
          fail(it.row(), j,
               fmt::format("{}the entry between {} and {} is {}, their own are {} and {}", not_positive, name(it.row()), name(j),
                           it.value(), D[it.row()], D[j]));
  }

  core::Source place_of(long i, long j) const {
    if (value_.kind == Kind::string && i >= 0) return matrix_market_place(file(), i, j);
    const bool entry = i >= 0 && value_.kind == Kind::array;
    const Place& place =
        entry ? value_.items[static_cast<std::size_t>(i)].items[static_cast<std::size_t>(j)].place : value_.place;
    return symbols_.document().source(place);
  }
  [[noreturn]] void fail(long i, long j, const std::string& message, std::string_view hint = {}) const {
    throw core::InputError(place_of(i, j), message, hint);
  }

  const SymbolTable& symbols_;
  const Value& value_;
  const std::string &path_, &noun_;
  bool positive_;
};

}  // namespace

GivenMatrix read_symmetric(const SymbolTable& symbols, const Value& value, const std::string& path, const std::string& noun,
                           bool positive) {
  return Reader(symbols, value, path, noun, positive)();
}

system::MassFactor::Refuse refusal_of_mass(const SymbolTable& symbols, const Value& value, const std::string& path) {
  std::vector<core::Source> diagonal;
  if (value.kind == Kind::array)
    for (std::size_t i = 0; i < value.items.size(); ++i)
      diagonal.push_back(symbols.document().source(value.items[i].items[i].place));
  const std::string file = is_matrix_file(value) ? need_file(symbols, value, path) : "";
  return [whole = symbols.document().source(value.place), diagonal, file, families = symbols.families](long i, double pivot) {
    if (i < 0) throw core::InputError(whole, "the mass is not positive definite: its Cholesky factorisation fails");
    system::Model names;
    names.families = families;
    throw core::InputError(!file.empty() ? matrix_market_place(file, i, i) : diagonal[static_cast<std::size_t>(i)],
                           fmt::format("the mass is not positive definite: its Cholesky factorisation meets {:.3g} at {}", pivot,
                                       names.coordinate_name(i)));
  };
}

long rows_of(const SymbolTable& symbols, const Value& value, const std::string& path) {
  if (is_matrix_file(value)) return matrix_market_size(need_file(symbols, value, path));
  const bool rows = value.kind == Kind::array && !value.items.empty() && value.items[0].kind == Kind::array;
  return rows ? static_cast<long>(value.items.size()) : -1;
}

}  // namespace actio::io
