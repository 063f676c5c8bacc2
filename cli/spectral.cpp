#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <actio/method/spectral.hpp>

#include "commands.hpp"

namespace actio::cli {

namespace {

// The method with the fields given, read and checked as a problem file's [method] is.
method::Spec spec_of(const Arguments& arguments) {
  io::LoadOptions options;
  for (const std::string& field : arguments.overrides) options.overrides.push_back("method." + field);
  const std::string text = fmt::format(
      "[system]\ncoordinates = [\"x\"]\nmass = 1.0\npotential = \"x^2/2\"\n[initial]\nposition = [1.0]\nvelocity = [0.0]\n"
      "[run]\nstep = 0.1\nsteps = 1\n[method]\nname = \"{}\"\n",
      arguments.method);
  return io::load_text(text, arguments.method, options).method;
}

std::string number(double x, const char* none) { return std::isfinite(x) ? fmt::format("{:.6f}", x) : none; }

}  // namespace

int spectral(const Arguments& arguments) {
  const method::Spec spec = spec_of(arguments);
  std::string fields;
  for (const auto& [name, value] : session::fields_of(spec)) fields += fmt::format(", {} = {}", name, value);
  const double limit = method::stability_limit(spec, arguments.xi);
  fmt::print("{}{} on q'' + 2 xi w q' + w^2 q = 0, xi = {:g}, T = 2 pi / w, Omega = w h\n\n", spec.name(), fields, arguments.xi);
  fmt::print("  {:>8} {:>12} {:>16} {:>14} {:>14}\n", "h/T", "Omega", "spectral radius", "period error", "damping ratio");
  for (const double ratio : {0.001, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 1.0, 2.0, 5.0, 10.0, 100.0, 1e4}) {
    const double Omega = 2 * std::numbers::pi * ratio;
    const method::Spectrum s = method::spectrum(spec, Omega, arguments.xi);
    fmt::print("  {:>8g} {:>12.6g} {:>16} {:>14} {:>14}\n", ratio, Omega, number(s.radius, "infinite"),
               number(s.period_error, "-"), number(s.damping_ratio, "-"));
  }
  fmt::print("\n  {}\n  period error (T_h - T)/T; damping ratio of the computed motion{}; - without oscillation\n",
             std::isfinite(limit)
                 ? limit > 0.011 ? fmt::format("stable up to Omega = {:.6g}, h/T = {:.6g}", limit, limit / (2 * std::numbers::pi))
                                 : "the motion grows at every step size tried, from Omega = 0.01 on"
                 : "stable at every step size tried, to Omega = 1e4",
             arguments.xi == 0 ? " (numerical damping alone)" : "");
  return ok;
}

}  // namespace actio::cli
