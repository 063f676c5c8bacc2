#include <cstdint>
#include <filesystem>
#include <random>

#include <actio/io/csv.hpp>
#include <actio/io/matrix_market.hpp>
#include <actio/io/mesh.hpp>

#include "hostile.hpp"
#include "support.hpp"

// Whatever a file holds, the answer is a problem or an InputError.
namespace actio::io::test {
namespace {

std::string repeat(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

// Loads; anything but an InputError escapes and fails the test.
bool accepts(const std::string& text) {
  try {
    (void)load_text(text, "p.toml");
    return true;
  } catch (const core::InputError&) { return false; }
}

TEST(Hostile, files_that_are_none) {
  const Folder folder;
  const auto error = [](const std::string& path) -> std::string {
    try {
      (void)load(path);
    } catch (const core::InputError& e) { return e.what(); }
    return "";
  };
  EXPECT_NE(error(folder / "missing.toml").find("missing.toml: error: cannot open: No such file"), std::string::npos);
  EXPECT_NE(error(folder / "").find("is a directory"), std::string::npos);
  EXPECT_NE(error(folder.write("empty.toml", "")).find("empty.toml:1:1: error: [system] is missing"), std::string::npos);
  EXPECT_NE(error("/dev/zero").find("is not text: byte 0 is zero"), std::string::npos);
  EXPECT_NE(error(folder.write("nul.toml", std::string(100, '\0'))), "");
  EXPECT_NE(error(folder.write("utf16.toml", std::string("\xFF\xFEt\0i\0", 6))), "");
}

// Its size says so before it is read.
TEST(Hostile, files_without_an_end_or_too_long_end_by_their_size) {
  const Folder folder;
  const auto error = [](const auto& read, const std::string& path) -> std::string {
    try {
      (void)read(path);
    } catch (const core::InputError& e) { return e.what(); }
    return "";
  };
  const auto csv = [](const std::string& path) { return read_csv_column(path, "x"); };
  const auto matrix = [](const std::string& path) { return read_matrix_market(path); };
  const auto mesh = [](const std::string& path) { return read_mesh(path); };
  const auto problem = [](const std::string& path) { return load(path); };
  EXPECT_NE(error(csv, "/dev/zero").find("is not text: byte 0 is zero"), std::string::npos);
  EXPECT_NE(error(matrix, "/dev/zero").find("is not text: byte 0 is zero"), std::string::npos);
  EXPECT_NE(error(mesh, "/dev/zero").find("more than 256 MiB, and this is not a regular file"), std::string::npos);
  const std::string sparse = folder.write("sparse", "x\n1\n");
  const auto of = [&](int gigabytes) {
    std::filesystem::resize_file(sparse, static_cast<std::uintmax_t>(gigabytes) << 30U);
    return sparse;
  };
  EXPECT_NE(error(problem, of(1)).find("more than 16 MiB"), std::string::npos);
  EXPECT_NE(error(csv, of(5)).find("more than 4096 MiB"), std::string::npos);
  EXPECT_NE(error(matrix, of(9)).find("more than 8192 MiB"), std::string::npos);
  EXPECT_NE(error(mesh, of(17)).find("more than 16384 MiB"), std::string::npos);
  EXPECT_NE(error(csv, of(1)).find("is not text: byte 4 is zero"), std::string::npos);
}

TEST(Hostile, garbage_is_printed_without_control_characters) {
  std::mt19937 random(1);
  for (int k = 0; k < 200; ++k) {
    std::string garbage;
    for (int i = 0; i < 300; ++i) garbage += static_cast<char>(random() & 0xFF);
    const std::string message = error_of(garbage);
    for (char c : message.substr(0, message.find("  1 |")))
      EXPECT_TRUE(c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= 0x20);
  }
}

TEST(Hostile, deep_nesting_is_refused) {
  EXPECT_FALSE(accepts("a = " + repeat("[", 1000000)));
  EXPECT_FALSE(accepts("a = " + repeat("[", 100000) + repeat("]", 100000)));
  EXPECT_FALSE(accepts("a = " + repeat("{a=", 100000)));
  EXPECT_FALSE(accepts("a" + repeat(".a", 1000000) + " = 1"));
  EXPECT_FALSE(accepts("[a" + repeat(".a", 1000000) + "]"));
  EXPECT_FALSE(accepts("a" + repeat(" . \"a\"", 100000) + " = 1"));
  EXPECT_NE(error_of("a" + repeat(".a", 100) + " = 1").find("a key of more than 16 names"), std::string::npos);
  EXPECT_FALSE(accepts(repeat("[[a]]\n", 100000)));
  EXPECT_NE(error_of("[.a]").find("1:2: error: not TOML: the name of a table"), std::string::npos);
  EXPECT_NE(error_of("a = [1, }").find("1:9: error: not TOML: } does not close ["), std::string::npos);
  EXPECT_NE(error_of("a = [{ b = 1 ]]").find("1:14: error: not TOML: ] does not close {"), std::string::npos);
  EXPECT_NE(error_of("[[ =]]").find("1:4: error: not TOML: the name of a table"), std::string::npos);
}

TEST(Hostile, sizes_are_checked_before_memory_is_taken) {
  EXPECT_NE(error_of(with(chain, "theta[5]", "theta[1000000000]"))
                .find("the size of theta is 1000000000; it must lie between 1 and 10000000"),
            std::string::npos);
  EXPECT_NE(error_of(with(chain, "theta[5]", "theta[99999999999999999999]")), "");
  EXPECT_NE(error_of(with(chain, "theta[5]", "theta[-1]")), "");
  EXPECT_NE(error_of(with(chain, "\"theta[5]\"", "\"theta[9000000]\", \"a[9000000]\"")).find("more than 10000000 coordinates"),
            std::string::npos);
  EXPECT_NE(error_of(with(chain, "k = 0..N-1", "k = 0..1000000000")).find("is more than 100000000 elements"), std::string::npos);
  EXPECT_NE(error_of(with(chain, "k = 0..N-1", "k = 0..1000000, j = 0..1000000, l = 0..1000000"))
                .find("is more than 100000000 elements"),
            std::string::npos);
  EXPECT_NE(error_of(with(chain, "k = 0..N-1", "k = 0..1000000000, j = 1..0")).find("is more than 100000000 elements"),
            std::string::npos);
  EXPECT_NE(error_of(with(chain, "k = 0..N-1", "k = 0..9000000000")).find("it must stay within"), std::string::npos);
  const std::string wide =
      with(with(chain, "k = 0..N-1", "k = 0..99999999\"\nperiodic = true#"), "c*m[k]*(theta[k+1] - theta[k])^2",
           "theta[k]*theta[k+1]*theta[k+2]*theta[k+3]*theta[k+4]*m[k]*m[k+1]*m[k+2]*m[k+3]*k");
  EXPECT_NE(error_of(wide).find("needs tables of more than"), std::string::npos);
}

TEST(Hostile, gigantic_expressions_are_refused) {
  const auto potential = [](const std::string& text) { return with(oscillator, "c*(x^2 + y^2)", text); };
  EXPECT_FALSE(accepts(potential(repeat("x+", 1000000) + "x")));
  EXPECT_FALSE(accepts(potential(repeat("(", 40000) + "x" + repeat(")", 40000))));
  EXPECT_FALSE(accepts(potential(repeat("-", 90000) + "x")));
  EXPECT_FALSE(accepts(potential(repeat("x^", 40000) + "x")));
  EXPECT_FALSE(accepts(potential(repeat("sin(", 20000) + "x" + repeat(")", 20000))));
  EXPECT_FALSE(accepts(potential(repeat("not ", 20000) + "x")));
  EXPECT_FALSE(accepts(potential("x[" + repeat("(", 90000) + "0]")));
  EXPECT_TRUE(accepts(potential(repeat("x*y+", 20000) + "x")));  // long, but flat
  EXPECT_FALSE(accepts(with(chain, "k = 0..N-1", "k = 0.." + repeat("(", 90000))));
  EXPECT_FALSE(accepts(with(chain, "theta[5]", "theta[" + repeat("(", 90000) + "]")));
}

TEST(Hostile, every_beginning_of_a_file_is_answered) {
  const std::string text = chain + "[[symmetry]]\nname = \"a\"\ngenerator = { theta = \"theta[4-i]\", y = '''1''' }\n";
  for (std::size_t n = 0; n < text.size(); ++n) (void)accepts(text.substr(0, n));
  EXPECT_TRUE(accepts(text));
}

TEST(Hostile, changed_bytes_are_answered) {
  const std::string text = chain + "[[symmetry]]\nname = \"a\"\ngenerator = { theta = \"theta[4-i]\", y = '''1''' }\n";
  const std::string interesting =
      "\"'[]{}()=.,#\\\n0123456789-+*/^ \x80\xFF"
      "aeikmxyN";
  std::mt19937 random(2);
  int sound = 0;
  for (int k = 0; k < 3000; ++k) sound += accepts(changed(text, interesting, random)) ? 1 : 0;
  EXPECT_GT(sound, 30);
  EXPECT_LT(sound, 2500);
}

}  // namespace
}  // namespace actio::io::test
