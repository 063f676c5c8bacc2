#include <actio/core/crc32.hpp>

#include <string>

#include <gtest/gtest.h>

using actio::core::crc32;

TEST(Crc32, has_the_published_values) {
  EXPECT_EQ(crc32(""), 0U);
  EXPECT_EQ(crc32("123456789"), 0xE3069283U);            // the check value of CRC-32C
  EXPECT_EQ(crc32(std::string(32, '\0')), 0x8A9136AAU);  // RFC 3720 B.4
  EXPECT_EQ(crc32(std::string(32, '\xff')), 0x62A8AB43U);
}

TEST(Crc32, of_two_parts_is_that_of_the_whole) {
  std::string text;
  for (int k = 0; k < 200; ++k) text += static_cast<char>(k * 37);
  for (std::size_t cut = 0; cut <= text.size(); ++cut)
    EXPECT_EQ(crc32(text.substr(cut), crc32(text.substr(0, cut))), crc32(text));
}
