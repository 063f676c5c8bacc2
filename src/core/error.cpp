#include <actio/core/error.hpp>

#include <actio/core/meanings.hpp>
#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace actio::core {
namespace {

constexpr std::size_t widest = 120;  // of a quoted line; longer ones are cut around the caret

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// The line and the caret below it. Columns count bytes; the caret counts characters and keeps tabs.
std::string quote(const Source& where) {
  const std::string& line = where.text;
  std::size_t at = std::min(line.size(), static_cast<std::size_t>(std::max(where.column, 1) - 1));
  std::size_t begin = at > widest / 2 && line.size() > widest ? at - widest / 2 : 0;
  while (begin > 0 && continues_character(line[begin])) --begin;
  std::size_t end = std::min(line.size(), begin + widest);
  while (end < line.size() && continues_character(line[end])) ++end;
  std::string shown = (begin > 0 ? "..." : "") + line.substr(begin, end - begin) + (end < line.size() ? "..." : "");
  std::string caret(begin > 0 ? 3 : 0, ' ');
  for (std::size_t i = begin; i < at; ++i)
    if (!continues_character(line[i])) caret += line[i] == '\t' ? '\t' : ' ';
  caret += '^';
  const std::size_t last = std::min(end, at + static_cast<std::size_t>(std::max(where.length, 1)));
  for (std::size_t i = at + 1; i < last; ++i)
    if (!continues_character(line[i])) caret += '~';
  const std::string number = fmt::format("{}", where.line);
  return fmt::format("\n  {} | {}\n  {} | {}", number, shown, std::string(number.size(), ' '), caret);
}

std::string place(const Source& where) {
  if (where.line <= 0) return where.file + ": ";
  if (where.column <= 0) return fmt::format("{}:{}: ", where.file, where.line);
  return fmt::format("{}:{}:{}: ", where.file, where.line, where.column);
}

std::string on_its_own_line(std::string_view hint) { return hint.empty() ? std::string() : fmt::format("\n  {}", hint); }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Edit distance with transpositions, blind to case.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

}  // namespace

std::string text(const Diagnostic& error) {
  if (!error.place) return "error: " + words(error);
  const Source& where = *error.place;
  return fmt::format("{}error: {}{}{}", place(where), error.message, where.line > 0 && where.column > 0 ? quote(where) : "",
                     on_its_own_line(error.hint));
}

std::string words(const Diagnostic& error) { return error.place ? text(error) : error.message + on_its_own_line(error.hint); }

Diagnostic at_step(long step, double t, Diagnostic error) {
  error.message = fmt::format("step {}, t = {}: {}", step, t, error.message);
  return error;
}

InputError::InputError(Diagnostic error)
    : std::runtime_error(text(error)), diagnostic_(std::make_shared<const Diagnostic>(std::move(error))) {}

InputError::InputError(std::string_view message, std::string_view hint)
    : InputError(Diagnostic{std::string(message), std::string(hint)}) {}

InputError::InputError(const Source& place, std::string_view message, std::string_view hint)
    : InputError(Diagnostic{std::string(message), std::string(hint), place}) {}

RunError::RunError(long at, double time, std::string_view message, std::string_view hint)
    : std::runtime_error(text(at_step(at, time, {std::string(message), std::string(hint)}))),
      step(at),
      t(time),
      diagnostic_(std::make_shared<const Diagnostic>(Diagnostic{std::string(message), std::string(hint)})) {}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  std::string_view best;
  std::size_t least = ~std::size_t{0};
  for (const std::string& candidate : candidates) {
    const std::size_t longest = std::max(word.size(), candidate.size());
    const std::size_t allowed = std::min(std::max<std::size_t>(1, (longest + 1) / 3), longest - (longest > 0 ? 1 : 0));
    const std::size_t shortest = std::min(word.size(), candidate.size());
    if (longest > 100 || longest - shortest > allowed) continue;
    const std::size_t edits = distance(word, candidate);
    if (edits <= allowed && edits < least) least = edits, best = candidate;
  }
  return std::string(best);
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  if (std::string known = same_meaning(word, candidates); !known.empty()) return known;
  const std::string best = nearest(word, candidates);
  return best.empty() ? best : fmt::format("did you mean \"{}\"?", best);
}

}  // namespace actio::core
