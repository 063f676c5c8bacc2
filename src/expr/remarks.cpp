#include <actio/expr/remarks.hpp>

#include <algorithm>
#include <mutex>
#include <utility>

namespace actio::expr {
namespace {

std::mutex guard;
std::vector<std::string> all;
std::size_t given = 0;  // out, of them

}  // namespace

void remark(const std::string& sentence) {
  const std::lock_guard lock(guard);
  if (std::ranges::find(all, sentence) == all.end()) all.push_back(sentence);
}

std::vector<std::string> remarks() {
  const std::lock_guard lock(guard);
  const std::size_t from = std::exchange(given, all.size());
  return {all.begin() + static_cast<std::ptrdiff_t>(from), all.end()};
}

}  // namespace actio::expr
