#include <actio/run/ensemble_file.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include <actio/core/error.hpp>

#include "ensemble_formats.hpp"

namespace actio::run {
namespace {

std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

struct Close {
  void operator()(std::FILE* f) const { std::fclose(f); }
};

class EnsembleCsv : public EnsembleFile {
 public:
  EnsembleCsv(const std::string& path, const EnsembleHeader& header, const Ensemble& ensemble)
      : path_(path), of_members_(header.of_members), file_(std::fopen(path.c_str(), "wb")) {
    if (!file_) throw core::InputError(fmt::format("cannot write \"{}\": {}", path, std::strerror(errno)));
    std::string line;
    const auto out = std::back_inserter(line);
    if (of_members_) {
      line = "member";
      for (const std::string& name : ensemble.task().members.varied_names(ensemble.task().model.parameter_names))
        fmt::format_to(out, ",{}", quoted(name));
      for (std::size_t k = 0; k < ensemble.outputs(); ++k) fmt::format_to(out, ",{}", quoted(ensemble.name(k)));
      fmt::format_to(out, ",energy_error,failed\n");
    } else {
      line = "t";
      for (std::size_t k = 0; k < ensemble.outputs(); ++k) {
        const std::string& name = ensemble.name(k);
        for (const char* what : {"mean", "standard_deviation", "min", "max", "count"})
          fmt::format_to(out, ",{}", quoted(fmt::format("{}.{}", name, what)));
        for (const double q : ensemble.task().quantiles)
          fmt::format_to(out, ",{}", quoted(fmt::format("{}.quantile({})", name, q)));
        if (!ensemble.bins(k)) continue;
        fmt::format_to(out, ",{}", quoted(name + ".below"));
        for (long b = 0; b < ensemble.bins(k)->count; ++b) fmt::format_to(out, ",{}", quoted(fmt::format("{}.bin[{}]", name, b)));
        fmt::format_to(out, ",{}", quoted(name + ".above"));
      }
      line += '\n';
    }
    write(line, ensemble);
  }

  void observe(const Ensemble& now) override {
    if (of_members_) return;
    std::string line = fmt::format("{}", now.t());
    const auto out = std::back_inserter(line);
    for (std::size_t k = 0; k < now.outputs(); ++k) {
      const Reduced& r = now.reduced(k);
      fmt::format_to(out, ",{},{},{},{},{}", r.mean, r.standard_deviation, r.min, r.max, r.count);
      for (const double q : r.quantiles) fmt::format_to(out, ",{}", q);
      if (!now.bins(k)) continue;
      fmt::format_to(out, ",{}", r.below);
      for (const long b : r.bins) fmt::format_to(out, ",{}", b);
      fmt::format_to(out, ",{}", r.above);
    }
    line += '\n';
    write(line, now);
  }

  void finish(const Ensemble& now, std::string_view) override {
    if (of_members_) {
      const Members& members = now.task().members;
      std::vector<const MemberFailure*> why(static_cast<std::size_t>(members.count), nullptr);
      for (const MemberFailure& f : now.failures()) why[static_cast<std::size_t>(f.member - members.first)] = &f;
      std::string text;
      const auto out = std::back_inserter(text);
      for (std::size_t m = 0; m < why.size(); ++m) {
        fmt::format_to(out, "{}", members.first + static_cast<long>(m));
        for (const auto& of : members.parameters) fmt::format_to(out, ",{}", of[m]);
        for (std::size_t k = 0; k < now.outputs(); ++k) fmt::format_to(out, ",{}", now.values(k)[m]);
        fmt::format_to(out, ",{},{}\n", now.energy_errors()[m], why[m] ? quoted(words(*why[m])) : "");
        if (text.size() < (1U << 16) && m + 1 < why.size()) continue;
        write(text, now);
        text.clear();
      }
    }
    if (std::fflush(file_.get()) != 0) fail(now);
  }

 private:
  void write(const std::string& text, const Ensemble& now) {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) fail(now);
  }
  [[noreturn]] void fail(const Ensemble& now) const {
    throw core::RunError(now.step(), now.t(), fmt::format("cannot write \"{}\": {}", path_, std::strerror(errno)),
                         "free some space");
  }
  std::string path_;
  bool of_members_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace

std::unique_ptr<EnsembleFile> open_ensemble_file(const std::string& path, const EnsembleHeader& header,
                                                 const Ensemble& ensemble) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".h5" || extension == ".hdf5") return open_ensemble_hdf5(path, header, ensemble);
  if (extension != ".csv")
    throw core::InputError(fmt::format("the output \"{}\" of an ensemble has no known format", path),
                           "end its name in .h5, .hdf5 or .csv");
  return std::make_unique<EnsembleCsv>(path, header, ensemble);
}

}  // namespace actio::run
