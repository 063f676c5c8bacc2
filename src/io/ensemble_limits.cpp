#include <algorithm>

#include <fmt/format.h>

#include <actio/method/lanes.hpp>

#include "ensemble_parts.hpp"

namespace actio::io {

std::optional<core::InputError> why_not_together(const Section& root, const Problem& problem, bool sweep) {
  const Document& document = root.document();
  const std::string alone = sweep ? "" : "actio run --member M runs one of its members alone, with a certificate";
  if (const std::string reason = method::Lanes::why_not(problem.model, problem.method); !reason.empty())
    return core::InputError(document.source(root.place_of("ensemble")), reason, alone);
  if (problem.equilibrium)
    return core::InputError(problem.places.equilibrium,
                            "initial.static: the members of an ensemble do not start in equilibrium, but where they are put",
                            alone);
  if (!problem.events.empty())
    return core::InputError(document.source(root.place_of("event")), "events are followed in single runs, not in an ensemble",
                            alone);
  if (!problem.schedule.at.empty())
    return core::InputError(document.source(root.place_of("run")),
                            "run.at and run.every_time are of single runs: an ensemble is observed every run.every steps", alone);
  if (const Value* certificate = root.find("certificate"))
    for (const Entry& entry : certificate->fields)
      if (!sweep || entry.key != "level")
        return core::InputError(document.source(entry.place),
                                fmt::format("certificate.{}: an ensemble has no certificate", entry.key), alone);
  return {};
}

void need_parameter(const Document& document, const Place& place, const std::string& name,
                    const std::vector<std::string>& parameters) {
  if (std::ranges::find(parameters, name) != parameters.end()) return;
  std::string hint = core::did_you_mean(name, parameters);
  if (hint.empty()) hint = fmt::format("declare it with a value of its own: system.parameters.{} = 1", name);
  document.fail(place, fmt::format("the file has no parameter \"{}\"", name), hint);
}

}  // namespace actio::io
