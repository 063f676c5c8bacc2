#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <actio/run/observer.hpp>

// The file that the rows of a trajectory go to, which a run that was killed finds again.
namespace actio::run {

inline constexpr std::string_view advice_to_write = "free some space, or observe less often (run.every)";
// Throws core::RunError, with what was observed last.
[[noreturn]] void cannot_write(long step, double t, const std::string& path, std::string_view why);
// "the rows until t = 0.5 are in "out.csv"", or, where t is not a number, that there is none.
std::string rows_until(double t, const std::string& path);
// Throws core::InputError: the run that is resumed did not leave this file.
[[noreturn]] void not_the_output(const std::string& path);

// It ends with a whole row, whatever happens: where the disk is full the part of a row that had room is taken away again.
class OutputFile {
 public:
  // A new file, or `again` the one that is there. Throws core::InputError when it cannot be written.
  OutputFile(std::string path, bool again);
  OutputFile(const OutputFile&) = delete;
  ~OutputFile();
  // Behind the bytes that were safe; the rest is dropped. Throws core::InputError when there are fewer, or it cannot be cut.
  void cut_back(std::int64_t bytes);
  std::string read(std::int64_t at, std::size_t size);  // fewer where the file ends

  // The rest throws core::RunError, at this observation.
  void reached(const Observation& now) {
    step_ = now.step;
    t_ = now.state.t;
  }
  void head(std::string_view line) { add(line, false); }  // what comes before the rows
  void row(std::string_view bytes) { add(bytes, true); }  // of the observation
  void flush();
  std::int64_t sync();  // all is on the disk; its bytes
  // Over what the file has there. errno, or 0; also after a write that failed.
  int overwrite(std::int64_t at, std::string_view bytes);
  std::int64_t size() const { return size_; }  // of whole rows and what comes before them, in the file
  void close();                                // for good
  [[noreturn]] void fail(int code) const;

  // Which of the rows are in it, for a message, as far as they were put there since it was opened.
  std::string remains() const;
  const std::string& path() const { return path_; }

 private:
  struct Row {
    std::size_t end;  // in what waits
    double t;         // not a number: of the head
  };
  void add(std::string_view bytes, bool observed);
  int write();  // what waits; 0, or why it is not all in the file

  std::string path_;
  int file_ = -1;
  std::string waiting_;
  std::vector<Row> rows_;  // that wait
  std::int64_t size_ = 0;  // bytes of whole rows
  int failed_ = 0;
  long step_ = 0;
  double t_ = 0, last_ = std::numeric_limits<double>::quiet_NaN();  // the last row in the file
};

}  // namespace actio::run
