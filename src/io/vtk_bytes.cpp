#include "vtk_bytes.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <zlib.h>

namespace actio::io {
namespace {

constexpr std::array<signed char, 256> digits = [] {
  std::array<signed char, 256> out{};
  out.fill(-1);
  constexpr std::string_view all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t k = 0; k < all.size(); ++k) out[static_cast<unsigned char>(all[k])] = static_cast<signed char>(k);
  return out;
}();

// Bytes as they stand, or by base64. A header may be padded by itself: what is padded ends with its group of four, not the array.
class Source {
 public:
  Source(std::string_view data, bool base64) : data_(data), base64_(base64) {}

  // At least as many as follow.
  std::uint64_t left() const { return waiting_.size() + (base64_ ? data_.size() / 4 * 3 : data_.size()); }

  std::string read(std::uint64_t count) {
    if (count > left()) throw VtkComplaint{fmt::format("{} bytes do not fit in what is left, {} at most", count, left())};
    if (!base64_) {
      std::string out(data_.substr(0, count));
      data_.remove_prefix(count);
      return out;
    }
    std::string out = std::move(waiting_);
    waiting_.clear();
    out.reserve(count + 3);
    while (out.size() < count) group(out);
    waiting_ = out.substr(count);
    out.resize(count);
    return out;
  }

 private:
  void group(std::string& out) {
    std::uint32_t bits = 0;
    int characters = 0, pads = 0;
    while (characters < 4) {
      if (data_.empty()) throw VtkComplaint{"the base64 text ends too early"};
      const char c = data_.front();
      data_.remove_prefix(1);
      if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
      const int digit = digits[static_cast<unsigned char>(c)];
      if (c == '=' ? characters < 2 : digit < 0 || pads > 0) throw VtkComplaint{"this is not base64"};
      if (c == '=') ++pads;
      bits = bits << 6 | static_cast<std::uint32_t>(c == '=' ? 0 : digit);
      ++characters;
    }
    for (int k = 0; k < 3 - pads; ++k) out.push_back(static_cast<char>(bits >> (16 - 8 * k) & 0xFFU));
  }

  std::string_view data_;
  bool base64_;
  std::string waiting_;  // decoded, not yet read
};

std::uint64_t count_of(Source& source, const VtkEncoding& e) {
  std::string raw = source.read(static_cast<std::uint64_t>(e.header_bytes));
  if (e.swapped) std::reverse(raw.begin(), raw.end());
  if (e.header_bytes == 4) {
    std::uint32_t n = 0;
    std::memcpy(&n, raw.data(), sizeof n);
    return n;
  }
  std::uint64_t n = 0;
  std::memcpy(&n, raw.data(), sizeof n);
  return n;
}

std::string inflated(Source& source, const VtkEncoding& e, std::uint64_t wanted) {
  const std::uint64_t blocks = count_of(source, e), size = count_of(source, e), last = count_of(source, e);
  if (blocks > source.left() / static_cast<std::uint64_t>(e.header_bytes))
    throw VtkComplaint{fmt::format("{} compressed blocks do not fit in what is left", blocks)};
  const bool odd = blocks > 0 && last > 0;
  const std::uint64_t whole = blocks - (odd ? 1 : 0);
  if ((size > 0 && whole > wanted / size) || (odd && last > wanted) || whole * size + (odd ? last : 0) != wanted)
    throw VtkComplaint{fmt::format("{} blocks of {} bytes and {} more; the array has {}", whole, size, odd ? last : 0, wanted)};
  std::vector<std::uint64_t> packed(blocks);
  for (auto& n : packed) n = count_of(source, e);
  if (wanted / most_inflated > source.left()) throw VtkComplaint{fmt::format("{} bytes do not fit in what is left", wanted)};
  std::string out(wanted, '\0');
  std::uint64_t at = 0;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    const std::string block = source.read(packed[b]);
    const std::uint64_t here = odd && b + 1 == blocks ? last : size;
    uLongf got = here;
    const int code = ::uncompress(reinterpret_cast<Bytef*>(out.data() + at), &got, reinterpret_cast<const Bytef*>(block.data()),
                                  static_cast<uLong>(block.size()));
    if (code != Z_OK || got != here) throw VtkComplaint{fmt::format("block {} of {} cannot be uncompressed", b + 1, blocks)};
    at += here;
  }
  return out;
}

}  // namespace

std::string vtk_bytes(std::string_view data, const VtkEncoding& encoding, std::uint64_t wanted) {
  if (wanted == 0) return {};
  Source source(data, encoding.base64);
  if (encoding.zlib) return inflated(source, encoding, wanted);
  const std::uint64_t size = count_of(source, encoding);
  if (size != wanted) throw VtkComplaint{fmt::format("{} bytes; the array has {}", size, wanted)};
  return source.read(size);
}

}  // namespace actio::io
