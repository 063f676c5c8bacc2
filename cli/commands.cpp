#include "commands.hpp"

#include <fmt/format.h>

#include <actio/core/error.hpp>

namespace actio::cli {

session::Choices choices(const Arguments& arguments) {
  using Space = method::BuildOptions::Space;
  session::Choices out;
  if (arguments.kernels == "interpret") out.build.compile.compiler = "none";
  out.must_compile = arguments.kernels == "compile";
  if (arguments.space == "fixed") out.build.space = Space::fixed;
  if (arguments.space == "dense") out.build.space = Space::dense;
  if (arguments.space == "sparse") out.build.space = Space::sparse;
  return out;
}

void require_method(const std::string& name, const std::string& where) {
  if (method::method_named(name) != nullptr) return;
  const std::vector<std::string> known = method::method_names();
  const std::string hint = core::did_you_mean(name, known);
  throw core::InputError(fmt::format("{}unknown method \"{}\"", where.empty() ? "" : where + ": ", name),
                         hint.empty() ? fmt::format("known methods: {}", fmt::join(known, ", ")) : hint);
}

}  // namespace actio::cli
