#include "other_formats.hpp"

#include <array>

#include <fmt/format.h>

#include <actio/core/error.hpp>

namespace actio::io {
namespace {

struct Format {
  std::string_view begin, name, hint;
};
using namespace std::string_view_literals;
constexpr std::array formats{
    Format{"\x89HDF\r\n\x1a\n"sv, "an HDF5 file",
           "a trajectory keeps its problem in the attribute \"problem\" of the file; in Python: "
           "open(\"again.toml\", \"w\").write(h5py.File(\"{0}\").attrs[\"problem\"])"},
    Format{"actio\r\n\x1a"sv, "a checkpoint", "actio resume {0} continues its run"},
    Format{"$MeshFormat"sv, "a mesh of Gmsh", "a problem names it: [system.solid] mesh = \"{0}\""},
    Format{"<?xml"sv, "XML", "a problem is TOML; a mesh is named in it: [system.solid] mesh = \"{0}\""},
    Format{"<VTKFile"sv, "a mesh or a result in VTK's XML", "a problem names it: [system.solid] mesh = \"{0}\""},
    Format{"%%MatrixMarket"sv, "a Matrix Market file", "a problem names it: [system] stiffness = \"{0}\""},
    Format{"\xFF\xFE"sv, "a text in UTF-16", "save it as UTF-8"},
    Format{"\xFE\xFF"sv, "a text in UTF-16", "save it as UTF-8"},
    Format{"\x7F"
           "ELF"sv,
           "a program or a library", "a problem names a library: [system] library = \"{0}\""},
    Format{"\x1F\x8B"sv, "a compressed file", "gunzip it first"},
};

}  // namespace

void refuse_other_formats(std::string_view begin, const std::string& path) {
  for (const Format& format : formats)
    if (begin.starts_with(format.begin))
      throw core::InputError(core::Source{path, 0, 0, 1, ""}, fmt::format("this is {}, not a problem in TOML", format.name),
                             fmt::format(fmt::runtime(format.hint), path));
}

}  // namespace actio::io
