#pragma once
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include <actio/expr/parse.hpp>

#include "offset.hpp"
#include "vocabulary.hpp"

// An expression of a problem file, parsed: its graph, and what each column of the graph stands for.
namespace actio::io {

struct Column {
  enum class What { position, velocity, acceleration, table, loop, uniform, normal } what;
  long which = 0;                      // family, table, loop, or number of the draw
  Offset index;                        // within the family or table
  std::size_t offset = 0, length = 0;  // in the text
};

struct Allowed {
  bool positions = false, velocities = false, time = false, random = false;
  std::string why;  // said when a coordinate stands where none may: "a mass is constant"
  bool accelerations = false;
  bool signals = true;          // where time is allowed
  std::string why_signal = {};  // said when a signal stands where none may; else `why`
};

class Expression final : public expr::Scope {
 public:
  // `path` names the key in messages: "system.potential". Throws core::InputError with a caret inside the string.
  Expression(const Vocabulary& vocabulary, const Value& string, std::string path, std::vector<std::string> loops,
             const Allowed& allowed);

  expr::Graph graph;
  expr::Id value = -1;
  std::vector<Column> columns;

  bool is_constant(double number) const { return graph.is_constant(value, number); }
  std::string text_of(const Column& column) const { return text_->string.substr(column.offset, column.length); }
  [[noreturn]] void fail(const Column& column, const std::string& message, std::string_view hint = {}) const;
  const Vocabulary& vocabulary() const { return *vocabulary_; }
  const std::vector<std::string>& loop_names() const { return loops_; }
  const Value& text() const { return *text_; }
  const std::string& path() const { return path_; }

  expr::Id resolve(expr::Graph& g, const expr::Symbol& symbol) override;
  std::span<const std::string> loops() const override { return loops_; }
  std::span<const std::pair<std::string, long>> integers() const override { return vocabulary_->integers; }

 private:
  expr::Id add(expr::Graph& g, Column::What what, long which, const expr::Symbol& symbol, bool indexed);
  std::string hide_draws(std::string text);
  const Vocabulary* vocabulary_;
  const Value* text_;
  std::string path_;
  std::vector<std::string> loops_;
  Allowed allowed_;
  std::unordered_map<std::string, int> known_;  // key of a column: its number
  std::map<std::size_t, Column::What> draws_;   // where normal() and uniform() stand
};

// Ranges such as "i = 0..6, j = i+1..6", with the names checked.
std::vector<expr::Range> read_ranges(const Vocabulary& vocabulary, const Value& value, const std::string& path);

}  // namespace actio::io
