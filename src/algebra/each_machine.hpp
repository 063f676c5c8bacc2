// Includes ACTIO_KERNEL, a file of functions on Lanes, once for each kind of machine, in a namespace of its own, and defines
// ACTIO_ON_MACHINE(machine, f(x)), which calls the f of one. (A function marked target_clones would not do: its vectors are cut
// into plain ones before it is cloned.)
#include "lanes.hpp"

namespace actio::algebra::plain {
#include "lanes_operations.hpp"
#include ACTIO_KERNEL
}  // namespace actio::algebra::plain

#ifdef ACTIO_SEVERAL_MACHINES
#pragma GCC push_options
#pragma GCC target("arch=x86-64-v3")
namespace actio::algebra::wide {
#include "lanes_operations.hpp"
#include ACTIO_KERNEL
}  // namespace actio::algebra::wide
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("arch=x86-64-v4")
namespace actio::algebra::widest {
#include "lanes_operations.hpp"
#include ACTIO_KERNEL
}  // namespace actio::algebra::widest
#pragma GCC pop_options
#define ACTIO_ON_MACHINE(m, call)                                            \
  ((m) == ::actio::algebra::Machine::widest ? ::actio::algebra::widest::call \
   : (m) == ::actio::algebra::Machine::wide ? ::actio::algebra::wide::call   \
                                            : ::actio::algebra::plain::call)
#else
#define ACTIO_ON_MACHINE(m, call) ((void)(m), ::actio::algebra::plain::call)
#endif
