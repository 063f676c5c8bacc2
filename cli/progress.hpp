#pragma once
#include <string>

#include <actio/run/integrate.hpp>

namespace actio::cli {

// "  42 %  1.3e+06 steps/s  3 s left" on the last line of a terminal; nothing anywhere else.
class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);  // and standard error is a terminal
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }
  void show(const run::Progress& now);
  void show_words(const std::string& text);
  void clear();

 private:
  bool active_, shown_ = false;
};

std::string progress_text(const run::Progress& now);

}  // namespace actio::cli
