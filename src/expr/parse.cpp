#include <actio/expr/parse.hpp>

#include <algorithm>
#include <numbers>
#include <type_traits>

#include <fmt/format.h>
#include <actio/core/error.hpp>
#include <actio/expr/operations.hpp>

#include "index.hpp"
#include "lexer.hpp"

namespace actio::expr {
namespace {

struct Function {
  std::string_view name;
  int least, most;  // arguments
  Op op;            // or, for one made of others:
  Id (*make)(Graph& g, std::span<const Id> given) = nullptr;
};
constexpr int any = 64;

// a - b floor(a/b): of the sign of b, as % in an index.
Id remainder(Graph& g, std::span<const Id> given) {
  const Id a = given[0], b = given[1];
  return g.sub(a, g.mul(b, g.unary(Op::floor, g.div(a, b))));
}

// 1 up to r = on, 0 from r = off on, between them 1 - 10 x^3 + 15 x^4 - 6 x^5 of x = (r - on)/(off - on): twice continuously
// differentiable.
Id smooth_switch(Graph& g, std::span<const Id> given) {
  const Id all = g.div(g.sub(given[0], given[1]), g.sub(given[2], given[1]));
  const Id x = g.binary(Op::min, g.binary(Op::max, all, g.constant(0)), g.constant(1));
  const Id inner = g.add(g.constant(10), g.mul(x, g.sub(g.mul(g.constant(6), x), g.constant(15))));
  return g.sub(g.constant(1), g.mul(g.mul(x, g.mul(x, x)), inner));
}

const std::vector<Function>& functions() {
  static const std::vector<Function> all = [] {
    std::vector<Function> out;
    for (const Operation& is : operations)
      if (!is.function.empty()) out.push_back({is.function, is.operands, is.repeats ? any : is.operands, is.op});
    out.push_back({"mod", 2, 2, Op::constant, remainder});
    out.push_back({"switch", 3, 3, Op::constant, smooth_switch});
    return out;
  }();
  return all;
}

const Function* find_function(std::string_view name) {
  const auto found = std::ranges::find(functions(), name, &Function::name);
  return found == functions().end() ? nullptr : &*found;
}

std::string arguments(const Function& f, std::size_t given) {
  const std::string takes = f.most == any ? fmt::format("at least {} arguments", f.least)
                                          : fmt::format("{} argument{}", f.least, f.least == 1 ? "" : "s");
  return fmt::format("{} takes {}, not {}", f.name, takes, given);
}

// Recursive descent, one function a level of precedence. Each returns the node of what it read.
class Parser {
 public:
  Parser(Graph& g, std::string_view text, Scope& scope, const Limits& limits)
      : g_(g), scope_(scope), limits_(limits), deepest_(std::min(limits.depth, 1000)), lexer_(text) {}

  Id operator()() {
    if (lexer_.at_end()) fail(lexer_.now(), "expected an expression");
    const Id result = disjunction();
    if (!lexer_.at_end()) fail_after_operand();
    return result;
  }

  Symbol name_alone() {
    const Symbol symbol = name_of();
    if (!lexer_.at_end()) fail_after_operand();
    return symbol;
  }

 private:
  // Counts nesting while it lives.
  struct Level {
    explicit Level(Parser& p) : parser(p) {
      if (++p.depth_ > p.deepest_) fail(p.lexer_.now(), fmt::format("expression is nested more than {} deep", p.deepest_));
    }
    ~Level() { --parser.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    Parser& parser;
  };

  Id checked(Id id) const {
    if (g_.size() > limits_.nodes) fail(lexer_.now(), fmt::format("expression has more than {} operations", limits_.nodes));
    return id;
  }

  Id disjunction() {
    Id left = conjunction();
    while (take_name("or")) left = checked(g_.binary(Op::logical_or, left, conjunction()));
    return left;
  }
  Id conjunction() {
    Id left = negation();
    while (take_name("and")) left = checked(g_.binary(Op::logical_and, left, negation()));
    return left;
  }
  Id negation() {
    if (!take_name("not")) return comparison();
    const Level level(*this);
    return g_.unary(Op::logical_not, negation());
  }
  static bool compares(const Lexer& lexer) {
    for (const char* symbol : {"<", "<=", ">", ">=", "==", "!="})
      if (lexer.at(symbol)) return true;
    return false;
  }
  Id comparison() {
    const Id left = sum();
    if (lexer_.at("=")) fail(lexer_.now(), "'=' does not compare", "equality is written with ==");
    if (!compares(lexer_)) return left;
    const std::string_view op = take().text;
    const Id right = sum();
    if (compares(lexer_)) fail(lexer_.now(), "comparisons do not chain", "write a < b and b < c");
    if (op == "<") return checked(g_.binary(Op::less, left, right));
    if (op == "<=") return checked(g_.binary(Op::less_equal, left, right));
    if (op == ">") return checked(g_.binary(Op::less, right, left));
    if (op == ">=") return checked(g_.binary(Op::less_equal, right, left));
    const Id equal = checked(g_.binary(Op::equal, left, right));
    return op == "==" ? equal : g_.unary(Op::logical_not, equal);
  }
  Id sum() {
    Id left = product();
    while (lexer_.at("+") || lexer_.at("-")) {
      const Op op = take().text == "+" ? Op::add : Op::sub;
      left = checked(g_.binary(op, left, product()));
    }
    return left;
  }
  Id product() {
    Id left = sign();
    while (lexer_.at("*") || lexer_.at("/")) {
      const Op op = take().text == "*" ? Op::mul : Op::div;
      left = checked(g_.binary(op, left, sign()));
    }
    return left;
  }
  Id sign() {
    if (!lexer_.at("-") && !lexer_.at("+")) return power();
    const Level level(*this);
    const bool minus = take().text == "-";
    const Id operand = sign();
    return minus ? checked(g_.neg(operand)) : operand;
  }
  Id power() {
    const Id base = operand();
    if (!lexer_.at("^")) return base;
    const Level level(*this);
    take();
    return checked(g_.pow(base, sign()));  // so 2^-1 and x^y^z = x^(y^z)
  }

  Id operand() {
    const Token token = lexer_.now();
    if (token.kind == Token::Kind::number) {
      take();
      return checked(g_.constant(token.value));
    }
    if (token.kind == Token::Kind::name) return name();
    if (lexer_.at("(")) {
      const Level level(*this);
      take();
      const Id inside = disjunction();
      close(token);
      return inside;
    }
    if (last_.empty()) fail(token, fmt::format("expected an operand, found {}", quoted(token)));
    fail(token, fmt::format("expected an operand after '{}'", last_));
  }

  Id name() {
    const Token token = take();
    if (lexer_.at("(")) return call(token);
    if (token.text == "pi") return g_.constant(std::numbers::pi);
    if (token.text == "and" || token.text == "or" || token.text == "not")
      fail(token, fmt::format("expected an operand, found {}", quoted(token)));
    if (const Function* f = find_function(token.text))
      fail(token, fmt::format("{} is a function", f->name), fmt::format("write {}(...)", f->name));
    Symbol symbol = named(token);
    return checked(scope_.resolve(g_, symbol));
  }

  Symbol named(const Token& token) {
    Symbol symbol{token.text, primes(), {}, token.offset, 0};
    if (lexer_.at("[")) {
      const Token bracket = take();
      do {
        if (symbol.indices.size() == 8) fail(lexer_.now(), "more than 8 indices");
        symbol.indices.push_back(parse_index(lexer_, scope_.loops(), scope_.integers()));
      } while (lexer_.accept(","));
      if (lexer_.at_end()) fail(bracket, "'[' is never closed");
      if (!lexer_.at("]")) fail(lexer_.now(), fmt::format("expected ']', found {}", quoted(lexer_.now())));
      take();
      symbol.primes += primes();
    }
    while (lexer_.at(".")) {
      const Token dot = take();
      if (symbol.primes > 0) fail(dot, fmt::format("expected an operator before {}", quoted(dot)), "a prime stands at the end");
      if (symbol.members.size() == 4) fail(dot, "more than 4 names joined by dots");
      symbol.members.push_back(member());
      symbol.primes += primes();
    }
    symbol.length = lexer_.end_of_last() - token.offset;
    return symbol;
  }
  Member member() {
    const Token token = take();
    Member out{token.text, lexer_.at("("), {}, token.offset, 0};
    if (out.call) out.arguments = arguments_of([this] { return disjunction(); });
    out.length = lexer_.end_of_last() - token.offset;
    return out;
  }
  // "(a, b, c)", each read by `one`.
  template <class One>
  std::vector<std::invoke_result_t<One>> arguments_of(One one) {
    const Level level(*this);
    const Token bracket = take();
    std::vector<std::invoke_result_t<One>> given;
    if (!lexer_.at(")")) do
        given.push_back(one());
      while (given.size() < any && take_symbol(","));
    close(bracket);
    return given;
  }
  Symbol name_of() {
    if (lexer_.now().kind != Token::Kind::name)
      fail(lexer_.now(), fmt::format("expected a name, found {}", quoted(lexer_.now())));
    return named(take());
  }
  int primes() {
    int count = 0;
    for (; lexer_.at("'"); ++count) take();
    return count;
  }

  Id call(const Token& token) {
    if (const std::vector<Takes> takes = scope_.takes(token.text); !takes.empty()) {
      const Symbol function{token.text, 0, {}, token.offset, token.text.size()};
      const std::vector<Argument> given =
          arguments_of([&, k = std::size_t{0}]() mutable { return argument(takes[std::min(k++, takes.size() - 1)]); });
      return checked(scope_.apply(g_, function, given));
    }
    const Function* f = find_function(token.text);
    if (f == nullptr) fail_unknown_function(token);
    const std::vector<Id> given = arguments_of([this] { return disjunction(); });
    const auto count = static_cast<int>(given.size());
    if (count < f->least || count > f->most) fail(token, arguments(*f, given.size()));
    if (f->make) return checked(f->make(g_, given));
    if (f->op == Op::where) return checked(g_.where(given[0], given[1], given[2]));
    if (f->least == 1) return checked(g_.unary(f->op, given[0]));
    Id result = given[0];
    for (std::size_t i = 1; i < given.size(); ++i) result = checked(g_.binary(f->op, result, given[i]));
    return result;
  }

  Argument argument(Takes takes) {
    Argument out;
    if (takes == Takes::number) out.number = disjunction();
    if (takes == Takes::index) out.index = parse_index(lexer_, scope_.loops(), scope_.integers());
    if (takes == Takes::name) out.name = name_of();
    return out;
  }

  [[noreturn]] void fail_unknown_function(const Token& token) {
    bool is_symbol = token.text == "pi";
    try {
      Graph scratch;
      scope_.resolve(scratch, {token.text, 0, {}, token.offset, token.text.size()});
      is_symbol = true;
    } catch (const SyntaxError&) {}
    if (is_symbol) fail(token, fmt::format("{} is not a function", quoted(token)), "multiplication is written with *");
    std::vector<std::string> known = scope_.functions();
    known.insert(known.end(), function_names().begin(), function_names().end());
    fail(token, fmt::format("unknown function \"{}\"", token.text.substr(0, 80)), core::did_you_mean(token.text, known));
  }

  void close(const Token& bracket) {
    if (lexer_.at_end()) fail(bracket, "'(' is never closed");
    if (!lexer_.at(")")) fail_after_operand();
    take();
  }
  // What follows an operand is neither an operator nor a closing bracket that fits.
  [[noreturn]] void fail_after_operand() {
    const Token token = lexer_.now();
    const bool operand = token.kind == Token::Kind::number || token.kind == Token::Kind::name || token.text == "(";
    if (operand) fail(token, fmt::format("expected an operator before {}", quoted(token)), "multiplication is written with *");
    if (token.text == ")") fail(token, "')' closes nothing");
    if (token.text == "%") fail(token, "'%' is allowed in an index only");
    fail(token, fmt::format("unexpected {}", quoted(token)));
  }

  Token take() {
    last_ = lexer_.now().text;
    return lexer_.next();
  }
  bool take_symbol(std::string_view symbol) {
    if (!lexer_.at(symbol)) return false;
    take();
    return true;
  }
  bool take_name(std::string_view name) {
    if (!lexer_.at_name(name)) return false;
    take();
    return true;
  }

  Graph& g_;
  Scope& scope_;
  const Limits& limits_;
  int deepest_;
  int depth_ = 0;
  Lexer lexer_;
  std::string_view last_;  // the token taken last
};

}  // namespace

Id parse(Graph& g, std::string_view text, Scope& scope, const Limits& limits) {
  if (text.size() > limits.length)
    throw SyntaxError(limits.length, 1, fmt::format("expression is longer than {} characters", limits.length));
  return Parser(g, text, scope, limits)();
}

Symbol parse_name(Graph& g, std::string_view text, Scope& scope, const Limits& limits) {
  if (text.size() > limits.length)
    throw SyntaxError(limits.length, 1, fmt::format("expression is longer than {} characters", limits.length));
  return Parser(g, text, scope, limits).name_alone();
}

std::vector<bool> used_as_indices(std::string_view text, std::span<const std::string> names, TakesOf takes) {
  struct Bracket {
    std::vector<Takes> takes;  // of the function whose arguments it holds
    std::size_t argument = 0;
    bool index = false;  // [
  };
  std::vector<bool> out(names.size(), false);
  std::vector<Bracket> open;
  Token before;
  for (Lexer lexer(text); !lexer.at_end();) {
    const Token token = lexer.next();
    if (token.text == "(") open.push_back({before.kind == Token::Kind::name ? takes(before.text) : std::vector<Takes>{}});
    if (token.text == "[") open.push_back({{}, 0, true});
    if (token.text == "," && !open.empty()) ++open.back().argument;
    if ((token.text == ")" || token.text == "]") && !open.empty()) open.pop_back();
    const bool here = std::ranges::any_of(open, [](const Bracket& bracket) {
      return bracket.index ||
             (!bracket.takes.empty() && bracket.takes[std::min(bracket.argument, bracket.takes.size() - 1)] == Takes::index);
    });
    if (const auto name = std::ranges::find(names, token.text); here && name != names.end())
      out[static_cast<std::size_t>(name - names.begin())] = true;
    before = token;
  }
  return out;
}

std::span<const std::string> function_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const Function& f : functions()) result.emplace_back(f.name);
    return result;
  }();
  return names;
}

}  // namespace actio::expr
