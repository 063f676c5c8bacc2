#pragma once
#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "pairs.hpp"
#include "statement.hpp"

namespace actio::expr {

// What the texts of kernels over pairs share: which columns and outputs they have, and where each value is computed.
class PairText {
 protected:
  // Once a call, once an i, or for each pair.
  enum Level : char { call, row, pair };
  static constexpr int first_constant = 8;  // of the columns, behind those of the loops

  PairText(std::string& text, const KernelSource& source, std::string name)
      : out_(text),
        layout_(*source.pairs),
        name_(std::move(name)),
        program_(lower(*source.graph, source.outputs, Roots::inverse)),
        derivatives_(static_cast<long>(source.outputs.size()) == layout_.coordinates),
        levels_(levels()),
        scalar_(program_, [this](int k) { return scalar_column(k); }),
        vector_(program_, scalar_, of_pairs(), [this](int k) { return vector_column(k); }) {}
  virtual ~PairText() = default;
  virtual std::string scalar_column(int k) const = 0;
  virtual std::string vector_column(int k) const = 0;

  const Affine& place(int k) const { return layout_.columns[static_cast<std::size_t>(k)]; }
  bool is_coordinate(int k) const { return k < layout_.coordinates; }
  bool is_of_pair(int k) const { return place(k).by_j != 0; }
  bool has_output(int k) const {
    if (!derivatives_ || !is_coordinate(k)) return false;
    const Node& n = node(output(k));
    return n.op != Op::constant || n.value != 0;
  }
  Id output(int k) const { return program_.outputs[static_cast<std::size_t>(k)]; }
  const Node& node(Id i) const { return program_.code[static_cast<std::size_t>(i)]; }
  Id size() const { return static_cast<Id>(program_.code.size()); }
  std::string constant(int k) const { return fmt::format("c[{}]", first_constant + k); }

  std::vector<char> levels() {
    std::set<int> columns;
    std::vector<char> out(program_.code.size(), call);
    for (Id i = 0; i < size(); ++i) {
      char& level = out[static_cast<std::size_t>(i)];
      if (node(i).op == Op::column) {
        columns.insert(node(i).k);
        level = is_of_pair(node(i).k) ? pair : row;
        if (!is_of_pair(node(i).k) && place(node(i).k).by_i == 0) level = call;
      }
      for (Id o : {node(i).a, node(i).b, node(i).c})
        if (o >= 0) level = std::max(level, out[static_cast<std::size_t>(o)]);
    }
    for (int k = 0; k < static_cast<int>(layout_.coordinates); ++k)
      if (has_output(k)) columns.insert(k);
    columns_.assign(columns.begin(), columns.end());
    return out;
  }
  char level(Id i) const { return levels_[static_cast<std::size_t>(i)]; }
  std::vector<char> of_pairs() const {
    std::vector<char> out;
    for (const char level : levels_) out.push_back(level == pair ? 1 : 0);
    return out;
  }

  // What is needed of a level, and vectors of it where pairs read it.
  void define(Level wanted) {
    std::vector<char> read(program_.code.size(), 0);
    for (Id i = 0; i < size(); ++i)
      if (level(i) == pair)
        for (Id o : {node(i).a, node(i).b, node(i).c})
          if (o >= 0) read[static_cast<std::size_t>(o)] = 1;
    for (Id o : program_.outputs) read[static_cast<std::size_t>(o)] = 1;
    for (Id i = 0; i < size(); ++i)
      if (level(i) == wanted) {
        put(scalar_.definition(i));
        if (read[static_cast<std::size_t>(i)]) put(vector_.spread(i));
      }
  }

  // f(k, output) of what is added up over the j of a row, and of what each pair adds.
  template <class F>
  void each_sum(F&& f) const {
    if (!derivatives_) return f(0, output(0));
    for (int k : columns_)
      if (has_output(k) && !is_of_pair(k)) f(k, output(k));
  }
  template <class F>
  void each_added(F&& f) const {
    for (int k : columns_)
      if (has_output(k) && is_of_pair(k)) f(k, output(k));
  }

  void put(const std::string& text) { std::copy(text.begin(), text.end(), out_); }

  std::back_insert_iterator<std::string> out_;
  const PairLayout& layout_;
  std::string name_;
  Program program_;
  bool derivatives_;
  std::vector<int> columns_;  // that are read or written
  std::vector<char> levels_;
  Statements scalar_;
  VectorStatements vector_;
};

}  // namespace actio::expr
