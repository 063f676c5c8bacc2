#pragma once
#include <string>

#include <actio/system/mesh.hpp>

namespace actio::io {

// A mesh from a file, known by its first bytes: Gmsh 2.0 to 2.2 and 4.1, text or binary of either byte order, or a VTK
// UnstructuredGrid in XML (.vtu). Cells of one kind are one block. Groups are Gmsh's physical groups by name, or by number
// where they have none, or integers of the cells of a VTK file; see docs/mesh.md. Nodes keep the order of the file.
// Cells of a dimension below that of solids and of a kind that system::Cell lacks are left out.
// Throws core::InputError at the file's line, or byte where the file is binary: truncated, indices that name nothing, numbers
// that are not finite, sizes the file cannot hold (found before memory is taken), three-dimensional cells of other kinds, a cell
// with one node twice.
//   Geuzaine, Remacle, Gmsh reference manual, ch. 10 "Gmsh file formats"; Kitware, VTK file formats, "XML file formats".
system::Mesh read_mesh(const std::string& path);
// The same from the bytes of a file; `path` is for messages.
system::Mesh read_mesh_text(const std::string& bytes, const std::string& path);

}  // namespace actio::io
