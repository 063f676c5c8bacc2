#include <fcntl.h>
#include <petscsys.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <actio/core/error.hpp>
#include <actio/core/parallel.hpp>
#include <actio/petsc/error.hpp>

#include "interrupt.hpp"
#include "mpi_execution.hpp"
#include "options.hpp"
#include "saved.hpp"

// actio-petsc run FILE or resume FILE [options] [-- options of PETSc], on every process that mpiexec starts. The first speaks for
// all.
namespace {

using namespace actio;

// The end of every process's run. It waits for the others: an error on all of them, or a good end, is the first one's to tell. A
// process that is alone with its error tells it, and ends them all.
class End {
 public:
  explicit End(MPI_Comm comm) {
    MPI_Comm_dup(comm, &comm_);
    MPI_Comm_rank(comm, &rank_);
    errors_ = dup(STDERR_FILENO);
    if (rank_ == 0) return;
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0) return;
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
  }
  int operator()(int code, const std::optional<core::Diagnostic>& error, bool json) {
    MPI_Request request;
    MPI_Ibarrier(comm_, &request);
    int all = 0;
    MPI_Test(&request, &all, MPI_STATUS_IGNORE);
    const auto start = std::chrono::steady_clock::now();
    while (!all && (!error || std::chrono::steady_clock::now() - start < patience)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      MPI_Test(&request, &all, MPI_STATUS_IGNORE);
    }
    if (all && rank_ != 0) return cli::ok;  // mpiexec ends all when it sees another code: the first's, which is told by then
    if (all) return error ? cli::refuse(*error, json, code) : code;
    const std::string line = core::text(*error) + "\n";
    (void)!write(errors_, line.data(), line.size());
    MPI_Abort(comm_, code);
    return code;
  }

 private:
  static constexpr std::chrono::seconds patience{5};
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, errors_ = STDERR_FILENO;
};

void tell_unused_options() {
  PetscInt count = 0;
  char **names = nullptr, **values = nullptr;
  petsc::check(PetscOptionsLeftGet(nullptr, &count, &names, &values));
  for (PetscInt k = 0; k < count; ++k) fmt::print(stderr, "warning: PETSc did not use the option -{}\n", names[k]);
  petsc::check(PetscOptionsLeftRestore(nullptr, &count, &names, &values));
}

int run_distributed(const cli::Arguments& a, bool resume) {
  petsc::MpiExecution execution(PETSC_COMM_WORLD);
  const int code = resume ? cli::resume(a, execution) : cli::run(a, execution);
  tell_unused_options();
  return code;
}

int dispatch(int argc, char** argv, End& end) {
  cli::Arguments a;
  CLI::App app{"Actio on several processes: mpiexec -n N actio-petsc run FILE [options] [-- options of PETSc]", "actio-petsc"};
  app.set_version_flag("--version", "actio " + session::version());
  app.require_subcommand(1);
  cli::add_run(*app.add_subcommand("run", "run a problem on all processes together and certify it"), a);
  auto* resume = app.add_subcommand("resume", "continue a run on several processes from its checkpoint");
  cli::add_resume(*resume, a);
  const bool wants_json = std::find(argv, argv + argc, std::string_view("--json")) != argv + argc;
  const auto fail = [&](const core::Diagnostic& error, int code) { return end(code, error, wants_json); };
  try {
    app.parse(argc, argv);
    core::threads();
    return end(run_distributed(a, static_cast<bool>(*resume)), {}, false);
  } catch (const CLI::Success& e) { return end(app.exit(e), {}, false); } catch (const CLI::ParseError& e) {
    return fail({e.what(), "actio-petsc --help lists the commands and options"}, cli::wrong_input);
  } catch (const core::InputError& e) { return fail(e.diagnostic(), cli::wrong_input); } catch (const core::RunError& e) {
    return fail(core::at_step(e.step, e.t, e.diagnostic()), cli::run_failed);
  } catch (const std::bad_alloc&) { return fail({"out of memory"}, cli::run_failed); } catch (const std::exception& e) {
    return fail({e.what()}, cli::run_failed);
  }
}

}  // namespace

int main(int argc, char** argv) {
  cli::catch_interrupts();
  setenv("ACTIO_THREADS", "1", 0);  // the cores are the other processes'
  char** const own = std::find(argv, argv + argc, std::string_view("--"));
  std::vector<char*> options{argv[0]};
  if (own != argv + argc) options.insert(options.end(), own + 1, argv + argc);
  int count = static_cast<int>(options.size());
  options.push_back(nullptr);
  char** words = options.data();
  try {
    const petsc::Session session(count, words);
    End end(PETSC_COMM_WORLD);
    const int code = dispatch(static_cast<int>(own - argv), argv, end);
    std::fflush(stdout);
    return code;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return cli::run_failed;
  }
}
