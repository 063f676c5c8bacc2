#include "factor_text.hpp"
#include "writer.hpp"

namespace actio::method::lanes {
namespace {

constexpr int most_iterations = 30;
// Nodes of the forces' graph up to which the first two iterations are written out: the text is three times as long with them.
constexpr std::size_t most_unrolled = 2000;

std::string sum_of_squares(const char* name, long n) {
  std::string out;
  for (long i = 0; i < n; ++i) out += fmt::format("{}{}{} * {}{}", i == 0 ? "" : " + ", name, i, name, i);
  return out;
}

// The equations of a step and their solution, of the lane's q, p and w in scope.
class Increment {
 public:
  Increment(Writer& to, const Forces& forces) : to_(to), forces_(forces) {}

  // Declares and sets d0, d1, ...: K d = r.
  void declare() {
    const long n = to_.n();
    for (long i = 0; i < n; ++i) to_.line("double d{};", i);
    to_.line("{{");
    for (long i = 0; i < n; ++i) to_.line("const double start{0} = q{0};", i);
    to_.line("{{");
    for (long i = 0; i < n; ++i) to_.line("const double q{0} = start{0} + h2 * w{0};", i);
    // f and its Jacobian together: they share most of their parts
    std::vector<std::string> names = to_.numbered("f");
    std::vector<expr::Id> outputs = forces_.f;
    FactorText K(to_, n);
    for (long i = 0; i < n; ++i)
      for (long j = 0; j <= i; ++j) {
        if (i == j) K.mark(i, j);
        if (to_.is_zero(jacobian(i, j))) continue;
        K.mark(i, j);
        names.push_back(fmt::format("a{}_{}", i, j));
        outputs.push_back(jacobian(i, j));
      }
    to_.values(names, outputs);
    for (long i = 0; i < n; ++i) {
      to_.line("const double r{0} = w{0}{1} - p{0} - h2 * f{0};", i, to_.times_mass(i));
      for (long j = 0; j <= i; ++j) {
        const std::string mass = i != j ? "" : to_.times_mass(i).empty() ? "1.0" : to_.times_mass(i).substr(1);
        if (!to_.is_zero(jacobian(i, j)))
          to_.line("double k{0}_{1} = {2} - h4 * a{0}_{1};", i, j, mass);
        else if (i == j)
          to_.line("double k{0}_{0} = {1};", i, mass);
      }
    }
    if (n == 2 && K.is_there(1, 0)) {  // by its determinant: one division in place of two
      to_.line("const double i = 1.0 / (k0_0 * k1_1 - k1_0 * k1_0);");
      to_.line("d0 = (k1_1 * r0 - k1_0 * r1) * i; d1 = (k0_0 * r1 - k1_0 * r0) * i;");
    } else {
      K.factor();
      K.solve();
    }
    to_.line("}}");
    to_.line("}}");
  }

 private:
  expr::Id jacobian(long i, long j) const { return forces_.jacobian[static_cast<std::size_t>(i * (i + 1) / 2 + j)]; }
  Writer& to_;
  const Forces& forces_;
};

}  // namespace

// Newton's method from the guess in w: 2 to 30 iterations, undamped, without pivoting. Where they fail the stepper tries again
// with pivots and smaller increments (solve/newton.hpp); a lane fails. A lane goes on until its next increment is below rounding,
// as solve::Stop says; from the third iteration on also until this one is and no longer falls. What it does depends on itself
// alone: its increments are multiplied by 1, and by 0 once it is done, which keeps choices out of the vector code. Rows: q, p, w,
// the w before it, and of lanes that may stop two more.
std::string midpoint_text(const System& system, const Forces& forces) {
  Writer to(system, forces);
  Increment increment(to, forces);
  const long n = system.n();
  to.begin_start();
  to.begin_lanes();
  to.load("p", n);
  for (long i = 0; i < n; ++i) to.line("{} = {} = p{}{};", to.at(2 * n + i), to.at(3 * n + i), i, to.over_mass(i));
  if (system.stop) {
    to.load_constants();
    to.load("q", 0);
    to.start_stop(4 * n);
  }
  to.end();
  to.end();

  const bool unrolled = forces.graph.size() <= most_unrolled;
  const auto declare_sizes = [&] {  // after the increment
    to.line("const double dd = {}, z = {};", sum_of_squares("d", n), sum_of_squares("w", n));
  };
  to.begin_step();
  to.line("double open[ACTIO_LANES];");  // 1: the lane iterates; else 0
  to.line("double last[ACTIO_LANES];");  // |d|^2 of the iteration before
  to.line("for (long k = 0; k < count; ++k) {{");
  to.line("const double h1 = h[k], h2 = 0.5 * h1, h4 = h2 * h2, t = at[k], s1 = s[k];");
  to.line("const double floor = 256.0 * 0x1p-104 / (h1 * h1);");
  to.line("for (long from = 0; from < ACTIO_LANES; from += ACTIO_GROUP) {{");
  to.begin_group();
  to.load_constants();
  to.load("q", 0);
  to.load("p", n);
  for (long i = 0; i < n; ++i) {
    to.line("const double v{0} = {1};", i, to.at(2 * n + i));
    to.line("double w{0} = v{0} + s1 * (v{0} - {1});", i, to.at(3 * n + i));
    to.line("{} = v{};", to.at(3 * n + i), i);
  }
  to.line("const double was = {};", system.stop ? to.at(4 * n) : "1.0");
  if (unrolled) {
    to.line("double b;");
    to.line("{{");
    increment.declare();
    to.line("b = {};", sum_of_squares("d", n));
    for (long i = 0; i < n; ++i) to.line("w{0} -= d{0};", i);
    to.line("}}");
    increment.declare();
    for (long i = 0; i < n; ++i) to.line("w{0} -= d{0};", i);
    declare_sizes();
    to.line("last[l] = dd;");
    to.line("note[ACTIO_LANES + l] += 2.0 * was;");
    // solve::Stop: (dd/b)^2 dd > 1e-32 z
    to.line("const double ahead = dd * dd * dd - 1e-32 * z * (b * b);");
    to.line("open[l] = (ahead > 0.0 ? 1.0 : 0.0) * was;");
  } else {
    to.line("last[l] = 0.0;");
    to.line("open[l] = was;");
  }
  to.store("w", 2 * n);
  to.end();

  to.line("for (long it = {}; it < {}; ++it) {{", unrolled ? 2 : 0, most_iterations);
  to.line("long any = 0;");
  to.begin_group();
  to.line("any |= open[l] != 0.0;");
  to.end();
  to.line("if (!any) break;");
  to.begin_group();
  to.load_constants();
  to.load("q", 0);
  to.load("p", n);
  to.load("w", 2 * n);
  to.line("const double was = open[l], b = last[l];");
  increment.declare();
  for (long i = 0; i < n; ++i) {  // 0 times what is not finite would be no number
    to.line("const double above{0} = d{0} > -{1} ? d{0} : -{1}, within{0} = above{0} < {1} ? above{0} : {1};", i, "0x1p1000");
    to.line("w{0} -= was * within{0};", i);
  }
  declare_sizes();
  to.store("w", 2 * n);
  to.line("last[l] = was != 0.0 ? dd : b;");
  to.line("note[ACTIO_LANES + l] += was;");
  to.line("const double ahead = dd * dd * dd - 1e-32 * z * (b * b);");
  to.line("const double m1 = 256.0 * 0x1p-104 * z, m2 = floor * ({}), m = m1 > m2 ? m1 : m2;", sum_of_squares("q", n));
  to.line(
      "const double falls = dd <= 0.0625 * b ? 1.0 : 0.0, large = dd > m ? 1.0 : 0.0, further = falls > large ? falls : large;");
  to.line("open[l] = (ahead > 0.0 ? further : 0.0) * was;");
  to.end();
  to.end();
  to.end();

  to.begin_lanes();
  to.begin_stop(4 * n);
  if (system.stop) to.load_constants();
  to.load("q", 0);
  to.load("p", n);
  to.load("w", 2 * n);
  to.line("const _Bool lost = !(last[l] < __builtin_inf()), left = open[l] != 0.0, bad = lost | left;");
  to.line("note[l] = note[l] != 0.0 ? note[l] : lost ? 1.0 : left ? 2.0 : 0.0;");
  for (long i = 0; i < n; ++i) {
    to.line("w{0} = bad ? __builtin_nan(\"\") : w{0};", i);
    to.line("q{0} += h1 * w{0}; p{0} = 2.0 * w{0}{1} - p{0};", i, to.times_mass(i));
  }
  to.advance("q", 0);
  to.advance("p", n);
  to.advance("w", 2 * n);
  to.line("note[2 * ACTIO_LANES + l] += whole[k]{};", system.stop ? " * moves" : "");
  to.end_stop(4 * n);
  to.end();
  to.end();
  to.end();
  return to.take();
}

}  // namespace actio::method::lanes
