#pragma once
#include <actio/method/spec.hpp>

namespace actio::method {

// Whether the method takes a coordinate x(t) that a constraint gives as given, and asks for no mass of it: Newmark and its kind.
bool imposes_motion(const Spec& spec);

}  // namespace actio::method
