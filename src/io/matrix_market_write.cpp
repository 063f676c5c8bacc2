#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/io/matrix_market.hpp>

namespace actio::io {

void write_matrix_market(const std::string& path, const Eigen::SparseMatrix<double>& matrix, const std::string& comment) {
  std::ofstream out(path, std::ios::binary);
  fmt::memory_buffer text;
  long entries = 0;
  const auto for_each = [&](auto&& f) {
    for (long j = 0; j < matrix.outerSize(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, j); it; ++it)
        if (it.row() >= j && it.value() != 0) f(it.row(), j, it.value());
  };
  for_each([&](long, long, double) { ++entries; });
  fmt::format_to(std::back_inserter(text), "%%MatrixMarket matrix coordinate real symmetric\n{}{} {} {}\n", comment,
                 matrix.rows(), matrix.cols(), entries);
  const auto flush = [&] {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    text.clear();
  };
  for_each([&](long i, long j, double x) {
    fmt::format_to(std::back_inserter(text), "{} {} {}\n", i + 1, j + 1, x);
    if (text.size() > (1U << 20)) flush();
  });
  flush();
  out.close();
  if (!out) throw core::InputError(fmt::format("cannot write \"{}\": {}", path, std::strerror(errno)));
}

}  // namespace actio::io
