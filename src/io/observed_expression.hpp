#pragma once
#include <actio/run/observable.hpp>

#include "elements.hpp"

namespace actio::io {

// An expression of what a run knows, as a component of an observable, over some elements. Throws core::InputError where it asks
// for what the model does not have.
void add_expression(const SymbolTable& symbols, const system::Model& model, const Value& text, const std::string& path,
                    const Elements& elements, run::Observable& out);

}  // namespace actio::io
