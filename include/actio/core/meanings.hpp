#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Words that users bring from other programs and textbooks, and what they mean here. One table, asked before the spelling is.
namespace actio::core {

// The hint for `word` where one of `candidates` means the same: `did you mean "step"?` for "dt", or a sentence where that would
// be wrong: "log10(x) is log(x)/log(10)". Case, - and _ do not count. "" when the table has nothing.
std::string same_meaning(std::string_view word, std::span<const std::string> candidates);

// The hint for a key of a problem file that has its meaning in another table: `did you mean run.step?` for "dt" in [method].
std::string meant_elsewhere(std::string_view word);

// What others call the method of that name: "leapfrog", "velocity Verlet", ... for "verlet". These are hints: a problem file says
// "verlet".
std::vector<std::string_view> other_words_for(std::string_view name);

}  // namespace actio::core
