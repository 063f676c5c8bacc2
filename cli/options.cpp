#include "options.hpp"

#include <cstdio>

#include <fmt/format.h>

#include <actio/invariant/json.hpp>

#include "terminal.hpp"

namespace actio::cli {

namespace {

// Asked for before the other words are read, see spread.hpp.
const char* const processes = "-np N: on N processes, with PETSc (actio-petsc); arguments after -- go to PETSc";

}  // namespace

void add_problem(CLI::App& command, Arguments& a) {
  command.add_option("file", a.file, "problem file (TOML)")->required()->type_name("FILE");
  command.add_option("overrides", a.overrides, "keys of the file to set, for example run.end=1e4")->type_name("key=value");
  command.add_flag("--quiet,-q", a.quiet, "print errors only");
  command.add_flag("--json", a.json, "one JSON object on standard output");
  command.add_option("--kernels", a.kernels, "auto, compile or interpret")
      ->check(CLI::IsMember({"auto", "compile", "interpret"}))
      ->group("Advanced");
  command.add_option("--space", a.space, "automatic, fixed, dense or sparse")
      ->check(CLI::IsMember({"automatic", "fixed", "dense", "sparse"}))
      ->group("Advanced");
}

void add_run(CLI::App& command, Arguments& a) {
  add_problem(command, a);
  command.add_option("-o,--output", a.output, "trajectory, .h5, .csv, or of solids .pvd")->type_name("OUT");
  command
      .add_option(
          "--certificate", a.certificate,
          "how much of the step is measured: quick (one state), standard (a tenth of the run or half a second), full, off")
      ->check(CLI::IsMember({"quick", "standard", "full", "off"}))
      ->type_name("LEVEL");
  command
      .add_option("--checkpoint", a.checkpoint,
                  "every=STEPS, seconds=S, file=NAME: a run that is killed loses only the steps since the last checkpoint")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("every=N");
  command.footer(processes);
}

void add_resume(CLI::App& command, Arguments& a) {
  command.add_option("file", a.file, "the checkpoint")->required()->type_name("FILE");
  command.add_flag("--quiet,-q", a.quiet, "print errors only");
  command.add_flag("--json", a.json, "one JSON object on standard output");
  command.footer(processes);
}

int refuse(const std::string& message, bool json, int code) {
  if (json) {
    invariant::Json j;
    j.begin().field("verdict", "failed").key("error").begin().field("message", std::string_view(bare(message))).end().end();
    fmt::print("{}\n", j.text());
  }
  say(stderr, "{}\n", message);
  return code;
}

}  // namespace actio::cli
