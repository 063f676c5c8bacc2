#include <unistd.h>

#include <cassert>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>

#include <fmt/format.h>
#include <actio/expr/kernel.hpp>
#include <actio/expr/remarks.hpp>

#include "compiled_text.hpp"
#include "emit.hpp"
#include "interpret.hpp"
#include "library.hpp"
#include "pairs.hpp"
#include "toolchain.hpp"

namespace actio::expr {
namespace fs = std::filesystem;

struct Module::Implementation {
  std::vector<Kernel> singles;  // of every source; null functions where it is a batch
  std::vector<BatchKernel> batches;
  std::vector<PairKernel> pairs;
  std::vector<PairListKernel> lists;
  std::vector<std::vector<long>> constants;  // of these two
  std::vector<Interpreted> programs;
  std::vector<InterpretedPairs> pair_programs;
  std::vector<InterpretedLists> list_programs;
  std::shared_ptr<const Library> library;
  std::string why_interpreted;
};

namespace {

constexpr std::string_view abi = "actio kernel 1";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

struct Cache {
  fs::path folder;   // empty: there is none
  bool own = false;  // it is Actio's by its name, and not one that somebody pointed at
};
Cache cache_of(const CompileOptions& options) {
  if (!options.cache.empty()) return {options.cache, false};
  if (const std::string given = variable("ACTIO_CACHE"); !given.empty()) return {given, false};
  if (const std::string xdg = variable("XDG_CACHE_HOME"); !xdg.empty()) return {fs::path(xdg) / "actio", true};
  if (const std::string home = variable("HOME"); !home.empty()) return {fs::path(home) / ".cache" / "actio", true};
  return {};
}

// What the compiler may take for the kernels of one module. Its time is not linear in the text: a function of 30000 factors keeps
// it busy for a minute and more, in which the interpreter would have been done.
constexpr double usual_patience = 20;  // [s] of the processor
constexpr double slowness = 10;        // of a machine with other work: so many times that by the clock
constexpr double pace = 4e5;           // [characters/s]: text for which it cannot be done in time is not given to it

Patience patience() {
  const std::string given = variable("ACTIO_CC_SECONDS");
  double seconds = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), seconds);
  const bool sound = error == std::errc() && end == given.data() + given.size() && seconds >= 0.1 && seconds <= 1e6;
  const double processor = sound ? seconds : usual_patience;
  return {processor, slowness * processor};
}

// Keys of modules that the compiler was not done with in time, with what was said: it is not asked again.
std::mutex guard_of_hard_ones;
std::map<std::string, std::string> hard_ones;

std::string million(const std::string& text) {
  return fmt::format("{:.2g} million characters of C", 1e-6 * static_cast<double>(text.size()));
}
void remark_hard(const std::string& why) {
  remark(fmt::format("energies are interpreted: {} (ACTIO_CC_SECONDS gives it more time)", why));
}

// -fno-math-errno and -fno-trapping-math let calls and choices become vector code; contraction into fused multiply-add rounds
// less. None of them hides a NaN or reassociates. Straight-line kernels stay scalar: their few inputs were
// just stored one by one, and a packet made of them waits for memory.
constexpr std::size_t huge = 300000;  // characters of C; beyond it compiling fast counts for more than running fast

// Functions of one element each: vectors would gain nothing, and take the compiler three times as long.
bool are_lone(std::span<const KernelSource> sources) {
  bool any = false;
  for (const KernelSource& source : sources) {
    if (source.pairs || (source.batch && !source.lone)) return false;
    any = any || source.lone;
  }
  return any;
}

std::vector<std::string> flags(std::size_t size, bool lone) {
  std::vector<std::string> all{size > huge || lone ? "-O1" : "-O3",
                               "-march=native",
                               "-fno-math-errno",
                               "-fno-trapping-math",
                               "-ffp-contract=fast",
                               "-fno-tree-slp-vectorize",
                               "-fPIC",
                               "-shared",
                               "-w",
                               "-pipe"};
  if (lone) all.emplace_back("-fexpensive-optimizations");  // fused multiply-add
#if defined(__x86_64__)
  all.emplace_back("-mprefer-vector-width=512");
#endif
  return all;
}

// A directory of our own that goes away with everything in it.
class Workshop {
 public:
  explicit Workshop(const fs::path& parent) {
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

// What a text is of: `lone`, as are_lone; interpreted where it is not compiled, which is then said.
struct Contents {
  bool lone = false, else_interpreted = false;
};

struct Job {
  fs::path compiler;
  std::vector<std::string> flags;
  std::string text, key;
  Contents contents;
};

// Compiles in a directory of its own beside the final place, then renames, so that no one ever sees half a file.
std::shared_ptr<const Library> compile(const Job& job, const Cache& cache, std::string& why) {
  std::optional<Workshop> workshop;
  if (!cache.folder.empty()) {
    const Kept kept = make_private(cache.folder, cache.own);
    if (kept.possible) workshop.emplace(cache.folder);
    if (!kept.foreign.empty())
      remark(fmt::format("energies are compiled again in every run: the folder '{}' {} (ACTIO_CACHE names another)",
                         cache.folder.string(), kept.foreign));
  }
  const bool keep = workshop && !workshop->path().empty();
  std::error_code error;
  if (!keep) workshop.emplace(fs::temp_directory_path(error));
  if (workshop->path().empty()) {
    why = fmt::format("neither the cache '{}' nor the temporary directory can be written", cache.folder.string());
    return nullptr;
  }
  const fs::path source = workshop->path() / "kernels.c", built = workshop->path() / (job.key + ".so");
  if (!(std::ofstream(source, std::ios::binary) << job.text).flush()) {
    why = fmt::format("'{}' cannot be written", source.string());
    return nullptr;
  }
  std::vector<std::string> arguments = job.flags;
  arguments.insert(arguments.end(), {"-x", "c", source.string(), "-o", built.string(), "-lm"});
  if (const Ran ran = run(job.compiler, arguments, patience()); !ran.ok) {
    why = ran.message;
    if (ran.too_long) {
      why += fmt::format(" with {}", million(job.text));
      const std::lock_guard lock(guard_of_hard_ones);
      hard_ones[job.key] = why;
      if (job.contents.else_interpreted) remark_hard(why);
    }
    return nullptr;
  }
  if (!seal(built, job.key)) {
    why = fmt::format("compiler '{}' left no library in '{}'", job.compiler.string(), workshop->path().string());
    return nullptr;
  }
  if (keep) {
    const fs::path place = cache.folder / (job.key + ".so");
    fs::rename(built, place, error);
    if (!error) return Library::open(place, job.key, why);
  }
  return Library::open(built, job.key, why);
}

// `text` makes the text, where there is a compiler for it.
template <class Text>
std::shared_ptr<const Library> find_or_compile(Text&& text, Contents contents, const CompileOptions& options, std::string& why) {
  std::string name = options.compiler.empty() ? variable("ACTIO_CC") : options.compiler;
  if (name.empty()) name = "cc";
  if (name == "none") {
    why = "ACTIO_CC or --kernels selects no compiler";
    return nullptr;
  }
  Job job{find_program(name), {}, {}, {}, contents};
  if (job.compiler.empty()) {
    why = fmt::format("compiler '{}' not found", name);
    return nullptr;
  }
  job.text = text();
  job.flags = flags(job.text.size(), contents.lone);
  job.key = hexadecimal(hash128(
      fmt::format("{}\n{}\n{}\n{}\n{}", abi, identity(job.compiler), fmt::join(job.flags, " "), cpu_identity(), job.text)));
  {
    const std::lock_guard lock(guard_of_hard_ones);
    if (const auto hard = hard_ones.find(job.key); hard != hard_ones.end()) {
      why = hard->second;
      return nullptr;
    }
  }
  const Cache cache = cache_of(options);
  if (!cache.folder.empty())
    if (auto found = Library::open(cache.folder / (job.key + ".so"), job.key, why)) return found;
  if (const double seconds = patience().processor; static_cast<double>(job.text.size()) > pace * seconds) {
    why = fmt::format("{} take compiler '{}' more than {:.3g} s", million(job.text), job.compiler.string(), seconds);
    if (contents.else_interpreted) remark_hard(why);
    return nullptr;
  }
  return compile(job, cache, why);
}

}  // namespace

CompiledText CompiledText::build(const std::string& text, const CompileOptions& options) {
  CompiledText out;
  out.library_ = find_or_compile([&] { return text; }, {}, options, out.why_not_);
  if (out.library_) out.why_not_.clear();
  return out;
}
void* CompiledText::symbol(const std::string& name) const { return library_ ? library_->symbol(name) : nullptr; }

Module Module::build(std::span<const KernelSource> sources, const CompileOptions& options) {
  auto made = std::make_shared<Implementation>();
  made->singles.resize(sources.size());
  made->batches.resize(sources.size());
  made->pairs.resize(sources.size());
  made->lists.resize(sources.size());
  made->constants.resize(sources.size());
  made->library = find_or_compile([&] { return emit_c(sources, options.vector_functions); },
                                  {.lone = are_lone(sources), .else_interpreted = true}, options, made->why_interpreted);
  if (made->library)
    for (std::size_t k = 0; k < sources.size(); ++k) {
      void* symbol = made->library->symbol(c_name(sources[k], k));
      if (symbol == nullptr) {
        made->why_interpreted = fmt::format("the compiled kernels lack '{}'", c_name(sources[k], k));
        made->library = nullptr;
        break;
      }
      if (sources[k].pairs) {
        made->constants[k] = constants_of(*sources[k].pairs);
        if (sources[k].near < 0)
          made->pairs[k] = {reinterpret_cast<PairKernel::Function>(symbol), made->constants[k].data()};
        else
          made->lists[k] = {reinterpret_cast<PairListKernel::Function>(symbol), made->constants[k].data()};
      } else if (sources[k].batch)
        made->batches[k].function = reinterpret_cast<BatchKernel::Function>(symbol);
      else
        made->singles[k].function = reinterpret_cast<Kernel::Function>(symbol);
    }
  if (made->library) {
    made->why_interpreted.clear();
  } else {
    made->programs.reserve(sources.size());
    made->pair_programs.reserve(sources.size());
    made->list_programs.reserve(sources.size());
    for (std::size_t k = 0; k < sources.size(); ++k) {
      if (sources[k].pairs) {
        if (sources[k].near < 0)
          made->pairs[k] = made->pair_programs.emplace_back(sources[k]).kernel();
        else
          made->lists[k] = made->list_programs.emplace_back(sources[k]).kernel();
        continue;
      }
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
PairKernel Module::pairs(std::size_t k) const {
  assert(implementation_ && implementation_->pairs.at(k));
  return implementation_->pairs[k];
}
PairListKernel Module::lists(std::size_t k) const {
  assert(implementation_ && implementation_->lists.at(k));
  return implementation_->lists[k];
}
bool Module::compiled() const { return implementation_ && implementation_->library != nullptr; }
const std::string& Module::why_interpreted() const {
  static const std::string empty = "no module was built";
  return implementation_ ? implementation_->why_interpreted : empty;
}

}  // namespace actio::expr
