#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <actio/expr/kernel.hpp>
#include <actio/expr/operations.hpp>

#include "program.hpp"

namespace actio::expr {

// What the columns and uniforms of a program are called in C, where they are no arguments of a kernel.
struct LeafNames {
  std::vector<std::string> columns, uniforms;
};

// The C of a program's operations: position i is the local t<i>. Truth values are _Bool, so that the compiler makes masks of
// them; choices are ?: of names, so that it makes blends.
class Statements {
 public:
  using ColumnText = std::function<std::string(int)>;
  Statements(const Program& program, const KernelSource& source);
  Statements(const Program& program, const LeafNames& names);
  Statements(const Program& program, ColumnText column) : program_(program), column_(std::move(column)) {}
  std::string definition(Id i) const;  // with its newline; "" for a constant, which is written where it is used
  std::string number(Id i) const;      // position i as a double
  bool is_leaf(Id i) const;            // a constant, column or uniform
  const Node& node(Id i) const { return program_.code[static_cast<std::size_t>(i)]; }

 private:
  std::string value(const Node& n) const;
  std::string truth(Id i) const;
  const Program& program_;
  ColumnText column_;
  const LeafNames* names_ = nullptr;
};

// The same for several elements at once, in vectors of the C's own: position i is the local v<i>, and a truth value a mask. What
// is the same for all elements (not `varying`) is a scalar t<i> that `spread` makes a vector w<i> of.
class VectorStatements {
 public:
  using ColumnText = Statements::ColumnText;
  VectorStatements(const Program& program, const Statements& scalar, std::vector<char> varying, ColumnText column)
      : program_(program), scalar_(scalar), varying_(std::move(varying)), column_(std::move(column)) {}
  std::string definition(Id i) const;  // of a varying position
  std::string spread(Id i) const;      // of one that is not
  std::string number(Id i) const;
  static const char* prologue();  // the types and functions used
  static const char* processor_functions();

 private:
  std::string value(const Node& n) const;
  std::string truth(Id i) const;
  const Node& node(Id i) const { return program_.code[static_cast<std::size_t>(i)]; }
  bool varies(Id i) const { return varying_[static_cast<std::size_t>(i)] != 0; }
  const Program& program_;
  const Statements& scalar_;
  std::vector<char> varying_;
  ColumnText column_;
};

}  // namespace actio::expr
