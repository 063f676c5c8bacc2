#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace actio::expr {

using Hash128 = std::array<std::uint64_t, 2>;

// MurmurHash3 x64 128. Fit to tell texts and files apart, not against an adversary.
Hash128 hash128(std::string_view bytes, std::uint64_t seed = 0);
std::string hexadecimal(const Hash128& hash);

}  // namespace actio::expr
