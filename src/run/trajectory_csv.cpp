#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>

#include <fmt/format.h>
#include <unistd.h>

#include <actio/core/error.hpp>

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
      : path_(path), file_(std::fopen(path.c_str(), bytes < 0 ? "wb" : "r+b")) {
    if (file_ == nullptr) throw core::InputError(fmt::format("cannot write \"{}\": {}", path, std::strerror(errno)));
    const auto out = std::back_inserter(buffer_);
    fmt::format_to(out, "t");
    for (const auto& name : header.coordinates) fmt::format_to(out, ",{}", field(name));
    for (const auto& name : header.coordinates) fmt::format_to(out, ",{}", field(fmt::format("{}'", name)));
    for (const auto& name : header.coordinates) fmt::format_to(out, ",{}", field(fmt::format("p({})", name)));
    fmt::format_to(out, ",energy");
    for (const auto& name : header.momentum) fmt::format_to(out, ",{}", field(name));
    for (const auto& name : header.multipliers) fmt::format_to(out, ",{}", field(fmt::format("lambda({})", name)));
    if (header.ledger) fmt::format_to(out, ",ledger/external,ledger/constraints,ledger/dissipated,ledger/method,ledger/solver");
    buffer_.push_back('\n');
    if (bytes >= 0) go_on(bytes);
  }

  void observe(const Observation& now) override {
    step_ = now.step;
    t_ = now.state.t;
    const auto out = std::back_inserter(buffer_);
    const auto put = [&](double x) { fmt::format_to(out, ",{}", x); };
    fmt::format_to(out, "{}", now.state.t);
    for (const auto* x : {&now.state.q, &now.state.v, &now.state.p})
      for (double e : *x) put(e);
    put(now.energy);
    for (double J : now.momentum) put(J);
    for (double lambda : now.multipliers) put(lambda);
    if (now.ledger)
      for (double w :
           {now.ledger->external, now.ledger->constraints, now.ledger->dissipated, now.ledger->method, now.ledger->solver})
        put(w);
    buffer_.push_back('\n');
    if (buffer_.size() > 1 << 16) write();
  }

  void flush() override {
    write();
    if (std::fflush(file_.get()) != 0) fail();
  }

  void finish(std::string_view) override { flush(); }

  std::int64_t sync() override {
    flush();
    if (fsync(fileno(file_.get())) != 0 && errno != EINVAL && errno != ENOTSUP) fail();  // a pipe has no such thing
    return std::ftell(file_.get());
  }

  ~Csv() override {
    if (file_) std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get());
  }

 private:
  // Behind the bytes that were safe, if the names are the same and a line ends there.
  void go_on(std::int64_t bytes) {
    std::string names(buffer_.size(), '\0');
    const bool known = std::fread(names.data(), 1, names.size(), file_.get()) == names.size() &&
                       names == std::string_view(buffer_.data(), buffer_.size()) &&
                       bytes >= static_cast<std::int64_t>(names.size()) && std::fseek(file_.get(), bytes - 1, SEEK_SET) == 0 &&
                       std::fgetc(file_.get()) == '\n';
    if (!known) throw core::InputError(fmt::format("\"{}\" is not the output that the run had written when it was saved", path_));
    buffer_.clear();
    if (ftruncate(fileno(file_.get()), bytes) != 0 || std::fseek(file_.get(), 0, SEEK_END) != 0)
      throw core::InputError(fmt::format("cannot write \"{}\": {}", path_, std::strerror(errno)));
  }
  void write() {
    const std::size_t size = buffer_.size();
    const std::size_t written = std::fwrite(buffer_.data(), 1, size, file_.get());
    buffer_.clear();
    if (written != size) fail();
  }
  [[noreturn]] void fail() const {
    throw core::RunError(step_, t_, fmt::format("cannot write \"{}\": {}", path_, std::strerror(errno)),
                         "free some space, or observe less often (run.every)");
  }

  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  fmt::memory_buffer buffer_;
  long step_ = 0;
  double t_ = 0;
};

}  // namespace

std::unique_ptr<Trajectory> open_csv(const std::string& path, const TrajectoryHeader& header, std::int64_t bytes) {
  return std::make_unique<Csv>(path, header, bytes);
}

}  // namespace actio::run
