#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "expression.hpp"
#include "parts.hpp"

// [system.define]: named expressions, r2 = "x^2 + y^2", and functions of arguments, "lj(r, eps, sig)" = "...".
namespace actio::io {
namespace {

std::string bare_name(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

// "lj(r, eps, sig)" taken apart.
Formula formula_of(const Document& document, const Entry& entry, const std::string& path) {
  const std::string& key = entry.key;
  const std::size_t open = key.find('(');
  Formula out;
  out.name = bare_name(std::string_view(key).substr(0, open));
  out.text = &entry.value;
  out.path = fmt::format("{}.{}", path, out.name);
  need_kind(document, entry.value, out.path, Kind::string);
  const std::vector<std::string_view> of_points = functions_of_points();
  if (std::ranges::find(of_points, out.name) != of_points.end())
    document.fail(entry.place, fmt::format("\"{}\" cannot be a definition: it is already a function of points", out.name));
  if (open == std::string::npos) return out;
  const std::string_view rest = std::string_view(key).substr(open + 1);
  const std::size_t close = rest.find(')');
  if (close == std::string_view::npos || rest.find_first_not_of(" \t", close + 1) != std::string_view::npos)
    document.fail(entry.place, fmt::format("\"{}\" is not a function with its arguments", key), "for example \"f(x, y)\"");
  const std::string_view inside = rest.substr(0, close);
  for (std::size_t at = 0; at <= inside.size();) {
    const std::size_t end = std::min(inside.find(',', at), inside.size());
    out.parameters.push_back(bare_name(inside.substr(at, end - at)));
    at = end + 1;
  }
  if (out.parameters == std::vector<std::string>{""})
    document.fail(entry.place, fmt::format("{} has no arguments", key),
                  fmt::format("without arguments it is {} = \"...\", and expressions name it {}", out.name, out.name));
  if (out.parameters.size() > 16) document.fail(entry.place, fmt::format("{} has more than 16 arguments", out.name));
  for (auto at = out.parameters.begin(); at != out.parameters.end(); ++at)
    if (std::find(out.parameters.begin(), at, *at) != at)
      document.fail(entry.place, fmt::format("{} has two arguments \"{}\"", out.name, *at));
  out.takes.assign(out.parameters.size(), expr::Takes::number);
  return out;
}

// Arguments that stand in [ ], or where another formula takes an index, are indices.
void find_indices(SymbolTable& symbols) {
  const auto takes = [&](std::string_view function) {
    const auto at = std::ranges::find(symbols.formulas, function, &Formula::name);
    return at == symbols.formulas.end() ? std::vector<expr::Takes>{} : at->takes;
  };
  for (bool changed = true; std::exchange(changed, false);)
    for (Formula& formula : symbols.formulas) {
      if (formula.parameters.empty()) continue;
      std::vector<bool> used;
      try {
        used = expr::used_as_indices(formula.text->string, formula.parameters, takes);
      } catch (const expr::SyntaxError& error) { fail_at(symbols.document(), *formula.text, formula.path, error); }
      for (std::size_t k = 0; k < used.size(); ++k) {
        if (!used[k] || formula.takes[k] == expr::Takes::index) continue;
        formula.takes[k] = expr::Takes::index;
        changed = true;
      }
    }
  for (Formula& formula : symbols.formulas)
    for (std::size_t k = 0; k < formula.parameters.size(); ++k)
      if (formula.takes[k] == expr::Takes::index) formula.indices.push_back(formula.parameters[k]);
}

}  // namespace

void read_definitions(const Section& system, SymbolTable& symbols) {
  const Value* table = system.find("define");
  if (!table) return;
  const Document& document = system.document();
  const std::string path = system.path("define");
  need_kind(document, *table, path, Kind::table);
  for (const Entry& entry : table->fields) symbols.add_formula(formula_of(document, entry, path), entry.place);
  find_indices(symbols);
}

void check_definitions(const Section& system, const SymbolTable& symbols) {
  const Value* table = system.find("define");
  if (!table) return;
  const Allowed anything{.positions = true, .velocities = true, .time = true, .random = false, .why = "", .accelerations = true};
  for (std::size_t k = 0; k < table->fields.size(); ++k) {
    const Formula& formula = symbols.formulas[k];
    for (const std::string& name : formula.parameters)
      symbols.check_local(name, fmt::format("an argument of {}", formula.name), table->fields[k].place);
    Expression(symbols, formula.parameters, anything).read_formula(formula);
  }
}

}  // namespace actio::io
