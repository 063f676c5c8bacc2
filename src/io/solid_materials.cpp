#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <actio/expr/kernel.hpp>
#include <actio/system/materials.hpp>

#include "solids.hpp"
#include "values.hpp"

// Materials of a solid, by group.
namespace actio::io {
namespace {

using system::SolidPart;

class Material {
 public:
  Material(const SolidFile& file, const Quantities& quantities, Section section)
      : file_(file), quantities_(quantities), section_(std::move(section)) {}

  SolidPart read() const {
    SolidPart part;
    if (const Value* group = section_.find("group")) {
      part.cells = file_.cells(section_, 3);
      part.name = group->kind == Kind::string ? group->string : section_.path();
    } else {
      for (std::size_t b = 0; b < file_.mesh->blocks.size(); ++b)
        if (system::dimension_of(file_.mesh->blocks[b].cell) == 3)
          for (std::int32_t c = 0; c < file_.mesh->blocks[b].size(); ++c)
            part.cells.emplace_back(static_cast<std::int32_t>(b), c);
      part.name = file_.name;
    }
    part.density = positive_quantity("density", of_density);
    if (const Value* viscosity = section_.find("viscosity")) {
      part.viscosity = quantities_.read(*viscosity, section_.path("viscosity"), of_viscosity);
      if (!(part.viscosity >= 0)) document().fail(viscosity->place, "a viscosity is not negative");
    }
    const bool both = section_.find("model") && section_.find("energy");
    if (both) document().fail(section_.place_of("energy"), fmt::format("{} has both a model and an energy", section_.path()));
    if (section_.find("energy"))
      written(part);
    else
      named(part);
    return part;
  }

 private:
  const Document& document() const { return file_.document(); }
  double quantity(const char* key, const Dimension& dimension) const {
    return quantities_.read(section_.need(key), section_.path(key), dimension);
  }
  double positive_quantity(const char* key, const Dimension& dimension) const {
    const double x = quantity(key, dimension);
    if (!(x > 0)) document().fail(section_.need(key).place, fmt::format("{} is {}; it must be positive", section_.path(key), x));
    return x;
  }
  // Constants that belong to another model are a slip.
  void only(std::initializer_list<std::string_view> wanted, const std::string& model) const {
    for (const char* key : {"E", "nu", "C10", "C01", "bulk"})
      if (section_.find(key) && std::ranges::find(wanted, key) == wanted.end())
        document().fail(section_.place_of(key), fmt::format("{} takes no {}", model, key),
                        wanted.size() == 0 ? "" : fmt::format("it takes {}", fmt::join(wanted, ", ")));
  }

  void named(SolidPart& part) const {
    const Value& value = section_.need("model");
    need_kind(document(), value, section_.path("model"), Kind::string);
    const std::string& model = value.string;
    if (const std::vector<std::string> models = kinds_of("material"); std::ranges::find(models, model) == models.end()) {
      std::string hint = core::did_you_mean(model, models);
      if (hint.empty()) hint = fmt::format("the models are {}; energy = \"...\" is any other", fmt::join(models, ", "));
      document().fail(value.place, fmt::format("{}: there is no material \"{}\"", section_.path("model"), model), hint);
    }
    expr::Graph& g = part.graph;
    const system::Deformation d = system::deformation(g);
    if (model == "mooney-rivlin") {
      only({"C10", "C01", "bulk"}, model);
      const double C10 = quantity("C10", of_pressure), C01 = quantity("C01", of_pressure);
      if (!(C10 + C01 > 0)) document().fail(section_.need("C10").place, "C10 + C01, half the shear modulus, must be positive");
      part.energy = system::mooney_rivlin(g, d, C10, C01, positive_quantity("bulk", of_pressure));
      return;
    }
    only({"E", "nu"}, model);
    const double E = positive_quantity("E", of_pressure), nu = quantity("nu", pure_number);
    if (!(nu > -1 && nu < 0.5))
      document().fail(section_.need("nu").place, fmt::format("{} is {}; it must lie between -1 and 0.5", section_.path("nu"), nu),
                      nu == 0.5 ? "a material without any change of volume has no finite stiffness: 0.49" : "");
    const system::Lame lame = system::lame_of(E, nu);
    part.energy = model == "linear-elastic"        ? system::linear_elastic(g, d, lame)
                  : model == "st-venant-kirchhoff" ? system::st_venant_kirchhoff(g, d, lame)
                                                   : system::neo_hookean(g, d, lame);
  }

  void written(SolidPart& part) const {
    only({}, "an energy");
    const Value& text = section_.need("energy");
    const std::string path = section_.path("energy");
    const system::Deformation d = system::deformation(part.graph);
    std::vector<std::string> names{"J", "I1", "I2"};
    std::vector<expr::Id> nodes{d.J, d.I1, d.I2};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t K = 0; K < 3; ++K) {
        names.push_back(fmt::format("F{}{}", i + 1, K + 1));
        nodes.push_back(d.F[3 * i + K]);
      }
    OfField allowed{false, false, false, "an energy density depends on F11 to F33, J, I1, I2 and parameters"};
    part.energy = read_with_names(file_.symbols, text, path, names, nodes, allowed, part.graph);
    if (expr::columns_of(part.graph, part.energy).empty())
      document().fail(text.place, fmt::format("{} does not depend on the deformation", path),
                      "it is an expression of F11 to F33, J, I1 and I2");
    const std::array sources{expr::KernelSource{"energy", &part.graph, {part.energy}, false, 9, 9}};
    expr::CompileOptions options;
    options.compiler = "none";
    std::vector<double> uniforms{0};
    uniforms.insert(uniforms.end(), file_.symbols.parameters.begin(), file_.symbols.parameters.end());
    uniforms.resize(uniforms.size() + file_.symbols.signals.size(), 0);
    const std::array<double, 9> unit{1, 0, 0, 0, 1, 0, 0, 0, 1};
    double at_rest = 0;
    expr::Module::build(sources, options).single(0)(uniforms.data(), unit.data(), unit.data(), &at_rest);
    if (!std::isfinite(at_rest)) document().fail(text.place, fmt::format("{} is not finite at rest, F = 1", path));
  }

  const SolidFile& file_;
  const Quantities& quantities_;
  Section section_;
};

// A material and where it is written.
struct Written {
  std::string path;
  Place place;  // of its group, or the whole
  std::vector<std::string> groups;
};

Written written_at(const Section& section) {
  Written out{section.path(), section.table().place, {}};
  const Value* group = section.find("group");
  if (!group) return out;
  out.place = group->place;
  if (group->kind == Kind::string) out.groups = {group->string};
  for (const Value& one : group->items) out.groups.push_back(one.string);
  return out;
}

// `cell` is of the material `second`, and was of `first` already.
[[noreturn]] void two_materials(const SolidFile& file, const Written& first, const Written& second,
                                system::Cells::value_type cell) {
  const auto quoted = [](const Written& w) {
    return w.groups.empty() ? std::string("all elements") : fmt::format("\"{}\"", fmt::join(w.groups, "\", \""));
  };
  constexpr std::string_view hint = "each element has one material";
  for (const std::string& group : second.groups)
    if (std::ranges::find(first.groups, group) != first.groups.end())
      file.document().fail(second.place,
                           fmt::format("the group \"{}\" has two materials, {} and {}", group, first.path, second.path), hint);
  const auto& numbers = file.mesh->blocks[static_cast<std::size_t>(cell.first)].numbers;
  const std::string which =
      numbers.empty() ? "an element" : fmt::format("element {} of the mesh file", numbers[static_cast<std::size_t>(cell.second)]);
  file.document().fail(
      second.place,
      fmt::format("{} is in both {} ({}) and {} ({})", which, first.path, quoted(first), second.path, quoted(second)), hint);
}

// Every element of dimension 3 is in one material.
void need_one_each(const SolidFile& file, const std::vector<SolidPart>& parts, const std::vector<Written>& written) {
  const system::Mesh& mesh = *file.mesh;
  std::vector<std::vector<int>> of(mesh.blocks.size());
  for (std::size_t b = 0; b < of.size(); ++b)
    of[b].assign(static_cast<std::size_t>(system::dimension_of(mesh.blocks[b].cell) == 3 ? mesh.blocks[b].size() : 0), -1);
  for (std::size_t k = 0; k < parts.size(); ++k)
    for (const auto& [b, c] : parts[k].cells) {
      int& material = of[static_cast<std::size_t>(b)][static_cast<std::size_t>(c)];
      if (material >= 0 && material != static_cast<int>(k))
        two_materials(file, written[static_cast<std::size_t>(material)], written[k], {b, c});
      material = static_cast<int>(k);
    }
  long without = 0;
  for (const auto& block : of) without += std::ranges::count(block, -1);
  if (without == 0) return;
  std::vector<std::string> unused;
  for (const auto& group : mesh.groups)
    if (group.dimension == 3 && std::ranges::any_of(group.cells, [&](const auto& c) {
          return of[static_cast<std::size_t>(c.first)][static_cast<std::size_t>(c.second)] < 0;
        }))
      unused.push_back(group.name);
  file.document().fail(file.section.place_of("material"),
                       fmt::format("{} {} of {} {} no material", without, plural(without, "element", "elements"), file.name,
                                   plural(without, "has", "have")),
                       unused.empty() ? "" : fmt::format("they are in {}", fmt::join(unused, ", ")));
}

}  // namespace

std::vector<SolidPart> read_materials(const SolidFile& file, const Quantities& quantities) {
  std::vector<SolidPart> parts;
  std::vector<Written> written;
  (void)file.section.need("material");
  file.for_each("material", keys_of_table("system.solid.material"), [&](const Section& section) {
    parts.push_back(Material(file, quantities, section).read());
    written.push_back(written_at(section));
  });
  need_one_each(file, parts, written);
  return parts;
}

}  // namespace actio::io
