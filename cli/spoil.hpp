#pragma once
#include <string>

#include <actio/io/problem.hpp>

namespace actio::cli {

// Throws core::InputError when writing `output` would spoil a file that the run reads, or its checkpoint ("": none). Nothing is
// written before.
void refuse_to_spoil(const io::Problem& problem, const std::string& output, const std::string& checkpoint = {});

}  // namespace actio::cli
