#include "writer.hpp"

// Steps of one system, not of lanes: its state stays in registers, as far as there are enough, from the first step to the last.
// A step is made of parts, of the times h1 = part[j], beginning at start + begin[j].
namespace actio::method::lanes {
namespace {

void begin_make(Writer& to) {
  to.line("void steps_make(long count, long first, double high, double low, double h, long parts, const double *restrict part,");
  to.line("                const double *restrict begin, const double *restrict u, double *restrict x) {{");
  to.line("const long l = 0;");
}
void begin_parts(Writer& to) {
  to.line("for (long k = 0; k < count; ++k) {{");
  to.line("const double start = high + ((double)(first + k) * h + low);");
  to.line("for (long j = 0; j < parts; ++j) {{");
  to.line("const double h1 = part[j], from = start + begin[j];");
}
void end_parts(Writer& to) {
  to.end();
  to.end();
}

}  // namespace

// p += h/2 f(q),  q += h M^-1 p,  p += h/2 f(q). Rows: q, p, f(q).
std::string kick_drift_kick_text(const System& system, const Forces& forces) {
  Writer to(system, forces);
  const long n = system.n();
  to.line("void steps_start(double t, const double *restrict u, double *restrict x) {{");
  to.line("const long l = 0;");
  to.load("q", 0);
  to.force();
  to.store("f", 2 * n);
  to.end();

  begin_make(to);
  to.load("q", 0);
  to.load("p", n);
  to.load("a", 2 * n);
  begin_parts(to);
  to.line("const double h2 = 0.5 * h1, t = from + h1;");
  const auto kick = [&] {
    for (long i = 0; i < n; ++i)
      if (to.moves(i)) to.line("p{0} += h2 * a{0};", i);
  };
  kick();
  for (long i = 0; i < n; ++i) to.line("q{0} += h1 * (p{0}{1});", i, to.over_mass(i));
  to.force();
  for (long i = 0; i < n; ++i) to.line("a{0} = f{0};", i);
  kick();
  end_parts(to);
  to.store("q", 0);
  to.store("p", n);
  to.store("a", 2 * n);
  to.end();
  return to.take();
}

// p += h b_i f(q),  q += h a_i M^-1 p. Rows: q, p.
std::string splitting_text(const System& system, const Forces& forces, const SplittingCoefficients& coefficients) {
  Writer to(system, forces);
  const long n = system.n();
  to.line("void steps_start(double t, const double *restrict u, double *restrict x) {{");
  to.end();

  begin_make(to);
  to.load("q", 0);
  to.load("p", n);
  begin_parts(to);
  double drifted = 0;  // the time of the positions, which only drifts move
  for (int i = 0; i < coefficients.stages; ++i) {
    const double b = coefficients.kick[static_cast<std::size_t>(i)], a = coefficients.drift[static_cast<std::size_t>(i)];
    if (b != 0) {
      to.line("{{");
      to.line("const double hb = {:a} * h1, t = from + {:a} * h1;", b, drifted);
      to.force();
      for (long k = 0; k < n; ++k)
        if (to.moves(k)) to.line("p{0} += hb * f{0};", k);
      to.line("}}");
    }
    if (a != 0) {
      to.line("{{");
      to.line("const double ha = {:a} * h1;", a);
      for (long k = 0; k < n; ++k) to.line("q{0} += ha * (p{0}{1});", k, to.over_mass(k));
      to.line("}}");
    }
    drifted += a;
  }
  end_parts(to);
  to.store("q", 0);
  to.store("p", n);
  to.end();
  return to.take();
}

}  // namespace actio::method::lanes
