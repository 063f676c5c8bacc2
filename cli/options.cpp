#include "options.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <actio/core/error.hpp>
#include <actio/core/meanings.hpp>
#include <actio/core/parallel.hpp>
#include <actio/invariant/json.hpp>
#include <actio/method/not_built.hpp>

#include "commands.hpp"
#include "interrupt.hpp"
#include "spread.hpp"
#include "terminal.hpp"

namespace actio::cli {

extern const char* const commit;  // that the program was built at, or ""; cmake/commit.cmake writes it

namespace {

// Asked for before the other words are read, see spread.hpp.
const char* const about_processes =
    "-np N: actio run -np N FILE and actio resume -np N FILE share one large problem among N processes, by MPI and PETSc "
    "(actio-petsc). Arguments after -- go to PETSc.";

// Commands of the Python package, which the script ./actio and an installed package have.
const char* const about_pictures =
    "More commands: plot FILE draws runs, report FILE writes a run as one HTML page. The Python package has them, and in a "
    "checkout "
    "the script ./actio.";

// The word that is no command, with the one that was meant.
std::optional<core::Diagnostic> unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return {};
  std::vector<std::string> known;
  for (const auto* command : app.get_subcommands({})) known.push_back(command->get_name());
  for (const auto& name : known)
    if (name == argv[1]) return {};
  for (const std::string_view drawn : {"plot", "report"})
    if (drawn == argv[1]) return core::Diagnostic{fmt::format("{} is a command of the Python package", drawn), about_pictures};
  const std::string hint = core::did_you_mean(argv[1], known);
  return core::Diagnostic{fmt::format("unknown command \"{}\"", argv[1]),
                          hint.empty() ? fmt::format("commands: {}", fmt::join(known, ", ")) : hint};
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
std::optional<core::Diagnostic> unknown_option(const CLI::App& app, int argc, char** argv) {
  const CLI::App* const command = &chosen(app);
  std::vector<std::string> known;
  for (const auto* option : command->get_options())
    for (const auto& name : option->get_lnames()) known.push_back(name);
  for (int k = 1; k < argc; ++k) {
    const std::string_view word(argv[k]);
    if (!word.starts_with("--") || word.size() < 3) continue;
    const std::string name(word.substr(2, word.find('=') - 2));
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string meant = core::nearest(name, known);
    std::string hint = core::same_meaning(name, known);
    if (hint.empty() && !meant.empty()) hint = fmt::format("did you mean \"--{}\"?", meant);
    return core::Diagnostic{fmt::format("unknown option \"--{}\"", name), hint.empty() ? where_to_look(app) : hint};
  }
  return {};
}

void add_member(CLI::App& command, Arguments& a) {
  command.add_option("--member", a.member, "of an ensemble, this member alone, as an ordinary run with its certificate")
      ->check(CLI::NonNegativeNumber)
      ->type_name("M");
}

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
  command.add_option("-o,--output", a.output, "trajectory, .h5, .csv, of points .xyz, .dcd, .h5md, or of solids .pvd")
      ->type_name("OUT");
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
  add_member(command, a);
  command.footer(about_processes);
}

void add_resume(CLI::App& command, Arguments& a) {
  command.add_option("file", a.file, "the checkpoint")->required()->type_name("FILE");
  command.add_flag("--quiet,-q", a.quiet, "print errors only");
  command.add_flag("--json", a.json, "one JSON object on standard output");
  command.footer(about_processes);
}

int refuse(const core::Diagnostic& error, bool json, int code) {
  if (json) {
    invariant::Json j;
    j.begin().field("verdict", "failed").key("error").begin().field("message", std::string_view(core::words(error))).end().end();
    fmt::print("{}\n", j.text());
  }
  say(stderr, "{}\n", core::text(error));
  return code;
}

int dispatch(int argc, char** argv) {
  Arguments a;
  CLI::App app{"Actio: variational time integrators from a problem file, with a certificate of what was conserved", "actio"};
  app.set_version_flag("--version", "actio " + session::version() +
                                        (*commit == '\0' ? std::string() : fmt::format(", built at commit {}", commit)));
  app.require_subcommand(0, 1);
  app.footer(fmt::format("{}\n{}", about_pictures, about_processes));

  auto* run = app.add_subcommand("run", "run a problem and certify it");
  add_run(*run, a);
  auto* resume =
      app.add_subcommand("resume", "continue a run from its checkpoint, with the same bits as if it had never stopped");
  add_resume(*resume, a);
  auto* check = app.add_subcommand("check", "read a problem, check that its method fits, and describe it");
  add_problem(*check, a);
  auto* modes = app.add_subcommand("modes", "the lowest modes of a problem linearised at its start: frequencies, shapes, masses");
  add_problem(*modes, a);
  modes->add_option("--count,-n", a.count, "how many modes (10, or as many as there are)")->type_name("N");
  modes->add_option("-o,--output", a.output, "the modes as .h5, .csv, or of solids .pvd")->type_name("OUT");
  modes->add_option("--matrices", a.matrices, "writes PREFIX.M.mtx and PREFIX.K.mtx, the matrices of the coordinates that move")
      ->type_name("PREFIX");
  auto* list =
      app.add_subcommand("list", "the methods: their fields, order, what they conserve, citation; the keys of a problem file");
  list->add_option("what", a.list_of, "methods; keys: of a problem file; kinds: joints, forces, materials, reductions, ...")
      ->check(CLI::IsMember({"methods", "keys", "kinds"}))
      ->type_name("WHAT");
  list->add_flag("--json", a.json, "one JSON array on standard output");
  auto* compare = app.add_subcommand("compare", "run one problem with several methods, as one table");
  add_problem(*compare, a);
  compare->add_option("--methods,-m", a.methods, "names, separated by commas")
      ->required()
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  add_member(*compare, a);
  compare
      ->add_option("--reference", a.reference,
                   "a method and its step, for example rk4@0.0001: errors of position and of peaks are measured by its run")
      ->type_name("METHOD@STEP");
  compare->add_option("-o,--output", a.output, "the table as .csv, or .h5")->type_name("OUT");
  auto* advise =
      app.add_subcommand("advise", "rank the methods for a problem, try the first at equal error, and show the lines to paste");
  add_problem(*advise, a);
  advise->add_option("--error,-e", a.error, "of positions over the trials, relative to how far they move (1e-4)")->type_name("E");
  advise->add_option("--tries", a.tries, "how many methods are tried (3)")->type_name("N");
  advise->add_option("--seconds", a.seconds, "for all trials together (10)")->type_name("S");
  advise->add_option("--methods,-m", a.methods, "rank only these, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  add_member(*advise, a);
  auto* sweep = app.add_subcommand("sweep", "run a problem for every combination of values of its keys, as one table");
  sweep->add_option("file", a.file, "problem file (TOML)")->required()->type_name("FILE");
  sweep
      ->add_option("values", a.sweep,
                   "values of keys of the file, for example method.name=verlet,rk4 run.step=0.1,0.05; without a dot, of a "
                   "parameter: c=1,2,3")
      ->required()
      ->type_name("key=a,b,c");
  sweep->add_option("-j,--jobs", a.jobs, "runs at a time, each on a thread of its own")
      ->check(CLI::Range(1, core::most_threads))
      ->type_name("N");
  sweep->add_flag("--quiet,-q", a.quiet, "print errors only");
  sweep->add_flag("--json", a.json, "one JSON object on standard output");
  sweep->add_option("-o,--output", a.output, "the table as .csv, or .h5")->type_name("OUT");
  sweep->add_option("--plot", a.picture, "a picture of the table: .svg, .png, .pdf (by the Python package)")->type_name("FILE");
  auto* explain = app.add_subcommand(
      "explain", "a method: equation, fields, order, what it conserves, citation; a key of a problem file, as run.step");
  explain->add_option("method", a.method, "its name; or a table, a key or a kind: system.joint, run.step, revolute")
      ->required()
      ->type_name("METHOD");
  explain->add_option("fields", a.overrides, "fields of the method for --spectral, for example rho=0.5")
      ->type_name("field=value");
  explain->add_flag("--spectral", a.spectral, "spectral radius, period error and damping over h/T, for linear motions");
  explain->add_option("--xi", a.xi, "damping ratio of that motion")
      ->check(CLI::Range(0.0, 0.99))
      ->check(
          [](const std::string& x) { return x.find("nan") == std::string::npos ? std::string() : std::string("not a number"); })
      ->type_name("RATIO");

  if (asks_for_processes(argc, argv)) {
    try {
      return start_processes(argc, argv);
    } catch (const core::InputError& e) { return refuse(e.diagnostic(), false, wrong_input); }
  }
  const auto wants_json = [&] { return std::find(argv, argv + argc, std::string_view("--json")) != argv + argc; };
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {  // --help, --version
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    std::optional<core::Diagnostic> other = unknown_command(app, argc, argv);
    if (!other) other = unknown_option(app, argc, argv);
    return refuse(other ? *other : core::Diagnostic{e.what(), where_to_look(app)}, wants_json(), wrong_input);
  }
  try {
    core::threads();  // a wrong number of them is an error, needed or not
    OneProcess execution(catch_interrupts());
    if (*run) return cli::run(a, execution);
    if (*resume) return cli::resume(a, execution);
    if (*check) return cli::check(a);
    if (*modes) return cli::modes(a);
    if (*list) return cli::list(a);
    if (*compare) return cli::compare(a);
    if (*advise) return cli::advise(a);
    if (*sweep && !a.picture.empty())
      throw core::InputError("--plot: the Python package draws pictures, and this program is without it",
                             "./actio sweep ... --plot FILE in a checkout, or the command actio of the package");
    if (*sweep) return cli::sweep(a);
    if (*explain) return cli::explain(a);
    fmt::print("{}", app.help());
    return ok;
  } catch (const core::InputError& e) { return refuse(e.diagnostic(), a.json, wrong_input); } catch (const core::RunError& e) {
    return refuse(core::at_step(e.step, e.t, e.diagnostic()), a.json, run_failed);
  } catch (const method::NotBuilt& e) {
    if (std::getenv("ACTIO_BUILD") != nullptr) throw;  // ./actio builds it, and starts again
    return refuse({e.what()}, a.json, run_failed);
  } catch (const std::bad_alloc&) { return refuse({"out of memory"}, a.json, run_failed); } catch (const std::exception& e) {
    return refuse({e.what()}, a.json, run_failed);
  }
}

}  // namespace actio::cli
