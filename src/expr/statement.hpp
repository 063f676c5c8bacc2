#pragma once
#include <string>

#include <actio/expr/kernel.hpp>

#include "program.hpp"

namespace actio::expr {

// The C of a program's operations: position i is the local t<i>. Truth values are _Bool, so that the compiler makes masks of
// them; choices are ?: of names, so that it makes blends.
class Statements {
 public:
  Statements(const Program& program, const KernelSource& source) : program_(program), source_(source) {}
  std::string definition(Id i) const;  // with its newline; "" for a constant, which is written where it is used
  std::string number(Id i) const;      // position i as a double
  bool is_leaf(Id i) const;            // a constant, column or uniform
  const Node& node(Id i) const { return program_.code[static_cast<std::size_t>(i)]; }

 private:
  std::string value(const Node& n) const;
  std::string truth(Id i) const;
  const Program& program_;
  const KernelSource& source_;
};

// The function's name in C, or null.
const char* c_function(Op op);

}  // namespace actio::expr
