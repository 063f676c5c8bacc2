#pragma once
#include <string>

#include "document.hpp"

namespace actio::io {

// Of an expression that stays zero: throws for "a = b" and "a == b", with the hint to write a - (b). Inside brackets it compares.
void refuse_equals(const Document& document, const Value& text, const std::string& path);

}  // namespace actio::io
