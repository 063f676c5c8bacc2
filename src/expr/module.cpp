#include <unistd.h>

#include <cassert>
#include <cstdlib>
#include <fstream>
#include <optional>

#include <fmt/format.h>
#include <actio/expr/kernel.hpp>

#include "emit.hpp"
#include "interpret.hpp"
#include "library.hpp"
#include "toolchain.hpp"

namespace actio::expr {
namespace fs = std::filesystem;

struct Module::Implementation {
  std::vector<Kernel> singles;  // of every source; null functions where it is a batch
  std::vector<BatchKernel> batches;
  std::vector<Interpreted> programs;
  std::shared_ptr<const Library> library;
  std::string why_interpreted;
};

namespace {

constexpr std::string_view abi = "actio kernel 1";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

fs::path cache_directory(const CompileOptions& options) {
  if (!options.cache.empty()) return options.cache;
  if (const std::string given = variable("ACTIO_CACHE"); !given.empty()) return given;
  if (const std::string xdg = variable("XDG_CACHE_HOME"); !xdg.empty()) return fs::path(xdg) / "actio";
  if (const std::string home = variable("HOME"); !home.empty()) return fs::path(home) / ".cache" / "actio";
  return {};
}

// -fno-math-errno and -fno-trapping-math let calls and choices become vector code; contraction into fused multiply-add rounds
// less. None of them hides a NaN or reassociates. Straight-line kernels stay scalar: their few inputs were
// just stored one by one, and a packet made of them waits for memory.
constexpr std::size_t huge = 300000;  // characters of C; beyond it compiling fast counts for more than running fast

std::vector<std::string> flags(std::size_t size) {
  std::vector<std::string> all{size > huge ? "-O1" : "-O3",
                               "-march=native",
                               "-fno-math-errno",
                               "-fno-trapping-math",
                               "-ffp-contract=fast",
                               "-fno-tree-slp-vectorize",
                               "-fPIC",
                               "-shared",
                               "-w",
                               "-pipe"};
#if defined(__x86_64__)
  all.emplace_back("-mprefer-vector-width=512");
#endif
  return all;
}

// A directory of our own that goes away with everything in it.
class Workshop {
 public:
  explicit Workshop(const fs::path& parent) {
    std::error_code error;
    fs::create_directories(parent, error);
    std::string name = (parent / "build-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~Workshop() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;
  const fs::path& path() const { return path_; }  // empty when it could not be made

 private:
  fs::path path_;
};

struct Job {
  fs::path compiler;
  std::vector<std::string> flags;
  std::string text, key;
};

// Compiles in a directory of its own beside the final place, then renames, so that no one ever sees half a file.
std::shared_ptr<const Library> compile(const Job& job, const fs::path& cache, std::string& why) {
  std::optional<Workshop> workshop;
  if (!cache.empty()) workshop.emplace(cache);
  const bool keep = workshop && !workshop->path().empty();
  std::error_code error;
  if (!keep) workshop.emplace(fs::temp_directory_path(error));
  if (workshop->path().empty()) {
    why = fmt::format("neither the cache '{}' nor the temporary directory can be written", cache.string());
    return nullptr;
  }
  const fs::path source = workshop->path() / "kernels.c", built = workshop->path() / (job.key + ".so");
  if (!(std::ofstream(source, std::ios::binary) << job.text).flush()) {
    why = fmt::format("'{}' cannot be written", source.string());
    return nullptr;
  }
  std::vector<std::string> arguments = job.flags;
  arguments.insert(arguments.end(), {"-x", "c", source.string(), "-o", built.string(), "-lm"});
  if (const Ran ran = run(job.compiler, arguments); !ran.ok) {
    why = ran.message;
    return nullptr;
  }
  if (!seal(built, job.key)) {
    why = fmt::format("compiler '{}' left no library in '{}'", job.compiler.string(), workshop->path().string());
    return nullptr;
  }
  if (keep) {
    const fs::path place = cache / (job.key + ".so");
    fs::rename(built, place, error);
    if (!error) return Library::open(place, job.key, why);
  }
  return Library::open(built, job.key, why);
}

std::shared_ptr<const Library> find_or_compile(std::span<const KernelSource> sources, const CompileOptions& options,
                                               std::string& why) {
  std::string name = options.compiler.empty() ? variable("ACTIO_CC") : options.compiler;
  if (name.empty()) name = "cc";
  if (name == "none") {
    why = "compiler 'none' was asked for";
    return nullptr;
  }
  Job job{find_program(name), {}, {}, {}};
  if (job.compiler.empty()) {
    why = fmt::format("compiler '{}' not found", name);
    return nullptr;
  }
  job.text = emit_c(sources, options.vector_functions);
  job.flags = flags(job.text.size());
  job.key = hexadecimal(hash128(
      fmt::format("{}\n{}\n{}\n{}\n{}", abi, identity(job.compiler), fmt::join(job.flags, " "), cpu_identity(), job.text)));
  const fs::path cache = cache_directory(options);
  if (!cache.empty())
    if (auto found = Library::open(cache / (job.key + ".so"), job.key, why)) return found;
  return compile(job, cache, why);
}

}  // namespace

Module Module::build(std::span<const KernelSource> sources, const CompileOptions& options) {
  auto made = std::make_shared<Implementation>();
  made->singles.resize(sources.size());
  made->batches.resize(sources.size());
  made->library = find_or_compile(sources, options, made->why_interpreted);
  if (made->library)
    for (std::size_t k = 0; k < sources.size(); ++k) {
      void* symbol = made->library->symbol(c_name(sources[k], k));
      if (symbol == nullptr) {
        made->why_interpreted = fmt::format("the compiled kernels lack '{}'", c_name(sources[k], k));
        made->library = nullptr;
        break;
      }
      if (sources[k].batch)
        made->batches[k].function = reinterpret_cast<BatchKernel::Function>(symbol);
      else
        made->singles[k].function = reinterpret_cast<Kernel::Function>(symbol);
    }
  if (made->library) {
    made->why_interpreted.clear();
  } else {
    made->programs.reserve(sources.size());
    for (std::size_t k = 0; k < sources.size(); ++k) {
      const Interpreted& program = made->programs.emplace_back(sources[k]);
      if (sources[k].batch)
        made->batches[k] = program.batch();
      else
        made->singles[k] = program.kernel();
    }
  }
  Module module;
  module.implementation_ = std::move(made);
  return module;
}

Kernel Module::single(std::size_t k) const {
  assert(implementation_ && implementation_->singles.at(k).function != nullptr);
  return implementation_->singles[k];
}
BatchKernel Module::batch(std::size_t k) const {
  assert(implementation_ && implementation_->batches.at(k).function != nullptr);
  return implementation_->batches[k];
}
bool Module::compiled() const { return implementation_ && implementation_->library != nullptr; }
const std::string& Module::why_interpreted() const {
  static const std::string empty = "no module was built";
  return implementation_ ? implementation_->why_interpreted : empty;
}

}  // namespace actio::expr
