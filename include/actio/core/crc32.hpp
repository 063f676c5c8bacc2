#pragma once
#include <cstdint>
#include <string_view>

namespace actio::core {

// CRC-32C (Castagnoli, reflected, 0x82F63B78), of `bytes` after others whose sum is `before`: every burst of up to 32 bits is
// seen.
//   crc32("123456789") == 0xE3069283
std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0);

}  // namespace actio::core
