#include <actio/run/trajectory.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include <actio/core/error.hpp>

#include "trajectory_formats.hpp"

namespace actio::run {

std::unique_ptr<Trajectory> open_trajectory(const std::string& path, const TrajectoryHeader& header) {
  namespace fs = std::filesystem;
  std::string extension = fs::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const bool csv = extension == ".csv", h5 = extension == ".h5" || extension == ".hdf5";
  const bool pvd = extension == ".pvd";
  if (!csv && !h5 && !pvd)
    throw core::InputError(fmt::format("cannot tell the format of the output \"{}\"", path),
                           "end its name in .h5, .hdf5 or .csv, or for ParaView in .pvd");
  const fs::path folder = fs::path(path).parent_path();
  std::error_code ignored;
  if (!folder.empty() && !fs::is_directory(folder, ignored))
    throw core::InputError(fmt::format("cannot write \"{}\": there is no folder \"{}\"", path, folder.string()));
  if (fs::is_directory(path, ignored)) throw core::InputError(fmt::format("cannot write \"{}\": it is a folder", path));
  if (!header.probes.empty() && !pvd) {
    const TrajectoryHeader probed = of_probes(header);
    return show_probes(header, csv ? open_csv(path, probed) : open_hdf5(path, probed));
  }
  return csv ? open_csv(path, header) : pvd ? open_pvd(path, header) : open_hdf5(path, header);
}

}  // namespace actio::run
