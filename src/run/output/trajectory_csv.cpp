#include <iterator>

#include <fmt/format.h>

#include "output_file.hpp"
#include "trajectory_formats.hpp"

namespace actio::run {

namespace {

// A name as a CSV field: quoted when it must be (RFC 4180).
std::string field(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string quoted = "\"";
  for (char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

class Csv : public Trajectory {
 public:
  Csv(const std::string& path, const TrajectoryHeader& header, std::int64_t bytes)
      : energy_(header.columns.empty()), file_(path, bytes >= 0) {
    const auto out = std::back_inserter(buffer_);
    fmt::format_to(out, "t");
    for (const auto& name : header.coordinates) fmt::format_to(out, ",{}", field(name));
    for (const auto& name : header.coordinates) fmt::format_to(out, ",{}", field(fmt::format("{}'", name)));
    for (const auto& name : header.coordinates) fmt::format_to(out, ",{}", field(fmt::format("p({})", name)));
    if (energy_) fmt::format_to(out, ",energy");
    for (const auto& name : header.momentum) fmt::format_to(out, ",{}", field(name));
    for (const auto& name : header.multipliers) fmt::format_to(out, ",{}", field(fmt::format("lambda({})", name)));
    if (header.ledger)
      for (const LedgerColumn& column : ledger_columns) fmt::format_to(out, ",ledger/{}", column.name);
    for (const auto& name : header.measured) fmt::format_to(out, ",{}", field(name));
    for (const std::string& name : names_of(header.observed)) fmt::format_to(out, ",{}", field(name));
    buffer_.push_back('\n');
    bytes >= 0 ? go_on(bytes) : file_.head(line());
  }

  void observe(const Observation& now) override {
    file_.reached(now);
    buffer_.clear();
    const auto out = std::back_inserter(buffer_);
    const auto put = [&](double x) { fmt::format_to(out, ",{}", x); };
    fmt::format_to(out, "{}", now.state.t);
    for (const auto* x : {&now.state.q, &now.state.v, &now.state.p})
      for (double e : *x) put(e);
    if (energy_) put(now.energy);
    for (double J : now.momentum) put(J);
    for (double lambda : now.multipliers) put(lambda);
    if (now.ledger)
      for (const LedgerColumn& column : ledger_columns) put(now.ledger->*column.value);
    for (double x : now.measured) put(x);
    for (double x : now.observed) put(x);
    buffer_.push_back('\n');
    file_.row(line());
  }

  void flush() override { file_.flush(); }
  void finish(std::string_view, std::span<const Observed> observed) override {
    file_.close();
    if (reduces(observed)) write_observed(reductions_beside(file_.path()), observed);
    write_events(file_.path(), observed);
  }
  std::int64_t sync() override { return file_.sync(); }
  std::string remains() const override { return file_.remains(); }

 private:
  // Behind the bytes that were safe, if the names are the same and a line ends there.
  void go_on(std::int64_t bytes) {
    const std::string_view names = line();
    const bool known = file_.read(0, names.size()) == names && bytes >= static_cast<std::int64_t>(names.size()) &&
                       file_.read(bytes - 1, 1) == "\n";
    if (!known) not_the_output(file_.path());
    file_.cut_back(bytes);
  }
  std::string_view line() const { return {buffer_.data(), buffer_.size()}; }

  bool energy_;
  OutputFile file_;
  fmt::memory_buffer buffer_;
};

}  // namespace

std::unique_ptr<Trajectory> open_csv(const std::string& path, const TrajectoryHeader& header, std::int64_t bytes) {
  return std::make_unique<Csv>(path, header, bytes);
}

}  // namespace actio::run
