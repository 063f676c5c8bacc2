#include "index.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <actio/core/error.hpp>

namespace actio::expr {
namespace {

constexpr std::size_t most_steps = 256;
constexpr std::size_t deepest = 32;                     // parentheses and signs
constexpr std::size_t largest_stack = 3 * deepest + 3;  // each nesting holds at most a sum, a product and a factor

[[noreturn]] void out_of_range(const char* what) { throw std::range_error(what); }

long combine(char op, long a, long b) {
  long result = 0;
  bool overflow = false;
  switch (op) {
    case '+':
      overflow = __builtin_add_overflow(a, b, &result);
      break;
    case '-':
      overflow = __builtin_sub_overflow(a, b, &result);
      break;
    case '*':
      overflow = __builtin_mul_overflow(a, b, &result);
      break;
    default:
      if (b == 0) out_of_range("an index divides by zero");
      if (b == -1)
        overflow = op == '/' && __builtin_sub_overflow(0L, a, &result);
      else if (op == '/')
        result = a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);  // rounds down
      else
        result = a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0);  // has the sign of b
  }
  if (overflow) out_of_range("an index overflows");
  return result;
}

class IndexParser {
 public:
  IndexParser(Lexer& lexer, std::span<const std::string> loops, std::span<const std::pair<std::string, long>> integers)
      : lexer_(lexer), loops_(loops), integers_(integers) {}

  Index operator()() {
    sum();
    return std::move(index_);
  }

 private:
  void emit(char op, long value = 0) {
    if (index_.steps.size() == most_steps) fail(lexer_.now(), "index expression is too long");
    index_.steps.push_back({op, value});
  }
  void sum() {
    product();
    while (lexer_.at("+") || lexer_.at("-")) {
      const char op = lexer_.next().text[0];
      product();
      emit(op);
    }
  }
  void product() {
    factor();
    while (lexer_.at("*") || lexer_.at("/") || lexer_.at("%")) {
      const char op = lexer_.next().text[0];
      factor();
      emit(op);
    }
  }
  void factor() {
    const Token token = lexer_.now();
    if (++depth_ > deepest) fail(token, "index expression is nested too deeply");
    if (lexer_.accept("-")) {
      factor();
      emit('n');
    } else if (lexer_.accept("+")) {
      factor();
    } else if (lexer_.accept("(")) {
      sum();
      if (!lexer_.accept(")")) fail(lexer_.at_end() ? token : lexer_.now(), "expected ')' in an index");
    } else if (token.kind == Token::Kind::number) {
      emit('c', integer(token));
      lexer_.next();
    } else if (token.kind == Token::Kind::name) {
      name(token);
      lexer_.next();
    } else {
      fail(token, fmt::format("expected an index, found {}", quoted(token)));
    }
    --depth_;
  }
  static long integer(const Token& token) {
    long value = 0;
    if (!token.integer) fail(token, fmt::format("an index is an integer, not {}", quoted(token)));
    if (std::from_chars(token.text.data(), token.text.data() + token.text.size(), value).ec != std::errc())
      fail(token, "index is too large");
    return value;
  }
  void name(const Token& token) {
    for (std::size_t i = 0; i < loops_.size(); ++i)
      if (loops_[i] == token.text) return emit('v', static_cast<long>(i));
    for (const auto& [known, value] : integers_)
      if (known == token.text) return emit('c', value);
    std::vector<std::string> candidates(loops_.begin(), loops_.end());
    for (const auto& known : integers_) candidates.push_back(known.first);
    fail(token, fmt::format("unknown index {}", quoted(token)), core::did_you_mean(token.text, candidates));
  }

  Lexer& lexer_;
  std::span<const std::string> loops_;
  std::span<const std::pair<std::string, long>> integers_;
  Index index_;
  std::size_t depth_ = 0;
};

}  // namespace

Index parse_index(Lexer& lexer, std::span<const std::string> loops, std::span<const std::pair<std::string, long>> integers) {
  return IndexParser(lexer, loops, integers)();
}

long Index::operator()(std::span<const long> loops) const {
  std::array<long, largest_stack> stack{};
  std::size_t top = 0;
  for (const Step& step : steps) {
    if (step.op == 'c') {
      stack[top++] = step.value;
    } else if (step.op == 'v') {
      stack[top++] = loops[static_cast<std::size_t>(step.value)];
    } else if (step.op == 'n') {
      stack[top - 1] = combine('-', 0, stack[top - 1]);
    } else {
      --top;
      stack[top - 1] = combine(step.op, stack[top - 1], stack[top]);
    }
  }
  return top == 0 ? 0 : stack[0];
}

Index substitute(const Index& index, std::span<const Index> loops) {
  Index out;
  for (const Index::Step& step : index.steps) {
    if (step.op != 'v') {
      out.steps.push_back(step);
      continue;
    }
    const Index& loop = loops[static_cast<std::size_t>(step.value)];
    out.steps.insert(out.steps.end(), loop.steps.begin(), loop.steps.end());
    if (out.steps.size() > most_steps) throw std::range_error("an index is too long");
  }
  std::size_t height = 0;
  for (const Index::Step& step : out.steps) {
    if (step.op == 'c' || step.op == 'v') ++height;
    if (step.op != 'c' && step.op != 'v' && step.op != 'n') --height;
    if (height > largest_stack) throw std::range_error("an index is nested too deeply");
  }
  return out;
}

std::vector<Range> parse_ranges(std::string_view text, std::span<const std::pair<std::string, long>> integers) {
  if (text.size() > 10000) throw SyntaxError(0, 1, "index ranges are longer than 10000 characters");
  Lexer lexer(text);
  std::vector<Range> ranges;
  std::vector<std::string> loops;
  do {
    const Token name = lexer.now();
    if (name.kind != Token::Kind::name)
      fail(name, fmt::format("expected an index range, found {}", quoted(name)), "for example: i = 0..6, j = i+1..6");
    if (ranges.size() == 16) fail(name, "more than 16 index ranges");
    lexer.next();
    for (const std::string& loop : loops)
      if (loop == name.text) fail(name, fmt::format("index {} is used twice", quoted(name)));
    for (const auto& known : integers)
      if (known.first == name.text) fail(name, fmt::format("{} is already the name of an integer", quoted(name)));
    if (!lexer.accept("=")) fail(lexer.now(), fmt::format("expected '=' after {}", quoted(name)), "for example: i = 0..6");
    Range range{std::string(name.text), parse_index(lexer, loops, integers), {}};
    if (!lexer.accept(".."))
      fail(lexer.now(), fmt::format("expected '..', found {}", quoted(lexer.now())), "for example: i = 0..6, both ends included");
    range.last = parse_index(lexer, loops, integers);
    loops.push_back(range.name);
    ranges.push_back(std::move(range));
  } while (lexer.accept(","));
  if (!lexer.at_end()) fail(lexer.now(), fmt::format("expected ',' or the end, found {}", quoted(lexer.now())));
  return ranges;
}

}  // namespace actio::expr
