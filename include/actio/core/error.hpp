#pragma once
#include <cstddef>
#include <memory>
#include <optional>
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

// The message, hint and place of an error, kept apart until it is printed.
struct Diagnostic {
  std::string message;            // what happened
  std::string hint{};             // what to try; "": nothing is known
  std::optional<Source> place{};  // in a file
};
// As it is printed on a terminal:
//   oscillator.toml:7:14: error: unknown name "xx" in system.potential
//     7 | potential = "xx^2"
//       |              ^~
//   did you mean "x"?
std::string text(const Diagnostic& error);
// The same where it stands beside the word "error", as in JSON: without "error: " at its beginning.
std::string words(const Diagnostic& error);
// The same of a run, after `step` steps at the time t.
Diagnostic at_step(long step, double t, Diagnostic error);

// Wrong input (exit code 2). what() is the text.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::string_view message, std::string_view hint = {});
  InputError(const Source& place, std::string_view message, std::string_view hint = {});
  const Diagnostic& diagnostic() const { return *diagnostic_; }

 private:
  explicit InputError(Diagnostic error);
  std::shared_ptr<const Diagnostic> diagnostic_;  // a copy of an exception throws none
};

// The run failed (exit code 1): what happened, where in time, and what to try. what() is the text, with the step and the time.
class RunError : public std::runtime_error {
 public:
  RunError(long step, double t, std::string_view message, std::string_view hint);
  const Diagnostic& diagnostic() const { return *diagnostic_; }  // without step and time
  long step;
  double t;

 private:
  std::shared_ptr<const Diagnostic> diagnostic_;
};

// The candidate closest to `word` by edit distance, or "" when none is close.
std::string nearest(std::string_view word, std::span<const std::string> candidates);
// `did you mean "x"?`, or "" when nothing is close.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace actio::core
