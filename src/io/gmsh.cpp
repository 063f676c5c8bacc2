#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gmsh_cells.hpp"
#include "gmsh_input.hpp"
#include "mesh_builder.hpp"
#include "mesh_formats.hpp"
#include "number.hpp"

// Geuzaine, Remacle, Gmsh reference manual: "MSH file format" (4.1) and "MSH file format version 2 (Legacy)".
namespace actio::io {
namespace {

class Gmsh {
 public:
  Gmsh(const std::string& bytes, const std::string& path)
      : in_(bytes, path), mesh_([this](const std::string& message) { in_.fail(message); }) {}

  system::Mesh read() {
    std::string_view line;
    while (in_.line(line)) {
      if (line.empty()) continue;
      if (!line.starts_with('$')) in_.fail("a section, $Nodes or such, expected");
      const std::string name(line.substr(1));
      if (name.starts_with("End")) in_.fail(fmt::format("{} without a beginning", line));
      if (name == "MeshFormat") {
        format();
      } else if (version_ == 0) {
        in_.skip_to_end_of(name);
        continue;
      } else if (name == "PhysicalNames") {
        names();
      } else if (name == "Entities" && version_ == 4) {
        entities();
      } else if (name == "PartitionedEntities") {
        in_.fail("the mesh is partitioned", "save it in one part");
      } else if (name == "Nodes") {
        nodes();
      } else if (name == "Elements") {
        if (!mesh_.has_nodes()) in_.fail("$Elements before $Nodes");
        if (has_elements_) in_.fail("a second $Elements");
        has_elements_ = true;
        version_ == 2 ? elements2() : elements4();
      } else {
        in_.skip_to_end_of(name);
        continue;
      }
      in_.expect_end_of(name);
    }
    if (version_ == 0) in_.fail("there is no $MeshFormat");
    if (!mesh_.has_nodes()) in_.fail("there is no $Nodes");
    if (!has_elements_) in_.fail("there is no $Elements");
    if (version_ == 2) mesh_.merge_equal_cells();  // an element of several physical groups is written once for each
    return mesh_.finish();
  }

 private:
  // version file-type data-size; in a binary file then the integer 1
  void format() {
    if (version_ > 0) in_.fail("a second $MeshFormat");
    const std::string_view line = in_.line_with("the version");
    const std::size_t first = std::min(line.find(' '), line.size()), second = std::min(line.find(' ', first + 1), line.size());
    const std::string_view version = line.substr(0, first);
    const auto type = first < line.size() ? to_number<int>(line.substr(first + 1, second - first - 1)) : std::nullopt;
    const auto size = second < line.size() ? to_number<int>(line.substr(second + 1)) : std::nullopt;
    if (!type || !size) in_.fail("three numbers expected: version, 0 for text or 1 for binary, 8");
    if (version == "4.1")
      version_ = 4;
    else if (version == "2" || version == "2.0" || version == "2.1" || version == "2.2")
      version_ = 2;
    else
      in_.fail(fmt::format("version {} of the format cannot be read", version),
               "save the mesh as 4.1 or 2.2: gmsh -format msh41");
    if (*type != 0 && *type != 1) in_.fail(fmt::format("file type {}; 0 is text, 1 is binary", *type));
    if (*size != 8 && (*size != 4 || version_ == 2)) in_.fail(fmt::format("data size {}; 8 expected", *size));
    if (*type == 0) return;
    in_.binary(*size);
    const std::int64_t one = in_.integer("the integer 1, which gives the byte order");
    if (one == 0x01000000)
      in_.swap();
    else if (one != 1)
      in_.fail(fmt::format("the integer 1, which gives the byte order, is {}", one));
  }

  // dimension tag "name"
  void names() {
    const std::string_view first = in_.line_with("the number of physical names");
    const auto count = to_number<long>(first);
    if (!count || *count < 0) in_.fail("the number of physical names expected");
    for (long k = 0; k < *count; ++k) {
      const std::string_view line = in_.line_with("all physical names");
      const std::size_t space = std::min(line.find(' '), line.size());
      const std::size_t open = std::min(line.find('"'), line.size()), close = std::min(line.rfind('"'), line.size());
      const std::size_t from = std::min(line.find_first_not_of(' ', space), open);
      std::size_t to = open;
      while (to > from && line[to - 1] == ' ') --to;
      const auto dimension = to_number<int>(line.substr(0, space));
      const auto tag = to_number<std::int64_t>(line.substr(from, to - from));
      if (!dimension || !tag || open == close) in_.fail("a dimension, a number and a name in quotes expected");
      if (*dimension < 0 || *dimension > 3) in_.fail(fmt::format("dimension {}", *dimension));
      mesh_.name_group(*dimension, *tag, std::string(line.substr(open + 1, close - open - 1)));
    }
  }

  // 4.1: the physical groups of points, curves, surfaces and volumes
  void entities() {
    std::array<std::int64_t, 4> counts{};
    for (auto& n : counts) n = in_.count("the number of entities");
    for (int dimension = 0; dimension < 4; ++dimension) {
      for (std::int64_t k = 0; k < counts[static_cast<std::size_t>(dimension)]; ++k) {
        const std::int64_t tag = in_.integer("the number of an entity");
        for (int i = 0; i < (dimension == 0 ? 3 : 6); ++i) (void)in_.real("the box of an entity");
        const std::int64_t groups = in_.count("the number of physical groups");
        in_.must_hold(groups, 1, 4, "physical groups");
        auto& of_entity = groups_[{dimension, tag}];
        for (std::int64_t g = 0; g < groups; ++g) of_entity.push_back(magnitude(in_.integer("a physical group")));
        if (dimension > 0) in_.skip_integers(in_.count("the number of bounding entities"), "bounding entities");
      }
    }
  }

  void nodes() {
    if (mesh_.has_nodes()) in_.fail("a second $Nodes");
    if (version_ == 2) {
      const std::int64_t count = number_on_a_line("the number of nodes");
      in_.must_hold(count, 4, 28, "nodes");
      mesh_.reserve_nodes(count);
      for (std::int64_t k = 0; k < count; ++k) {
        const std::int64_t tag = in_.integer("the number of a node");
        node(tag, 0);
      }
    } else {
      const std::int64_t blocks = in_.count("the number of blocks"), count = in_.count("the number of nodes");
      (void)in_.count("the least number of a node");
      (void)in_.count("the largest number of a node");
      in_.must_hold(count, 4, 28, "nodes");
      mesh_.reserve_nodes(count);
      std::vector<std::int64_t> tags;
      for (std::int64_t b = 0; b < blocks; ++b) {
        const std::int64_t dimension = in_.integer("the dimension of an entity");
        if (dimension < 0 || dimension > 3) in_.fail(fmt::format("dimension {}", dimension));
        (void)in_.integer("the number of an entity");
        const std::int64_t parametric = in_.integer("whether nodes have parameters");
        if (parametric != 0 && parametric != 1)
          in_.fail(fmt::format("whether nodes have parameters must be 0 or 1, not {}", parametric));
        const std::int64_t here = in_.count("the number of nodes of an entity");
        if (here > count - mesh_.node_count()) in_.fail(fmt::format("more nodes than the {} that $Nodes begins with", count));
        tags.resize(static_cast<std::size_t>(here));
        for (auto& tag : tags) tag = in_.count("the number of a node");
        for (const std::int64_t tag : tags) node(tag, parametric == 1 ? dimension : 0);
      }
      if (mesh_.node_count() != count)
        in_.fail(fmt::format("{} nodes; $Nodes begins with a count of {}", mesh_.node_count(), count));
    }
    mesh_.finish_nodes();
  }

  void node(std::int64_t tag, std::int64_t parameters) {
    const double x = in_.real("x of a node"), y = in_.real("y of a node"), z = in_.real("z of a node");
    for (std::int64_t k = 0; k < parameters; ++k) (void)in_.real("a parameter of a node");
    mesh_.add_node(tag, x, y, z);
  }

  // number type count-of-tags tags... nodes...; the first tag is the physical group, 0 for none. Binary: blocks of equal elements
  // after type, how many, count of tags.
  void elements2() {
    const std::int64_t count = number_on_a_line("the number of elements");
    in_.must_hold(count, 4, 8, "elements");
    for (std::int64_t k = 0; k < count;) {
      std::int64_t type = 0, here = 1, tags = 0;
      const auto head = [&] {
        type = in_.integer("the type of an element");
        choose(type);
        if (in_.is_binary()) here = in_.integer("the number of elements of one type");
        if (here < 1 || here > count - k) in_.fail(fmt::format("{} elements; {} are left of the {}", here, count - k, count));
        tags = in_.integer("the number of tags");
        in_.must_hold(tags, 1, 4, "tags");
      };
      if (in_.is_binary()) head();
      for (std::int64_t e = 0; e < here; ++e, ++k) {
        const std::int64_t number = in_.integer("the number of an element");
        if (!in_.is_binary()) head();
        const std::int64_t group = tags > 0 ? magnitude(in_.integer("a physical group")) : 0;
        if (tags > 1) in_.skip_integers(tags - 1, "tags");
        for (auto& n : nodes_) n = in_.integer("a node of an element");
        if (!kind_.cell) continue;
        const auto where = mesh_.add_cell(*kind_.cell, number, nodes_, kind_.order);
        if (group != 0) mesh_.add_to_group(system::dimension_of(*kind_.cell), group, where);
      }
    }
  }

  // blocks of equal elements of one entity: dimension, entity, type, how many; then number nodes...
  void elements4() {
    const std::int64_t blocks = in_.count("the number of blocks"), count = in_.count("the number of elements");
    (void)in_.count("the least number of an element");
    (void)in_.count("the largest number of an element");
    in_.must_hold(count, 2, 8, "elements");
    std::int64_t done = 0;
    static const std::vector<std::int64_t> none;
    for (std::int64_t b = 0; b < blocks; ++b) {
      const auto dimension = static_cast<int>(in_.integer("the dimension of an entity"));
      const std::int64_t entity = in_.integer("the number of an entity");
      choose(in_.integer("the type of elements"));
      if (kind_.cell && dimension != system::dimension_of(*kind_.cell))
        in_.fail(fmt::format("a {} in an entity of dimension {}", system::name_of(*kind_.cell), dimension));
      const std::int64_t here = in_.count("the number of elements of an entity");
      if (here > count - done) in_.fail(fmt::format("more elements than the {} that $Elements begins with", count));
      const auto found = groups_.find({dimension, entity});
      const auto& groups = found == groups_.end() ? none : found->second;
      for (std::int64_t e = 0; e < here; ++e, ++done) {
        const std::int64_t number = in_.count("the number of an element");
        for (auto& n : nodes_) n = in_.count("a node of an element");
        if (!kind_.cell) continue;
        const auto where = mesh_.add_cell(*kind_.cell, number, nodes_, kind_.order);
        for (const std::int64_t group : groups) mesh_.add_to_group(dimension, group, where);
      }
    }
    if (done != count) in_.fail(fmt::format("{} elements; $Elements begins with a count of {}", done, count));
  }

  // The kind of the elements that follow.
  void choose(std::int64_t type) {
    const auto kind = gmsh_kind(type);
    if (!kind)
      in_.fail(fmt::format("{} cannot be read", gmsh_kind_name(type)),
               "solids are tetrahedra of 4 or 10 nodes and hexahedra of 8, 20 or 27");
    kind_ = *kind;
    nodes_.resize(static_cast<std::size_t>(kind_.nodes));
  }

  std::int64_t number_on_a_line(std::string_view what) {
    const auto n = to_number<std::int64_t>(in_.line_with(what));
    if (!n || *n < 0) in_.fail(fmt::format("{} expected", what));
    return *n;
  }
  // Groups have a sign where elements are turned round.
  static std::int64_t magnitude(std::int64_t tag) { return tag < 0 && tag > INT64_MIN ? -tag : tag; }

  GmshInput in_;
  MeshBuilder mesh_;
  int version_ = 0;  // 2 or 4
  bool has_elements_ = false;
  std::map<std::pair<int, std::int64_t>, std::vector<std::int64_t>> groups_;  // of an entity: dimension, number
  GmshKind kind_;
  std::vector<std::int64_t> nodes_;  // of one element
};

}  // namespace

system::Mesh read_gmsh(const std::string& bytes, const std::string& path) { return Gmsh(bytes, path).read(); }

}  // namespace actio::io
