#pragma once
#include <actio/system/compiled.hpp>
#include <cstdint>
#include <memory>
#include <vector>

// A step p += h/2 f, q += h M^-1 p, f = -dV/dq, p += h/2 f of many coordinates, in one pass over memory: blocks of coordinates
// are drifted shortly before the elements that take them, and kicked after the last element that pushes them. Runs of elements
// that share no coordinate, ranges, may go at once; the elements that join two ranges come after all of them. Nothing of it
// depends on the number of threads.
namespace actio::system {

struct Sweep {
  static constexpr long coordinates = 512;  // of a block: four vectors of them fit in a first-level cache
  static constexpr long elements = 128;     // of a piece of a batch

  enum class Action : std::int32_t { drift, push, kick };
  struct Task {
    Action action;
    std::int32_t batch;  // of push
    long begin, end;     // coordinates; of push elements
  };
  std::vector<Task> tasks;   // range by range, then of what joins them
  std::vector<long> starts;  // of each range in `tasks`, then of the joints
  long ranges() const { return static_cast<long>(starts.size()) - 1; }
};

// Null unless the mass is diagonal and every force comes from elements; null too where coordinates are few, and where elements
// join coordinates from all over.
std::shared_ptr<const Sweep> sweep_of(const CompiledModel& model);

}  // namespace actio::system
