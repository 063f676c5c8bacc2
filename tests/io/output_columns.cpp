#include <io/wrong.hpp>

using namespace actio::io::test;

namespace {

const std::string asked = with(chain, "steps = 7", R"toml(steps = 7
columns = ["theta[3]", "y'", "p(theta)", "energy", "ends", "ledger", "t"])toml") +
                          R"toml(
[output]
ends = "theta[4] - theta[0]"
)toml";

}  // namespace

TEST(OutputColumns, are_names_families_groups_and_outputs) {
  EXPECT_EQ(actio::io::load_text(asked, "p.toml").columns,
            (std::vector<std::string>{"theta[3]", "y'", "p(theta)", "energy", "ends", "ledger", "t"}));
  EXPECT_TRUE(actio::io::load_text(chain, "p.toml").columns.empty());
}

TEST(OutputColumns, say_where_they_are_wrong) {
  expect_errors(asked, {{"\"ends\"", "\"emds\"", "", "run.columns[4] is \"emds\", and a trajectory has no such column",
                         "\"emds\"", "did you mean \"ends\"?"},
                        {"\"energy\"", "\"enrgy\"", "", "run.columns[3] is \"enrgy\"", "\"enrgy\"", "did you mean \"energy\"?"},
                        {"\"theta[3]\"", "\"theta[5]\"", "", "run.columns[0] is \"theta[5]\"", "\"theta[5]\""},
                        {"\"theta[3]\"", "3", "", "run.columns[0] must be a string", "3"},
                        {"\"theta[3]\"", "\"theta''\"", "", "run.columns[0] is \"theta''\"", ""},
                        {"columns = [", "columns = [] #", "", "run.columns is empty", ""}});
}
