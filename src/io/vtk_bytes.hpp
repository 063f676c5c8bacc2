#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Arrays in a VTK file, as bytes.
namespace actio::io {

constexpr std::uint64_t most_inflated = 1040;  // bytes from one: zlib packs at most 1032, and has a few around them

// Something wrong with them; the reader of the file knows where.
struct VtkComplaint {
  std::string message;
};

struct VtkEncoding {
  bool base64 = false;
  bool zlib = false;
  bool swapped = false;  // not this machine's byte order
  int header_bytes = 4;  // of a count: 4 or 8
};

// The array that `data` begins with, `wanted` bytes in the file's byte order: their number, then they; or the number of blocks,
// the size of a block, that of the last one where it is another, the compressed sizes, then the blocks. Throws VtkComplaint where
// that is not what stands there, before memory is taken.
std::string vtk_bytes(std::string_view data, const VtkEncoding& encoding, std::uint64_t wanted);

}  // namespace actio::io
