#pragma once
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include <actio/run/observer.hpp>

// The file that the rows of a trajectory go to, which a run that was killed finds again.
namespace actio::run {

inline constexpr std::string_view advice_to_write = "free some space, or observe less often (run.every)";
// Throws core::RunError, with what was observed last.
[[noreturn]] void cannot_write(long step, double t, const std::string& path, std::string_view why);
// Throws core::InputError: the run that is resumed did not leave this file.
[[noreturn]] void not_the_output(const std::string& path);

class OutputFile {
 public:
  // A new file, or `again` the one that is there. Throws core::InputError when it cannot be written.
  OutputFile(std::string path, bool again);
  // Behind the bytes that were safe; the rest is dropped. Throws core::InputError when there are fewer, or it cannot be cut.
  void cut_back(std::int64_t bytes);
  std::string read(std::int64_t at, std::size_t size);  // fewer where the file ends
  [[nodiscard]] bool put(std::string_view bytes);       // false: not all of them

  // The rest throws core::RunError, at this observation.
  void reached(const Observation& now) {
    step_ = now.step;
    t_ = now.state.t;
  }
  void flush();
  std::int64_t sync();  // all is on the disk; its bytes
  [[noreturn]] void fail() const;

  const std::string& path() const { return path_; }
  long step() const { return step_; }

 private:
  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  long step_ = 0;
  double t_ = 0;
};

}  // namespace actio::run
