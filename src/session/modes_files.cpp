#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <actio/core/error.hpp>
#include <actio/io/matrix_market.hpp>
#include <actio/run/trajectory.hpp>
#include <actio/session/modes.hpp>
#include <actio/system/mesh.hpp>

#include "modes_hdf5.hpp"

namespace actio::session {
namespace {

[[noreturn]] void cannot_write_modes(const std::string& path, const std::string& why) {
  throw core::InputError(fmt::format("cannot write \"{}\": {}", path, why));
}

void write_csv(const Modes& m, const std::string& path) {
  std::ofstream out(path, std::ios::binary);
  std::string line = "mode,omega,frequency,period,growth,residual";
  for (const Direction& d : m.directions) line += fmt::format(",\"participation {0}\",\"effective mass {0}\"", d.name);
  for (const std::string& name : m.coordinates) line += "," + name;
  out << line << "\n";
  for (long k = 0; k < m.size(); ++k) {
    line = fmt::format("{},{},{},{},{},{}", m.number(k), m.omega[k], m.frequency(k), m.period(k), m.growth[k], m.residual[k]);
    for (const Direction& d : m.directions) line += fmt::format(",{},{}", d.participation[k], d.effective_mass[k]);
    for (long i = 0; i < m.shape.rows(); ++i) line += fmt::format(",{}", m.shape(i, k));
    out << line << "\n";
  }
  out.close();
  if (!out) cannot_write_modes(path, std::strerror(errno));
}

// Places at rest, each mode moved by a twentieth of the size of all solids at most; the time is the row of the mode.
void write_pvd(const Modes& m, const LinearProblem& linear, const std::string& path) {
  const io::Problem& p = linear.problem;
  run::TrajectoryHeader header;
  header.coordinates = m.coordinates;
  header.solids = p.model.solids;
  const auto file = run::open_trajectory(path, header);
  Eigen::VectorXd rest = p.q0;
  Eigen::AlignedBox3d box;
  for (const system::SolidBody& solid : p.model.solids) {
    const Eigen::Matrix3Xd& X = solid.mesh->points;
    rest.segment(solid.offset, X.size()) = X.reshaped();
    for (long a = 0; a < X.cols(); ++a) box.extend(X.col(a));
  }
  method::Snapshot state;
  state.v = Eigen::VectorXd::Zero(rest.size());
  state.p = state.v;
  for (long k = 0; k < m.size(); ++k) {
    double largest = 0;
    for (long i = 0; i + 2 < m.shape.rows(); i += 3) largest = std::max(largest, m.shape.col(k).segment<3>(i).norm());
    state.t = static_cast<double>(k + 1);
    state.q = rest + (0.05 * box.diagonal().norm() / largest) * m.shape.col(k);
    file->observe({k, state, 0, {}});
  }
  file->finish("");
}

// "mass[0..99]": the coordinates of the rows, in their order, as runs of one family.
std::string order_of(const LinearProblem& linear) {
  const system::Model& model = linear.problem.model;
  const std::vector<std::int32_t>& moving = linear.motion.moving;
  std::string out;
  for (std::size_t first = 0; first < moving.size();) {
    std::size_t last = first;
    const auto family = std::ranges::find_if(
        model.families, [&](const system::Family& f) { return moving[first] < static_cast<std::int32_t>(f.offset + f.size); });
    while (last + 1 < moving.size() && moving[last + 1] == moving[last] + 1 && moving[last + 1] < family->offset + family->size)
      ++last;
    const std::string name = model.coordinate_name(moving[first]);
    if (last == first)
      out += fmt::format("% row {}: {}\n", first + 1, name);
    else
      out += fmt::format("% rows {} to {}: {} to {}\n", first + 1, last + 1, name, model.coordinate_name(moving[last]));
    if (out.size() > 500'000) return "% the rows are the coordinates of the problem that move, in their order\n";
    first = last + 1;
  }
  return out;
}

}  // namespace

void need_format_of_modes(const std::string& path, const io::Problem& problem) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension != ".h5" && extension != ".hdf5" && extension != ".csv" && extension != ".pvd")
    throw core::InputError(fmt::format("modes are not written as \"{}\"", path), "end its name in .h5, .csv, or of solids .pvd");
  if (extension == ".pvd" && problem.model.solids.empty())
    throw core::InputError(fmt::format("cannot write \"{}\": the problem has no solid", path),
                           ".h5 and .csv hold the modes of any problem");
}

void write_modes(const Modes& m, const LinearProblem& linear, const std::string& path) {
  need_format_of_modes(path, linear.problem);
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".csv") return write_csv(m, path);
  if (extension == ".pvd") return write_pvd(m, linear, path);
  write_modes_hdf5(m, linear.problem, path);
}

MatrixFiles matrix_files(const std::string& prefix) { return {prefix + ".M.mtx", prefix + ".K.mtx"}; }

void write_matrices(const LinearProblem& linear, const std::string& prefix) {
  const MatrixFiles files = matrix_files(prefix);
  const std::string about =
      fmt::format("% {}, linearised {}\n", linear.problem.path, linear.equilibrium ? "in equilibrium" : "at the start") +
      order_of(linear);
  io::write_matrix_market(files.mass, linear.motion.M, "% mass of " + about.substr(2));
  io::write_matrix_market(files.stiffness, linear.motion.K, "% stiffness of " + about.substr(2));
}

}  // namespace actio::session
