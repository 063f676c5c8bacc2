#include "writer.hpp"

#include <iterator>

#include "../../expr/program.hpp"

namespace actio::method::lanes {

using expr::Id;

Writer::Writer(const System& system, const Forces& forces) : system_(system), forces_(forces) {
  names_.columns = numbered("q");
  names_.uniforms.emplace_back("t");
  for (std::size_t k = 0; k < system.model->parameters.size(); ++k) names_.uniforms.push_back(fmt::format("u[{}]", k + 1));
  for (std::size_t j = 0; j < system.varied.size(); ++j)
    names_.uniforms[static_cast<std::size_t>(system.varied[j]) + 1] = fmt::format("c{}", j);
  at_end_ = names_;
  for (const std::string& v : numbered("v")) at_end_.columns.push_back(v);
  at_end_.uniforms[0] = "now";
}

void Writer::add(fmt::string_view format, fmt::format_args arguments) {
  fmt::vformat_to(std::back_inserter(text_), format, arguments);
  text_ += '\n';
}

void Writer::begin_start() {
  line("ACTIO_FUNCTION void lanes_start(double t, const double *restrict u, const double *restrict c, double *restrict x) {{");
}
void Writer::begin_step() {
  line("ACTIO_FUNCTION void lanes_step(long count, const double *restrict h, const double *restrict at,");
  line("                               const double *restrict s, const double *restrict end, const double *restrict whole,");
  line("                               const double *restrict u, const double *restrict c, double *restrict x,");
  line("                               double *restrict note) {{");
}
void Writer::begin_lanes() {
  line("ACTIO_INDEPENDENT");
  line("for (long l = 0; l < ACTIO_LANES; ++l) {{");
}
void Writer::begin_group() {
  line("ACTIO_INDEPENDENT");
  line("for (long l = from; l < from + ACTIO_GROUP; ++l) {{");
}
void Writer::end() { line("}}"); }

std::string Writer::at(long row) const { return fmt::format("x[{} * ACTIO_LANES + l]", row); }

void Writer::load_constants() {
  for (std::size_t j = 0; j < system_.varied.size(); ++j) line("const double c{0} = c[{0} * ACTIO_LANES + l];", j);
}
void Writer::load(const char* name, long row) {
  for (long i = 0; i < n(); ++i) line("double {}{} = {};", name, i, at(row + i));
}
void Writer::store(const char* name, long row) {
  for (long i = 0; i < n(); ++i) line("{} = {}{};", at(row + i), name, i);
}
void Writer::advance(const char* name, long row) {
  if (!system_.stop) return store(name, row);
  for (long i = 0; i < n(); ++i) line("{0} = moves != 0.0 ? {1}{2} : {0};", at(row + i), name, i);
}

// Of the state q, p at the time `now`, as s.
void Writer::condition() {
  for (long i = 0; i < n(); ++i) line("const double v{0} = p{0}{1};", i, over_mass(i));
  values(system_.stop->graph, at_end_, {"s"}, {system_.stop->value});
}
void Writer::start_stop(long row) {
  if (!system_.stop) return;
  line("const double now = t;");
  condition();
  line("{} = s != 0.0 ? 0.0 : 1.0;", at(row));
  line("{} = s != 0.0 ? now : __builtin_nan(\"\");", at(row + 1));
}
void Writer::begin_stop(long row) {
  if (system_.stop) line("const double moves = {};", at(row));
}
void Writer::end_stop(long row) {
  if (!system_.stop) return;
  line("const double now = end[k], w1 = whole[k];");
  condition();
  line("const double halts = s != 0.0 ? w1 * moves : 0.0;");
  line("{} = moves - halts;", at(row));
  line("{0} = halts != 0.0 ? now : {0};", at(row + 1));
}

std::string Writer::times_mass(long i) const { return factor(system_.first_mass(), i); }
std::string Writer::over_mass(long i) const { return factor(system_.first_mass() + static_cast<std::size_t>(n()), i); }
std::string Writer::factor(std::size_t first, long i) const {
  if (system_.model->mass.diagonal[i] == 1) return "";
  return fmt::format("*u[{}]", first + static_cast<std::size_t>(i));
}

void Writer::values(const std::vector<std::string>& name, const std::vector<Id>& outputs) {
  values(forces_.graph, names_, name, outputs);
}
void Writer::values(const expr::Graph& graph, const expr::LeafNames& leaves, const std::vector<std::string>& name,
                    const std::vector<Id>& outputs) {
  const expr::Program program = expr::lower(graph, outputs);
  const expr::Statements c(program, leaves);
  for (const std::string& each : name) line("double {};", each);
  line("{{");
  for (Id i = 0; i < static_cast<Id>(program.code.size()); ++i) text_ += c.definition(i);
  for (std::size_t k = 0; k < name.size(); ++k) line("{} = {};", name[k], c.number(program.outputs[k]));
  line("}}");
}
void Writer::force() { values(numbered("f"), forces_.f); }
std::vector<std::string> Writer::numbered(const char* name) const {
  std::vector<std::string> out;
  for (long i = 0; i < n(); ++i) out.push_back(fmt::format("{}{}", name, i));
  return out;
}

}  // namespace actio::method::lanes
