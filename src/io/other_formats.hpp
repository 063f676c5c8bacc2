#pragma once
#include <string>
#include <string_view>

namespace actio::io {

// Throws core::InputError where a file that is read as a problem begins as one of another kind does: a trajectory, a checkpoint,
// a mesh, a matrix, a text in UTF-16. The message says what the file is and where its problem may be.
void refuse_other_formats(std::string_view begin, const std::string& path);

}  // namespace actio::io
