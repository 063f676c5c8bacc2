#pragma once
#include <actio/core/error.hpp>
#include <string_view>

namespace actio::system {

// Wrong input about constraint k of a model (model.constraint_name(k)): who read the model from a file can say where it stands.
struct ConstraintError : core::InputError {
  ConstraintError(long k, std::string_view message, std::string_view hint = {}) : InputError(message, hint), constraint(k) {}
  long constraint;
};

}  // namespace actio::system
