#include "lanes.hpp"

namespace actio::algebra {

Machine machine() {
#ifdef ACTIO_SEVERAL_MACHINES
  static const Machine found = __builtin_cpu_supports("x86-64-v4")   ? Machine::widest
                               : __builtin_cpu_supports("x86-64-v3") ? Machine::wide
                                                                     : Machine::plain;
  return found;
#else
  return Machine::plain;
#endif
}

}  // namespace actio::algebra
