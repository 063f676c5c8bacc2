#include "writer.hpp"

namespace actio::method::lanes {
namespace {

// The lower triangle of L D L' = K of those entries that are not zero by structure, and K dx = r.
class Factor {
 public:
  Factor(Writer& to, long n) : to_(to), n_(n), there_(static_cast<std::size_t>(n * (n + 1) / 2), false) {}
  void mark(long i, long j) { there_[place(i, j)] = true; }
  bool is_there(long i, long j) const { return there_[place(i, j)]; }

  // Entries k<i>_<j> become those of L; i<j> = 1/D_j.
  void factor() {
    for (long j = 0; j < n_; ++j) {
      std::string pivot = fmt::format("k{0}_{0}", j);
      for (long k = 0; k < j; ++k)
        if (is_there(j, k)) pivot += fmt::format(" - k{0}_{1} * b{0}_{1}", j, k);
      to_.line("const double i{} = 1.0 / ({});", j, pivot);
      for (long i = j + 1; i < n_; ++i) {
        std::string entry = is_there(i, j) ? fmt::format("k{}_{}", i, j) : "";
        bool filled = is_there(i, j);
        for (long k = 0; k < j; ++k)
          if (is_there(i, k) && is_there(j, k)) {
            entry += fmt::format(" - k{}_{} * b{}_{}", i, k, j, k);
            filled = true;
          }
        if (!filled) continue;
        if (!is_there(i, j)) {
          to_.line("double k{}_{};", i, j);
          mark(i, j);
        }
        to_.line("const double b{}_{} = {};", i, j, entry);  // L_ij D_j
        to_.line("k{0}_{1} = b{0}_{1} * i{1};", i, j);
      }
    }
  }
  void solve() {
    for (long i = 0; i < n_; ++i) {
      std::string y = fmt::format("r{}", i);
      for (long j = 0; j < i; ++j)
        if (is_there(i, j)) y += fmt::format(" - k{}_{} * y{}", i, j, j);
      to_.line("const double y{} = {};", i, y);
    }
    for (long i = n_ - 1; i >= 0; --i) {
      std::string d = fmt::format("y{0} * i{0}", i);
      for (long j = i + 1; j < n_; ++j)
        if (is_there(j, i)) d += fmt::format(" - k{}_{} * d{}", j, i, j);
      to_.line("const double d{} = {};", i, d);
    }
  }

 private:
  static std::size_t place(long i, long j) { return static_cast<std::size_t>(i * (i + 1) / 2 + j); }
  Writer& to_;
  long n_;
  std::vector<bool> there_;
};

constexpr int most_iterations = 30;

// Lanes that iterate together until all of them have converged: enough for vector code, few that wait for others.
constexpr long group = 16;

std::string sum_of_squares(const char* name, long n) {
  std::string out;
  for (long i = 0; i < n; ++i) out += fmt::format("{}{}{} * {}{}", i == 0 ? "" : " + ", name, i, name, i);
  return out;
}

}  // namespace

// Newton's method from the guess in w: at most 30 iterations, undamped, without pivoting. Where they fail the stepper tries again
// with pivots and smaller increments (solve/newton.hpp); a lane fails. Rows: q, p, w, the w before it, and of lanes that may stop
// two more.
std::string midpoint_text(const System& system, const Forces& forces) {
  Writer to(system, forces);
  const long n = system.n(), width = system.width;
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

  to.begin_step();
  to.line("double open[{0}];", width);  // not 0: the lane iterates
  to.line("double d[{}];", n * width);  // the increment of w
  to.line("double last[{0}];", width);  // |dx|^2 of the iteration before
  to.line("for (long k = 0; k < count; ++k) {{");
  to.line("const double h1 = h[k], h2 = 0.5 * h1, h4 = h2 * h2, t = at[k], s1 = s[k];");
  to.line("const double floor = 256.0 * 0x1p-104 / (h1 * h1);");
  to.begin_lanes();
  for (long i = 0; i < n; ++i) {
    to.line("const double w{0} = {1}, b{0} = {2};", i, to.at(2 * n + i), to.at(3 * n + i));
    to.line("{0} = w{2}; {1} = w{2} + s1 * (w{2} - b{2});", to.at(3 * n + i), to.at(2 * n + i), i);
  }
  to.line("open[l] = {}; last[l] = 0.0;", system.stop ? to.at(4 * n) : "1.0");
  to.end();

  to.line("for (long from = 0; from < {}; from += {}) {{", width, group);
  to.line("for (long it = 0, any = 1; any && it < {}; ++it) {{", most_iterations);
  to.line("any = 0;");
  to.line("const double first = it > 1 ? 0.0 : __builtin_inf();");
  to.begin_group(group);
  to.load_constants();
  to.load("p", n);
  to.load("w", 2 * n);
  for (long i = 0; i < n; ++i) to.line("const double q{0} = {1} + h2 * w{0};", i, to.at(i));
  // f and its Jacobian together: they share most of their parts
  std::vector<std::string> names = to.numbered("f");
  std::vector<expr::Id> outputs = forces.f;
  Factor K(to, n);
  for (long i = 0; i < n; ++i)
    for (long j = 0; j <= i; ++j) {
      const expr::Id a = forces.jacobian[static_cast<std::size_t>(i * (i + 1) / 2 + j)];
      if (i == j) K.mark(i, j);
      if (to.is_zero(a)) continue;
      K.mark(i, j);
      names.push_back(fmt::format("a{}_{}", i, j));
      outputs.push_back(a);
    }
  to.values(names, outputs);
  for (long i = 0; i < n; ++i) {
    to.line("const double r{0} = w{0}{1} - p{0} - h2 * f{0};", i, to.times_mass(i));
    for (long j = 0; j <= i; ++j) {
      const std::string mass = i != j ? "" : to.times_mass(i).empty() ? "1.0" : to.times_mass(i).substr(1);
      if (!to.is_zero(forces.jacobian[static_cast<std::size_t>(i * (i + 1) / 2 + j)]))
        to.line("double k{0}_{1} = {2} - h4 * a{0}_{1};", i, j, mass);
      else if (i == j)
        to.line("double k{0}_{0} = {1};", i, mass);
    }
  }
  if (n == 2 && K.is_there(1, 0)) {  // by its determinant: one division in place of two
    to.line("const double i = 1.0 / (k0_0 * k1_1 - k1_0 * k1_0);");
    to.line("const double d0 = (k1_1 * r0 - k1_0 * r1) * i, d1 = (k0_0 * r1 - k1_0 * r0) * i;");
  } else {
    K.factor();
    K.solve();
  }
  for (long i = 0; i < n; ++i) to.line("d[{} + l] = d{};", i * width, i);
  to.end();
  // In a loop of its own: beside the choice of lanes compilers put masks on every operation above.
  to.begin_group(group);
  to.load("q", 0);
  to.load("w", 2 * n);
  for (long i = 0; i < n; ++i) to.line("const double d{0} = d[{1} + l], e{0} = w{0} - d{0};", i, i * width);
  to.line("const double dd = {}, z = {}, y = {}, b = last[l];", sum_of_squares("d", n), sum_of_squares("e", n),
          sum_of_squares("q", n));
  // solve::Stop: a lane goes on unless the next increment is below rounding, or this one is and no longer falls. What says so is
  // the number 1 that it had, handed on: truth values of several kinds in one loop keep it from becoming vector code.
  to.line("const double was = open[l], m1 = 256.0 * 0x1p-104 * z, m2 = floor * y, m = m1 > m2 ? m1 : m2;");
  to.line("const double large = dd > m ? was : 0.0;");
  to.line("const double falls = dd <= 0.0625 * b + first ? was : large;");
  to.line("const double ahead = (b > 0.0 ? dd * dd * dd : dd) - 1e-32 * z * (b > 0.0 ? b * b : 1.0);");
  to.line("const double left = ahead > 0.0 ? falls : 0.0;");
  for (long i = 0; i < n; ++i) to.line("{0} = was != 0.0 ? e{1} : w{1};", to.at(2 * n + i), i);
  to.line("last[l] = was != 0.0 ? dd : b;");
  to.line("note[{} + l] += was;", width);
  to.line("open[l] = dd < __builtin_inf() ? left : 0.0;");
  to.end();
  to.begin_group(group);
  to.line("any |= open[l] != 0.0;");
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
  to.line("note[{} + l] += whole[k]{};", 2 * width, system.stop ? " * moves" : "");
  to.end_stop(4 * n);
  to.end();
  to.end();
  to.end();
  return to.take();
}

}  // namespace actio::method::lanes
