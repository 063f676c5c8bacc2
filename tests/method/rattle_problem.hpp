#pragma once
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <memory>
#include <string>
#include <utility>

// Systems with constraints, with interpreted kernels, for tests of their steps.
namespace actio::method {

inline io::Problem rattle_problem(const std::string& system) {
  return io::load_text("[system]\n" + system + "\n[method]\nname = \"rattle\"\n[run]\nstep = 0.1\nsteps = 1\n", "rattle.toml");
}
inline std::unique_ptr<Integrator> started(const io::Problem& p, AnyMethod choice,
                                           BuildOptions::Space space = BuildOptions::Space::automatic) {
  auto integrator = make_integrator(p.model, {std::move(choice), false, {}}, {{"none", {}}, space});
  integrator->start(0, p.q0, p.v0);
  return integrator;
}
inline Snapshot snapshot(const Integrator& integrator) {
  Snapshot s;
  integrator.snapshot(s);
  return s;
}

}  // namespace actio::method
