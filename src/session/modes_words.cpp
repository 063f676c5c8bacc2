#include <algorithm>

#include <fmt/format.h>

#include <actio/invariant/json.hpp>
#include <actio/session/modes.hpp>

namespace actio::session {
namespace {

std::string motions(long count, const char* kind) { return fmt::format("{} {} mode{}", count, kind, count == 1 ? "" : "s"); }

std::string row_of(const Modes& m, long k) {
  if (m.is_rigid(k)) return fmt::format("{:>7} {:>14} {:>14} {:>14}", "rigid", 0, 0, "-");
  if (m.grows(k))
    return fmt::format("{:>7} {:>14} {:>14} {:>14}", "growing", fmt::format("exp({:.6g} t)", m.growth[k]), "-", "-");
  return fmt::format("{:>7} {:>14.8g} {:>14.8g} {:>14.8g}", m.number(k), m.omega[k], m.frequency(k), m.period(k));
}

std::string summary(const Modes& m, const io::Problem& p) {
  std::string out = fmt::format("{}: the lowest {} of {} modes, linearised {}{}\n", p.path, m.size(), m.moving,
                                m.equilibrium ? "in equilibrium" : "at the start",
                                system::is_forced(p.model) ? " without friction and forces" : "");
  if (m.rigid > 0) out += fmt::format("  {} without stiffness\n", motions(m.rigid, "rigid"));
  if (m.growing > 0) out += fmt::format("  {}: the start is unstable\n", motions(m.growing, "growing"));
  out += m.not_proved.empty() ? "  no lower mode is missing\n"
                              : fmt::format("  not proved that no lower mode is missing: {}\n", m.not_proved);
  double worst = -1;  // there may be rigid modes alone
  for (const double residual : m.residual) worst = std::max(worst, residual);
  if (worst >= 0) out += fmt::format("  largest residual {:.1e}: the relative error of w^2 is below that\n", worst);
  return out;
}

// Wide enough for the name over it.
std::size_t width_of(const Direction& d) { return std::max<std::size_t>(9, d.name.size()); }

}  // namespace

std::string text(const Modes& m, const io::Problem& p) {
  std::string out = summary(m, p);
  const std::string unit = m.unit.find(' ') == std::string::npos ? m.unit : "(" + m.unit + ")";
  const auto in = [&](const char* what, const char* over) {
    return unit.empty() ? std::string(what) : fmt::format("{} [{}{}]", what, over, unit);
  };
  out += fmt::format("{:>7} {:>14} {:>14} {:>14}", "mode", in("w", "rad/"), in("f", "1/"), in("period", ""));
  for (const Direction& d : m.directions) out += fmt::format(" | {:>{}} {:>7}", d.name, width_of(d), "sum");
  out += "\n";
  std::vector<double> sum(m.directions.size());
  for (long k = 0; k < m.size(); ++k) {
    out += row_of(m, k);
    for (std::size_t j = 0; j < sum.size(); ++j) {
      sum[j] += m.directions[j].share(k);
      out += fmt::format(" | {:>{}.3f} {:>7.3f}", 100 * m.directions[j].share(k), width_of(m.directions[j]), 100 * sum[j]);
    }
    out += "\n";
  }
  if (m.directions.empty())
    out += "  no direction is known to have a participation: solids, [system.base] and translations among symmetries have one\n";
  else
    out += "  right of the bars: effective modal mass in %, and its sum, of the moving mass";
  for (std::size_t j = 0; j < sum.size(); ++j)
    out += fmt::format("{}{} {:.6g}", j == 0 ? ": " : ", ", m.directions[j].name, m.directions[j].mass);
  if (!m.directions.empty()) out += "\n";
  return out;
}

std::string json(const Modes& m, const io::Problem& p) {
  invariant::Json j;
  j.begin().field("title", std::string_view(p.model.title)).field("coordinates", p.model.size()).field("moving", m.moving);
  j.field("equilibrium", m.equilibrium).field("rigid", m.rigid).field("growing", m.growing);
  j.field("proved", m.not_proved.empty()).field("not_proved", std::string_view(m.not_proved));
  j.key("modes").begin_array();
  for (long k = 0; k < m.size(); ++k) {
    j.begin();
    j.key("number");
    m.number(k) > 0 ? j.value(m.number(k)) : j.null();
    j.field("omega", m.omega[k]).field("frequency", m.frequency(k)).field("period", m.period(k)).field("growth", m.growth[k]);
    j.field("residual", m.residual[k]).end();
  }
  j.end_array().key("directions").begin();
  for (const Direction& d : m.directions)
    j.key(d.name)
        .begin()
        .field("mass", d.mass)
        .field("participation", d.participation)
        .field("effective_mass", d.effective_mass)
        .end();
  j.end().field("verdict", "ok").end();
  return j.text();
}

}  // namespace actio::session
