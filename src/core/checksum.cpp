#include <actio/core/checksum.hpp>

#include <zlib.h>

namespace actio::core {

std::uint32_t checksum(std::string_view bytes, std::uint32_t before) {
  if (bytes.empty()) return before;  // of no bytes at no address zlib gives 0
  return static_cast<std::uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace actio::core
