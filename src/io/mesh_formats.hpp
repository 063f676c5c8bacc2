#pragma once
#include <string>

#include <actio/system/mesh.hpp>

// One file a format; io/mesh.cpp chooses.
namespace actio::io {

system::Mesh read_gmsh(const std::string& bytes, const std::string& path);
system::Mesh read_vtu(const std::string& bytes, const std::string& path);

}  // namespace actio::io
