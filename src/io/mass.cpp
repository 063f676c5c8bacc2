#include <memory>

#include <actio/system/mass_factor.hpp>

#include "matrix.hpp"
#include "parts.hpp"

namespace actio::io {

system::MassMatrix read_mass(const Section& system, const Vocabulary& vocabulary) {
  system::MassMatrix mass;
  const Value* value = system.find("mass");
  if (!value) return mass;
  const std::string path = system.path("mass");
  GivenMatrix given = read_symmetric(vocabulary, *value, path, "mass", true);
  mass.kind = given.diagonal ? system::MassMatrix::Kind::diagonal : system::MassMatrix::Kind::full;
  mass.diagonal = std::move(given.entries);
  mass.full = std::move(given.full);
  if (given.diagonal) return mass;
  mass.factor = std::make_shared<system::MassFactor>(refusal_of_mass(vocabulary, *value, path));
  if (mass.full.rows() <= most_rows_to_factor_at_once) mass.factor->of(mass.full);
  return mass;
}

}  // namespace actio::io
