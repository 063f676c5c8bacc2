#pragma once
#include <string>
#include <vector>

// The keys of a sweep with their values, as the command line gives them.
namespace actio::cli {

struct Swept {
  std::string name;                 // as given: "zeta" or "run.step"
  std::string key;                  // of the file: "system.parameters.zeta", "run.step"
  std::vector<std::string> values;  // texts, as for key=value
};
// "run.step=.01,.005": values are parted by the commas that stand outside of brackets and quotes. A name without a dot is a
// parameter. Throws core::InputError with its place on the command line.
Swept read_swept(const std::string& text);

// All combinations, the last key changes fastest: the numbers of the values of each. Throws core::InputError where there are more
// than `most`.
std::vector<std::vector<std::size_t>> combinations(const std::vector<Swept>& swept, std::size_t most);

}  // namespace actio::cli
