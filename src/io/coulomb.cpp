#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <actio/system/ewald.hpp>
#include <actio/system/pairs.hpp>

#include "excluded_pairs.hpp"
#include "parts.hpp"
#include "values.hpp"

// Coulomb energies of points in a box with three periods, by an Ewald sum: pairs that are near and those that are excluded become
// terms, the sum over waves becomes callbacks (system/ewald.hpp).
namespace actio::io {
namespace {

constexpr double neutral = 1e-10;  // of the sum of |q|
constexpr long most_modes = 1000;

class CoulombReader {
 public:
  CoulombReader(const Section& section, const SymbolTable& symbols, std::string name, system::Model& model)
      : section_(section), document_(section.document()), symbols_(symbols), name_(std::move(name)), model_(model) {}

  system::EwaldSum read() {
    const PointFamily& points = read_points_of_it();
    system::EwaldSum sum;
    sum.name = name_;
    for (std::size_t a = 0; a < 3; ++a)
      sum.axes[a] = {symbols_.coordinate_of(points, a, 0), points.axes[a].step, symbols_.box[a]};
    sum.charges = read_charges(points);
    sum.constant = number("constant", 1);
    const double cutoff = read_cutoff();
    choose(cutoff, sum);
    const std::optional<Expression> exclude = read_exclusion();
    add_near(points, sum, cutoff);
    if (exclude) add_excluded(points, sum, *exclude);
    return sum;
  }

 private:
  // A positive number or expression of parameters.
  double number(const char* key, std::optional<double> otherwise = {}) const {
    const Value* given = otherwise ? section_.find(key) : &section_.need(key);
    if (!given) return *otherwise;
    const double x = scalar(symbols_, *given, section_.path(key));
    if (!(x > 0)) document_.fail(given->place, fmt::format("{} is {}; it must be positive", section_.path(key), x));
    return x;
  }

  const PointFamily& read_points_of_it() const {
    const Value& value = section_.need("points");
    const std::string path = section_.path("points");
    need_kind(document_, value, path, Kind::string);
    const SymbolTable::Definition* found = symbols_.find(value.string);
    if (!found || found->meaning != Meaning::point) {
      std::vector<std::string> names;
      for (const PointFamily& points : symbols_.points) names.push_back(points.name);
      document_.fail(value.place, fmt::format("{}: there are no points \"{}\"", path, value.string),
                     names.empty() ? "[system.points] atom = [\"x\", \"y\", \"z\"] groups coordinates to points"
                                   : core::did_you_mean(value.string, names));
    }
    const PointFamily& points = symbols_.points[static_cast<std::size_t>(found->which)];
    const bool box = symbols_.box.size() == 3 && std::ranges::all_of(symbols_.box, [](double length) { return length > 0; });
    if (!box)
      document_.fail(section_.table().place,
                     fmt::format("{} is a sum over all images in a box, which needs three periods, and {}", section_.path(),
                                 symbols_.box.empty()       ? "there is no box"
                                 : symbols_.box.size() == 3 ? "the box goes on along an axis"
                                                            : "the box is of a plane"),
                     "system.box = [Lx, Ly, Lz]; without periods a term with K*q*q/r adds up all pairs");
    if (points.count < 2) document_.fail(value.place, fmt::format("{}: {} is a single point", path, points.name));
    return points;
  }

  std::vector<double> read_charges(const PointFamily& points) const {
    const Value& value = section_.need("charge");
    const std::string path = section_.path("charge");
    const std::vector<double> charges =
        per_index(symbols_, value, path, points.count, fmt::format("{} has {} points", points.name, points.count));
    double sum = 0, size = 0;
    for (const double q : charges) {
      sum += q;
      size += std::abs(q);
    }
    if (size == 0) document_.fail(value.place, fmt::format("{} is 0 for all points", path));
    if (std::abs(sum) > neutral * size)
      document_.fail(value.place, fmt::format("{} adds up to {:.6g}; with all images that has no finite energy", path, sum),
                     "the charges in a box must add up to 0");
    return charges;
  }

  double read_cutoff() const {
    const double cutoff = number("cutoff");
    for (std::size_t a = 0; a < 3; ++a)
      if (cutoff > 0.5 * symbols_.box[a])
        document_.fail(section_.need("cutoff").place,
                       fmt::format("{} is {}, more than half of the box, which is {} along axis {}", section_.path("cutoff"),
                                   cutoff, symbols_.box[a], a + 1),
                       "a smaller cutoff takes a larger alpha, and more modes");
    return cutoff;
  }

  void choose(double cutoff, system::EwaldSum& sum) const {
    const double accuracy = number("accuracy", 1e-6);
    if (!(accuracy < 0.1))
      document_.fail(section_.need("accuracy").place,
                     fmt::format("{} is {}; it is a relative error, as 1e-6", section_.path("accuracy"), accuracy));
    system::EwaldErrors errors{1, 0};
    double longest = 0;
    for (const system::NearPairs::Axis& axis : sum.axes) {
      errors.volume *= axis.period;
      longest = std::max(longest, axis.period);
    }
    errors.charges = static_cast<double>(std::ranges::count_if(sum.charges, [](double q) { return q != 0; }));
    sum.alpha = number("alpha", system::alpha_of(errors, cutoff, accuracy));
    if (const Value* modes = section_.find("modes")) {
      sum.modes = integer(document_, *modes, section_.path("modes"), 1, most_modes);
      return;
    }
    sum.modes = system::modes_of(errors, sum.alpha, longest, accuracy, most_modes + 1);
    if (sum.modes > most_modes)
      document_.fail(section_.table().place, fmt::format("{} needs more than {} modes", section_.path(), most_modes),
                     "a larger cutoff takes a smaller alpha, and fewer modes");
  }

  std::optional<Expression> read_exclusion() const {
    const Value* given = section_.find("exclude");
    if (!given) return {};
    need_kind(document_, *given, section_.path("exclude"), Kind::string);
    for (const char* index : {"i", "j"}) symbols_.check_local(index, "an index of " + section_.path("exclude"), given->place);
    std::optional<Expression> out(std::in_place, symbols_, *given, section_.path("exclude"), std::vector<std::string>{"i", "j"},
                                  Allowed{false, false, false, false, "what is excluded depends on the indices alone"});
    need_same_for_all(*out);
    return out;
  }

  std::string free_name(std::string name) const {
    while (symbols_.find(name)) name += '_';
    return name;
  }
  // Text of our own, where the table of the sum is.
  Value text(std::string words) const {
    Value out;
    out.kind = Kind::string;
    out.string = std::move(words);
    out.place = section_.table().place;
    return out;
  }

  // K q_i q_j erfc(alpha r)/r, as a term of the file would be.
  void add_near(const PointFamily& points, const system::EwaldSum& sum, double cutoff) const {
    SymbolTable symbols = symbols_;
    const std::string charge = free_name("charge");
    symbols.add_table(charge, sum.charges, section_.table().place);
    const Value* const exclude = section_.find("exclude");
    const std::string i = exclude ? "i" : free_name("i"), j = exclude ? "j" : free_name("j");
    std::string of = fmt::format("{}, {} = pairs({}, cutoff = {:.17g}", i, j, points.name, cutoff);
    if (const Value* skin = section_.find("skin")) {
      const double given = scalar(symbols_, *skin, section_.path("skin"));
      if (!(given >= 0)) document_.fail(skin->place, fmt::format("{} is {}, not 0 or more", section_.path("skin"), given));
      of += fmt::format(", skin = {:.17g}", given);
    }
    const Value over = text(of + ")");
    Elements elements = read_elements(symbols, over, section_.path("cutoff"), false);
    const Allowed allowed{true, false, false, false, "what is excluded depends on the indices alone"};
    if (exclude)
      elements.near->exclude =
          std::make_shared<const Expression>(symbols, *exclude, section_.path("exclude"), std::vector<std::string>{"i", "j"},
                                             Allowed{false, false, false, false, allowed.why});
    const Value potential =
        text(fmt::format("{0:.17g}*{1}[{2}]*{1}[{3}]*erfc({4:.17g}*distance({5}[{2}], {5}[{3}]))/distance({5}[{2}], {5}[{3}])",
                         sum.constant, charge, i, j, sum.alpha, points.name));
    const Expression expression(symbols, potential, section_.path(), {i, j}, allowed);
    Batch batch = assemble_potential(expression, elements);
    auto pairs = std::make_shared<system::Pairs>(*batch.pairs);
    pairs->near->share = std::erfc(sum.alpha * cutoff);
    batch.pairs = std::move(pairs);
    model_.terms.push_back(named<system::Term>(name_, std::move(batch)));
  }

  // -K q_i q_j erf(alpha r)/r for pairs that do not interact.
  void add_excluded(const PointFamily& points, const system::EwaldSum& sum, const Expression& exclude) const {
    std::vector<std::pair<long, long>> pairs = pairs_where(exclude, points.count);
    const auto product = [&](const std::pair<long, long>& pair) {
      return sum.charges[static_cast<std::size_t>(pair.first)] * sum.charges[static_cast<std::size_t>(pair.second)];
    };
    std::erase_if(pairs, [&](const auto& pair) { return product(pair) == 0; });
    if (pairs.empty()) return;
    system::Term& term = model_.terms.emplace_back();
    term.name = name_ + ", excluded pairs";
    term.locals = 6;
    term.elements = static_cast<long>(pairs.size());
    std::vector<double>& products = term.data.emplace_back();
    for (const auto& pair : pairs) products.push_back(product(pair));
    expr::Graph& g = term.graph;
    expr::Id square = g.constant(0);
    for (int a = 0; a < 3; ++a) {
      const auto axis = static_cast<std::size_t>(a);
      for (const auto& pair : pairs)
        term.dofs.push_back(static_cast<std::int32_t>(symbols_.coordinate_of(points, axis, pair.first)));
      for (const auto& pair : pairs)
        term.dofs.push_back(static_cast<std::int32_t>(symbols_.coordinate_of(points, axis, pair.second)));
      const expr::Id d = nearest_image(g, g.sub(g.column(2 * a + 1), g.column(2 * a)), symbols_.box[axis]);
      square = g.add(square, g.mul(d, d));
    }
    const expr::Id r = g.unary(expr::Op::sqrt, square);
    term.value = g.neg(
        g.div(g.mul(g.mul(g.constant(sum.constant), g.column(6)), g.unary(expr::Op::erf, g.mul(g.constant(sum.alpha), r))), r));
  }

  const Section& section_;
  const Document& document_;
  const SymbolTable& symbols_;
  std::string name_;
  system::Model& model_;
};

}  // namespace

void read_coulomb(const Section& system, const SymbolTable& symbols, system::Model& model) {
  const Value* given = system.find("coulomb");
  if (!given) return;
  const Document& document = system.document();
  const std::string path = system.path("coulomb");
  if (system.find("library"))
    document.fail(system.place_of("coulomb"), fmt::format("{} cannot stand beside system.library", path),
                  "a library gives the whole potential of all coordinates: add the sum there, or write its energy as terms");
  if (system.find("equations"))
    document.fail(system.place_of("coulomb"), fmt::format("{} is an energy, and cannot stand beside system.equations", path));
  std::vector<system::EwaldSum> sums;
  const auto read = [&](const Value& table, const std::string& at, std::string name) {
    const Section section(document, table, at, keys_of_table("system.coulomb"));
    if (const Value* called = section.find("name")) {
      need_kind(document, *called, section.path("name"), Kind::string);
      name = called->string;
    }
    sums.push_back(CoulombReader(section, symbols, std::move(name), model).read());
  };
  if (given->kind == Kind::table) {
    read(*given, path, "Coulomb");
  } else if (given->kind == Kind::array) {
    for (std::size_t k = 0; k < given->items.size(); ++k)
      read(given->items[k], fmt::format("{}[{}]", path, k), fmt::format("Coulomb {}", k));
  } else {
    wrong_type(document, *given, path, "a table, [system.coulomb], or a list of tables, each headed [[system.coulomb]]");
  }
  if (!sums.empty()) model.callbacks = std::make_shared<const system::Callbacks>(system::callbacks_of(std::move(sums)));
}

}  // namespace actio::io
