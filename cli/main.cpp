#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <actio/core/error.hpp>
#include <actio/core/meanings.hpp>
#include <actio/core/parallel.hpp>
#include <actio/invariant/json.hpp>

#include "options.hpp"
#include "session.hpp"
#include "spread.hpp"

namespace {

using actio::cli::Arguments;

// The word that is no command, with the one that was meant.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return {};
  std::vector<std::string> known;
  for (const auto* command : app.get_subcommands({})) known.push_back(command->get_name());
  for (const auto& name : known)
    if (name == argv[1]) return {};
  const std::string hint = actio::core::did_you_mean(argv[1], known);
  return actio::core::InputError(fmt::format("unknown command \"{}\"", argv[1]),
                                 hint.empty() ? fmt::format("commands: {}", fmt::join(known, ", ")) : hint)
      .what();
}

// The command that was named, or the program.
const CLI::App& chosen(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return commands.empty() ? app : *commands.front();
}

std::string where_to_look(const CLI::App& app) {
  const CLI::App& command = chosen(app);
  return fmt::format("actio {}--help lists the {}", &command == &app ? "" : command.get_name() + " ",
                     &command == &app ? "commands" : "options");
}

// The option that is none, with the one that was meant.
std::string unknown_option(const CLI::App& app, int argc, char** argv) {
  const CLI::App* const command = &chosen(app);
  std::vector<std::string> known;
  for (const auto* option : command->get_options())
    for (const auto& name : option->get_lnames()) known.push_back(name);
  for (int k = 1; k < argc; ++k) {
    const std::string_view word(argv[k]);
    if (!word.starts_with("--") || word.size() < 3) continue;
    const std::string name(word.substr(2, word.find('=') - 2));
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string meant = actio::core::nearest(name, known);
    std::string hint = actio::core::same_meaning(name, known);
    if (hint.empty() && !meant.empty()) hint = fmt::format("did you mean \"--{}\"?", meant);
    return actio::core::InputError(fmt::format("unknown option \"--{}\"", name), hint.empty() ? where_to_look(app) : hint).what();
  }
  return {};
}

int dispatch(int argc, char** argv) {
  using namespace actio;
  Arguments a;
  CLI::App app{"Actio: variational time integrators from a problem file, with a certificate of what was conserved", "actio"};
  app.set_version_flag("--version", "actio " + cli::version());
  app.require_subcommand(0, 1);

  auto* run = app.add_subcommand("run", "run a problem and certify it");
  cli::add_run(*run, a);
  auto* resume =
      app.add_subcommand("resume", "continue a run from its checkpoint, with the same bits as if it had never stopped");
  cli::add_resume(*resume, a);
  auto* check = app.add_subcommand("check", "read a problem, check that its method fits, and describe it");
  cli::add_problem(*check, a);
  auto* list = app.add_subcommand("list", "the methods: their fields, order, what they conserve, citation");
  list->add_flag("--json", a.json, "one JSON array on standard output");
  auto* compare = app.add_subcommand("compare", "run one problem with several methods, as one table");
  cli::add_problem(*compare, a);
  compare->add_option("--methods,-m", a.methods, "names, separated by commas")
      ->required()
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  compare->add_option("-o,--output", a.output, "the table as .csv")->type_name("OUT");
  auto* explain = app.add_subcommand("explain", "a method: equation, fields, order, what it conserves, citation");
  explain->add_option("method", a.method, "its name")->required()->type_name("METHOD");
  explain->add_option("fields", a.overrides, "fields of the method for --spectral, for example rho=0.5")
      ->type_name("field=value");
  explain->add_flag("--spectral", a.spectral, "spectral radius, period error and damping over h/T, for linear motions");
  explain->add_option("--xi", a.xi, "damping ratio of that motion")
      ->check(CLI::Range(0.0, 0.99))
      ->check(
          [](const std::string& x) { return x.find("nan") == std::string::npos ? std::string() : std::string("not a number"); })
      ->type_name("RATIO");

  if (cli::asks_for_processes(argc, argv)) {
    try {
      return cli::start_processes(argc, argv);
    } catch (const core::InputError& e) { return cli::refuse(e.what(), false, cli::wrong_input); }
  }
  const auto wants_json = [&] { return std::find(argv, argv + argc, std::string_view("--json")) != argv + argc; };
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {  // --help, --version
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    std::string other = unknown_command(app, argc, argv);
    if (other.empty()) other = unknown_option(app, argc, argv);
    return cli::refuse(other.empty() ? fmt::format("error: {}\n  {}", e.what(), where_to_look(app)) : other, wants_json(),
                       cli::wrong_input);
  }
  try {
    core::threads();  // a wrong number of them is an error, needed or not
    if (*run) return cli::run(a);
    if (*resume) return cli::resume(a);
    if (*check) return cli::check(a);
    if (*list) return cli::list(a);
    if (*compare) return cli::compare(a);
    if (*explain) return cli::explain(a);
    fmt::print("{}", app.help());
    return cli::ok;
  } catch (const core::InputError& e) {
    return cli::refuse(e.what(), a.json, cli::wrong_input);
  } catch (const core::RunError& e) { return cli::refuse(e.what(), a.json, cli::run_failed); } catch (const std::bad_alloc&) {
    return cli::refuse("error: out of memory", a.json, cli::run_failed);
  } catch (const std::exception& e) { return cli::refuse(fmt::format("error: {}", e.what()), a.json, cli::run_failed); }
}

}  // namespace

// What was printed may still fail to be written: then the run counts as failed.
int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a limit of a file's size is an error like a full disk
  int code = actio::cli::run_failed;
  try {
    code = dispatch(argc, argv);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    std::fprintf(stderr, "error: cannot write to standard output: %s\n", std::strerror(errno));
  } catch (const std::exception& e) { std::fprintf(stderr, "error: %s\n", e.what()); }
  return code == actio::cli::ok ? actio::cli::run_failed : code;
}
