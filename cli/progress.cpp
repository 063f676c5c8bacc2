#include "progress.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace actio::cli {

namespace {

std::string duration(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  const long whole = static_cast<long>(std::min(seconds, 1e9));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace

std::string progress_text(const run::Progress& now) {
  if (now.measurements > 0) return fmt::format("measuring the step, state {} of {}", now.measured + 1, now.measurements);
  const double done = static_cast<double>(now.done), total = static_cast<double>(std::max(now.total, 1L));
  const double rate = now.seconds > 0 ? done / now.seconds : 0;
  const std::string left = rate > 0 ? duration((total - done) / rate) : "?";
  return fmt::format("{:3.0f} %  {:.3g} steps/s  {} left", 100 * done / total, rate, left);
}

ProgressLine::ProgressLine(bool wanted) : active_(wanted && isatty(STDERR_FILENO) != 0) {}

void ProgressLine::show(const run::Progress& now) {
  if (active_) show_words(progress_text(now));
}

void ProgressLine::show_words(const std::string& text) {
  if (!active_) return;
  std::fputs(fmt::format("\r\033[K{}", text).c_str(), stderr);  // a terminal that is gone ends nothing
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace actio::cli
