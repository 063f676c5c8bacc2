#pragma once
#include <cstdint>
#include <string_view>

namespace actio::core {

// CRC-32 of `bytes` after others whose sum is `before`.
std::uint32_t checksum(std::string_view bytes, std::uint32_t before = 0);

}  // namespace actio::core
