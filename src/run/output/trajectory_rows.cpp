#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "output_file.hpp"
#include "trajectory_formats.hpp"

namespace actio::run {

namespace {

// A file of HDF5 that a killed run can go on with: rows of numbers beside it, which need no library to be whole, until it ends.
class Rows : public Trajectory {
 public:
  Rows(OpenFile open, const std::string& path, const TrajectoryHeader& header, std::int64_t bytes)
      : open_(open),
        path_(path),
        header_(header),
        n_(header.coordinates.size()),
        rows_(beside(open, path, header, bytes), bytes >= 0) {
    row_.resize(3 + 3 * n_ + header.momentum.size() + header.multipliers.size() + (header.ledger ? ledger_columns.size() : 0) +
                header.measured.size() + names_of(header.observed).size());
    if (bytes < 0) return;
    if (static_cast<std::size_t>(bytes) % (row_.size() * sizeof(double)) != 0) not_the_output(rows_.path());
    rows_.cut_back(bytes);
  }

  void observe(const Observation& now) override {
    rows_.reached(now);
    double* x = row_.data();
    const auto put = [&](const double* from, std::size_t count) { x = std::copy_n(from, count, x); };
    const auto step = static_cast<double>(now.step);
    put(&step, 1);
    put(&now.state.t, 1);
    for (const auto* part : {&now.state.q, &now.state.v, &now.state.p}) put(part->data(), n_);
    put(&now.energy, 1);
    put(now.momentum.data(), header_.momentum.size());
    put(now.multipliers.data(), header_.multipliers.size());
    if (header_.ledger)
      for (const LedgerColumn& column : ledger_columns) put(&(now.ledger->*column.value), 1);
    put(now.measured.data(), header_.measured.size());
    put(now.observed.data(), now.observed.size());
    rows_.row({reinterpret_cast<const char*>(row_.data()), row_.size() * sizeof(double)});
  }
  void flush() override { rows_.flush(); }
  std::int64_t sync() override { return rows_.sync(); }
  void finish(std::string_view certificate, std::span<const Observed> observed) override {
    flush();
    left_ = fmt::format("\"{}\" has all rows, and \"{}\" those that fitted on the disk: resuming the run writes the others",
                        rows_.path(), path_);
    const auto out = open_(path_, header_);
    std::ifstream in(rows_.path(), std::ios::binary);
    method::Snapshot state;
    LedgerEntry ledger;
    const auto n = static_cast<Eigen::Index>(n_);
    while (in.read(reinterpret_cast<char*>(row_.data()), static_cast<std::streamsize>(row_.size() * sizeof(double)))) {
      const double* x = row_.data();
      const auto step = static_cast<long>(*x++);
      state.t = *x++;
      for (auto* part : {&state.q, &state.v, &state.p}) {
        *part = Eigen::Map<const Eigen::VectorXd>(x, n);
        x += n;
      }
      const double energy = *x++;
      const std::span momentum(x, header_.momentum.size()), multipliers(x + momentum.size(), header_.multipliers.size());
      x += momentum.size() + multipliers.size();
      if (header_.ledger)
        for (const LedgerColumn& column : ledger_columns) ledger.*column.value = *x++;
      const std::span measured(x, header_.measured.size());
      x += measured.size();
      const std::span columns(x, row_.data() + row_.size());
      out->observe({step, state, energy, momentum, header_.ledger ? &ledger : nullptr, multipliers, measured, columns});
    }
    if (!in.eof()) rows_.fail(EIO);
    out->finish(certificate, observed);
    left_ = out->remains();
  }
  std::string remains() const override { return left_.empty() ? rows_.remains() : left_; }
  void forget() override {
    std::error_code ignored;
    std::filesystem::remove(rows_.path(), ignored);
  }

 private:
  static std::string beside(OpenFile open, const std::string& path, const TrajectoryHeader& header, std::int64_t bytes) {
    if (bytes < 0) (void)open(path, header);  // it can be made
    return rows_beside(path);
  }
  OpenFile open_;
  std::string path_;
  TrajectoryHeader header_;
  std::size_t n_;
  OutputFile rows_;
  std::vector<double> row_;
  std::string left_;  // once they became an HDF5 file
};

}  // namespace

std::unique_ptr<Trajectory> open_rows(OpenFile open, const std::string& path, const TrajectoryHeader& header,
                                      std::int64_t bytes) {
  return std::make_unique<Rows>(open, path, header, bytes);
}

}  // namespace actio::run
