#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <actio/expr/parse.hpp>
#include <actio/io/csv.hpp>

#include "elements.hpp"
#include "matrix.hpp"
#include "parts.hpp"
#include "values.hpp"

namespace actio::io {
namespace {

// A parameter made by an override that no other override uses is a slip of the pen.
void need_in_file(const Document& document, const Value& table, const Entry& entry) {
  if (!entry.added || document.is_mentioned_elsewhere(entry.key, entry.place.text)) return;
  std::vector<std::string> names;
  for (const Entry& other : table.fields)
    if (!other.added) names.push_back(other.key);
  document.fail(entry.place, fmt::format("the file has no parameter \"{}\"", entry.key), core::did_you_mean(entry.key, names));
}

// A name in an expression, as it may be that of a parameter.
struct Mention {
  std::string name;
  std::size_t offset = 0, length = 0;
};
std::vector<Mention> names_in(const std::string& text) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  std::vector<Mention> out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i;
    if (letter(text[i])) {
      while (i < text.size() && (letter(text[i]) || digit(text[i]))) ++i;
      out.push_back({text.substr(begin, i - begin), begin, i - begin});
    } else if (digit(text[i])) {  // the e of 1e5 is no name
      while (i < text.size() && (digit(text[i]) || text[i] == '.')) ++i;
      if (i + 1 < text.size() && (text[i] == 'e' || text[i] == 'E') &&
          (digit(text[i + 1]) || text[i + 1] == '+' || text[i + 1] == '-'))
        i += 2;
      while (i < text.size() && digit(text[i])) ++i;
    } else {
      ++i;
    }
  }
  return out;
}

// Parameters that are expressions, each after those it mentions, whatever their order in the file.
class DerivedParameters {
 public:
  DerivedParameters(const Value& table, const std::string& path, SymbolTable& symbols)
      : table_(table), path_(path), symbols_(symbols), state_(table.fields.size(), State::untouched) {}

  void read() {
    for (std::size_t k = 0; k < table_.fields.size(); ++k)
      if (table_.fields[k].value.kind == Kind::string && state_[k] == State::untouched) read_from(k);
  }

 private:
  enum class State { untouched, open, done };
  struct Visit {
    std::size_t entry;
    std::vector<Mention> mentions;
    std::size_t next = 0;
  };

  // Depth first, without recursion: a chain may be as long as the file.
  void read_from(std::size_t first) {
    open(first);
    while (!visits_.empty()) {
      Visit& now = visits_.back();
      const Entry& entry = table_.fields[now.entry];
      if (now.next == now.mentions.size()) {
        const std::string path = fmt::format("{}.{}", path_, entry.key);
        Draws draws;
        draws.by_member = true;
        symbols_.add_parameter(entry.key, scalar(symbols_, entry.value, path, draws), entry.place);
        if (!symbols_.named_by_member.empty() && !symbols_.by_member.back()) mark(entry.value, path);
        state_[now.entry] = State::done;
        visits_.pop_back();
        continue;
      }
      const Mention& mention = now.mentions[now.next++];
      const Entry* other = table_.find_entry(mention.name);
      if (!other || other->value.kind != Kind::string) continue;
      const auto k = static_cast<std::size_t>(other - table_.fields.data());
      if (state_[k] == State::open) fail_cycle(k, mention);
      if (state_[k] == State::untouched) open(k);
    }
  }

  void open(std::size_t k) {
    state_[k] = State::open;
    visits_.push_back({k, names_in(table_.fields[k].value.string)});
    std::vector<Mention>& mentions = visits_.back().mentions;
    std::vector<long> seen;
    for (std::size_t m = 0; m < mentions.size(); ++m) {  // what a definition mentions, this does
      const SymbolTable::Definition* found = symbols_.find(mentions[m].name);
      if (!found || found->meaning != Meaning::formula || std::ranges::find(seen, found->which) != seen.end()) continue;
      seen.push_back(found->which);
      for (const Mention& inner : names_in(symbols_.formulas[static_cast<std::size_t>(found->which)].text->string))
        mentions.push_back({inner.name, mentions[m].offset, mentions[m].length});
    }
  }

  // The last parameter differs between members where those it is made of do.
  void mark(const Value& value, const std::string& path) {
    const Expression expression(symbols_, value, path, {}, {});
    if (symbols_.by_member_in(expression.graph, expression.value).empty()) return;
    symbols_.by_member.back() = true;
    std::erase_if(symbols_.integers, [&](const auto& named) { return named.first == symbols_.parameter_names.back(); });
  }

  [[noreturn]] void fail_cycle(std::size_t k, const Mention& closing) const {
    const Document& document = symbols_.document();
    std::string cycle;
    const auto begin = std::find_if(visits_.begin(), visits_.end(), [&](const Visit& v) { return v.entry == k; });
    const auto length = visits_.end() - begin;
    for (auto at = begin; at != visits_.end(); ++at)
      if (at - begin < 8 || visits_.end() - at == 1)
        cycle += table_.fields[at->entry].key + " -> ";
      else if (at - begin == 8)
        cycle += fmt::format("{} more -> ", length - 9);
    document.fail(document.inside(table_.fields[visits_.back().entry].value, closing.offset, closing.length),
                  fmt::format("the parameter {} depends on itself: {}{}", closing.name, cycle, closing.name),
                  "give one of them as a number");
  }

  const Value& table_;
  const std::string& path_;
  SymbolTable& symbols_;
  std::vector<State> state_;
  std::vector<Visit> visits_;
};

// Numbers first; then the expressions, which may use them and one another.
void read_parameters(const Section& system, SymbolTable& symbols) {
  const Value* table = system.find("parameters");
  if (!table) return;
  const Document& document = system.document();
  const std::string path = system.path("parameters");
  need_kind(document, *table, path, Kind::table);
  for (const Entry& entry : table->fields) {
    need_in_file(document, *table, entry);
    if (entry.value.kind != Kind::string)
      symbols.add_parameter(entry.key, finite(document, entry.value, fmt::format("{}.{}", path, entry.key)), entry.place);
  }
  DerivedParameters(*table, path, symbols).read();
}

// The size in "theta[200]", which may be a parameter or a little arithmetic: "theta[N+1]".
long family_size(const SymbolTable& symbols, const Value& value, const std::string& path, std::size_t open) {
  const Document& document = symbols.document();
  const std::string inside = value.string.substr(open + 1, value.string.size() - open - 2);
  const std::string before = "i = 0..";
  long size = 0;
  try {
    const auto ranges = expr::parse_ranges(before + inside, symbols.integers);
    if (ranges.size() != 1) document.fail(value.place, fmt::format("{} must be \"name\" or \"name[size]\"", path));
    size = ranges.front().last({});
  } catch (const expr::SyntaxError& error) {
    const std::size_t offset = error.offset > before.size() ? error.offset - before.size() : 0;
    document.fail(document.inside(value, open + 1 + offset, error.length),
                  fmt::format("{} in the size of {}", error.what(), path), error.hint);
  }
  if (size < 1 || size > most_coordinates)
    document.fail(
        document.inside(value, open + 1, inside.size()),
        fmt::format("the size of {} is {}; it must lie between 1 and {}", value.string.substr(0, open), size, most_coordinates));
  return size;
}

}  // namespace

DeclaredName declared_name(const SymbolTable& symbols, const Value& item, const std::string& path) {
  const Document& document = symbols.document();
  need_kind(document, item, path, Kind::string);
  const std::size_t open = item.string.find('[');
  DeclaredName out{item.string.substr(0, open), 1, open != std::string::npos, {}};
  if (out.indexed && !item.string.ends_with(']'))
    document.fail(item.place, fmt::format("{} must be \"name\" or \"name[size]\"", path));
  out.place = document.inside(item, 0, std::max<std::size_t>(out.name.size(), 1));
  if (out.indexed && item.string.substr(open) != "[*]") out.size = family_size(symbols, item, path, open);
  return out;
}

namespace {

// The number of coordinates that a matrix of the system says by its shape, or -1.
long size_of_matrices(const Section& system, const SymbolTable& symbols) {
  for (const char* key : {"mass", "stiffness", "damping"})
    if (const Value* matrix = system.find(key))
      if (const long n = rows_of(symbols, *matrix, system.path(key)); n >= 0) return n;
  return -1;
}

void read_coordinates(const Section& system, SymbolTable& symbols) {
  const Document& document = system.document();
  if (system.find("solid")) return;  // it refuses others beside it
  if (!system.find("coordinates")) {
    if (const long n = size_of_matrices(system, symbols); n > 0) {
      symbols.add_family("u", n, true, system.table().place);
      return;
    }
    if (system.find("bodies")) return;
  }
  const Value& list = system.need("coordinates");
  const std::string path = system.path("coordinates");
  need_kind(document, list, path, Kind::array);
  if (list.items.empty()) document.fail(list.place, fmt::format("{} is empty", path));
  for (const Value& item : list.items) {
    const std::string here = fmt::format("{}[{}]", path, symbols.families.size());
    DeclaredName declared = declared_name(symbols, item, here);
    if (item.string.ends_with("[*]")) {
      declared.size = size_of_matrices(system, symbols) - symbols.size();
      if (declared.size < 1)
        document.fail(item.place, fmt::format("{} takes its size from a matrix, and no matrix has rows for it", here),
                      "give system.mass or system.stiffness as a Matrix Market file, or write the size");
    }
    symbols.add_family(declared.name, declared.size, declared.indexed, declared.place);
    if (symbols.size() > most_coordinates) document.fail(item.place, fmt::format("more than {} coordinates", most_coordinates));
  }
}

std::vector<double> table_values(const SymbolTable& symbols, const Value& value, const std::string& path) {
  const Document& document = symbols.document();
  std::vector<double> values;
  if (value.kind == Kind::array) {
    for (const Value& item : value.items) values.push_back(scalar(symbols, item, fmt::format("{}[{}]", path, values.size())));
    if (values.empty()) document.fail(value.place, fmt::format("{} is empty", path));
    return values;
  }
  if (value.kind != Kind::table) wrong_type(document, value, path, "a list, or { csv = \"file.csv\", column = \"name\" }");
  const Section csv(document, value, path, keys_of_table("csv"));
  const Value& file = csv.need("csv");
  const Value& column = csv.need("column");
  need_kind(document, file, csv.path("csv"), Kind::string);
  need_kind(document, column, csv.path("column"), Kind::string);
  return read_csv_column(need_file(symbols, file, csv.path("csv")), column.string);
}

void read_tables(const Section& system, SymbolTable& symbols) {
  const Value* tables = system.find("tables");
  if (!tables) return;
  const std::string path = system.path("tables");
  need_kind(system.document(), *tables, path, Kind::table);
  for (const Entry& entry : tables->fields)
    symbols.add_table(entry.key, table_values(symbols, entry.value, fmt::format("{}.{}", path, entry.key)), entry.place);
}

}  // namespace

void read_names(const Section& system, SymbolTable& symbols) {
  read_definitions(system, symbols);
  read_parameters(system, symbols);
  read_coordinates(system, symbols);
  read_point_families(system, symbols);
  read_box(system, symbols);
  read_tables(system, symbols);
  read_signals(system, symbols);
}

}  // namespace actio::io
