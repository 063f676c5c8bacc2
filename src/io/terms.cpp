#include <fmt/format.h>

#include "elements.hpp"
#include "parts.hpp"

namespace actio::io {
namespace {

class TermReader {
 public:
  TermReader(const Vocabulary& vocabulary, std::vector<bool>& moves) : vocabulary_(vocabulary), moves_(moves) {}

  // The energy in `text`, over `elements`.
  void read(const Value& text, const std::string& path, const std::string& name, const Elements& elements, bool lagrangian) {
    std::vector<std::string> loops;
    for (const auto& range : elements.ranges) loops.push_back(range.name);
    Allowed allowed{true, lagrangian, true, false, ""};
    if (!lagrangian) allowed.why = "a potential depends on positions; with velocities it is a lagrangian";
    const Expression expression(vocabulary_, text, path, loops, allowed);
    if (expression.is_constant(0)) return;
    Batch batch = assemble(expression, elements, lagrangian);
    if (batch.locals == 0) vocabulary_.document().fail(text.place, fmt::format("{} depends on no coordinate", path));

    system::Term term;
    term.name = name;
    term.lagrangian = term.velocities = lagrangian && mark(batch);
    // a Lagrangian without velocities is minus a potential
    if (lagrangian && !term.lagrangian) {
      batch = assemble(expression, elements, false);
      batch.value = batch.graph.neg(batch.value);
    }
    term.graph = std::move(batch.graph);
    term.value = batch.value;
    term.locals = batch.locals;
    term.elements = batch.elements;
    term.dofs = std::move(batch.dofs);
    term.data = std::move(batch.data);
    entries_ += term.elements;
    if (entries_ > most_elements)
      vocabulary_.document().fail(text.place, fmt::format("the terms have more than {} elements together", most_elements));
    terms.push_back(std::move(term));
  }

  std::vector<system::Term> terms;

 private:
  // Notes the coordinates whose velocity is in the batch; false when none is.
  bool mark(const Batch& batch) {
    bool any = false;
    for (long l = 0; l < batch.locals; ++l) {
      if (!batch.moves[static_cast<std::size_t>(l)]) continue;
      any = true;
      for (long e = 0; e < batch.elements; ++e)
        moves_[static_cast<std::size_t>(batch.dofs[static_cast<std::size_t>(l * batch.elements + e)])] = true;
    }
    return any;
  }
  const Vocabulary& vocabulary_;
  std::vector<bool>& moves_;
  long entries_ = 0;
};

}  // namespace

std::vector<system::Term> read_terms(const Section& system, const Vocabulary& vocabulary, std::vector<bool>& moves) {
  const Document& document = system.document();
  TermReader reader(vocabulary, moves);
  for (const char* key : {"potential", "lagrangian"})
    if (const Value* text = system.find(key))
      reader.read(*text, system.path(key), key, Elements{}, std::string_view(key) == "lagrangian");
  const Value* list = system.find("term");
  if (!list) return std::move(reader.terms);
  if (list->kind != Kind::array)
    wrong_type(document, *list, system.path("term"), "a list of tables, each headed [[system.term]]");
  for (std::size_t k = 0; k < list->items.size(); ++k) {
    const Section term(document, list->items[k], fmt::format("{}[{}]", system.path("term"), k),
                       {"name", "over", "potential", "lagrangian", "periodic"});
    std::string name = fmt::format("term {}", k);
    if (const Value* given = term.find("name")) {
      need_kind(document, *given, term.path("name"), Kind::string);
      name = given->string;
    }
    const Value* periodic = term.find("periodic");
    if (periodic && periodic->kind != Kind::boolean) wrong_type(document, *periodic, term.path("periodic"), "true or false");
    const Value* over = term.find("over");
    const bool wraps = periodic && periodic->integer == 1;
    const Elements elements = over ? read_elements(vocabulary, *over, term.path("over"), wraps) : Elements{{}, wraps, 1};
    const Value *potential = term.find("potential"), *lagrangian = term.find("lagrangian");
    if (potential && lagrangian)
      document.fail(term.place_of("lagrangian"), fmt::format("{} has both a potential and a lagrangian", term.path()),
                    "write two terms");
    if (!potential && !lagrangian)
      document.fail(term.table().place, fmt::format("{} has neither a potential nor a lagrangian", term.path()));
    const char* key = potential ? "potential" : "lagrangian";
    reader.read(potential ? *potential : *lagrangian, term.path(key), name, elements, lagrangian != nullptr);
  }
  return std::move(reader.terms);
}

}  // namespace actio::io
