#include <actio/io/mesh.hpp>

#include <actio/core/error.hpp>

#include "mesh_formats.hpp"
#include "text.hpp"

namespace actio::io {

system::Mesh read_mesh(const std::string& path) {
  constexpr std::size_t longest_file = std::size_t{16} << 30;  // bytes
  return read_mesh_text(read_text(path, longest_file, Content::bytes), path);
}

system::Mesh read_mesh_text(const std::string& bytes, const std::string& path) {
  const bool marked = bytes.starts_with("\xEF\xBB\xBF");  // UTF-8
  const std::size_t first = bytes.find_first_not_of(" \t\r\n", marked ? 3 : 0);
  if (first != std::string::npos && bytes[first] == '$') return read_gmsh(bytes, path);
  if (first != std::string::npos && bytes[first] == '<') return read_vtu(bytes, path);
  throw core::InputError(core::Source{path, 1, 0, 1, ""},
                         bytes.empty() ? "the file is empty" : "this is not a mesh that Actio can read",
                         "Gmsh files begin with $MeshFormat, VTU files with <VTKFile");
}

}  // namespace actio::io
