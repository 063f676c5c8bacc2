#pragma once
#include <memory>
#include <string>

#include <actio/expr/kernel.hpp>

#include "library.hpp"

namespace actio::expr {

// A C text of one's own, compiled as kernels are: with their flags, into their cache. It begins with declarations().
class CompiledText {
 public:
  CompiledText() = default;
  static CompiledText build(const std::string& text, const CompileOptions& options);
  void* symbol(const std::string& name) const;             // null when there is none; valid as long as a copy of this lives
  const std::string& why_not() const { return why_not_; }  // "" when it was compiled

 private:
  std::shared_ptr<const Library> library_;
  std::string why_not_;
};

}  // namespace actio::expr
