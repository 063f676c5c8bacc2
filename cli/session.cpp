#include "session.hpp"

#include <fmt/format.h>

#include <actio/core/error.hpp>

#ifndef ACTIO_VERSION
#define ACTIO_VERSION "0.1.0"
#endif

namespace actio::cli {

std::string version() { return ACTIO_VERSION; }

method::BuildOptions build_options(const Arguments& arguments) {
  using Space = method::BuildOptions::Space;
  method::BuildOptions options;
  if (arguments.kernels == "interpret") options.compile.compiler = "none";
  if (arguments.space == "fixed") options.space = Space::fixed;
  if (arguments.space == "dense") options.space = Space::dense;
  if (arguments.space == "sparse") options.space = Space::sparse;
  return options;
}

Session open(const Arguments& arguments, const std::string& method) {
  const method::BuildOptions options = build_options(arguments);
  Session s;
  s.problem = io::load(arguments.file, {arguments.overrides, method});
  const auto& p = s.problem;
  if (const std::string reason = method::misfit(p.model, p.method); !reason.empty())
    throw core::InputError(fmt::format("{}: {}", p.path, reason));
  s.integrator = method::make_integrator(p.model, p.method, options);
  s.momentum = invariant::MomentumMap(p.model, options.compile);
  if (arguments.kernels == "compile" && s.momentum.size() > 0 && !s.momentum.compiled())
    throw core::InputError(fmt::format("kernels are not compiled: {}", s.momentum.why_interpreted()),
                           "install a C compiler or set ACTIO_CC to one");
  s.task = {p.model.title, p.method, p.q0, p.v0, p.schedule, p.bounds, run::is_autonomous(p.model)};
  return s;
}

std::vector<std::pair<std::string, std::string>> fields_of(const method::Spec& spec) {
  std::vector<std::pair<std::string, std::string>> out;
  const auto add = [&](const auto& owner, const std::string& prefix) {
    core::for_each_field<std::decay_t<decltype(owner)>>(
        [&](const auto& field) { out.emplace_back(prefix + std::string(field.name), fmt::format("{}", owner.*(field.member))); });
  };
  std::visit([&](const auto& m) { add(m, ""); }, spec.choice);
  if (spec.composed) add(spec.composition, "compose.");
  return out;
}

run::TrajectoryHeader header(const Session& session) {
  const auto& p = session.problem;
  run::TrajectoryHeader h;
  for (long i = 0; i < p.model.size(); ++i) h.coordinates.push_back(p.model.coordinate_name(i));
  for (const auto& symmetry : p.model.symmetries) h.momentum.push_back(symmetry.name);
  std::string overrides;
  for (const auto& o : p.overrides) overrides += (overrides.empty() ? "" : "\n") + o;
  h.attributes = {{"title", p.model.title}, {"problem", p.text},         {"problem_path", p.path},
                  {"overrides", overrides}, {"method", p.method.name()}, {"version", version()}};
  for (const auto& [name, value] : fields_of(p.method)) h.attributes.emplace_back("method." + name, value);
  h.step = p.schedule.step;
  return h;
}

}  // namespace actio::cli
