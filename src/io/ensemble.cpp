#include <algorithm>
#include <limits>
#include <map>

#include <fmt/format.h>

#include <actio/io/csv.hpp>

#include "ensemble_parts.hpp"
#include "member_values.hpp"
#include "values.hpp"

namespace actio::io {
namespace {

constexpr long most_members = 100'000'000;
constexpr long most_numbers = 1'000'000'000;  // 8 GB

// { csv = "file.csv", column = "name" }
std::vector<double> read_column(const SymbolTable& symbols, const Value& value, const std::string& path) {
  const Section csv(symbols.document(), value, path, keys_of_table("csv"));
  const Value &file = csv.need("csv"), &column = csv.need("column");
  need_kind(symbols.document(), file, csv.path("csv"), Kind::string);
  need_kind(symbols.document(), column, csv.path("column"), Kind::string);
  return read_csv_column(need_file(symbols, file, csv.path("csv")), column.string);
}

class EnsembleReader {
 public:
  EnsembleReader(const Section& root, const SymbolTable& symbols, const Problem& problem)
      : root_(root),
        symbols_(symbols),
        document_(root.document()),
        problem_(problem),
        section_(document_, root.need("ensemble"), "ensemble", keys_of_table("ensemble")) {}

  EnsembleRequest operator()(bool sweep) {
    EnsembleRequest out;
    out.refused = why_not_together(root_, problem_, sweep);
    read_size();
    read_parameters();
    read_starts();
    out.members = std::move(members_);
    if (!out.refused) read_outputs(section_, symbols_, problem_, out);
    if (const Value* keep = section_.find("keep")) {
      if (keep->kind != Kind::boolean) wrong_type(document_, *keep, "ensemble.keep", "true or false");
      out.keep = keep->integer == 1;
    }
    return out;
  }

 private:
  std::uint64_t seed_of(const Value& value, const char* path) const {
    return static_cast<std::uint64_t>(integer(document_, value, path, 0, std::numeric_limits<long>::max()));
  }
  // How many: as it is said, or as long as the lists are, which have an entry for each member from 0 on.
  void read_size() {
    if (const Value* first = section_.find("first"))
      members_.first = integer(document_, *first, "ensemble.first", 0, most_members);
    if (const Value* seed = section_.find("seed")) seed_ = seed_of(*seed, "ensemble.seed");
    if (const Value* count = section_.find("members"))
      members_.count = integer(document_, *count, "ensemble.members", 1, most_members);
    if (const Value* parameters = section_.find("parameters"))
      for (const Entry& entry : parameters->fields) measure(entry.value, fmt::format("ensemble.parameters.{}", entry.key));
    if (const Value* initial = section_.find("initial"))
      for (const char* key : {"position", "velocity"}) {
        const Value* table = initial->find(key);
        if (!table || table->kind != Kind::table) continue;
        for (const Entry& entry : table->fields) measure(entry, fmt::format("ensemble.initial.{}.{}", key, entry.key));
      }
    if (members_.count == 0)
      document_.fail(section_.table().place, "ensemble.members is missing", "say how many members there are, or give lists");
    const long each = 2 * problem_.model.size() + static_cast<long>(symbols_.parameters.size());
    if (members_.count > most_numbers / each)
      document_.fail(
          section_.place_of("members"),
          fmt::format("{} members have {:.2g} numbers at their start; at most {:.0e} can be", members_.count,
                      static_cast<double>(members_.count) * static_cast<double>(each), static_cast<double>(most_numbers)),
          "run them in parts: ensemble.first and ensemble.members");
  }
  // A list for a coordinate that is no family is one of members.
  void measure(const Entry& entry, const std::string& path) {
    const auto family = std::ranges::find_if(symbols_.families, [&](const system::Family& f) { return f.name == entry.key; });
    if (family == symbols_.families.end()) return;  // state_pieces refuses the name
    if (!family->indexed) return measure(entry.value, path);
    if (entry.value.kind == Kind::table)
      document_.fail(entry.value.place,
                     fmt::format("{} is a family of {} {}, and a column of a CSV file has one entry a member", path, family->size,
                                 plural(family->size, "coordinate", "coordinates")),
                     "give it an expression of m and i, or declare its coordinates one by one");
  }
  void measure(const Value& value, const std::string& path) {
    if (value.kind != Kind::array && value.kind != Kind::table) return;
    const long length = static_cast<long>(
        value.kind == Kind::array ? value.items.size() : (columns_[&value] = read_column(symbols_, value, path)).size());
    const auto entries = [&] { return fmt::format("{} has {} {}", path, length, plural(length, "entry", "entries")); };
    if (!counted_by_.empty() && length != counted_)
      document_.fail(value.place, fmt::format("{}, but {} has {}", entries(), counted_by_, counted_),
                     "without ensemble.members all lists have one length: one entry a member");
    if (members_.count == 0 && length > members_.first) {
      members_.count = length - members_.first;
      counted_ = length;
      counted_by_ = path;
    }
    if (length < members_.first + members_.count || members_.count == 0)
      document_.fail(value.place, fmt::format("{}, and the members are {} to {}", entries(), members_.first,
                                              members_.first + std::max(1L, members_.count) - 1));
  }

  static Allowed allowed() {
    Allowed out;
    out.random = true;
    out.why = "this is evaluated once, before the first step, from parameters, tables and the member's number";
    return out;
  }

  // Of the members, from a list or a column of one entry a member.
  std::vector<double> entries(const Value& value, const std::string& path) {
    std::vector<double> all;
    if (value.kind == Kind::table) {
      all = columns_.at(&value);
    } else {
      for (const Value& item : value.items) all.push_back(scalar(symbols_, item, fmt::format("{}[{}]", path, all.size())));
    }
    const auto first = all.begin() + members_.first;
    return {first, first + members_.count};
  }
  std::vector<double> constant(double x) const { return std::vector<double>(static_cast<std::size_t>(members_.count), x); }

  // Parameters of the ensemble, and those made of them, each after those it depends on.
  void read_parameters() {
    struct Waiting {
      std::size_t slot;  // among the varied
      Expression expression;
      MemberDraws draws;
      int own;
    };
    std::vector<Waiting> waiting;
    const Value* given = section_.find("parameters");
    const Value* file = root_.need("system").find("parameters");
    for (std::size_t k = 0; k < symbols_.parameters.size(); ++k)
      if (symbols_.by_member[k]) members_.varied.push_back(static_cast<int>(k));
    members_.parameters.resize(members_.varied.size());
    for (std::size_t j = 0; j < members_.varied.size(); ++j) {
      const std::string& name = symbols_.parameter_names[static_cast<std::size_t>(members_.varied[j])];
      const Value* value = given ? given->find(name) : nullptr;
      const std::string path = fmt::format("{}.{}", value ? "ensemble.parameters" : "system.parameters", name);
      if (!value) {
        waiting.push_back({j, Expression(symbols_, *file->find(name), path, {}, {}), {}, -1});
      } else if (value->kind == Kind::string) {
        waiting.push_back({j,
                           Expression(symbols_, *value, path, member_words(symbols_, false), allowed()),
                           {seed_, draw_key("parameters." + name)},
                           members_.varied[j]});
      } else if (value->kind == Kind::array || value->kind == Kind::table) {
        members_.parameters[j] = entries(*value, path);
      } else {
        if (!value->is_number())
          wrong_type(document_, *value, path, "a number, a list, a column of a CSV file, or an expression of the member m");
        members_.parameters[j] = constant(finite(document_, *value, path));
      }
    }
    while (!waiting.empty()) {
      const auto ready = std::ranges::find_if(waiting, [&](const Waiting& w) {
        return std::ranges::all_of(symbols_.by_member_in(w.expression.graph, w.expression.value), [&](int k) {
          const auto at = std::ranges::find(members_.varied, k) - members_.varied.begin();
          return k == w.own || !members_.parameters[static_cast<std::size_t>(at)].empty();
        });
      });
      if (ready == waiting.end())
        document_.fail(waiting.front().expression.text().place,
                       fmt::format("{} depends on itself through other parameters", waiting.front().expression.path()),
                       "a parameter in its own expression is the file's value");
      members_.parameters[ready->slot] = member_values(ready->expression, members_, ready->draws, 0, ready->own);
      waiting.erase(ready);
    }
  }

  // The file's start, where [initial] does not depend on the member and [ensemble.initial] says nothing.
  void read_starts() {
    for (long i = 0; i < problem_.model.size(); ++i) {
      members_.q0.push_back(constant(problem_.q0[i]));
      members_.v0.push_back(constant(problem_.v0[i]));
    }
    std::uint64_t seed = 0;
    if (const Value* initial = root_.find("initial")) {
      if (const Value* given = initial->find("seed")) seed = seed_of(*given, "initial.seed");
      const Section section(document_, *initial, "initial", keys_of(*initial));
      read_state(section, "position", {seed, 0, 0}, false, members_.q0);
      read_state(section, "velocity", {seed, 0, 1}, false, members_.v0);
    }
    if (const Value* initial = section_.find("initial")) {
      const Section section(document_, *initial, "ensemble.initial", keys_of_table("ensemble.initial"));
      read_state(section, "position", {seed_, 1, 0}, true, members_.q0);
      read_state(section, "velocity", {seed_, 1, 0}, true, members_.v0);
    }
    for (const std::int32_t i : problem_.model.fixed_dofs)
      if (std::ranges::any_of(members_.v0[static_cast<std::size_t>(i)], [](double v) { return v != 0; }))
        document_.fail(section_.place_of("initial"),
                       fmt::format("{} is fixed, but members start with a velocity", problem_.model.coordinate_name(i)));
  }
  static std::vector<std::string> keys_of(const Value& table) {
    std::vector<std::string> out;
    for (const Entry& entry : table.fields) out.push_back(entry.key);
    return out;
  }

  // `ours`: of [ensemble.initial]; else only what depends on the member is evaluated again.
  void read_state(const Section& section, const char* key, MemberDraws draws, bool ours, std::vector<std::vector<double>>& to) {
    for (const StatePiece& piece : state_pieces(section, symbols_, key, false)) {
      const auto set = [&](long k, const Value& text, const std::string& path, bool family) {
        const std::vector<std::string> words = ours     ? member_words(symbols_, family)
                                               : family ? std::vector<std::string>{"i"}
                                                        : std::vector<std::string>{};
        const Expression expression(symbols_, text, path, words, allowed());
        if (!ours && symbols_.by_member_in(expression.graph, expression.value).empty()) return;
        MemberDraws of = draws;
        of.counter = static_cast<std::uint64_t>(piece.offset + k);
        if (ours) of.key = draw_key(fmt::format("{}.{}", key, symbols_.coordinate_name(piece.offset + k)));
        to[static_cast<std::size_t>(piece.offset + k)] = member_values(expression, members_, of, k);
      };
      const Value& value = *piece.value;
      const bool of_family = std::ranges::any_of(symbols_.families, [&](const system::Family& f) {
        return f.offset == piece.offset && f.indexed && piece.path != section.path(key);
      });
      const bool whole = piece.path == section.path(key);  // a list of all coordinates
      if (ours && !whole && !of_family && (value.kind == Kind::array || value.kind == Kind::table)) {
        to[static_cast<std::size_t>(piece.offset)] = entries(value, piece.path);
      } else if (value.kind == Kind::string) {
        for (long k = 0; k < piece.size; ++k) set(k, value, piece.path, true);
      } else if (value.kind == Kind::array) {
        const long given = static_cast<long>(value.items.size());
        if (given != piece.size)
          document_.fail(value.place,
                         fmt::format("{} has {} {}, {}", piece.path, given, plural(given, "entry", "entries"), piece.shape));
        for (long k = 0; k < piece.size; ++k) {
          const Value& item = value.items[static_cast<std::size_t>(k)];
          const std::string path = fmt::format("{}[{}]", piece.path, k);
          if (item.kind == Kind::string)
            set(k, item, path, false);
          else if (ours)
            to[static_cast<std::size_t>(piece.offset + k)] = constant(finite(document_, item, path));
        }
      } else if (ours) {
        if (!value.is_number())
          wrong_type(document_, value, piece.path, "a number, a list, a column of a CSV file, or an expression of the member m");
        for (long k = 0; k < piece.size; ++k)
          to[static_cast<std::size_t>(piece.offset + k)] = constant(finite(document_, value, piece.path));
      }
    }
  }

  const Section& root_;
  const SymbolTable& symbols_;
  const Document& document_;
  const Problem& problem_;
  Section section_;
  std::uint64_t seed_ = 0;
  run::Members members_;
  std::string counted_by_;                               // the first list that says how many members there are, where no key does
  long counted_ = 0;                                     // its length
  std::map<const Value*, std::vector<double>> columns_;  // of CSV files
};

}  // namespace

void read_names_by_member(const Section& root, SymbolTable& symbols) {
  const Value* ensemble = root.find("ensemble");
  if (!ensemble) return;
  const Document& document = root.document();
  need_kind(document, *ensemble, "ensemble", Kind::table);
  const Value* parameters = ensemble->find("parameters");
  if (!parameters) return;
  need_kind(document, *parameters, "ensemble.parameters", Kind::table);
  const Value* system = root.find("system");
  const Value* known = system ? system->find("parameters") : nullptr;
  std::vector<std::string> names;
  if (known)
    for (const Entry& entry : known->fields) names.push_back(entry.key);
  for (const Entry& entry : parameters->fields) {
    need_parameter(document, entry.place, entry.key, names);
    symbols.named_by_member.push_back(entry.key);
  }
}

std::shared_ptr<const EnsembleRequest> read_ensemble(const Section& root, const SymbolTable& symbols, const Problem& problem,
                                                     bool sweep) {
  if (!root.find("ensemble")) return nullptr;
  return std::make_shared<const EnsembleRequest>(EnsembleReader(root, symbols, problem)(sweep));
}

void need_same_mass(const Section& system, const SymbolTable& symbols, const system::Model& model) {
  if (symbols.named_by_member.empty()) return;
  for (const system::Term& term : model.terms) {
    if (!term.velocities) continue;
    expr::Graph g = term.graph;
    std::vector<expr::Id> v;
    for (long l = 0; l < term.locals; ++l) v.push_back(g.column(static_cast<int>(term.locals + l)));
    for (const expr::Id m : expr::hessian(g, term.value, v))
      if (const std::vector<int> found = symbols.by_member_in(g, m); !found.empty())
        system.document().fail(
            system.place_of(system.find("lagrangian") ? "lagrangian" : "term"),
            fmt::format(
                "the mass is one for all members of the ensemble, but in \"{}\" it depends on {}, which differs between them",
                term.name, symbols.parameter_names[static_cast<std::size_t>(found.front())]),
            "divide the Lagrangian by it, which leaves the motion as it is");
  }
}

}  // namespace actio::io
