#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <actio/io/problem.hpp>
#include <actio/session/extremes.hpp>

#include "commands.hpp"

// One of several runs of a problem file, each a row of a table: what does not fit or fails is a row that says why.
namespace actio::cli {

using session::Extreme;

struct RunRequest {
  std::string file;
  io::LoadOptions load;
  const char* command = "";  // for messages
  long member = -1;          // of an ensemble
  session::Choices choices;
  bool observe = true;                          // the observables are evaluated, for `extremes`
  std::function<void(io::Problem&)> prepare{};  // changes the problem that was read
  std::function<void(const run::Progress&)> progress{};
  run::Observer* beside = nullptr;  // looks at the run as well
};

struct OneRun {
  bool ran = false;
  std::string title, method;
  std::vector<std::string> momenta;
  invariant::Certificate certificate;
  std::string why;                          // it did not run, failed or broke a claim
  std::optional<core::InputError> refused;  // it did not run
  std::vector<Extreme> extremes;
  std::vector<run::Observed> observed;

  bool good() const { return ran && certificate.verdict != invariant::Certificate::Verdict::failed; }
  std::string verdict() const;  // as in JSON and CSV; "wrong input" where it did not run
};
OneRun run_one(const RunRequest& request);

// Throws the error that all of them have, where none of them ran for the same reason: the problem is wrong, whatever is varied.
void throw_if_all_refused(const std::vector<const OneRun*>& runs);
// The exit code of the table: at least one ran to its end, or ran, or none.
int exit_code(const std::vector<const OneRun*>& runs);

}  // namespace actio::cli
