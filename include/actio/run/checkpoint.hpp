#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

// A run written down while it goes on, in a file that is whole at any time: after a kill, a full disk or a power cut, and should
// some of its bytes be lost later, the last good record is there, or an error that says so.
//
//   offset 0      "actio\r\n\x1a", version (u32), 0 (u32), capacity of a slot (u64), length of the head (u64),
//                 CRC-32 of these and the head (u32), the head
//   then          two slots, each at a multiple of 4096: number (u64), length (u64), CRC-32 of both and the record (u32),
//                 the record
//
// Numbers are little-endian, sums zlib's. A record goes to the slot of the older one, so the file does not grow and the newer is
// untouched until fsync has returned; where it does not fit a new file takes the place of the old one by rename.
namespace actio::run {

// Such a file while a run writes it.
class CheckpointFile {
 public:
  static constexpr std::uint32_t version = 9;  // of the format; files of another one are refused
  // The head is what does not change: the problem and how it is run. Nothing is written yet.
  explicit CheckpointFile(std::string path, std::string head = {});
  CheckpointFile(const CheckpointFile&) = delete;
  ~CheckpointFile();
  // From here on no other run may write it (flock: of the file, or of NAME.new until there is one). Returns whether it is there.
  // Throws core::InputError when a run that has not ended writes it. A file system without locks is taken as it is.
  bool lock(bool fresh);
  void begin(std::string head) { head_ = std::move(head); }
  // One record in two parts. Throws std::system_error; the last record that was written stays.
  void write(std::string_view first, std::string_view second);
  const std::string& path() const { return path_; }

 private:
  void replace(std::string_view first, std::string_view second);
  std::string fresh_path() const { return path_ + ".new"; }
  std::string path_, head_;
  int file_ = -1, lock_ = -1, fresh_ = -1;  // being written; locked as it was found; the next one, locked
  std::uint64_t capacity_ = 0, number_ = 0;
};

// What read_checkpoint() found.
struct Checkpoint {
  std::string head, record;  // as they were given to CheckpointFile
  bool older = false;        // a record was damaged, and this is the one before it
};
// Throws core::InputError: no such file, none of ours, of another version, no good record in it.
Checkpoint read_checkpoint(const std::string& path);

}  // namespace actio::run
