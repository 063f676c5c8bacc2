#include <actio/io/places.hpp>

namespace actio::io {

const core::Source& Places::of_constraint(const system::Model& model, long k) const {
  std::size_t entry = 0;
  while (entry + 1 < constraints.size() && k >= model.constraints[entry].elements) k -= model.constraints[entry++].elements;
  return entry < constraints.size() ? constraints[entry] : position;
}

core::InputError placed(const core::InputError& error, const core::Source& where) {
  const core::Diagnostic& d = error.diagnostic();
  return d.place || where.file.empty() ? error : core::InputError(where, d.message, d.hint);
}

}  // namespace actio::io
