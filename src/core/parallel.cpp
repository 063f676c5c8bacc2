#include <actio/core/parallel.hpp>

#include <atomic>
#include <cassert>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <actio/core/error.hpp>

namespace actio::core {
namespace {

// As many as asked for, even where there are fewer cores: without the control, which is the whole program's, there would be no
// more than those.
struct Arena {
  explicit Arena(int count) : arena(count) {
    if (count > tbb::info::default_concurrency())
      more.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count));
  }
  std::optional<tbb::global_control> more;
  tbb::task_arena arena;
};

std::atomic<int> wanted{0};  // 0: nobody has asked yet
std::mutex making;
std::shared_ptr<Arena> current;

int from_environment() {
  const char* const variable = std::getenv("ACTIO_THREADS");
  if (!variable || !*variable) return std::min(tbb::info::default_concurrency(), most_threads);
  const std::string_view text = variable;
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 1 || count > most_threads)
    throw InputError(fmt::format("ACTIO_THREADS is \"{}\"", text),
                     fmt::format("the number of threads of a run, from 1 to {}", most_threads));
  return count;
}

std::shared_ptr<Arena> arena_of(int count) {
  const std::scoped_lock lock(making);
  if (!current || current->arena.max_concurrency() != count) {
    current.reset();
    current = std::make_shared<Arena>(count);
  }
  return current;
}

}  // namespace

int threads() {
  int count = wanted.load(std::memory_order_relaxed);
  if (count == 0) wanted = count = from_environment();
  return count;
}

void set_threads(int count) {
  assert(count >= 1 && count <= most_threads);
  wanted = count;
}

namespace detail {

void run(std::span<const long> counts, void (*body)(void*, long, long, int), void* of) {
  const long phases = static_cast<long>(counts.size());
  if (threads() == 1) {
    for (long phase = 0; phase < phases; ++phase)
      for (long i = 0; i < counts[static_cast<std::size_t>(phase)]; ++i) body(of, phase, i, 0);
    return;
  }
  arena_of(threads())->arena.execute([&] {
    for (long phase = 0; phase < phases; ++phase)
      tbb::parallel_for(0L, counts[static_cast<std::size_t>(phase)],
                        [&](long i) { body(of, phase, i, tbb::this_task_arena::current_thread_index()); });
  });
}

}  // namespace detail
}  // namespace actio::core
