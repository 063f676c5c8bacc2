#include <array>

#include <fmt/format.h>

#include "parts.hpp"

// Energies, and forces and equations over ranges.
namespace actio::io {
namespace {

enum class TermKind { potential, lagrangian, dissipation, energy, force, equation };
struct TermType {
  TermKind kind;
  const char* key;
};
constexpr std::array term_types{TermType{TermKind::potential, "potential"},
                                TermType{TermKind::lagrangian, "lagrangian"},
                                TermType{TermKind::dissipation, "dissipation"},
                                TermType{TermKind::energy, "energy"},
                                TermType{TermKind::force, "force"},
                                TermType{TermKind::equation, "equation"}};

const char* why_not(TermKind kind) {
  return kind == TermKind::potential ? "a potential depends on positions; with velocities it is a lagrangian" : "";
}

class TermReader {
 public:
  TermReader(const SymbolTable& symbols, system::Model& model, EquationReader& equations, std::vector<bool>& moves)
      : symbols_(symbols), model_(model), equations_(equations), moves_(moves) {}

  // The energy in `text`, over `elements`.
  void energy(TermKind kind, const Value& text, const std::string& path, const std::string& name, const Elements& elements,
              bool stiff = false) {
    std::vector<std::string> loops;
    for (const auto& range : elements.ranges) loops.push_back(range.name);
    const bool velocities = kind != TermKind::potential;
    const Expression expression(symbols_, text, path, loops, {true, velocities, true, false, why_not(kind)});
    if (expression.is_constant(0)) return;
    if (elements.near && kind != TermKind::potential)
      symbols_.document().fail(text.place, fmt::format("{} is of pairs with a cutoff, which only a potential may have", path));
    Batch batch = velocities ? assemble(expression, elements, 1) : assemble_potential(expression, elements);
    if (batch.locals == 0) symbols_.document().fail(text.place, fmt::format("{} depends on no coordinate", path));
    count(elements.near ? elements.near->pairs.points : batch.elements, text);

    const bool any = std::find(batch.moves.begin(), batch.moves.end(), true) != batch.moves.end();
    if (kind == TermKind::dissipation && !any)
      symbols_.document().fail(text.place, fmt::format("{} depends on no velocity", path),
                               "friction is minus its derivative with respect to the velocities: 0.5*c*x'^2 gives -c*x'");
    const bool lagrangian = kind == TermKind::lagrangian && any, moves = any || kind == TermKind::dissipation;
    if (lagrangian) mark(batch);
    if (velocities && !moves) batch = assemble_potential(expression, elements);
    // a Lagrangian without velocities is minus a potential
    if (kind == TermKind::lagrangian && !any) batch.value = batch.graph.neg(batch.value);
    auto term = named<system::Term>(name, std::move(batch));
    term.lagrangian = lagrangian;
    term.velocities = velocities && moves;
    term.stiff = stiff;
    auto& terms = kind == TermKind::dissipation ? model_.dissipation
                  : kind == TermKind::energy    ? model_.measured_energy
                                                : model_.terms;
    terms.push_back(std::move(term));
  }

  void force(const Value& text, const std::string& path, const std::string& name, Rows at) {
    const Expression expression(symbols_, text, path, at.loops, {true, true, true, false, ""});
    if (expression.is_constant(0)) return;
    Batch batch = assemble(expression, at.elements, 1);
    count(batch.elements, text);
    model_.forces.push_back(named<system::Force>(name, std::move(batch), std::move(at.rows)));
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
    Elements elements = over ? read_elements(symbols_, *over, term.path("over"), wraps) : Elements{{}, wraps, 1};
    if (const Value* exclude = term.find("exclude")) take_exclusion(term, *exclude, elements);
    const TermType type = only_type(term);
    const Value* stiff = term.find("stiff");
    if (stiff && stiff->kind != Kind::boolean) wrong_type(term.document(), *stiff, term.path("stiff"), "true or false");
    if (stiff && type.kind != TermKind::potential)
      term.document().fail(term.place_of("stiff"), fmt::format("{} is {}, and marked as stiff", term.path(), noun(type)),
                           "stiff marks potentials, whose second derivatives a method then uses");
    const Value &text = term.need(type.key), *on = term.find("on");
    const std::string path = term.path(type.key);
    if (type.kind != TermKind::force && type.kind != TermKind::equation) {
      if (on)
        term.document().fail(term.place_of("on"),
                             fmt::format("{} has a coordinate it acts on, but is {}", term.path(), noun(type)),
                             "on belongs to a force or an equation");
      return energy(type.kind, text, path, name, elements, stiff && stiff->integer == 1);
    }
    if (!on)
      term.document().fail(term.place_of(type.key), fmt::format("{} does not name its coordinate", path),
                           "for example on = \"u[k]\"");
    Rows at = rows_on(symbols_, *on, term.path("on"), elements);
    if (type.kind == TermKind::force) return force(text, path, name, std::move(at));
    count(elements.count, text);
    equations_.read(text, path, name, std::move(at));
  }

 private:
  // Pairs that do not interact: a condition of their two indices.
  void take_exclusion(const Section& term, const Value& exclude, Elements& elements) const {
    if (!elements.near)
      term.document().fail(term.place_of("exclude"), fmt::format("{} is of pairs with a cutoff", term.path("exclude")),
                           "over = \"a, b = pairs(atom, cutoff = 9)\"");
    const std::string path = term.path("exclude");
    if (exclude.kind != Kind::string)
      wrong_type(term.document(), exclude, path, "a condition of the two indices, such as \"mol[a] == mol[b]\"");
    const std::vector<std::string> loops{elements.ranges[0].name, elements.ranges[1].name};
    elements.near->exclude = std::make_shared<const Expression>(
        symbols_, exclude, path, loops, Allowed{false, false, false, false, "what is excluded depends on the indices alone"});
  }
  static std::string noun(const TermType& type) {
    return fmt::format("{} {}", type.kind == TermKind::energy || type.kind == TermKind::equation ? "an" : "a", type.key);
  }
  // The one thing a term says.
  static TermType only_type(const Section& term) {
    const TermType* found = nullptr;
    for (const TermType& type : term_types) {
      if (!term.find(type.key)) continue;
      if (found)
        term.document().fail(term.place_of(type.key), fmt::format("{} has both {} and {}", term.path(), noun(*found), noun(type)),
                             "write two terms");
      found = &type;
    }
    if (!found)
      term.document().fail(term.table().place, fmt::format("{} has neither a potential nor a lagrangian", term.path()),
                           "or give it a dissipation, a force, an equation or an energy");
    return *found;
  }
  void count(long elements, const Value& text) {
    entries_ += elements;
    if (entries_ > most_elements)
      symbols_.document().fail(text.place, fmt::format("the terms have more than {} elements together", most_elements));
  }
  // Notes the coordinates whose velocity is in the batch.
  void mark(const Batch& batch) {
    for (long l = 0; l < batch.locals; ++l)
      if (batch.moves[static_cast<std::size_t>(l)])
        for (long e = 0; e < batch.elements; ++e)
          moves_[static_cast<std::size_t>(batch.dofs[static_cast<std::size_t>(l * batch.elements + e)])] = true;
  }
  const SymbolTable& symbols_;
  system::Model& model_;
  EquationReader& equations_;
  std::vector<bool>& moves_;
  long entries_ = 0;
};

}  // namespace

void read_terms(const Section& system, const SymbolTable& symbols, system::Model& model, EquationReader& equations,
                std::vector<bool>& moves) {
  const Document& document = system.document();
  TermReader reader(symbols, model, equations, moves);
  for (const TermType& type : term_types) {
    if (type.kind == TermKind::force || type.kind == TermKind::equation) continue;  // [system.force] is a table of its own
    if (const Value* text = system.find(type.key)) reader.energy(type.kind, *text, system.path(type.key), type.key, Elements{});
  }
  const Value* list = system.find("term");
  if (!list) return;
  if (list->kind != Kind::array)
    wrong_type(document, *list, system.path("term"), "a list of tables, each headed [[system.term]]");
  const std::vector<std::string> keys = keys_of_table("system.term");
  for (std::size_t k = 0; k < list->items.size(); ++k)
    reader.term(Section(document, list->items[k], fmt::format("{}[{}]", system.path("term"), k), keys), k);
}

}  // namespace actio::io
