#pragma once
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

// Errors that reach a user. A bug is an assert, a solver's outcome a report; these two are for the rest.
namespace actio::core {

// A place in a text: 1-based line and column, and the line itself so that a caret can point into it.
struct Source {
  std::string file;
  int line = 0;
  int column = 0;
  int length = 1;  // columns to underline
  std::string text;
};

// Wrong input (exit code 2). what() is the whole message, ready to print:
//   oscillator.toml:7:14: error: unknown name "xx" in system.potential
//     7 | potential = "xx^2"
//       |              ^~
//   did you mean "x"?
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::string_view message, std::string_view hint = {});
  InputError(const Source& where, std::string_view message, std::string_view hint = {});
};

// The run failed (exit code 1): what happened, where in time, and what to try.
class RunError : public std::runtime_error {
 public:
  RunError(long step, double t, std::string_view message, std::string_view advice);
  long step;
  double t;
};

// The candidate closest to `word` by edit distance, or "" when none is close.
std::string nearest(std::string_view word, std::span<const std::string> candidates);
// `did you mean "x"?`, or "" when nothing is close.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace actio::core
