#pragma once
#include <actio/invariant/certificate.hpp>
#include <actio/method/integrator.hpp>
#include <actio/run/integrate.hpp>

// What may be claimed of a run before it starts: what its method keeps, less what forces, friction and unequal steps take.
namespace actio::run {

// A certificate with what is known then: the claims, the plan, and which energy there is. `moving`: constraints that are kept
// move.
invariant::Certificate before_start(const method::Integrator& integrator, const Task& task, bool moving);
invariant::Claims claims(const method::Integrator& integrator, const Task& task);
// Newmark's conjugate coordinates keep no momentum where forces act; (q, p) of the others keep those the forces leave alone.
method::Keeps kept_momentum(const method::Integrator& integrator, const Task& task);
// Whether the motion is reversible: L(q, -v) = L(q, v), seen at these states by dL/dv.
bool motion_reverses(const method::Integrator& integrator, std::span<const method::Snapshot> states);
// Too large to measure what nobody claims.
inline bool too_large_to_probe(const method::Integrator& integrator) { return integrator.size() > 10000; }

}  // namespace actio::run
