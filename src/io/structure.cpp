#include <algorithm>

#include <fmt/format.h>

#include <actio/io/csv.hpp>

#include "matrix.hpp"
#include "parts.hpp"
#include "reference.hpp"
#include "values.hpp"

// Linear structures: stiffness and damping as matrices, and coordinates that are held.
namespace actio::io {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

Sparse diagonal(const Eigen::VectorXd& entries) {
  Sparse out(entries.size(), entries.size());
  out.reserve(Eigen::VectorXi::Ones(entries.size()));
  for (long i = 0; i < entries.size(); ++i)
    if (entries[i] != 0) out.insert(i, i) = entries[i];
  out.makeCompressed();
  return out;
}

Sparse read_matrix(const Section& system, const SymbolTable& symbols, const char* key) {
  const Value* value = system.find(key);
  if (!value) return {};
  GivenMatrix given = read_symmetric(symbols, *value, system.path(key), key, false);
  return given.diagonal ? diagonal(given.entries) : std::move(given.full);
}

Sparse sum(const Sparse& a, const Sparse& b) {
  if (a.size() == 0 || b.size() == 0) return a.size() == 0 ? b : a;
  return a + b;
}

// D = a M + b S, added to the damping.
void add_friction(system::Model& model, double a, const Sparse& M, double b, const Sparse& S) {
  Sparse D;
  if (a != 0) D = a * M;
  if (b != 0) D = sum(D, Sparse(b * S));
  if (D.size() == 0) return;
  D.conservativeResize(static_cast<int>(model.size()), static_cast<int>(model.size()));
  model.damping = sum(model.damping, D);
}

class Held {
 public:
  Held(const Section& system, const SymbolTable& symbols, const std::vector<std::int32_t>& already)
      : system_(system), symbols_(symbols), path_(system.path("fixed")), held_(static_cast<std::size_t>(symbols.size())) {
    for (const std::int32_t i : already) held_[static_cast<std::size_t>(i)] = true;
  }

  std::vector<std::int32_t> read(const Value& value) {
    if (value.kind == Kind::table) {
      from_csv(value);
    } else if (value.kind == Kind::array) {
      for (std::size_t k = 0; k < value.items.size(); ++k) one(value.items[k], fmt::format("{}[{}]", path_, k));
    } else if (value.kind == Kind::string) {
      one(value, path_);
    } else {
      wrong_type(system_.document(), value, path_, "a list of coordinates, or { csv = \"file.csv\", column = \"name\" }");
    }
    std::vector<std::int32_t> out;
    for (std::size_t i = 0; i < held_.size(); ++i)
      if (held_[i]) out.push_back(static_cast<std::int32_t>(i));
    for (const BodyFamily& bodies : symbols_.bodies)
      for (long at = 0; at < bodies.count * bodies.stride(); ++at)
        if (at % bodies.stride() < 9 && held_[static_cast<std::size_t>(bodies.offset + at)])
          system_.document().fail(
              value.place,
              fmt::format("{} contains {}, an entry of a rotation", path_, symbols_.coordinate_name(bodies.offset + at)),
              "a joint of type \"fixed\" fixes a body");
    if (out.size() == held_.size())
      system_.document().fail(value.place, fmt::format("{} contains every coordinate: nothing moves", path_));
    return out;
  }

 private:
  void one(const Value& item, const std::string& path) {
    if (item.is_number()) {
      held_[static_cast<std::size_t>(integer(system_.document(), item, path, 0, symbols_.listed() - 1))] = true;
      return;
    }
    if (item.kind != Kind::string) wrong_type(system_.document(), item, path, "a coordinate such as \"u[3]\", or its number");
    const Reference reference = read_reference(symbols_, item.string, item.place, path);
    for (long k = 0; k < reference.count; ++k) held_[static_cast<std::size_t>(reference.coordinate(k))] = true;
  }

  void from_csv(const Value& value) {
    const Document& document = system_.document();
    const Section csv(document, value, path_, keys_of_table("csv"));
    const Value &file = csv.need("csv"), &column = csv.need("column");
    need_kind(document, file, csv.path("csv"), Kind::string);
    need_kind(document, column, csv.path("column"), Kind::string);
    for (const double x : read_csv_column(need_file(symbols_, file, csv.path("csv")), column.string)) {
      if (!(x >= 0 && x < static_cast<double>(symbols_.listed()) && x == static_cast<double>(static_cast<long>(x))))
        document.fail(file.place,
                      fmt::format("{} lists {}; coordinates are whole numbers from 0 to {}", path_, x, symbols_.listed() - 1));
      held_[static_cast<std::size_t>(x)] = true;
    }
  }

  const Section& system_;
  const SymbolTable& symbols_;
  std::string path_;
  std::vector<bool> held_;
};

}  // namespace

void read_structure(const Section& system, const SymbolTable& symbols, system::Model& model) {
  if (model.solids.empty()) {
    model.stiffness = read_matrix(system, symbols, "stiffness");
    model.damping = read_matrix(system, symbols, "damping");
  }
  if (const Value* fixed = system.find("fixed")) model.fixed_dofs = Held(system, symbols, model.fixed_dofs).read(*fixed);
}

void read_rayleigh(const Section& system, const SymbolTable& symbols, const std::vector<NoMass>& no_mass, system::Model& model,
                   std::vector<DampingRatio>& dampings) {
  const Value* value = system.find("rayleigh");
  if (!value || !model.solids.empty()) return;
  const int listed = static_cast<int>(symbols.listed());  // bodies have none
  Sparse M = model.mass.kind == system::MassMatrix::Kind::full ? model.mass.full : diagonal(model.mass.diagonal);
  for (const NoMass& of : no_mass) M.coeffRef(of.coordinate, of.coordinate) = 0;
  M.prune([](Eigen::Index, Eigen::Index, double x) { return x != 0; });
  if (M.size() > 0) M = Sparse(M.topLeftCorner(listed, listed));
  const Sparse S = model.stiffness.size() > 0 ? Sparse(model.stiffness.topLeftCorner(listed, listed)) : Sparse();

  const Document& document = system.document();
  const Section section(document, *value, system.path("rayleigh"), keys_of_table("system.rayleigh"));
  const bool factors = section.find("mass") || section.find("stiffness");
  const auto given = std::ranges::find_if(keys_of_damping_ratio, [&](const char* key) { return section.find(key) != nullptr; });
  if (given != keys_of_damping_ratio.end()) {
    if (factors) document.fail(section.place_of(*given), "system.rayleigh gives both a ratio and factors", "give one of them");
    if (M.size() == 0 || S.size() == 0)
      document.fail(section.place_of(*given), fmt::format("{} needs a mass and a stiffness", section.path(*given)));
    DampingRatio& damping = dampings.emplace_back(read_damping_ratio(section, symbols));
    damping.add = [M, S](system::Model& to, double a, double b) { add_friction(to, a, M, b, S); };
    return;
  }
  const auto factor = [&](const char* key, bool there) {
    const Value* of = section.find(key);
    if (!of) return 0.0;
    if (!there)
      document.fail(section.place_of(key),
                    fmt::format("{} has nothing to multiply: there is no system.{}", section.path(key), key));
    return scalar(symbols, *of, section.path(key));
  };
  const double a = factor("mass", M.size() > 0), b = factor("stiffness", S.size() > 0);
  add_friction(model, a, M, b, S);
}

}  // namespace actio::io
