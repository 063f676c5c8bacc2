#pragma once
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <actio/core/function_ref.hpp>
#include <actio/expr/graph.hpp>

// Text to graph: + - * / ^ (right associative, binds tighter than unary minus on its left), comparisons < <= > >= == !=,
// and/or/not, numbers, pi, the functions of Op, where(c, a, b). Names are the scope's business.
namespace actio::expr {

// An integer expression in loop indices, such as k+1, 2*i or N-1-i. / rounds down and % is never negative for a positive
// divisor, so (k-1) % N wraps.
class Index {
 public:
  // Values of the loop indices in the order of the names given when it was parsed. Throws std::range_error on overflow and on
  // division by zero.
  long operator()(std::span<const long> loops) const;
  bool operator==(const Index&) const = default;
  struct Step {
    char op = 'c';
    long value = 0;
    bool operator==(const Step&) const = default;
  };  // reverse Polish: c constant, v loop, + - * / % n(egate)
  std::vector<Step> steps;
};
// The index with `loops` for its loop indices. Throws std::range_error where it becomes too long.
Index substitute(const Index& index, std::span<const Index> loops);

// What stands after a dot: z, or point(0, 0, L).
struct Member {
  std::string_view name;
  bool call = false;
  std::vector<Id> arguments;
  std::size_t offset = 0, length = 0;  // in the text, for messages
};

struct Symbol {
  std::string_view name;
  int primes = 0;                      // x' has 1; x'[i] and x[i]' are the same, and so are top.x' and top[k].x'
  std::vector<Index> indices;          // theta[k+1] has 1
  std::size_t offset = 0, length = 0;  // in the text, for messages
  std::vector<Member> members = {};    // top.point(0, 0, L).z has 2
};

// An argument of a function: a number, an integer of the loop indices, or a name.
enum class Takes : char { number, index, name };
struct Argument {
  Id number = -1;
  Index index;
  Symbol name;
};

// Wrong text. offset and length say where; hint may be empty.
struct SyntaxError : std::runtime_error {
  SyntaxError(std::size_t at, std::size_t size, const std::string& message, std::string advice = {})
      : std::runtime_error(message), offset(at), length(size), hint(std::move(advice)) {}
  std::size_t offset, length;
  std::string hint;
};

// Gives names their meaning. resolve throws SyntaxError for an unknown name, a wrong count of indices, a prime that does not fit.
class Scope {
 public:
  virtual ~Scope() = default;
  virtual Id resolve(Graph& g, const Symbol& symbol) = 0;
  // Functions of the scope's own, such as distance(a.point(0, 0, 1), b.point(0, 0, 0)): what each argument is, the last also
  // those after it. Empty: there is no such function.
  virtual std::vector<Takes> takes(std::string_view function) const {
    (void)function;
    return {};
  }
  virtual Id apply(Graph& g, const Symbol& function, std::span<const Argument> arguments) {
    (void)arguments;
    return resolve(g, function);
  }
  virtual std::vector<std::string> functions() const { return {}; }  // for "did you mean"
  virtual std::span<const std::string> loops() const { return {}; }  // names allowed inside [ ]
  virtual std::span<const std::pair<std::string, long>> integers() const {
    return {};
  }  // named integers allowed inside [ ] and ranges
};

struct Limits {
  std::size_t length = 100000;  // characters
  int depth = 200;              // nesting, at most 1000
  std::size_t nodes = 1000000;  // of the graph
};

// Throws SyntaxError, and whatever the scope throws.
Id parse(Graph& g, std::string_view text, Scope& scope, const Limits& limits = {});

// A single name, with its indices and members. `text` outlives it.
Symbol parse_name(Graph& g, std::string_view text, Scope& scope, const Limits& limits = {});

// Which of `names` stand in the text as indices: inside [ ], or where a function takes one. Throws SyntaxError for wrong tokens.
using TakesOf = core::FunctionRef<std::vector<Takes>(std::string_view)>;
std::vector<bool> used_as_indices(std::string_view text, std::span<const std::string> names, TakesOf takes);

// "i = 0..6, j = i+1..6": nested loops, both ends included, later ranges may use earlier indices.
struct Range {
  std::string name;
  Index first, last;
};
// An index of the n-th range gets the values of the n loops before it. Throws SyntaxError.
std::vector<Range> parse_ranges(std::string_view text, std::span<const std::pair<std::string, long>> integers = {});

// The names of every function parse knows, for "did you mean" and documentation.
std::span<const std::string> function_names();

}  // namespace actio::expr
