#include <actio/io/matrix_market.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <actio/core/error.hpp>

#include "number.hpp"
#include "text.hpp"

namespace actio::io {
namespace {

constexpr std::size_t longest_matrix = std::size_t{8} << 30;  // bytes
constexpr std::size_t longest_head = std::size_t{1} << 20;    // bytes up to the line with the sizes
constexpr long most_rows = 10'000'000;
constexpr long most_read = 2'000'000'000;  // of a matrix with int indices
constexpr std::string_view blanks = " \t\r\f\v";

std::string lower(std::string_view word) {
  std::string out(word);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

struct Entries {
  std::vector<int> row, column;
  std::vector<double> value;
  void reserve(long n) {
    row.reserve(static_cast<std::size_t>(n));
    column.reserve(static_cast<std::size_t>(n));
    value.reserve(static_cast<std::size_t>(n));
  }
  void add(long i, long j, double x) {
    row.push_back(static_cast<int>(i));
    column.push_back(static_cast<int>(j));
    value.push_back(x);
  }
};

// The entries in the order of `key`, equal ones in the order they had.
Entries sorted(const Entries& in, const std::vector<int>& key, long size) {
  std::vector<std::size_t> next(static_cast<std::size_t>(size) + 1, 0);
  for (const int k : key) ++next[static_cast<std::size_t>(k) + 1];
  for (std::size_t k = 1; k < next.size(); ++k) next[k] += next[k - 1];
  Entries out;
  out.row.resize(key.size());
  out.column.resize(key.size());
  out.value.resize(key.size());
  for (std::size_t e = 0; e < key.size(); ++e) {
    const std::size_t at = next[static_cast<std::size_t>(key[e])]++;
    out.row[at] = in.row[e];
    out.column[at] = in.column[e];
    out.value[at] = in.value[e];
  }
  return out;
}

// Columns of ascending rows by counting, twice; what stands at one place is added up in the order of the file.
Eigen::SparseMatrix<double> compressed(Entries entries, long rows, long columns) {
  entries = sorted(entries, entries.row, rows);
  entries = sorted(entries, entries.column, columns);
  Eigen::SparseMatrix<double> out(rows, columns);
  out.resizeNonZeros(static_cast<Eigen::Index>(entries.value.size()));
  int *starts = out.outerIndexPtr(), *inner = out.innerIndexPtr();
  double* values = out.valuePtr();
  int count = 0;
  std::size_t e = 0;
  for (long j = 0; j < columns; ++j) {
    starts[j] = count;
    for (; e < entries.value.size() && entries.column[e] == j; ++e) {
      if (count > starts[j] && inner[count - 1] == entries.row[e]) {
        values[count - 1] += entries.value[e];
      } else {
        inner[count] = entries.row[e];
        values[count++] = entries.value[e];
      }
    }
  }
  starts[columns] = count;
  out.resizeNonZeros(count);
  return out;
}

class MatrixMarketReader {
 public:
  explicit MatrixMarketReader(const std::string& path, std::string text) : path_(path), text_(std::move(text)) {}

  Eigen::SparseMatrix<double> read(long rows, long columns) {
    sizes();
    if ((rows >= 0 && rows_ != rows) || (columns >= 0 && columns_ != columns))
      fail(line_, fmt::format("the matrix is {} x {}, the system needs {} x {}", rows_, columns_, rows, columns));
    const long entries = count();
    Entries out;
    out.reserve(symmetric_ ? 2 * entries : entries);
    array_ ? dense(out) : sparse(entries, out);
    if (next_line()) fail(line_, "more entries than the sizes say");
    return compressed(std::move(out), rows_, columns_);
  }

  long size() {
    sizes();
    if (rows_ != columns_) fail(line_, fmt::format("the matrix is {} x {}, not square", rows_, columns_));
    return rows_;
  }

  // Of a file that has been read before.
  core::Source place(long i, long j) {
    sizes();
    core::Source found{path_, number_, 1, static_cast<int>(line_.size()), printable(line_)};
    while (!array_ && next_line()) {
      const long row = position(words_[0], rows_, "row"), column = position(words_[1], columns_, "column");
      if ((row == i && column == j) || (symmetric_ && row == j && column == i))
        return {path_, number_, 1, static_cast<int>(line_.size()), printable(line_)};
    }
    return found;
  }

 private:
  void sizes() {
    header();
    if (!next_line()) end("the line with the sizes");
    if (words_.size() != (array_ ? 2U : 3U))
      fail(line_, array_ ? "the sizes of an array are two integers: rows columns"
                         : "the sizes are three integers: rows columns entries");
    rows_ = size(words_[0], "rows", most_rows);
    columns_ = size(words_[1], "columns", most_rows);
    if (symmetric_ && rows_ != columns_)
      fail(line_, fmt::format("a symmetric matrix has as many rows as columns, not {} and {}", rows_, columns_));
  }

  // Entries in the file.
  long count() const {
    const long all = symmetric_ ? rows_ * (rows_ + 1) / 2 : rows_ * columns_;
    const long entries = array_ ? all : size(words_[2], "entries", most_read);
    // an entry takes at least "0\n", or "1 1 0\n"
    if (entries > static_cast<long>(text_.size()) / (array_ ? 2 : 6) + 1)
      fail(line_, fmt::format("{} entries do not fit in a file of {} bytes", entries, text_.size()));
    if ((symmetric_ ? 2 : 1) * entries > most_read)
      fail(line_, fmt::format("{} entries; at most {} can be read", entries, most_read / (symmetric_ ? 2 : 1)));
    return entries;
  }

  void header() {
    take_line();
    split();
    const auto expect = [&](std::size_t k, std::initializer_list<std::string_view> choices, std::string_view unsupported) {
      const std::string word = k < words_.size() ? lower(words_[k]) : "";
      if (std::find(choices.begin(), choices.end(), word) != choices.end()) return word;
      const std::vector<std::string> names(choices.begin(), choices.end());
      fail(k < words_.size() ? words_[k] : line_,
           fmt::format("the header needs {} here{}", fmt::join(names, " or "), unsupported), core::did_you_mean(word, names));
    };
    if (words_.empty() || lower(words_[0]) != "%%matrixmarket")
      fail(line_, "not a Matrix Market file: the first line must begin with %%MatrixMarket");
    expect(1, {"matrix"}, "");
    array_ = expect(2, {"coordinate", "array"}, "") == "array";
    expect(3, {"real", "integer"}, "; Actio reads no complex and no pattern matrices");
    symmetric_ = expect(4, {"general", "symmetric"}, "") == "symmetric";
  }

  void dense(Entries& out) {
    words_.clear();
    std::size_t word = 0;
    for (long j = 0; j < columns_; ++j) {
      for (long i = symmetric_ ? j : 0; i < rows_; ++i) {
        while (word == words_.size()) {
          if (!next_line()) end(fmt::format("entry ({}, {})", i + 1, j + 1));
          word = 0;
        }
        put(i, j, value(words_[word++]), out);
      }
    }
    if (word < words_.size()) fail(words_[word], "more entries than the sizes say");
  }

  void sparse(long entries, Entries& out) {
    for (long k = 0; k < entries; ++k) {
      long row = 0, column = 0;
      double x = 0;
      if (ordinary_line(row, column, x)) {
        put(row, column, x, out);
        continue;
      }
      if (!next_line()) end(fmt::format("entry {} of {}", k + 1, entries));
      if (words_.size() != 3) fail(line_, "an entry is three numbers: row column value");
      const long i = position(words_[0], rows_, "row"), j = position(words_[1], columns_, "column");
      if (symmetric_ && j > i) fail(line_, "a symmetric file lists the lower triangle only");
      put(i, j, value(words_[2]), out);
    }
  }

  // The next line when it is "row column value" with nothing wrong; else nothing is taken.
  bool ordinary_line(long& row, long& column, double& x) {
    const char *at = text_.data() + std::min(at_, text_.size()), *const end = text_.data() + text_.size();
    const auto number = [&](auto& out) {
      while (at < end && (*at == ' ' || *at == '\t')) ++at;
      const auto [next, error] = std::from_chars(at, end, out);
      const bool sound = error == std::errc() && next < end && (*next == ' ' || *next == '\t' || *next == '\r' || *next == '\n');
      at = next;
      return sound;
    };
    if (!number(row) || !number(column) || !number(x)) return false;
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r')) ++at;
    if (at == end || *at != '\n') return false;
    if (--row < 0 || --column < 0 || row >= rows_ || column >= columns_ || !std::isfinite(x)) return false;
    if (symmetric_ && column > row) return false;
    at_ = static_cast<std::size_t>(at - text_.data()) + 1;
    ++number_;
    return true;
  }

  void put(long i, long j, double x, Entries& out) const {
    if (array_ && x == 0) return;
    out.add(i, j, x);
    if (symmetric_ && i != j) out.add(j, i, x);
  }

  long size(std::string_view word, std::string_view what, long most) const {
    const auto n = to_number<long>(word);
    if (!n) fail(word, fmt::format("the number of {} must be an integer", what));
    if (*n < 1 || *n > most) fail(word, fmt::format("{} {}; from 1 to {} can be read", *n, what, most));
    return *n;
  }
  long position(std::string_view word, long size, std::string_view what) const {
    const auto n = to_number<long>(word);
    if (!n) fail(word, fmt::format("the {} must be an integer", what));
    if (*n < 1 || *n > size) fail(word, fmt::format("{} {} of a matrix of {}; they count from 1", what, *n, size));
    return *n - 1;
  }
  double value(std::string_view word) const {
    const auto x = to_number<double>(word);
    if (!x) fail(word, "the entry must be a number");
    if (!std::isfinite(*x)) fail(word, "the entry must be finite");
    return *x;
  }

  // The next line that is neither blank nor a comment, in words.
  bool next_line() {
    while (take_line()) {
      split();
      if (!words_.empty() && words_.front().front() != '%') return true;
    }
    words_.clear();
    return false;
  }
  bool take_line() {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    line_ = std::string_view(text_).substr(at_, end - at_);
    at_ = end + 1;
    ++number_;
    return true;
  }
  void split() {
    words_.clear();
    for (std::size_t begin = line_.find_first_not_of(blanks); begin != std::string_view::npos;) {
      const std::size_t end = std::min(line_.find_first_of(blanks, begin), line_.size());
      words_.push_back(line_.substr(begin, end - begin));
      begin = line_.find_first_not_of(blanks, end);
    }
  }
  [[noreturn]] void fail(std::string_view word, const std::string& message, std::string_view hint = {}) const {
    const long at = word.data() ? word.data() - line_.data() : 0;
    throw core::InputError(
        {path_, std::max(number_, 1), static_cast<int>(at) + 1, std::max(1, static_cast<int>(word.size())), printable(line_)},
        message, hint);
  }
  [[noreturn]] void end(const std::string& missing) const {
    throw core::InputError(core::Source{path_, number_, 0, 1, ""}, "the file ends before " + missing);
  }

  std::string path_, text_;
  std::size_t at_ = 0;
  int number_ = 0;
  std::string_view line_;
  std::vector<std::string_view> words_;
  bool array_ = false, symmetric_ = false;
  long rows_ = 0, columns_ = 0;
};

}  // namespace

Eigen::SparseMatrix<double> read_matrix_market(const std::string& path, long rows, long columns) {
  return MatrixMarketReader(path, read_text(path, longest_matrix)).read(rows, columns);
}

long matrix_market_size(const std::string& path) { return MatrixMarketReader(path, read_head(path, longest_head)).size(); }

core::Source matrix_market_place(const std::string& path, long i, long j) {
  return MatrixMarketReader(path, read_text(path, longest_matrix)).place(i, j);
}

}  // namespace actio::io
