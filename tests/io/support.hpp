#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <actio/core/error.hpp>
#include <actio/io/problem.hpp>
#include <folder.hpp>

namespace actio::io::test {

// Two coordinates, everything given.
inline const std::string oscillator = R"toml(title = "Oscillator"
[system]
coordinates = ["x", "y"]
parameters = { c = 1.0 }
mass = [1.0, 1.0]
potential = "c*(x^2 + y^2)"
[initial]
position = [1.2, 0.0]
velocity = [0.0, 0.2]
[method]
name = "newmark"
beta = 0.25
[run]
step = 0.2
end = 10.0
)toml";

// Families, a table, a term, an integer parameter.
inline const std::string chain = R"toml([system]
coordinates = ["theta[5]", "y"]
parameters = { c = 1.5, N = 4 }
tables = { m = [1, 2, 3, 4, 5] }
mass = { theta = "m[i]", y = 2 }
[[system.term]]
over = "k = 0..N-1"
potential = "c*m[k]*(theta[k+1] - theta[k])^2"
[initial]
position = { theta = 0, y = 1 }
[method]
name = "verlet"
[run]
step = 0.1
steps = 7
)toml";

// The text with the first `from` replaced.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << "no \"" << from << "\" in the text of the test";
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// The message of the InputError that loading the text throws; "" and a failure when it throws none.
inline std::string error_of(const std::string& text, const LoadOptions& options = {}, const std::string& path = "p.toml") {
  try {
    (void)load_text(text, path, options);
  } catch (const core::InputError& error) { return error.what(); }
  ADD_FAILURE() << "no error for:\n" << text.substr(0, 2000);
  return "";
}

using Folder = actio::test::TemporaryFolder;

}  // namespace actio::io::test
