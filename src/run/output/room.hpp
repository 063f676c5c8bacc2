#pragma once
#include <cstdint>
#include <string>

// Room on a disk that a file is going to need, taken before it is needed: a library that fails in the middle of writing leaves
// neither its file nor itself in order, and one that never fails does.
namespace actio::run {

class Room {
 public:
  Room() = default;
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  ~Room();
  // Of the file that is there. errno, or 0.
  int open(const std::string& path);
  // From `used` bytes, which are written or may be, to `bytes`. errno (a full disk, a limit), or 0.
  int hold(std::int64_t used, std::int64_t bytes);
  void forget(std::int64_t used) { held_ = used; }  // what was behind `used` bytes was cut off
  void give_back(std::int64_t used);                // cuts it off

 private:
  int file_ = -1;
  std::int64_t held_ = 0;
};

}  // namespace actio::run
