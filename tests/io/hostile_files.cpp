#include <random>

#include <actio/io/csv.hpp>
#include <actio/io/matrix_market.hpp>

#include "hostile.hpp"
#include "support.hpp"

// Whatever stands in a problem with forces, in a matrix file or in a record, the answer is a value or an InputError.
namespace actio::io::test {
namespace {

const std::string forced = R"toml([system]
coordinates = ["u[4]", "x"]
parameters = { c = 1.5, N = 4 }
mass = [[2,0,0,0,0],[0,2,0,0,0],[0,0,2,0,0],[0,0,0,2,1],[0,0,0,1,2]]
stiffness = [4, 4, 4, 4, 1]
rayleigh = { mass = 0.1, stiffness = "c/10" }
fixed = ["u[0]", "u[1..3 step 2]"]
dissipation = "c*x'^2"
signals = { f = { time = [0, 1, 3], value = [0, 1, -1], scale = 2 } }
[system.force]
"u[1..N-2]" = "u[i+1] - u'[i-1]*f"
[[system.load]]
pattern = { "u[0..2 step 2]" = "i", x = 1 }
time = "sin(t) + f"
[system.base]
acceleration = "f"
direction = "i"
[[system.term]]
over = "k = 0..N-1"
periodic = true
force = "-u'[k]"
on = "u[k+1]"
[method]
name = "newmark"
[run]
step = 0.1
steps = 7
)toml";

const std::string implicit_equation = R"toml([system]
coordinates = ["u[4]", "x"]
energy = "x'^2"
[system.equations]
"u[0..3]" = "u''[i] + u'[i]*u[i]"
x = "x''+abs(x'')*x' - sin(t)"
[[system.term]]
over = "k = 0..2"
equation = "u''[k+1]*0.1"
on = "u[k]"
[initial]
position = { u = 0, x = 1 }
[method]
name = "newmark"
[run]
step = 0.1
steps = 7
)toml";

const std::string matrix = "%%MatrixMarket matrix coordinate real symmetric\n% c\n\n3 3 4\n1 1 2\n2 2 2.5e0\n3 3 1\n3 2 -0.5\n";
const std::string readable_record = "# r\nt,a\n0,1\n0.5,-2e-3\n1.5,\"7\"\n";

bool answered(const auto& read) {
  try {
    read();
    return true;
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("error: "), std::string::npos);
    return false;
  }
}
bool loads(const std::string& text) {
  return answered([&] { (void)load_text(text, "p.toml"); });
}

// Every beginning, and thousands of small changes.
void torment(const std::string& text, int changes, const auto& reads) {
  EXPECT_TRUE(reads(text));
  for (std::size_t n = 0; n < text.size(); ++n) (void)reads(text.substr(0, n));
  const std::string interesting =
      "\"'[]{}()=.,#\\\n0123456789-+*/^ %\t\r\x80\xFF"
      "aeixuknf";
  std::mt19937 random(3);
  int sound = 0;
  for (int k = 0; k < changes; ++k) sound += reads(changed(text, interesting, random)) ? 1 : 0;
  EXPECT_GT(sound, 0);
  EXPECT_LT(sound, changes);
}

TEST(Hostile, forces_and_matrices_in_any_state) { torment(forced, 1500, loads); }
TEST(Hostile, equations_in_any_state) { torment(implicit_equation, 1500, loads); }

TEST(Hostile, matrix_files_in_any_state) {
  const Folder folder;
  torment(matrix, 3000, [&](const std::string& text) {
    return answered([&] {
      const auto M = read_matrix_market(folder.write("M.mtx", text));
      EXPECT_TRUE(M.coeffs().allFinite());
      EXPECT_LE(M.nonZeros(), 20);
    });
  });
}

TEST(Hostile, records_in_any_state) {
  const Folder folder;
  torment(readable_record, 3000, [&](const std::string& text) {
    return answered([&] {
      const std::vector<CsvColumn> wanted{{"t", true}, {"a"}};
      const auto columns = read_csv(folder.write("a.csv", text), wanted);
      EXPECT_EQ(columns[0].size(), columns[1].size());
    });
  });
}

TEST(Hostile, huge_sizes_take_no_memory) {
  const Folder folder;
  const auto refused = [&](const std::string& sizes, const std::string& kind = "coordinate real general") {
    const std::string file = folder.write("M.mtx", "%%MatrixMarket matrix " + kind + "\n" + sizes + "\n1 1 1\n");
    return !answered([&] { (void)read_matrix_market(file); });
  };
  EXPECT_TRUE(refused("1000000000000000000 1000000000000000000 1000000000000000000"));
  EXPECT_TRUE(refused("10000000 10000000 1000000000000000000"));
  EXPECT_TRUE(refused("10000000 10000000 2000000000"));
  EXPECT_TRUE(refused("10000000 10000000 2000000000", "coordinate real symmetric"));
  EXPECT_TRUE(refused("10000000 10000000", "array real general"));
  EXPECT_TRUE(refused("10000000 10000000", "array real symmetric"));
  EXPECT_TRUE(refused("-5 -5 -5"));
  // the size of the system comes from such a file
  folder.write("M.mtx", "%%MatrixMarket matrix coordinate real general\n20000000 20000000 1\n1 1 1\n");
  const std::string text =
      "[system]\nmass = \"M.mtx\"\nstiffness = \"M.mtx\"\n[method]\nname = \"newmark\"\n[run]\nstep = 1\nsteps = 1\n";
  EXPECT_NE(error_of(text, {}, folder / "p.toml").find("M.mtx:2:1: error: 20000000 rows"), std::string::npos);
  std::filesystem::create_directory(folder / "D.mtx");
  EXPECT_NE(error_of(with(text, "\"M.mtx\"", "\"D.mtx\""), {}, folder / "p.toml").find("is a directory"), std::string::npos);
}

}  // namespace
}  // namespace actio::io::test
