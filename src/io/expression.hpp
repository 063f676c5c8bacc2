#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <actio/expr/parse.hpp>

#include "offset.hpp"
#include "symbol_table.hpp"

// An expression of a problem file, parsed: its graph, and what each column of the graph stands for.
namespace actio::io {

struct Column {
  enum class Kind { position, velocity, acceleration, momentum, next, reaction, table, loop, uniform, normal } kind;
  long which = 0;                      // family, table, loop, or number of the draw
  Offset index;                        // within the family or table
  std::size_t offset = 0, length = 0;  // in the text
  long entry = -1;                     // `which` is a family of bodies: which of their coordinates, see system::body_entry
  const Value* text = nullptr;
};

// The difference of two places along an axis between nearest images; period 0: there is no other image.
expr::Id nearest_image(expr::Graph& g, expr::Id difference, double period);

// A point in space, perhaps fixed in a body, or a direction.
struct Vector {
  std::array<expr::Id, 3> x{};      // along the axes of space
  std::array<expr::Id, 3> local{};  // along those of the body, as it is written
  std::array<expr::Id, 9> R{};      // of the body, by rows; 1 in space
  bool point = false;               // else a direction
  int dimension = 3;                // of space
  long bodies = -1;                 // the family of bodies, -1: fixed in space
  Offset index;                     // within it
};

struct Allowed {
  bool positions = false, velocities = false, time = false, random = false;
  std::string why;  // said when a coordinate stands where none may: "a mass is constant"
  bool accelerations = false;
  bool signals = true;          // where time is allowed
  std::string why_signal = {};  // said when a signal stands where none may; else `why`
  bool observed = false;        // what a run knows: SymbolTable::quantities, and functions of a coordinate: momentum p(x), ...
};

class Expression final : public expr::Scope {
 public:
  // `path` names the key in messages: "system.potential". Throws core::InputError with a caret inside the string.
  Expression(const SymbolTable& symbols, const Value& string, std::string path, std::vector<std::string> loops,
             const Allowed& allowed);
  // Nothing yet: vectors are read into the graph, and `value` is made of them. The strings outlive it.
  Expression(const SymbolTable& symbols, std::vector<std::string> loops, const Allowed& allowed);
  Vector read_vector(const Value& string, std::string path);
  expr::Id read_number(const Value& value, std::string path);  // a number or an expression, into the graph
  void read_formula(const Formula& formula);  // by itself, with anything for its arguments: throws for what is wrong in it
  // What an expression of the parameters alone comes to; NaN where it depends on more.
  double number(expr::Id id) const;

  expr::Graph graph;
  expr::Id value = -1;
  std::vector<Column> columns;

  // Whether a column is a coordinate, or one of its derivatives.
  static bool is_coordinate(const Column& column) { return column.kind <= Column::Kind::reaction; }
  bool is_constant(double number) const { return graph.is_constant(value, number); }
  std::string text_of(const Column& column) const { return column.text->string.substr(column.offset, column.length); }
  [[noreturn]] void fail(const Column& column, const std::string& message, std::string_view hint = {}) const;
  const SymbolTable& symbols() const { return *symbols_; }
  const std::vector<std::string>& loop_names() const { return loops_; }
  const Value& text() const { return *text_; }
  const std::string& path() const { return path_; }

  expr::Id resolve(expr::Graph& g, const expr::Symbol& symbol) override;
  std::vector<expr::Takes> takes(std::string_view function) const override;
  expr::Id apply(expr::Graph& g, const expr::Symbol& function, std::span<const expr::Argument> arguments) override;
  std::vector<std::string> functions() const override;
  std::span<const std::string> loops() const override { return open_.empty() ? loops_ : open_.back().formula->indices; }
  std::span<const std::pair<std::string, long>> integers() const override { return symbols_->integers; }

 private:
  expr::Id add(expr::Graph& g, Column::Kind kind, long which, const expr::Symbol& symbol, bool indexed, long entry = -1);
  Column::Kind coordinate(const expr::Symbol& symbol, const std::string& name, bool indexed, long size) const;
  bool is_of_coordinate(std::string_view function) const;
  expr::Id of_coordinate(expr::Graph& g, const expr::Symbol& function, std::span<const expr::Argument> arguments);
  // Definitions (formula_expression.cpp): a formula is read wherever it stands, with what its arguments stand for.
  struct Open {
    const Formula* formula = nullptr;
    std::vector<expr::Argument> arguments;  // their names stand for these; indices are of the loops of the expression
    std::vector<expr::Index> indices;       // those that are indices
  };
  std::optional<expr::Id> argument_of_formula(expr::Graph& g, const expr::Symbol& symbol);
  expr::Symbol in_loops(const expr::Symbol& symbol) const;
  expr::Index in_loops(const expr::Index& index, const expr::Symbol& at) const;
  expr::Id number_of(expr::Graph& g, const expr::Index& index, const expr::Symbol& symbol);
  expr::Id formula_alone(expr::Graph& g, const expr::Symbol& symbol);
  expr::Id expand(expr::Graph& g, const Formula& formula, std::vector<expr::Argument> arguments, const expr::Symbol& symbol);
  // Of points (point_expression.cpp), and of those of bodies: distance, angle, dihedral and dot.
  expr::Id apply_to_points(expr::Graph& g, const expr::Symbol& function, std::span<const expr::Argument> arguments);
  Vector point(expr::Graph& g, const expr::Symbol& symbol, const PointFamily& points);
  // Of bodies (body_expression.cpp): their coordinates, and points and directions fixed in them.
  bool is_of_body(const expr::Symbol& symbol, const SymbolTable::Definition* definition) const;
  expr::Id component(expr::Graph& g, const expr::Symbol& symbol);
  Vector vector(expr::Graph& g, const expr::Symbol& symbol);
  Vector spin(expr::Graph& g, const expr::Symbol& symbol, const BodyFamily& bodies, long which);
  expr::Id quantity(expr::Graph& g, const expr::Symbol& symbol) const;
  expr::Id reaction_of_support(expr::Graph& g, const expr::Symbol& support) const;
  expr::Id angle_of_joint(expr::Graph& g, const expr::Symbol& joint) const;
  void need_fixed(const expr::Graph& g, const expr::Symbol& symbol) const;
  std::string hide_draws(std::string text);
  const SymbolTable* symbols_;
  const Value* text_;
  std::string path_;
  std::vector<std::string> loops_;
  Allowed allowed_;
  std::unordered_map<std::string, int> known_;  // key of a column: its number
  std::map<std::size_t, Column::Kind> draws_;   // where normal() and uniform() stand
  std::vector<Open> open_;                      // formulas that are being read, each within the one before
  std::map<std::string, expr::Id> expanded_;    // formulas that were, with their arguments
  std::optional<Column::Kind> of_function_;     // what the coordinate in p(x), q1(x) or reaction(x) stands for
};

// Wrong text at its place: "unknown name \"q\" in system.potential".
[[noreturn]] void fail_at(const Document& document, const Value& text, const std::string& path, const expr::SyntaxError& error);

// distance, angle, dihedral and dot.
std::vector<std::string_view> functions_of_points();

// Ranges such as "i = 0..6, j = i+1..6", with the names checked.
std::vector<expr::Range> read_ranges(const SymbolTable& symbols, const Value& value, const std::string& path);

}  // namespace actio::io
