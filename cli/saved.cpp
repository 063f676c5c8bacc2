#include "saved.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <sys/utsname.h>
#include <zlib.h>

#include <actio/core/archive.hpp>
#include <actio/core/error.hpp>

namespace actio::cli {

namespace fs = std::filesystem;

namespace {

std::uint32_t checksum(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string block(1 << 16, '\0');
  uLong sum = 0;
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0)
    sum = crc32_z(sum, reinterpret_cast<const Bytef*>(block.data()), static_cast<std::size_t>(in.gcount()));
  if (in.bad() || !in.eof()) throw core::InputError(fmt::format("cannot read \"{}\"", path));
  return static_cast<std::uint32_t>(sum);
}

// Kernels are compiled for it.
std::string machine() {
  utsname name{};
  std::string out = uname(&name) == 0 ? fmt::format("{} {}", name.nodename, name.machine) : "";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) {
      out += line.substr(line.find(':') + 1);
      break;
    }
  return out;
}

std::string threads() {
  std::string out = fmt::format("{}", std::thread::hardware_concurrency());
  for (const char* name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"})  // not ACTIO_THREADS: it changes no digit
    if (const char* value = std::getenv(name)) out += fmt::format(", {}={}", name, value);
  return out;
}

template <class T>
T number(const std::string& word, const std::string& value) {
  T x{};
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), x);
  if (error != std::errc() || end != value.data() + value.size() || !(x > 0) || !(static_cast<double>(x) < 1e18))
    throw core::InputError(
        fmt::format("--checkpoint {}: {} is not a positive number{}", word, value, std::is_integral_v<T> ? " of steps" : ""));
  return x;
}

}  // namespace

CheckpointRequest checkpoint_request(const Arguments& arguments) {
  CheckpointRequest r;
  for (const std::string& word : arguments.checkpoint) {
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals), value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (key == "every")
      r.every = number<long>(word, value);
    else if (key == "seconds")
      r.seconds = number<double>(word, value);
    else if (key == "file" && !value.empty())
      r.file = value;
    else
      throw core::InputError(fmt::format("--checkpoint takes every=STEPS, seconds=S and file=NAME, not \"{}\"", word));
  }
  r.wanted = !arguments.checkpoint.empty();
  if (!r.wanted) return r;
  if (r.every == 0 && r.seconds == 0)
    throw core::InputError("--checkpoint needs every=STEPS or seconds=S", "every=1000 for steps, seconds=60 for time, or both");
  if (r.file.empty())
    r.file = arguments.output.empty() ? fs::path(arguments.file).replace_extension(".checkpoint").string()
                                      : arguments.output + ".checkpoint";
  return r;
}

void SavedRun::archive(core::Archive& a) {
  a(version, machine, compiler, threads, folder, path, text, overrides, kernels, space, output, compiled, processes,
    partition_checksum, every, seconds);
  std::size_t count = files.size();
  a(count);
  if (count > 100'000) throw core::InputError("the saved state has another layout");
  files.resize(count);
  for (auto& [file, sum] : files) a(file, sum);
}

SavedRun saved_run(const Session& session, const Arguments& arguments, const CheckpointRequest& request,
                   const Execution& execution) {
  const io::Problem& p = session.problem;
  SavedRun out;
  out.version = session::version();
  out.machine = machine();
  out.compiler = __VERSION__;
  out.threads = threads();
  out.folder = fs::current_path().string();
  out.path = p.path;
  out.text = p.text;
  out.overrides = p.overrides;
  for (const std::string& file : p.files) out.files.emplace_back(file, checksum(file));
  out.kernels = arguments.kernels;
  out.space = arguments.space;
  out.output = arguments.output;
  const session::Kernels of = session::kernels(session);
  out.compiled = of.any && of.why_interpreted.empty();
  out.processes = execution.distributed_over();
  out.partition_checksum = execution.partition_checksum();
  out.every = request.every;
  out.seconds = request.seconds;
  return out;
}

std::string check_same(const SavedRun& saved, const SavedRun& now) {
  for (std::size_t k = 0; k < saved.files.size(); ++k)
    if (k >= now.files.size() || saved.files[k].second != now.files[k].second)
      throw core::InputError(fmt::format("\"{}\" has changed since the run began", saved.files[k].first),
                             "restore it, or run the problem from the start");
  if (saved.compiled != now.compiled)
    throw core::InputError(saved.compiled ? "the run used compiled kernels, and no compiler is found now"
                                          : "the run used interpreted kernels, and a compiler is found now",
                           saved.compiled ? "install a C compiler or set ACTIO_CC to one" : "set ACTIO_CC=none");
  if ((saved.processes > 0) != (now.processes > 0))
    throw core::InputError(saved.processes > 0 ? fmt::format("the run is distributed over {} processes", saved.processes)
                                               : "the run is not distributed over processes",
                           saved.processes > 0 ? fmt::format("actio resume -np {} FILE", saved.processes) : "actio resume FILE");
  std::string other;
  if (saved.machine != now.machine) other = fmt::format("on {}", saved.machine);
  if (saved.compiler != now.compiler) other += fmt::format("{}with a program from another compiler", other.empty() ? "" : ", ");
  if (saved.threads != now.threads) other += fmt::format("{}with other threads ({})", other.empty() ? "" : ", ", saved.threads);
  if (saved.processes != now.processes)
    other += fmt::format("{}on {} processes", other.empty() ? "" : ", ", saved.processes);
  else if (saved.partition_checksum != now.partition_checksum)
    other += fmt::format("{}with another partition of the coordinates", other.empty() ? "" : ", ");
  return other.empty() ? "" : fmt::format("the run began {}: the last digits may differ from here on", other);
}

}  // namespace actio::cli
