#include "writer.hpp"

namespace actio::method::lanes {

// p += h/2 f(q),  q += h M^-1 p,  p += h/2 f(q). Rows: q, p, f(q), and of lanes that may stop two more.
std::string velocity_verlet_text(const System& system, const Forces& forces) {
  Writer to(system, forces);
  const long n = system.n();
  to.begin_start();
  to.begin_lanes();
  to.load_constants();
  to.load("q", 0);
  to.force();
  to.store("f", 2 * n);
  if (system.stop) to.load("p", n);
  to.start_stop(3 * n);
  to.end();
  to.end();

  to.begin_step();
  to.line("for (long k = 0; k < count; ++k) {{");
  to.line("const double h1 = h[k], h2 = 0.5 * h1, t = at[k];");
  to.begin_lanes();
  to.load_constants();
  to.begin_stop(3 * n);
  to.load("q", 0);
  to.load("p", n);
  for (long i = 0; i < n; ++i)
    if (to.moves(i)) to.line("p{0} += h2 * {1};", i, to.at(2 * n + i));
  for (long i = 0; i < n; ++i) to.line("q{0} += h1 * (p{0}{1});", i, to.over_mass(i));
  to.force();
  for (long i = 0; i < n; ++i)
    if (to.moves(i)) to.line("p{0} += h2 * f{0};", i);
  to.advance("q", 0);
  to.advance("p", n);
  to.advance("f", 2 * n);
  to.end_stop(3 * n);
  to.end();
  to.end();
  to.end();
  return to.take();
}

// q += h/2 M^-1 p,  p += h f(q),  q += h/2 M^-1 p. Rows: q, p, and of lanes that may stop two more.
std::string position_verlet_text(const System& system, const Forces& forces) {
  Writer to(system, forces);
  const long n = system.n();
  to.begin_start();
  if (system.stop) {
    to.begin_lanes();
    to.load_constants();
    to.load("q", 0);
    to.load("p", n);
    to.start_stop(2 * n);
    to.end();
  }
  to.end();

  to.begin_step();
  to.line("for (long k = 0; k < count; ++k) {{");
  to.line("const double h1 = h[k], h2 = 0.5 * h1, t = at[k];");
  to.begin_lanes();
  to.load_constants();
  to.begin_stop(2 * n);
  to.load("q", 0);
  to.load("p", n);
  for (long i = 0; i < n; ++i) to.line("q{0} += h2 * (p{0}{1});", i, to.over_mass(i));
  to.force();
  for (long i = 0; i < n; ++i)
    if (to.moves(i)) to.line("p{0} += h1 * f{0};", i);
  for (long i = 0; i < n; ++i) to.line("q{0} += h2 * (p{0}{1});", i, to.over_mass(i));
  to.advance("q", 0);
  to.advance("p", n);
  to.end_stop(2 * n);
  to.end();
  to.end();
  to.end();
  return to.take();
}

}  // namespace actio::method::lanes
