#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include <actio/core/error.hpp>

#include "trajectory_formats.hpp"

namespace actio::run {

namespace {

// An HDF5 file that a killed run can go on with: rows of numbers beside it, which need no library to be whole, until it ends.
class Rows : public Trajectory {
 public:
  Rows(const std::string& path, const TrajectoryHeader& header, std::int64_t bytes)
      : path_(path), rows_(path + ".rows"), header_(header), n_(header.coordinates.size()) {
    row_.resize(2 + 3 * n_ + header.momentum.size() + header.multipliers.size() + (header.ledger ? 5 : 0));
    if (bytes < 0) (void)open_hdf5(path, header);  // it can be made
    file_.reset(std::fopen(rows_.c_str(), bytes < 0 ? "w+b" : "r+b"));
    if (!file_) throw core::InputError(fmt::format("cannot write \"{}\": {}", rows_, std::strerror(errno)));
    if (bytes < 0) return;
    std::error_code error;
    const auto size = std::filesystem::file_size(rows_, error);
    if (error || size < static_cast<std::uintmax_t>(bytes) ||
        static_cast<std::size_t>(bytes) % (row_.size() * sizeof(double)) != 0)
      throw core::InputError(fmt::format("\"{}\" is not the output that the run had written when it was saved", rows_));
    if (ftruncate(fileno(file_.get()), bytes) != 0 || std::fseek(file_.get(), 0, SEEK_END) != 0)
      throw core::InputError(fmt::format("cannot write \"{}\": {}", rows_, std::strerror(errno)));
  }

  void observe(const Observation& now) override {
    step_ = now.step;
    t_ = now.state.t;
    double* x = row_.data();
    const auto put = [&](const double* from, std::size_t count) { x = std::copy_n(from, count, x); };
    put(&now.state.t, 1);
    for (const auto* part : {&now.state.q, &now.state.v, &now.state.p}) put(part->data(), n_);
    put(&now.energy, 1);
    put(now.momentum.data(), header_.momentum.size());
    put(now.multipliers.data(), header_.multipliers.size());
    if (header_.ledger)
      for (const double w :
           {now.ledger->external, now.ledger->constraints, now.ledger->dissipated, now.ledger->method, now.ledger->solver})
        put(&w, 1);
    if (std::fwrite(row_.data(), sizeof(double), row_.size(), file_.get()) != row_.size()) fail();
  }
  void flush() override {
    if (std::fflush(file_.get()) != 0) fail();
  }
  std::int64_t sync() override {
    flush();
    if (fsync(fileno(file_.get())) != 0) fail();
    return std::ftell(file_.get());
  }
  void finish(std::string_view certificate) override {
    flush();
    const auto out = open_hdf5(path_, header_);
    if (std::fseek(file_.get(), 0, SEEK_SET) != 0) fail();
    method::Snapshot state;
    LedgerEntry ledger;
    const auto n = static_cast<Eigen::Index>(n_);
    while (std::fread(row_.data(), sizeof(double), row_.size(), file_.get()) == row_.size()) {
      const double* x = row_.data();
      state.t = *x++;
      for (auto* part : {&state.q, &state.v, &state.p}) {
        *part = Eigen::Map<const Eigen::VectorXd>(x, n);
        x += n;
      }
      const double energy = *x++;
      const std::span momentum(x, header_.momentum.size()), multipliers(x + momentum.size(), header_.multipliers.size());
      x += momentum.size() + multipliers.size();
      if (header_.ledger) ledger = {x[0], x[1], x[2], x[3], x[4]};
      out->observe({step_, state, energy, momentum, header_.ledger ? &ledger : nullptr, multipliers});
    }
    if (std::ferror(file_.get()) != 0) fail();
    out->finish(certificate);
  }
  void forget() override {
    std::error_code ignored;
    std::filesystem::remove(rows_, ignored);
  }

 private:
  [[noreturn]] void fail() const {
    throw core::RunError(step_, t_, fmt::format("cannot write \"{}\": {}", rows_, std::strerror(errno)),
                         "free some space, or observe less often (run.every)");
  }
  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::string path_, rows_;
  TrajectoryHeader header_;
  std::size_t n_;
  std::vector<double> row_;
  std::unique_ptr<std::FILE, Close> file_;
  long step_ = 0;
  double t_ = 0;
};

}  // namespace

std::unique_ptr<Trajectory> open_rows(const std::string& path, const TrajectoryHeader& header, std::int64_t bytes) {
  return std::make_unique<Rows>(path, header, bytes);
}

}  // namespace actio::run
