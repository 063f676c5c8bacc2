#include <actio/run/trajectory.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include <actio/core/error.hpp>

#include "trajectory_formats.hpp"

namespace actio::run {

namespace {

enum class Format { csv, hdf5, pvd, xyz };

std::string extension_of(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

Format format_of(const std::string& path) {
  namespace fs = std::filesystem;
  const std::string extension = extension_of(path);
  const bool csv = extension == ".csv", h5 = extension == ".h5" || extension == ".hdf5";
  const bool pvd = extension == ".pvd", xyz = extension == ".xyz";
  if (!csv && !h5 && !pvd && !xyz)
    throw core::InputError(fmt::format("the output \"{}\" has no known format", path),
                           "end its name in .h5, .hdf5 or .csv, for points in .xyz, or for ParaView in .pvd");
  const fs::path folder = fs::path(path).parent_path();
  std::error_code ignored;
  if (!folder.empty() && !fs::is_directory(folder, ignored))
    throw core::InputError(fmt::format("cannot write \"{}\": there is no folder \"{}\"", path, folder.string()));
  if (fs::is_directory(path, ignored)) throw core::InputError(fmt::format("cannot write \"{}\": it is a folder", path));
  return csv ? Format::csv : pvd ? Format::pvd : xyz ? Format::xyz : Format::hdf5;
}

// A file that open() makes for a header without probes, shown what `header` asks for.
template <class F>
std::unique_ptr<Trajectory> shown(const TrajectoryHeader& header, F&& open) {
  const auto measured = measures(header);
  TrajectoryHeader as = header.probes.empty() ? header : of_probes(header);
  if (measured) as.measured = names_of(*measured);
  std::unique_ptr<Trajectory> file = open(as);
  if (!header.probes.empty()) file = show_probes(header, std::move(file));
  return measured ? show_measures(measured, std::move(file)) : std::move(file);
}

}  // namespace

bool in_pieces(const std::string& path) { return extension_of(path) == ".pvd"; }

std::unique_ptr<Trajectory> open_trajectory(const std::string& path, const TrajectoryHeader& header) {
  const Format format = format_of(path);
  if (format == Format::pvd) return open_pvd(path, header);
  if (format == Format::xyz) return open_xyz(path, header);
  return shown(header,
               [&](const TrajectoryHeader& as) { return format == Format::csv ? open_csv(path, as) : open_hdf5(path, as); });
}

std::unique_ptr<Trajectory> open_resumable(const std::string& path, const TrajectoryHeader& header, std::int64_t bytes) {
  const Format format = format_of(path);
  if (format == Format::pvd) return open_pvd(path, header, bytes);
  if (format == Format::xyz) return open_xyz(path, header, bytes);
  return shown(header,
               [&](const TrajectoryHeader& as) { return (format == Format::csv ? open_csv : open_rows)(path, as, bytes); });
}

}  // namespace actio::run
