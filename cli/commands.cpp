#include "commands.hpp"

#include <fmt/format.h>

#include <actio/core/error.hpp>

namespace actio::cli {

session::Choices choices(const Arguments& arguments) { return session::choices(arguments.kernels, arguments.space); }

void require_method(const std::string& name, const std::string& where) {
  if (method::method_named(name) != nullptr) return;
  const std::vector<std::string> known = method::method_names();
  const std::string hint = core::did_you_mean(name, known);
  throw core::InputError(fmt::format("{}unknown method \"{}\"", where.empty() ? "" : where + ": ", name),
                         hint.empty() ? fmt::format("known methods: {}", fmt::join(known, ", ")) : hint);
}

}  // namespace actio::cli
