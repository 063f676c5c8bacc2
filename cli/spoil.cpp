#include "spoil.hpp"

#include <vector>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/run/trajectory.hpp>

namespace actio::cli {

void refuse_to_spoil(const io::Problem& problem, const std::string& output, const std::string& checkpoint) {
  if (output.empty()) return;
  std::vector<std::string> read = problem.files;
  read.push_back(problem.path);
  if (!checkpoint.empty()) read.insert(read.end(), {checkpoint, checkpoint + ".new"});
  std::vector<std::string> events;
  for (const run::Event& event : problem.events) events.push_back(event.name);
  const run::Clash found = run::clash(output, read, events);
  if (found.read.empty()) return;
  std::string why = "the run reads it";
  if (!checkpoint.empty() && found.read.starts_with(checkpoint))
    why = "it is the run's checkpoint";
  else if (found.read != found.written)
    why = fmt::format("it is the file \"{}\", which the run reads", found.read);
  const std::string beside = found.written == output ? "" : fmt::format(" and with it \"{}\"", found.written);
  throw core::InputError(fmt::format("cannot write \"{}\"{}: {}", output, beside, why), "give -o another name");
}

}  // namespace actio::cli
