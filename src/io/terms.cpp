#include <array>

#include <fmt/format.h>

#include "parts.hpp"

// Energies, and forces and equations over ranges.
namespace actio::io {
namespace {

enum class What { potential, lagrangian, dissipation, energy, force, equation };
struct Word {
  What what;
  const char* key;
};
constexpr std::array term_words{
    Word{What::potential, "potential"}, Word{What::lagrangian, "lagrangian"}, Word{What::dissipation, "dissipation"},
    Word{What::energy, "energy"},       Word{What::force, "force"},           Word{What::equation, "equation"}};

const char* why_not(What what) {
  return what == What::potential ? "a potential depends on positions; with velocities it is a lagrangian" : "";
}

class TermReader {
 public:
  TermReader(const Vocabulary& vocabulary, system::Model& model, EquationReader& equations, std::vector<bool>& moves)
      : vocabulary_(vocabulary), model_(model), equations_(equations), moves_(moves) {}

  // The energy in `text`, over `elements`.
  void energy(What what, const Value& text, const std::string& path, const std::string& name, const Elements& elements,
              bool stiff = false) {
    std::vector<std::string> loops;
    for (const auto& range : elements.ranges) loops.push_back(range.name);
    const bool velocities = what != What::potential;
    const Expression expression(vocabulary_, text, path, loops, {true, velocities, true, false, why_not(what)});
    if (expression.is_constant(0)) return;
    Batch batch = assemble(expression, elements, velocities ? 1 : 0);
    if (batch.locals == 0) vocabulary_.document().fail(text.place, fmt::format("{} depends on no coordinate", path));
    count(batch.elements, text);

    system::Term term;
    term.name = name;
    term.stiff = stiff;
    const bool any = std::find(batch.moves.begin(), batch.moves.end(), true) != batch.moves.end();
    if (what == What::dissipation && !any)
      vocabulary_.document().fail(text.place, fmt::format("{} depends on no velocity", path),
                                  "friction is minus its derivative with respect to the velocities: 0.5*c*x'^2 gives -c*x'");
    term.lagrangian = what == What::lagrangian && any;
    term.velocities = velocities && (any || what == What::dissipation);
    if (term.lagrangian) mark(batch);
    if (velocities && !term.velocities) batch = assemble(expression, elements, 0);
    // a Lagrangian without velocities is minus a potential
    if (what == What::lagrangian && !any) batch.value = batch.graph.neg(batch.value);
    term.graph = std::move(batch.graph);
    term.value = batch.value;
    term.locals = batch.locals;
    term.elements = batch.elements;
    term.dofs = std::move(batch.dofs);
    term.data = std::move(batch.data);
    auto& terms = what == What::dissipation ? model_.dissipation : what == What::energy ? model_.measured_energy : model_.terms;
    terms.push_back(std::move(term));
  }

  void force(const Value& text, const std::string& path, const std::string& name, Rows at) {
    const Expression expression(vocabulary_, text, path, at.loops, {true, true, true, false, ""});
    if (expression.is_constant(0)) return;
    Batch batch = assemble(expression, at.elements, 1);
    count(batch.elements, text);
    model_.forces.push_back(part_of<system::Force>(std::move(batch), name, std::move(at.rows)));
  }

  void term(const Section& term, std::size_t k) {
    std::string name = fmt::format("term {}", k);
    if (const Value* given = term.find("name")) {
      need_kind(term.document(), *given, term.path("name"), Kind::string);
      name = given->string;
    }
    const Value* periodic = term.find("periodic");
    if (periodic && periodic->kind != Kind::boolean)
      wrong_type(term.document(), *periodic, term.path("periodic"), "true or false");
    const Value* over = term.find("over");
    const bool wraps = periodic && periodic->integer == 1;
    const Elements elements = over ? read_elements(vocabulary_, *over, term.path("over"), wraps) : Elements{{}, wraps, 1};
    const Word word = only_word(term);
    const Value* stiff = term.find("stiff");
    if (stiff && stiff->kind != Kind::boolean) wrong_type(term.document(), *stiff, term.path("stiff"), "true or false");
    if (stiff && word.what != What::potential)
      term.document().fail(term.place_of("stiff"), fmt::format("{} is {}, and marked as stiff", term.path(), noun(word)),
                           "stiff marks potentials, whose second derivatives a method then uses");
    const Value &text = term.need(word.key), *on = term.find("on");
    const std::string path = term.path(word.key);
    if (word.what != What::force && word.what != What::equation) {
      if (on)
        term.document().fail(term.place_of("on"),
                             fmt::format("{} has a coordinate it acts on, but is {}", term.path(), noun(word)),
                             "on belongs to a force or an equation");
      return energy(word.what, text, path, name, elements, stiff && stiff->integer == 1);
    }
    if (!on)
      term.document().fail(term.place_of(word.key), fmt::format("{} does not say which coordinate it is for", path),
                           "for example on = \"u[k]\"");
    Rows at = rows_on(vocabulary_, *on, term.path("on"), elements);
    if (word.what == What::force) return force(text, path, name, std::move(at));
    count(elements.count, text);
    equations_.read(text, path, name, std::move(at));
  }

 private:
  static std::string noun(const Word& word) {
    return fmt::format("{} {}", word.what == What::energy || word.what == What::equation ? "an" : "a", word.key);
  }
  // The one thing a term says.
  static Word only_word(const Section& term) {
    const Word* found = nullptr;
    for (const Word& word : term_words) {
      if (!term.find(word.key)) continue;
      if (found)
        term.document().fail(term.place_of(word.key), fmt::format("{} has both {} and {}", term.path(), noun(*found), noun(word)),
                             "write two terms");
      found = &word;
    }
    if (!found)
      term.document().fail(term.table().place, fmt::format("{} has neither a potential nor a lagrangian", term.path()),
                           "or give it a dissipation, a force, an equation or an energy");
    return *found;
  }
  void count(long elements, const Value& text) {
    entries_ += elements;
    if (entries_ > most_elements)
      vocabulary_.document().fail(text.place, fmt::format("the terms have more than {} elements together", most_elements));
  }
  // Notes the coordinates whose velocity is in the batch.
  void mark(const Batch& batch) {
    for (long l = 0; l < batch.locals; ++l)
      if (batch.moves[static_cast<std::size_t>(l)])
        for (long e = 0; e < batch.elements; ++e)
          moves_[static_cast<std::size_t>(batch.dofs[static_cast<std::size_t>(l * batch.elements + e)])] = true;
  }
  const Vocabulary& vocabulary_;
  system::Model& model_;
  EquationReader& equations_;
  std::vector<bool>& moves_;
  long entries_ = 0;
};

}  // namespace

void read_terms(const Section& system, const Vocabulary& vocabulary, system::Model& model, EquationReader& equations,
                std::vector<bool>& moves) {
  const Document& document = system.document();
  TermReader reader(vocabulary, model, equations, moves);
  for (const Word& word : term_words) {
    if (word.what == What::force || word.what == What::equation) continue;  // [system.force] is a table of its own
    if (const Value* text = system.find(word.key)) reader.energy(word.what, *text, system.path(word.key), word.key, Elements{});
  }
  const Value* list = system.find("term");
  if (!list) return;
  if (list->kind != Kind::array)
    wrong_type(document, *list, system.path("term"), "a list of tables, each headed [[system.term]]");
  std::vector<std::string> keys{"name", "over", "periodic", "on", "stiff"};
  for (const Word& word : term_words) keys.emplace_back(word.key);
  for (std::size_t k = 0; k < list->items.size(); ++k)
    reader.term(Section(document, list->items[k], fmt::format("{}[{}]", system.path("term"), k), keys), k);
}

}  // namespace actio::io
