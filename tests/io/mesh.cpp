#include "mesh.hpp"

#include <fmt/format.h>

#include "support.hpp"

namespace actio::io::test {
namespace {

constexpr double round_off = 1e-14;  // of sums of numbers of order 1; text files have 16 digits
constexpr double on_a_curve = 1e-9;  // Gmsh iterates to the places between corners

// The nodes a node between corners is in the middle of.
using Between = std::vector<std::vector<int>>;
Between between(system::Cell cell) {
  const Between triangle{{0, 1}, {1, 2}, {2, 0}}, quadrilateral{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 1, 2, 3}},
      tetrahedron{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}},
      hexahedron{{0, 1},
                 {1, 2},
                 {2, 3},
                 {3, 0},
                 {4, 5},
                 {5, 6},
                 {6, 7},
                 {7, 4},
                 {0, 4},
                 {1, 5},
                 {2, 6},
                 {3, 7},
                 {0, 4, 7, 3},
                 {1, 2, 6, 5},
                 {0, 1, 5, 4},
                 {3, 7, 6, 2},
                 {0, 3, 2, 1},
                 {4, 5, 6, 7},
                 {0, 1, 2, 3, 4, 5, 6, 7}};
  using enum system::Cell;
  switch (cell) {
    case line3:
      return {{0, 1}};
    case triangle6:
      return triangle;
    case quadrilateral8:
      return {quadrilateral.begin(), quadrilateral.begin() + 4};
    case quadrilateral9:
      return quadrilateral;
    case tetrahedron10:
      return tetrahedron;
    case hexahedron20:
      return {hexahedron.begin(), hexahedron.begin() + 12};
    case hexahedron27:
      return hexahedron;
    default:
      return {};
  }
}

TEST(Mesh, volumes_and_areas_of_a_beam_agree_in_every_format_and_kind_of_element) {
  const auto files = beam_files();
  EXPECT_GE(files.size(), 34u);
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    const system::Mesh mesh = read_mesh(file);
    expect_sound(mesh);
    const bool gmsh = file.ends_with(".msh");  // VTK's have numbers, one a cell
    EXPECT_NEAR(measure(mesh, 3), 0.25, round_off);
    EXPECT_NEAR(measure(mesh, 3, {gmsh ? "steel" : "1"}), 0.125, round_off);
    EXPECT_NEAR(measure(mesh, 3, {gmsh ? "rubber" : "2"}), 0.125, round_off);
    EXPECT_NEAR(measure(mesh, 2), 0.25, round_off);
    EXPECT_NEAR(measure(mesh, 2, {gmsh ? "clamped" : "3"}), 0.125, round_off);
    EXPECT_NEAR(measure(mesh, 2, {gmsh ? "tip" : "4"}), 0.125, round_off);
    if (gmsh) { EXPECT_NEAR(measure(mesh, 2, {"ends"}), 0.25, round_off); }
    EXPECT_NEAR(measure(mesh, 1, {"7"}), 0.5, round_off);
    EXPECT_EQ(measure(mesh, 0, {gmsh ? "corner" : "6"}), 1);
    EXPECT_EQ(mesh.groups.size(), gmsh ? 7u : 6u);
    for (const auto& group : mesh.groups)
      if (group.name == "clamped" || group.name == "3" || group.name == "corner" || group.name == "7") {
        for (const auto& where : group.cells) EXPECT_EQ(node(mesh, where, 0).x(), 0);
      }
  }
}

TEST(Mesh, every_cell_has_a_positive_volume_and_its_nodes_between_corners_in_vtk_s_order) {
  for (const std::string& file : beam_files()) {
    SCOPED_TRACE(file);
    const system::Mesh mesh = read_mesh(file);
    for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
      const system::Cell cell = mesh.blocks[b].cell;
      const Between expected = between(cell);
      const int corners = system::nodes_of(cell) - static_cast<int>(expected.size());
      for (long c = 0; c < mesh.blocks[b].size(); ++c) {
        const std::pair where{static_cast<std::int32_t>(b), static_cast<std::int32_t>(c)};
        EXPECT_GT(measure(mesh, where), 0);
        for (std::size_t k = 0; k < expected.size(); ++k) {
          Eigen::Vector3d middle = Eigen::Vector3d::Zero();
          for (const int a : expected[k]) middle += node(mesh, where, a) / static_cast<double>(expected[k].size());
          EXPECT_LT((node(mesh, where, corners + static_cast<int>(k)) - middle).norm(), on_a_curve)
              << system::name_of(cell) << " node " << corners + static_cast<int>(k);
        }
      }
    }
  }
}

TEST(Mesh, text_and_binary_of_either_byte_order_give_the_same_cells) {
  const std::string folder = "tests/data/meshes/";
  for (const auto& [text, binary] :
       std::vector<std::pair<std::string, std::string>>{{"tet4_41_text.msh", "tet4_41_binary.msh"},
                                                        {"tet10_41_text.msh", "tet10_41_binary.msh"},
                                                        {"hex8_22_text.msh", "hex8_22_binary.msh"},
                                                        {"hex8_22_text.msh", "hex8_22_big.msh"},
                                                        {"hex8_41_text.msh", "hex8_41_big.msh"},
                                                        {"hex20_22_text.msh", "hex20_22_binary.msh"},
                                                        {"hex27_41_text.msh", "hex27_41_binary.msh"},
                                                        {"tet4_41_text.msh", "tet4_41_parametric_binary.msh"},
                                                        {"hex20_raw.vtu", "hex20_raw_zlib_big.vtu"},
                                                        {"hex27_ascii.vtu", "hex27_meshio_zlib.vtu"}}) {
    SCOPED_TRACE(binary);
    const system::Mesh a = read_mesh(folder + text), b = read_mesh(folder + binary);
    EXPECT_LT((a.points - b.points).cwiseAbs().maxCoeff(), round_off);
    ASSERT_EQ(a.blocks.size(), b.blocks.size());
    for (std::size_t k = 0; k < a.blocks.size(); ++k) EXPECT_EQ(a.blocks[k].nodes, b.blocks[k].nodes);
    ASSERT_EQ(a.groups.size(), b.groups.size());
    for (std::size_t k = 0; k < a.groups.size(); ++k) EXPECT_EQ(a.groups[k].cells, b.groups[k].cells);
  }
}

// Two tetrahedra on one triangle.
const std::string small = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$Comments
anything $ "
$EndComments
$PhysicalNames
3
3 1 "left half"
3 2 "a ""quoted"" name"
2 1 "left half"
$EndPhysicalNames
$Nodes
6
10 0 0 0
700 1 0 0
30 0 1 0
4000000000 0 0 1
5 0 0 -1
6 7 7 7
$EndNodes
$Elements
7
1 4 2 1 1 10 700 30 4000000000
2 4 2 2 1 10 30 700 5
3 4 2 -3 1 10 30 700 5
4 2 2 1 1 10 700 30
5 2 0 10 700 30
6 21 2 1 1 1 2 3 4 5 6 7 8 9 10
7 2 3 0 1 9 30 700 10
$EndElements
)";

TEST(Mesh, node_numbers_may_have_gaps_and_nodes_may_belong_to_no_cell) {
  const system::Mesh mesh = read_mesh_text(small, "m.msh");
  EXPECT_EQ(mesh.points.cols(), 6);
  EXPECT_EQ(mesh.points.col(5), Eigen::Vector3d(7, 7, 7));
  EXPECT_NEAR(measure(mesh, 3), 2.0 / 6, round_off);
}

TEST(Mesh, an_element_written_once_for_each_of_its_groups_is_one_cell) {
  const system::Mesh mesh = read_mesh_text(small, "m.msh");
  ASSERT_EQ(mesh.blocks.size(), 2u);
  EXPECT_EQ(mesh.blocks[0].size(), 2);
  EXPECT_EQ(mesh.blocks[1].size(), 2);  // the third triangle has its nodes the other way round
  std::vector<std::string> names;
  for (const auto& group : mesh.groups) names.push_back(fmt::format("{}/{}:{}", group.name, group.dimension, group.cells.size()));
  EXPECT_EQ(names, (std::vector<std::string>{"left half/2:1", "left half/3:1", "a \"\"quoted\"\" name/3:1", "3/3:1"}));
}

TEST(Mesh, elements_of_other_kinds_are_left_out_on_surfaces_and_refused_in_solids) {
  EXPECT_NO_THROW((void)read_mesh_text(small, "m.msh"));  // element 6, a triangle of ten nodes
  try {
    (void)read_mesh_text(with(small, "6 21 2 1 1 1 2 3 4 5 6 7 8 9 10", "6 7 2 1 1 10 700 30 5 6"), "m.msh");
    FAIL() << "a pyramid was read";
  } catch (const core::InputError& e) {
    EXPECT_NE(std::string(e.what()).find("m.msh:29:3: error: pyramids (type 7) cannot be read"), std::string::npos) << e.what();
  }
}

// Pixels and voxels, several pieces, groups by name.
const std::string pieces = R"(<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="0.1" byte_order="BigEndian">
<UnstructuredGrid>
<Piece NumberOfPoints="8" NumberOfCells="2">
<Points><DataArray type="Float32" NumberOfComponents="3" format="ascii">
0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1
</DataArray></Points>
<Cells>
<DataArray type="UInt8" Name="types">11 8</DataArray>
<DataArray type="Int32" Name="offsets">8 12</DataArray>
<DataArray type="UInt64" Name="connectivity">0 1 2 3 4 5 6 7 0 1 2 3</DataArray>
</Cells>
<CellData>
<DataArray type="Float64" Name="group">0.5 0.5</DataArray>
<DataArray type="UInt8" Name="group:cube">1 0</DataArray>
<DataArray type="UInt8" Name="group:all &amp; sundry">1 1</DataArray>
</CellData>
</Piece>
<Piece NumberOfPoints="0" NumberOfCells="0"/>
<Piece NumberOfPoints="4" NumberOfCells="1">
<Points><DataArray type="Float64" NumberOfComponents="3" format="ascii">5 0 0 6 0 0 5 1 0 5 0 1</DataArray></Points>
<Cells>
<DataArray type="Int64" Name="connectivity">0 1 2 3</DataArray>
<DataArray type="Int64" Name="offsets">4</DataArray>
<DataArray type="UInt8" Name="types">10</DataArray>
</Cells>
<CellData><DataArray type="Int8" Name="group:all &amp; sundry">-1</DataArray></CellData>
</Piece>
</UnstructuredGrid>
</VTKFile>
)";

TEST(Mesh, pieces_of_a_vtk_file_are_one_mesh_and_voxels_hexahedra) {
  const system::Mesh mesh = read_mesh_text(pieces, "p.vtu");
  expect_sound(mesh);
  EXPECT_NEAR(measure(mesh, 3), 1 + 1.0 / 6, round_off);
  EXPECT_NEAR(measure(mesh, 2), 1, round_off);
  EXPECT_NEAR(measure(mesh, 3, {"cube"}), 1, round_off);
  EXPECT_NEAR(measure(mesh, 3, {"all & sundry"}), 1 + 1.0 / 6, round_off);
  EXPECT_NEAR(measure(mesh, 2, {"all & sundry"}), 1, round_off);
  EXPECT_EQ(mesh.groups.size(), 3u);
}

}  // namespace
}  // namespace actio::io::test
