#include <actio/io/places.hpp>

#include <string_view>

namespace actio::io {

const core::Source& Places::of_constraint(const system::Model& model, long k) const {
  std::size_t entry = 0;
  while (entry + 1 < constraints.size() && k >= model.constraints[entry].elements) k -= model.constraints[entry++].elements;
  return entry < constraints.size() ? constraints[entry] : position;
}

core::InputError placed(const core::InputError& error, const core::Source& where) {
  constexpr std::string_view begin = "error: ", hint = "\n  ";
  std::string_view what = error.what();
  if (!what.starts_with(begin) || where.file.empty()) return error;
  what.remove_prefix(begin.size());
  const std::size_t end = what.find(hint);
  if (end == std::string_view::npos) return core::InputError(where, what);
  return core::InputError(where, what.substr(0, end), what.substr(end + hint.size()));
}

}  // namespace actio::io
