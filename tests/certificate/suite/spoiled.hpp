#pragma once
#include "suite.hpp"

namespace certificate {

// An integrator whose steps are not what it says they are: taken by a function, or by the integrator of another method or another
// system. All that it says of the system, its energy and its forces, stays true.
std::unique_ptr<method::Integrator> spoil(std::unique_ptr<method::Integrator> truth, std::unique_ptr<method::Integrator> other,
                                          Step step);

// A step of its own, and then what `change` makes of its end: q and p are there to be changed, before it is the state it left.
using Change = std::function<void(const method::Snapshot& before, method::Snapshot& after, double h, long number)>;
Step then(Change change);
// A step of another size than the clock's, h f.
Step stretched(double f);
// Every so many steps no step is made, only the time goes on.
Step skipping(long every);

}  // namespace certificate
