#include "write.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/os.h>

namespace models {
namespace {

void write_matrix(const Eigen::SparseMatrix<double>& A, const std::string& path) {
  long entries = 0;
  const auto each = [&](auto&& f) {
    for (int j = 0; j < A.outerSize(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator it(A, j); it; ++it)
        if (it.row() >= j && it.value() != 0) f(it.row() + 1, j + 1, it.value());
  };
  each([&](auto, auto, double) { ++entries; });
  auto file = fmt::output_file(path);
  file.print("%%MatrixMarket matrix coordinate real symmetric\n{} {} {}\n", A.rows(), A.cols(), entries);
  each([&](auto i, auto j, double x) { file.print("{} {} {}\n", i, j, x); });  // as many digits as it takes to read x back
}

}  // namespace

void write(const Structure& s, const std::string& folder) {
  const std::filesystem::path to(folder);
  std::filesystem::create_directories(to);
  write_matrix(s.mass, to / "M.mtx");
  write_matrix(s.stiffness, to / "S.mtx");
  const Eigen::VectorXd r[3] = {s.rigid({1, 0, 0}, {0, 0, 0}), s.rigid({0, 1, 0}, {0, 0, 0}), s.rigid({0, 0, 1}, {0, 0, 0})};
  auto file = fmt::output_file((to / "ground.csv").string());
  file.print("node,k,fixed,x,y,z\n");
  for (std::size_t c = 0; c < s.coordinate.size(); ++c)
    if (const auto i = s.coordinate[c]; i >= 0)
      file.print("{},{},{},{},{},{}\n", c / s.per_node, c % s.per_node,
                 std::binary_search(s.fixed.begin(), s.fixed.end(), i) ? 1 : 0, r[0][i], r[1][i], r[2][i]);
}

}  // namespace models
