#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "mesh_builder.hpp"
#include "mesh_formats.hpp"
#include "vtk_cells.hpp"
#include "vtu_arrays.hpp"

// Schroeder, Martin, Lorensen, The Visualization Toolkit, "VTK file formats": XML, UnstructuredGrid.
namespace actio::io {
namespace {

using pugi::xml_node;

class Vtu {
 public:
  Vtu(const std::string& bytes, const std::string& path)
      : file_(bytes, path, "UnstructuredGrid"), mesh_([this](const std::string& message) { file_.fail(at_, message); }) {}

  system::Mesh read() {
    at_ = file_.child(file_.root(), "UnstructuredGrid");
    const auto pieces = at_.children("Piece");
    for (const xml_node piece : pieces) points(piece);
    mesh_.finish_nodes();
    std::int64_t first = 0, first_cell = 0;
    for (const xml_node piece : pieces) {
      cells(piece, first, first_cell);
      first_cell += file_.count(piece, "NumberOfCells", most_cells);
      first += file_.count(piece, "NumberOfPoints", most_nodes);
    }
    at_ = file_.root();
    return mesh_.finish();
  }

 private:
  void points(xml_node piece) {
    const std::int64_t count = file_.count(piece, "NumberOfPoints", most_nodes);
    if (count == 0) return;
    const xml_node points = file_.child(piece, "Points");
    at_ = file_.child(points, "DataArray");
    if (std::string_view(at_.attribute("NumberOfComponents").as_string("1")) != "3") file_.fail(at_, "points have 3 components");
    const std::vector<double> places = file_.reals(at_, 3 * count);
    mesh_.reserve_nodes(count);
    for (std::size_t k = 0; k < places.size(); k += 3)
      mesh_.add_node(mesh_.node_count(), places[k], places[k + 1], places[k + 2]);
  }

  // Cell c has nodes connectivity[offsets[c-1]] .. connectivity[offsets[c] - 1], counted within the piece.
  // Of the pieces before there are `first` points and `first_cell` cells.
  void cells(xml_node piece, std::int64_t first, std::int64_t first_cell) {
    const std::int64_t count = file_.count(piece, "NumberOfCells", most_cells);
    if (count == 0) return;
    const std::int64_t points = file_.count(piece, "NumberOfPoints", most_nodes);
    const xml_node cells = file_.child(piece, "Cells");
    const auto array = [&](const char* name) {
      const xml_node found = VtuDocument::array(cells, name);
      if (!found) file_.fail(cells, fmt::format("<Cells> has no array \"{}\"", name));
      return found;
    };
    const xml_node of_types = array("types"), of_offsets = array("offsets"), of_nodes = array("connectivity");
    const std::vector<std::int64_t> types = file_.integers(of_types, count), ends = file_.integers(of_offsets, count);
    for (std::size_t c = 0; c < ends.size(); ++c)
      if (ends[c] < (c == 0 ? 0 : ends[c - 1])) file_.fail(of_offsets, fmt::format("offset {} is below the one before", c + 1));
    const std::vector<std::int64_t> connectivity = file_.integers(of_nodes, ends.back());
    std::vector<MeshBuilder::Where> where(ends.size(), {-1, -1});
    std::vector<int> dimension(ends.size(), 0);
    std::vector<std::int64_t> nodes;
    for (std::size_t c = 0; c < ends.size(); ++c) {
      const auto kind = vtk_kind(types[c]);
      if (!kind)
        file_.fail(of_types, fmt::format("{} cannot be read", vtk_kind_name(types[c])),
                   "solids are tetrahedra of 4 or 10 nodes and hexahedra of 8, 20 or 27");
      if (!kind->cell) continue;
      at_ = of_nodes;
      const std::int64_t begin = c == 0 ? 0 : ends[c - 1];
      if (ends[c] - begin != system::nodes_of(*kind->cell))
        file_.fail(of_offsets, fmt::format("cell {}, a {}, has {} nodes", c, system::name_of(*kind->cell), ends[c] - begin));
      nodes.assign(connectivity.begin() + begin, connectivity.begin() + ends[c]);
      for (auto& node : nodes) {
        if (node < 0 || node >= points) file_.fail(of_nodes, fmt::format("cell {} names point {} of {}", c, node, points));
        node += first;
      }
      where[c] = mesh_.add_cell(*kind->cell, first_cell + static_cast<std::int64_t>(c), nodes, kind->order);
      dimension[c] = system::dimension_of(*kind->cell);
    }
    groups(piece.child("CellData"), where, dimension);
  }

  // Arrays "group:NAME", not zero for the cells of NAME. Where there are none, numbers of groups.
  void groups(xml_node data, const std::vector<MeshBuilder::Where>& where, const std::vector<int>& dimension) {
    constexpr std::string_view prefix = "group:";
    const auto each = [&](xml_node array, const auto& add) {
      at_ = array;
      const std::vector<std::int64_t> values = file_.integers(array, static_cast<std::int64_t>(where.size()));
      for (std::size_t c = 0; c < where.size(); ++c)
        if (where[c].first >= 0) add(c, values[c]);
    };
    bool named = false;
    for (const xml_node array : data.children("DataArray")) {
      const std::string_view name = array.attribute("Name").value();
      if (!name.starts_with(prefix) || !whole(array)) continue;
      named = true;
      const auto number =
          static_cast<std::int64_t>(names_.try_emplace(std::string(name.substr(prefix.size())), names_.size()).first->second);
      for (int d = 0; d < 4; ++d) mesh_.name_group(d, number, std::string(name.substr(prefix.size())));
      each(array, [&](std::size_t c, std::int64_t value) {
        if (value != 0) mesh_.add_to_group(dimension[c], number, where[c]);
      });
    }
    if (named) return;
    for (const char* name : {"group", "gmsh:physical", "CellEntityIds"}) {
      const xml_node array = VtuDocument::array(data, name);
      if (!array || !whole(array)) continue;
      each(array, [&](std::size_t c, std::int64_t value) { mesh_.add_to_group(dimension[c], value, where[c]); });
      return;
    }
  }

  // One integer a cell.
  static bool whole(xml_node array) {
    return VtuDocument::has_integers(array) && std::string_view(array.attribute("NumberOfComponents").as_string("1")) == "1";
  }

  VtuDocument file_;
  xml_node at_;  // what is being read
  MeshBuilder mesh_;
  std::map<std::string, std::size_t> names_;  // of groups, numbered
};

}  // namespace

system::Mesh read_vtu(const std::string& bytes, const std::string& path) { return Vtu(bytes, path).read(); }

}  // namespace actio::io
