#include <actio/run/trajectory.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include <actio/core/error.hpp>

#include "trajectory_formats.hpp"

namespace actio::run {

namespace {

enum class Format { csv, hdf5, pvd, xyz, dcd, h5md };

struct Extension {
  std::string_view name;
  Format format;
};
constexpr std::array extensions{Extension{".csv", Format::csv},  Extension{".h5", Format::hdf5}, Extension{".hdf5", Format::hdf5},
                                Extension{".pvd", Format::pvd},  Extension{".xyz", Format::xyz}, Extension{".dcd", Format::dcd},
                                Extension{".h5md", Format::h5md}};

std::string extension_of(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

Format format_of(const std::string& path) {
  namespace fs = std::filesystem;
  const auto* const found = std::ranges::find(extensions, extension_of(path), &Extension::name);
  if (found == extensions.end())
    throw core::InputError(fmt::format("the output \"{}\" has no known format", path),
                           "end its name in .h5, .hdf5 or .csv, for points in .xyz, .dcd or .h5md, or for ParaView in .pvd");
  const fs::path folder = fs::path(path).parent_path();
  std::error_code ignored;
  if (!folder.empty() && !fs::is_directory(folder, ignored))
    throw core::InputError(fmt::format("cannot write \"{}\": there is no folder \"{}\"", path, folder.string()));
  if (fs::is_directory(path, ignored)) throw core::InputError(fmt::format("cannot write \"{}\": it is a folder", path));
  return found->format;
}

// A file that open() makes for a header without probes, shown what `header` asks for.
template <class F>
std::unique_ptr<Trajectory> shown(const TrajectoryHeader& header, F&& open) {
  const auto measured = measures(header);
  TrajectoryHeader as = header.probes.empty() ? header : of_probes(header);
  if (measured) as.measured = names_of(*measured);
  std::unique_ptr<Trajectory> file = header.columns.empty() ? open(as) : show_columns(as, open(of_columns(as)));
  if (!header.probes.empty()) file = show_probes(header, std::move(file));
  return measured ? show_measures(measured, std::move(file)) : std::move(file);
}

void need_points(const std::string& path, const TrajectoryHeader& header) {
  if (header.atoms.labels.empty())
    throw core::InputError(fmt::format("the output \"{}\" shows points, and the problem has none", path),
                           "[system.points] atom = [\"x\", \"y\", \"z\"] groups coordinates to points");
}

std::unique_ptr<Trajectory> opened(const std::string& path, const TrajectoryHeader& header, bool resumable, std::int64_t bytes) {
  const Format format = format_of(path);
  const bool of_points = format == Format::xyz || format == Format::dcd || format == Format::h5md;
  if (of_points) need_points(path, header);
  if (!header.columns.empty() && format != Format::csv && format != Format::hdf5)
    throw core::InputError(fmt::format("run.columns chooses columns of .csv and .h5 files, and the output is \"{}\"", path),
                           "name the output .csv or .h5, or leave run.columns out");
  switch (format) {
    case Format::pvd:
      return open_pvd(path, header, bytes);
    case Format::xyz:
      return open_xyz(path, header, bytes);
    case Format::dcd:
      return open_dcd(path, header, bytes);
    case Format::h5md:
      return resumable ? open_rows(open_h5md, path, header, bytes) : open_h5md(path, header);
    case Format::csv:
      return shown(header, [&](const TrajectoryHeader& as) { return open_csv(path, as, bytes); });
    case Format::hdf5:
      break;
  }
  return shown(header, [&](const TrajectoryHeader& as) {
    return resumable ? open_rows(open_hdf5, path, as, bytes) : open_hdf5(path, as);
  });
}

}  // namespace

std::string attribute_of(const TrajectoryHeader& header, std::string_view name) {
  const auto found = std::ranges::find(header.attributes, name, [](const auto& a) { return std::string_view(a.first); });
  return found == header.attributes.end() ? "" : found->second;
}

bool in_pieces(const std::string& path) { return extension_of(path) == ".pvd"; }

std::unique_ptr<Trajectory> open_trajectory(const std::string& path, const TrajectoryHeader& header) {
  return opened(path, header, false, -1);
}

std::unique_ptr<Trajectory> open_resumable(const std::string& path, const TrajectoryHeader& header, std::int64_t bytes) {
  return opened(path, header, true, bytes);
}

}  // namespace actio::run
