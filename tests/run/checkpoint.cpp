#include <actio/run/checkpoint.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include <actio/core/error.hpp>
#include <folder.hpp>

using namespace actio;
using run::CheckpointFile;
namespace fs = std::filesystem;

namespace {

using Folder = actio::test::TemporaryFolder;
std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}
void write(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

std::string message(const std::string& path) {
  try {
    (void)run::read_checkpoint(path);
  } catch (const core::InputError& e) { return e.what(); }
  return "";
}

}  // namespace

TEST(Checkpoint, is_the_last_record_written_and_does_not_grow) {
  const Folder here;
  const std::string path = here / "a";
  CheckpointFile file(path, "the head");
  EXPECT_FALSE(fs::exists(path));
  std::uintmax_t size = 0;
  for (int k = 0; k < 50; ++k) {
    file.write("number ", std::to_string(k));
    const auto c = run::read_checkpoint(path);
    EXPECT_EQ(c.head, "the head");
    EXPECT_EQ(c.record, "number " + std::to_string(k));
    EXPECT_FALSE(c.older);
    if (k == 1) size = fs::file_size(path);
    if (k <= 1) continue;
    EXPECT_LE(fs::file_size(path), size + 1);  // the other slot may be a digit longer
  }
  EXPECT_FALSE(fs::exists(path + ".new"));
}

TEST(Checkpoint, of_parts_that_are_nowhere_is_whole) {
  const Folder here;
  CheckpointFile file(here / "a", "head");
  for (const auto& [first, second] : {std::pair<std::string_view, std::string_view>{"record", {}}, {{}, "record"}, {{}, {}}}) {
    file.write(first, second);
    EXPECT_EQ(run::read_checkpoint(here / "a").record, std::string(first) + std::string(second));
  }
}

TEST(Checkpoint, makes_room_for_a_record_that_has_grown) {
  const Folder here;
  CheckpointFile file(here / "a", "head");
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{10'000}, std::size_t{3'000'000}, std::size_t{5}}) {
    file.write(std::string(size, 'x'), "end");
    EXPECT_EQ(run::read_checkpoint(here / "a").record, std::string(size, 'x') + "end");
  }
}

// Whatever a byte becomes, what is read is one of the two records, and the newer unless that one is hit, or an error.
TEST(Checkpoint, with_any_byte_flipped_is_refused_or_a_record_that_was_written) {
  const Folder here;
  const std::string path = here / "a";
  CheckpointFile file(path, "the head");
  for (const char* record : {"first record", "second record", "third record"}) file.write(record, "");
  const std::string good = read(path);
  const std::size_t newer = good.find("third record"), older = good.find("second record");
  ASSERT_NE(newer, std::string::npos);
  ASSERT_NE(older, std::string::npos);
  long refused = 0, fell_back = 0;
  for (std::size_t k = 0; k < good.size(); ++k) {
    if (good[k] == 0 && k % 64 != 0 && k > 100 && (k < older - 20 || k > older + 20) && (k < newer - 20 || k > newer + 20))
      continue;  // padding
    for (const char flip : {'\x01', '\x80', '\xff'}) {
      std::string bad = good;
      bad[k] = static_cast<char>(bad[k] ^ flip);
      write(path, bad);
      try {
        const auto c = run::read_checkpoint(path);
        EXPECT_EQ(c.head, "the head");
        const bool hit = k + 20 >= newer && k < newer + 12;
        EXPECT_EQ(c.record, hit ? "second record" : "third record") << k;
        EXPECT_TRUE(c.older || !hit);
        fell_back += hit ? 1 : 0;
      } catch (const core::InputError&) {
        ++refused;
        EXPECT_LT(k, 44U);  // the head and what is before it
      }
    }
  }
  EXPECT_EQ(refused, 3 * 44);
  EXPECT_EQ(fell_back, 3 * (20 + 12));
}

TEST(Checkpoint, cut_off_anywhere_is_refused_or_a_record_that_was_written) {
  const Folder here;
  const std::string path = here / "a";
  CheckpointFile file(path, "the head");
  for (const char* record : {"first record", "second record", "third record"}) file.write(record, "");
  const std::string good = read(path);
  const std::size_t first = std::min(good.find("third record"), good.find("second record"));
  for (std::size_t size = 0; size < good.size(); size += size < 100 || size + 100 > good.size() ? 1 : 37) {
    write(path, good.substr(0, size));
    try {
      const auto c = run::read_checkpoint(path);
      EXPECT_TRUE(c.record == "second record" || c.record == "third record") << size;
      EXPECT_GE(size, first + 12);
    } catch (const core::InputError&) { EXPECT_LT(size, first + 13); }
  }
}

TEST(Checkpoint, says_what_is_wrong_with_a_file) {
  const Folder here;
  EXPECT_NE(message(here / "none").find("cannot open"), std::string::npos);
  EXPECT_NE(message(here.path.string()).find("is not a file"), std::string::npos);
  write(here / "text", "[system]\ncoordinates = [\"x\"]\n");
  EXPECT_NE(message(here / "text").find("not a checkpoint of actio"), std::string::npos);
  write(here / "empty", "");
  EXPECT_NE(message(here / "empty").find("not a checkpoint of actio"), std::string::npos);
  CheckpointFile file(here / "a", "head");
  file.write("record", "");
  std::string later = read(here / "a");
  later[8] = static_cast<char>(CheckpointFile::version + 1);
  write(here / "later", later);
  EXPECT_NE(message(here / "later").find("a later actio wrote it"), std::string::npos);
  later[8] = 1;
  write(here / "earlier", later);
  EXPECT_NE(message(here / "earlier").find("an earlier actio wrote it"), std::string::npos);
  EXPECT_THROW(CheckpointFile(here / "no/such/folder", "head").write("", ""), std::system_error);
}
