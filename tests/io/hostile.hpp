#pragma once
#include <random>
#include <string>

namespace actio::io::test {

// One to three of its bytes replaced, or others put before them.
inline std::string changed(std::string text, const std::string& interesting, std::mt19937& random) {
  for (unsigned i = 0; i < 1 + random() % 3; ++i) {
    const std::size_t at = random() % text.size();
    const char c = interesting[random() % interesting.size()];
    if (random() % 2 == 0)
      text[at] = c;
    else
      text.insert(at, 1, c);
  }
  return text;
}

}  // namespace actio::io::test
