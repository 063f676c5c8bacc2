#pragma once
#include <cstddef>
#include <new>
#include <vector>

// Numbers that vector code of any width reads: from the start of a cache line on, whatever the program is compiled for.
namespace actio::core {

template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};
  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}  // NOLINT: allocators convert
  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), alignment)); }
  void deallocate(T* at, std::size_t) { ::operator delete(at, alignment); }
  bool operator==(const CacheLineAllocator&) const = default;
};

using AlignedVector = std::vector<double, CacheLineAllocator<double>>;

}  // namespace actio::core
