#include <set>

#include <fmt/format.h>
#include <actio/expr/operations.hpp>

#include "elements.hpp"
#include "equals.hpp"
#include "parts.hpp"
#include "values.hpp"

// [[system.contact]]: gaps that stay at or above 0, and the restitution of their impacts.
namespace actio::io {
namespace {

class ContactReader {
 public:
  ContactReader(const SymbolTable& symbols, system::Model& model)
      : symbols_(symbols), document_(symbols.document()), model_(model), fixed_(static_cast<std::size_t>(symbols.size())) {
    for (const std::int32_t i : model.fixed_dofs) fixed_[static_cast<std::size_t>(i)] = true;
  }

  void read(const Value& item, const std::string& path) {
    if (item.kind != Kind::table) wrong_type(document_, item, path, "a table with gap and restitution");
    const Section section(document_, item, path, keys_of_table("system.contact"));
    const Value *over = section.find("over"), *periodic = section.find("periodic");
    if (periodic && periodic->kind != Kind::boolean) wrong_type(document_, *periodic, section.path("periodic"), "true or false");
    const bool wraps = periodic && periodic->integer == 1;
    const Elements elements = over ? read_elements(symbols_, *over, section.path("over"), wraps) : Elements{{}, wraps, 1};
    system::Contact contact = named<system::Contact>(name_of(section), gap(section, elements));
    contact.restitution = restitution(section);
    model_.contacts.push_back(std::move(contact));
  }

 private:
  std::string name_of(const Section& section) {
    const Value* given = section.find("name");
    if (!given) return fmt::format("contact {}", model_.contacts.size());
    need_kind(document_, *given, section.path("name"), Kind::string);
    if (given->string.empty() || given->string.size() > 200)
      document_.fail(given->place, "the name of a contact has 1 to 200 characters");
    if (!names_.insert(given->string).second)
      document_.fail(given->place, fmt::format("two contacts are named \"{}\"", given->string));
    return given->string;
  }

  Batch gap(const Section& section, const Elements& elements) {
    const Value& text = section.need("gap");
    const std::string path = section.path("gap");
    need_kind(document_, text, path, Kind::string);
    refuse_equals(document_, text, path);
    std::vector<std::string> loops;
    for (const auto& range : elements.ranges) loops.push_back(range.name);
    const Expression expression(
        symbols_, text, path, loops,
        {true, false, false, false, "a gap is a function of positions alone: where it comes to 0 is found, and its rate follows",
         false, false, "a gap is a function of positions alone"});
    if (expr::is_boolean(expression.graph[expression.value].op))
      document_.fail(text.place, fmt::format("{} is a comparison", path), "write what stays at or above 0: for y > r, \"y - r\"");
    if (expr::is_nonnegative(expression.graph, expression.value))
      document_.fail(text.place, fmt::format("{} is never below 0, so nothing would ever touch", path),
                     "a gap changes its sign where two things would overlap: for a distance, \"distance(a, b) - 2*r\"");
    Batch batch = assemble(expression, elements, 0);
    if (batch.locals == 0) document_.fail(text.place, fmt::format("{} depends on no coordinate", path));
    count_ += batch.elements;
    if (count_ > most_gaps)
      document_.fail(text.place, fmt::format("there are more than {} gaps, each of which every step looks at", most_gaps));
    refuse_held(batch, text, path);
    return batch;
  }

  void refuse_held(const Batch& batch, const Value& text, const std::string& path) const {
    for (long e = 0; e < batch.elements; ++e) {
      bool held = true;
      for (long l = 0; l < batch.locals && held; ++l)
        held = fixed_[static_cast<std::size_t>(batch.dofs[static_cast<std::size_t>(l * batch.elements + e)])];
      if (held)
        document_.fail(text.place, fmt::format("{} depends on fixed coordinates alone", path),
                       "a coordinate in system.fixed never moves, and nothing can come to touch");
    }
  }

  double restitution(const Section& section) const {
    const Value* given = section.find("restitution");
    if (!given) return 1;
    const double e = scalar(symbols_, *given, section.path("restitution"));
    if (!(e >= 0 && e <= 1))
      document_.fail(given->place, fmt::format("{} is {}; it is from 0 to 1", section.path("restitution"), e),
                     "it is how fast things part over how fast they met: 1 loses no energy, 0 all of that of the impact");
    return e;
  }

  static constexpr long most_gaps = 1'000'000;
  const SymbolTable& symbols_;
  const Document& document_;
  system::Model& model_;
  std::vector<bool> fixed_;
  std::set<std::string> names_;
  long count_ = 0;
};

}  // namespace

void read_contacts(const Section& system, const SymbolTable& symbols, system::Model& model) {
  const Value* list = system.find("contact");
  if (!list) return;
  const std::string path = system.path("contact");
  if (list->kind != Kind::array) wrong_type(system.document(), *list, path, "a list of tables, each headed [[system.contact]]");
  ContactReader reader(symbols, model);
  for (std::size_t k = 0; k < list->items.size(); ++k) reader.read(list->items[k], fmt::format("{}[{}]", path, k));
}

}  // namespace actio::io
