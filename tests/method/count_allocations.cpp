#include <method/count_allocations.hpp>

#include <atomic>
#include <cerrno>
#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ACTIO_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define ACTIO_ADDRESS_SANITIZER
#endif

namespace {
std::atomic<long> count{0};
}  // namespace

long tests::allocations() { return count; }

#ifdef ACTIO_ADDRESS_SANITIZER

#include <sanitizer/allocator_interface.h>
namespace {
[[maybe_unused]] const int installed =
    __sanitizer_install_malloc_and_free_hooks([](const volatile void*, std::size_t) { ++count; }, [](const volatile void*) {});
}  // namespace

#else

// The C library's own, under the names it also gives them; operator new and everything else comes here.
extern "C" {
void* __libc_malloc(std::size_t) noexcept;
void* __libc_calloc(std::size_t, std::size_t) noexcept;
void* __libc_realloc(void*, std::size_t) noexcept;
void* __libc_memalign(std::size_t, std::size_t) noexcept;

void* malloc(std::size_t n) noexcept {
  ++count;
  return __libc_malloc(n);
}
void* calloc(std::size_t n, std::size_t size) noexcept {
  ++count;
  return __libc_calloc(n, size);
}
void* realloc(void* p, std::size_t n) noexcept {
  ++count;
  return __libc_realloc(p, n);
}
void* memalign(std::size_t alignment, std::size_t n) noexcept {
  ++count;
  return __libc_memalign(alignment, n);
}
void* aligned_alloc(std::size_t alignment, std::size_t n) noexcept { return memalign(alignment, n); }
int posix_memalign(void** p, std::size_t alignment, std::size_t n) noexcept {
  *p = memalign(alignment, n);
  return *p ? 0 : ENOMEM;
}
}

#endif
