#include <actio/io/csv.hpp>
#include <actio/io/matrix_market.hpp>

#include <vector>

#include "support.hpp"

// CSV columns and Matrix Market matrices, on their own and named in a problem file.
namespace actio::io::test {
namespace {

std::string message_of(const auto& read) {
  try {
    read();
  } catch (const core::InputError& error) { return error.what(); }
  ADD_FAILURE() << "no error";
  return "";
}

TEST(Csv, column_is_found_by_its_name) {
  const Folder folder;
  const std::string file = folder.write("a.csv", "# planets\n\nm, \"k\",c\r\n 1 ,2,+3\n\n4,\"5\",6e-1\n");
  EXPECT_EQ(read_csv_column(file, "m"), (std::vector<double>{1, 4}));
  EXPECT_EQ(read_csv_column(file, "k"), (std::vector<double>{2, 5}));
  EXPECT_EQ(read_csv_column(file, "c"), (std::vector<double>{3, 0.6}));
}

TEST(Csv, wrong_files_are_refused_with_the_place) {
  const Folder folder;
  const auto error = [&](const std::string& content) {
    const std::string file = folder.write("a.csv", content);
    return message_of([&] { (void)read_csv_column(file, "mass"); }).substr(file.size());
  };
  EXPECT_TRUE(error("mas,k\n1,2\n").starts_with(":1:1: error: no column \"mass\"\n")) << error("mas,k\n1,2\n");
  EXPECT_TRUE(error("mas,k\n1,2\n").ends_with("did you mean \"mas\"?"));
  EXPECT_TRUE(error("k, mass\n1, 2\n3, x4\n").starts_with(":3:4: error: \"x4\" is not a number"));
  EXPECT_TRUE(error("k,mass\n1,nan\n").starts_with(":2:3: error: nan is not finite"));
  EXPECT_TRUE(error("k,mass\n1,\n").starts_with(":2:3: error: an entry of \"mass\" is missing"));
  EXPECT_TRUE(error("k,mass\n1,2,3\n").starts_with(":2:1: error: 3 entries in a table of 2 columns"));
  EXPECT_TRUE(error("mass,mass\n1,2\n").starts_with(":1:1: error: two columns \"mass\""));
  EXPECT_TRUE(error("mass\n1 2\n").starts_with(":2:1: error: \"1 2\" is not a number"));
  EXPECT_TRUE(error("").starts_with(": error: the file has no header line"));
  EXPECT_TRUE(error("mass\n").starts_with(": error: the file has no rows"));
}

TEST(Csv, table_of_a_problem_may_be_a_column) {
  const Folder folder;
  folder.write("chain.csv", "k,m\n0,5\n0,4\n0,3\n0,2\n0,1\n");
  const std::string file = folder.write("p.toml", with(chain, "[1, 2, 3, 4, 5]", "{ csv = \"chain.csv\", column = \"m\" }"));
  const Problem problem = load(file);
  EXPECT_EQ(problem.model.mass.diagonal[0], 5);
  EXPECT_EQ(problem.model.terms.at(0).data.at(0), (std::vector<double>{5, 4, 3, 2}));
}

TEST(MatrixMarket, formats_it_reads) {
  const Folder folder;
  const auto read = [&](const std::string& content) {
    return Eigen::MatrixXd(read_matrix_market(folder.write("M.mtx", content)));
  };
  const Eigen::MatrixXd expected{{2, 0.5}, {0.5, 1}};
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 2\n1 2 .5\n2 1 5e-1\n2 2 +1\n"), expected);
  EXPECT_EQ(read("%%matrixMARKET MATRIX Coordinate Real Symmetric\n% comment\n\n  2 2 3 \n1 1 2\n%\n\n2 1 0.5\n2 2 1\n"),
            expected);
  EXPECT_EQ(read("%%MatrixMarket matrix array real general\r\n2 2\r\n2\r\n.5\r\n.5\r\n1\r\n"), expected);
  EXPECT_EQ(read("%%MatrixMarket matrix array real symmetric\n2 2\n2 .5\n\n1"), expected);
  EXPECT_EQ(read("%%MatrixMarket matrix array integer symmetric\n2 2\n2\n1\n3\n"), (Eigen::MatrixXd{{2, 1}, {1, 3}}));
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate integer general\n2 3 2\n1 3 4\n1 3 5\n"),
            (Eigen::MatrixXd{{0, 0, 9}, {0, 0, 0}}));
  EXPECT_EQ(read("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n"),
            (Eigen::MatrixXd{{1, 3}, {2, 4}}));  // by columns
}

TEST(MatrixMarket, wrong_files_are_refused_with_the_place) {
  const Folder folder;
  const std::string general = "%%MatrixMarket matrix coordinate real general\n";
  const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
  const auto error = [&](const std::string& content, long expected = -1) {
    const std::string file = folder.write("M.mtx", content);
    return message_of([&] { (void)read_matrix_market(file, expected, expected); }).substr(file.size());
  };
  const auto starts = [](const std::string& message, const std::string& start) {
    EXPECT_TRUE(message.starts_with(start)) << message;
  };
  starts(error(""), ":1:1: error: not a Matrix Market file");
  starts(error("2 2 1\n1 1 1\n"), ":1:1: error: not a Matrix Market file");
  starts(error("%%MatrixMarket matrix coordinat real general\n"), ":1:23: error: the header needs coordinate or array");
  starts(error("%%MatrixMarket matrix coordinate complex general\n"), ":1:34: error: the header needs real or integer");
  starts(error("%%MatrixMarket matrix coordinate real hermitian\n"), ":1:39: error: the header needs general or symmetric");
  starts(error("%%MatrixMarket matrix coordinate\n"), ":1:1: error: the header needs real or integer");
  starts(error(general), ":1: error: the file ends before the line with the sizes");
  starts(error(general + "2 2\n"), ":2:1: error: the sizes are three integers");
  starts(error(general + "2 x 1\n"), ":2:3: error: the number of columns must be an integer");
  starts(error(general + "0 2 1\n"), ":2:1: error: 0 rows; from 1 to");
  starts(error(general + "2 2 1000000000\n1 1 1\n"), ":2:1: error: 1000000000 entries do not fit in a file of");
  starts(error(general + "2 2 99999999999999999999\n1 1 1\n"), ":2:5: error: the number of entries must be an integer");
  starts(error("%%MatrixMarket matrix array real general\n9000000 9000000\n1\n"),
         ":2:1: error: 81000000000000 entries do not fit");
  starts(error(general + "2 2 1\n3 1 1\n"), ":3:1: error: row 3 of a matrix of 2");
  starts(error(general + "2 2 1\n1 0 1\n"), ":3:3: error: column 0 of a matrix of 2");
  starts(error(general + "2 2 1\n1 1 inf\n"), ":3:5: error: the entry must be finite");
  starts(error(general + "2 2 1\n1 1 1e400\n"), ":3:5: error: the entry must be a number");
  starts(error(general + "2 2 1\n1 1\n"), ":3:1: error: an entry is three numbers");
  starts(error(general + "2 2 2\n1 1 1\n"), ":3: error: the file ends before entry 2 of 2");
  starts(error(general + "2 2 1\n1 1 1\n2 2 1\n"), ":4:1: error: more entries than the sizes say");
  starts(error(symmetric + "2 2 1\n1 2 1\n"), ":3:1: error: a symmetric file lists the lower triangle only");
  starts(error(symmetric + "2 3 1\n1 1 1\n"), ":2:1: error: a symmetric matrix has as many rows as columns");
  starts(error(general + "3 3 1\n1 1 1\n", 2), ":2:1: error: the matrix is 3 x 3, the system needs 2 x 2");
}

TEST(MatrixMarket, mass_of_a_problem_may_be_a_file) {
  const Folder folder;
  folder.write("M.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 2\n2 1 0.5\n2 2 1\n");
  const Problem problem = load(folder.write("p.toml", with(oscillator, "[1.0, 1.0]", "\"M.mtx\"")));
  EXPECT_EQ(problem.model.mass.kind, system::MassMatrix::Kind::full);
  EXPECT_EQ(Eigen::MatrixXd(problem.model.mass.full), (Eigen::MatrixXd{{2, 0.5}, {0.5, 1}}));

  folder.write("M.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 2\n2 1 0.5\n2 2 1\n");
  EXPECT_NE(message_of([&] {
              (void)load(folder / "p.toml");
            }).find("M.mtx:4:1: error: the mass is not symmetric: entry (2, 1) is 0.5, entry (1, 2) is 0"),
            std::string::npos);
  folder.write("M.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 2\n2 1 3\n2 2 1\n");
  EXPECT_NE(message_of([&] {
              (void)load(folder / "p.toml");
            }).find("M.mtx:5:1: error: the mass is not positive definite: its Cholesky factorisation meets -3.5 at y"),
            std::string::npos);
}

TEST(Library, is_found_beside_the_problem) {
  const Folder folder;
  folder.write("libwell.so", "");
  const std::string text = with(oscillator, "potential = \"c*(x^2 + y^2)\"", "library = \"libwell.so\"");
  EXPECT_EQ(load(folder.write("p.toml", text)).model.library, folder / "libwell.so");
}

}  // namespace
}  // namespace actio::io::test
