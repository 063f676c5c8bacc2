#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include <actio/io/ensemble_task.hpp>
#include <io/support.hpp>

namespace actio::run {

using io::test::with;

inline Ensemble ensemble_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return Ensemble(io::task_of(io::load_text(text, "ensemble.toml", {overrides, {}})));
}
inline void run_all(Ensemble& e) {
  while (e.advance()) {}
}
// To the bit.
inline bool same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace actio::run
