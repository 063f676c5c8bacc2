#include <random>

#include "mesh.hpp"
#include "support.hpp"

// Whatever stands in a mesh file, the answer is a sound mesh or an InputError.
namespace actio::io::test {
namespace {

bool answered(const std::string& bytes) {
  try {
    expect_sound(read_mesh_text(bytes, "m"));
    return true;
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("error: "), std::string::npos);
    return false;
  }
}

// The message, or "" where it is read.
std::string complaint(const std::string& bytes, const std::string& path = "m.msh") {
  try {
    (void)read_mesh_text(bytes, path);
  } catch (const core::InputError& error) { return error.what(); }
  return "";
}
void expect_complaint(const std::string& bytes, const std::string& part) {
  const std::string message = complaint(bytes);
  EXPECT_NE(message.find(part), std::string::npos) << "\"" << part << "\" is not in:\n" << message;
}

TEST(Hostile, a_mesh_cut_off_anywhere_is_refused) {
  for (const std::string& file : beam_files()) {
    SCOPED_TRACE(file);
    const std::string bytes = bytes_of(file);
    const std::string last = file.ends_with(".msh") ? "$EndElements" : "</AppendedData>";
    const std::size_t needed = std::min(bytes.rfind(last), bytes.rfind("</VTKFile>")) + last.size();
    std::mt19937 random(5);
    for (int k = 0; k < 60; ++k) {
      const std::size_t n = random() % std::min(needed, bytes.size());
      EXPECT_FALSE(answered(bytes.substr(0, n))) << "the first " << n << " bytes of " << bytes.size();
    }
  }
}

TEST(Hostile, meshes_with_changed_bytes) {
  int sound = 0, all = 0;
  for (const std::string& file : beam_files()) {
    SCOPED_TRACE(file);
    const std::string bytes = bytes_of(file);
    ASSERT_TRUE(answered(bytes));
    std::mt19937 random(7);
    for (int k = 0; k < 100; ++k, ++all) {
      std::string changed = bytes;
      for (unsigned i = 0; i < 1 + random() % 4; ++i) {
        const std::size_t at = random() % changed.size();
        switch (random() % 4) {
          case 0:
            changed[at] = static_cast<char>(random());
            break;
          case 1:
            changed[at] = static_cast<char>(changed[at] ^ (1 << random() % 8));
            break;
          case 2:
            changed.insert(at, 1, "0123456789-. $<\"\n\xFF"[random() % 18]);
            break;
          default:
            changed.erase(at, 1 + random() % 8);
        }
      }
      sound += answered(changed) ? 1 : 0;
    }
  }
  EXPECT_GT(sound, 0);
  EXPECT_LT(sound, all);
}

// Address space that was ever taken [KiB]; 0 where the system does not say.
long peak() {
  std::ifstream in("/proc/self/status");
  for (std::string word; in >> word;)
    if (word == "VmPeak:") {
      long n = 0;
      in >> n;
      return n;
    }
  return 0;
}

// Every count of a binary file, and all else, set to what no count is.
TEST(Hostile, counts_that_are_negative_or_huge_take_no_memory) {
  const long before = peak();
  for (const char* name : {"hex8_22_binary.msh", "hex8_41_binary.msh", "hex20_raw.vtu"}) {
    SCOPED_TRACE(name);
    const std::string bytes = bytes_of(std::string("tests/data/meshes/") + name);
    for (std::size_t at = 0; at + 8 <= bytes.size(); at += 4)
      for (const auto& [value, width] : std::vector<std::pair<std::uint64_t, std::size_t>>{
               {~std::uint64_t{0}, 4}, {0x7FFFFFFFU, 4}, {std::uint64_t{1} << 62, 8}, {~std::uint64_t{0} >> 1, 8}}) {
        std::string changed = bytes;
        for (std::size_t k = 0; k < width; ++k) changed[at + k] = static_cast<char>(value >> (8 * k));
        (void)answered(changed);
      }
  }
  EXPECT_LT(peak() - before, 100 << 10);
}

const std::string text = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$Entities
0 0 0 1
1 0 0 0 1 1 1 1 7 0
$EndEntities
$Nodes
1 4 1 4
3 1 0 4
1
2
3
4
0 0 0
1 0 0
0 1 0
0 0 1
$EndNodes
$Elements
1 1 1 1
3 1 4 1
1 1 2 3 4
$EndElements
)";

TEST(Hostile, what_is_wrong_with_a_gmsh_file_is_said_with_its_line) {
  EXPECT_EQ(complaint(text), "");
  const auto changed = [&](const std::string& from, const std::string& to) { return with(text, from, to); };
  expect_complaint("", "m.msh:1: error: the file is empty");
  expect_complaint("solid x\n", "m.msh:1: error: this is not a mesh");
  expect_complaint(changed("4.1 0 8", "4 0 8"), "m.msh:2:1: error: version 4 of the format cannot be read");
  expect_complaint(changed("4.1 0 8", "4.1 2 8"), "m.msh:2:1: error: file type 2");
  expect_complaint(changed("4.1 0 8", "4.1 0"), "m.msh:2:1: error: three numbers expected");
  expect_complaint(changed("4.1 0 8\n", "4.1 1 8\nabcd\n"), "m.msh: byte 20: error: the integer 1, which gives the byte order");
  expect_complaint(changed("1 4 1 4", "1 -4 1 4"), "m.msh:9:3: error: the number of nodes is -4");
  expect_complaint(changed("1 4 1 4", "1 4000000000000 1 4"), "m.msh:9:19: error: 4000000000000 nodes do not fit");
  expect_complaint(changed("1 4 1 4", "1 5 1 5"), "4 nodes; $Nodes begins with a count of 5");
  expect_complaint(changed("3 1 0 4", "3 1 0 5"), "m.msh:10:7: error: more nodes than the 4");
  expect_complaint(changed("\n1 0 0\n", "\n1 nan 0\n"), "m.msh:16:7: error: node 2 is at (1, nan, 0), not a finite place");
  expect_complaint(changed("\n1 0 0\n", "\n1 1e999 0\n"), "m.msh:16:3: error: y of a node must be a number");
  expect_complaint(changed("\n3\n4\n", "\n3\n3\n"), "two nodes have the number 3");
  expect_complaint(changed("1 1 2 3 4", "1 1 2 3 5"), "m.msh:23:9: error: a cell names node 5; there is no such node");
  expect_complaint(changed("1 1 2 3 4", "1 1 2 3 2"), "m.msh:23:9: error: a tetrahedron4 has node 2 twice");
  expect_complaint(changed("1 1 2 3 4", "1 1 2 3"), "m.msh:24:1: error: a node of an element must be an integer");
  expect_complaint(changed("3 1 4 1", "2 1 4 1"), "m.msh:22:5: error: a tetrahedron4 in an entity of dimension 2");
  expect_complaint(changed("3 1 4 1", "3 1 6 1"), "m.msh:22:5: error: prisms (type 6) cannot be read");
  expect_complaint(changed("$Nodes", "$Knots"), "$Knots has no $EndKnots");
  expect_complaint(text.substr(0, text.find("$Elements")), "there is no $Elements");
  expect_complaint(changed("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n", ""), "there is no $MeshFormat");
  expect_complaint(changed("$Entities", "$PartitionedEntities"), "m.msh:4:1: error: the mesh is partitioned");
  expect_complaint(changed("1 0 0 0 1 1 1 1 7 0", "1 0 0 0 1 1 1 99999 7 0"),
                   "m.msh:6:15: error: 99999 physical groups do not fit");
}

const std::string grid = R"(<VTKFile type="UnstructuredGrid">
<UnstructuredGrid>
<Piece NumberOfPoints="4" NumberOfCells="1">
<Points>
<DataArray type="Float64" NumberOfComponents="3" format="ascii">0 0 0 1 0 0
0 1 0 0 0 1</DataArray>
</Points>
<Cells>
<DataArray type="Int64" Name="connectivity">0 1 2 3</DataArray>
<DataArray type="Int64" Name="offsets">4</DataArray>
<DataArray type="UInt8" Name="types">10</DataArray>
</Cells>
</Piece>
</UnstructuredGrid>
</VTKFile>
)";

TEST(Hostile, what_is_wrong_with_a_vtk_file_is_said_with_its_line) {
  EXPECT_EQ(complaint(grid), "");
  const auto changed = [&](const std::string& from, const std::string& to) { return with(grid, from, to); };
  expect_complaint(changed("UnstructuredGrid\">", "PolyData\">"), "m.msh:1:2: error: the file is of type \"PolyData\"");
  expect_complaint(changed("UnstructuredGrid\">", "UnstructuredGrid\" compressor=\"vtkLZ4DataCompressor\">"),
                   "data compressed by \"vtkLZ4DataCompressor\"");
  expect_complaint(changed("NumberOfPoints=\"4\"", "NumberOfPoints=\"-4\""), "m.msh:3:2: error: NumberOfPoints must be");
  expect_complaint(changed("NumberOfPoints=\"4\"", "NumberOfPoints=\"600000000\""), "needs 1800000000 numbers");
  expect_complaint(changed("NumberOfCells=\"1\"", "NumberOfCells=\"1999999999\""), "needs 1999999999 numbers");
  expect_complaint(changed("0 1 0 0 0 1", "0 1 0 0 0.0"), "m.msh:5:2: error: the array has 11 numbers; 12 expected");
  expect_complaint(changed("0 1 0 0 0 1", "0 1 0 0 0 x"), "m.msh:6:11: error: a number expected");
  expect_complaint(changed("0 1 0 0 0 1", "0 1 0 0 0 inf"), "node 3 is at (0, 0, inf), not a finite place");
  expect_complaint(changed(">4<", ">1000000000000<"), "\"connectivity\" needs 1000000000000 numbers");
  expect_complaint(changed(">4<", ">-4<"), "offset 1 is below the one before");
  expect_complaint(changed(">4<", ">3<"), "m.msh:9:51: error: \"connectivity\" has more than 3 numbers");
  expect_complaint(changed("0 1 2 3<", "0 1 2 4<"), "m.msh:9:2: error: cell 0 names point 4 of 4");
  expect_complaint(changed("0 1 2 3<", "0 1 2 2<"), "a tetrahedron4 has node 2 twice");
  expect_complaint(changed(">10<", ">14<"), "m.msh:11:2: error: pyramids (type 14) cannot be read");
  expect_complaint(changed(">10<", ">12<"), "cell 0, a hexahedron8, has 4 nodes");
  expect_complaint(changed(">10<", "><"), "\"types\"");
  expect_complaint(changed("Name=\"types\"", "Name=\"kinds\""), "<Cells> has no array \"types\"");
  expect_complaint(changed("Name=\"types\"", "Name=\"types\" format=\"appended\" offset=\"0\""),
                   "\"types\" is appended data; the file has none");
  expect_complaint(changed("Name=\"types\">10", "Name=\"types\" format=\"binary\">AQAAAAo*"), "this is not base64");
  expect_complaint(changed("Name=\"types\">10", "Name=\"types\" format=\"binary\">/////wo="),
                   "4294967295 bytes; the array has 1");
  expect_complaint(changed("</Cells>", "</Cell>"), "this is not XML");
  std::string deep = grid;
  for (int k = 0; k < 100000; ++k) deep += "<a>";
  expect_complaint(deep, "this is not XML");
}

}  // namespace
}  // namespace actio::io::test
