#include "spread.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <actio/core/error.hpp>

#include "child.hpp"
#include "options.hpp"

namespace actio::cli {
namespace {

bool is_flag(std::string_view word) { return word == "-np" || word == "--np"; }

// What follows -- is for PETSc.
char** end_of_own(int argc, char** argv) { return std::find(argv, argv + argc, std::string_view("--")); }

constexpr long most_a_core = 16, least_most = 64;

long processes(std::string_view text) {
  long n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error == std::errc::invalid_argument || end != text.data() + text.size() || (error == std::errc() && n < 1))
    throw core::InputError(fmt::format("-np takes a number of processes, not \"{}\"", text), "for example: actio run -np 2 FILE");
  // mpiexec starts them on this machine, or on those that a queue has given it; the latter it knows, and we do not.
  const long cores = std::max(1L, static_cast<long>(std::thread::hardware_concurrency()));
  const long most = std::max(least_most, most_a_core * cores);
  if (error != std::errc() || n > most)
    throw core::InputError(
        fmt::format("{} processes are too many for a machine of {} core{}", text, cores, cores == 1 ? "" : "s"),
        fmt::format("-np takes at most {} here; where a cluster starts more: mpirun -n {} actio-petsc run FILE", most, text));
  return n;
}

// Beside this program.
std::string companion() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path beside = self.parent_path() / "actio-petsc";
  if (error || !std::filesystem::exists(beside, error))
    throw core::InputError("-np needs the program actio-petsc in the folder of actio, and it is not there",
                           "Debian: apt-get install libpetsc-real-dev openmpi-bin, then build the target actio_petsc_cli, as "
                           "./actio run -np 2 FILE does");
  return beside.string();
}

// Unless the user has said something else. Of Open MPI: as root where a container is root, no words of its own about a run that
// failed, processes that may go to any core, and yield it while they wait where there are more of them than cores; with fewer
// that would only slow down MUMPS, which asks for messages all the time; no time to end in for processes that are ended, of which
// Open MPI would wait for all twice: they end by themselves, but when one of them is lost. One thread each for factorisations.
void prepare(long n) {
  const auto set = [](const char* name, const char* value) { setenv(name, value, 0); };
  set("OMPI_ALLOW_RUN_AS_ROOT", "1");
  set("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
  set("OMPI_MCA_orte_execute_quiet", "1");
  set("OMPI_MCA_rmaps_base_oversubscribe", "1");
  set("OMPI_MCA_hwloc_base_binding_policy", "none");
  set("OMPI_MCA_odls_base_sigkill_timeout", "0");
  set("OMPI_MCA_odls_base_signal_direct_children_only", "1");  // an interrupt is not for the compiler of a kernel
  if (n > static_cast<long>(std::thread::hardware_concurrency())) set("OMPI_MCA_mpi_yield_when_idle", "1");
  set("OMP_NUM_THREADS", "1");
  set("OPENBLAS_NUM_THREADS", "1");
}

}  // namespace

bool asks_for_processes(int argc, char** argv) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  return (command == "run" || command == "resume") && std::any_of(argv, end_of_own(argc, argv), is_flag);
}

int start_processes(int argc, char** argv) {
  char** const end = end_of_own(argc, argv);
  std::vector<std::string> rest;
  long n = 0;
  for (char** word = argv + 1; word != argv + argc; ++word) {
    if (word < end && is_flag(*word)) {
      n = processes(word + 1 < end ? *++word : "");
    } else {
      rest.emplace_back(*word);
    }
  }
  std::vector<std::string> command{"mpiexec", "-n", std::to_string(n), companion()};
  command.insert(command.end(), rest.begin(), rest.end());
  prepare(n);
  const int code = run_mpiexec(std::move(command));
  const int signal = code - 128;  // that ended a process, of which it could say nothing
  if (signal <= 0 || signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGUSR2) return code;
  const bool json = std::any_of(argv, end, [](const char* word) { return std::string_view(word) == "--json"; });
  return refuse({fmt::format("signal {} ({}) ended one of the processes{}", signal, strsignal(signal),
                             signal == SIGKILL ? "; the memory may have run out" : "")},
                json, run_failed);
}

}  // namespace actio::cli
