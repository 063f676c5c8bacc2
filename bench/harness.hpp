#pragma once
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#include <limits>
#include <string>
#include <vector>

// Programs that do the same work, timed in turn in short pieces, the least of many kept: other work on the machine and changes
// of its clock touch all of them alike, so their ratio stands.
namespace bench {

struct Program {
  std::string name;
  std::function<void()> run;                              // `work` pieces of it
  double best = std::numeric_limits<double>::infinity();  // [ns] a piece
};

// The least of many times on the wall, or of the processor [s].
template <class F>
double on_the_wall(int runs, F&& f) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < runs; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    f();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return least;
}
template <class F>
double of_processor(int runs, F&& f) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < runs; ++k) {
    const std::clock_t begin = std::clock();
    f();
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return least;
}

// Runs the programs in turn, `rounds` times.
inline void measure(std::vector<Program>& programs, long work, int rounds) {
  using clock = std::chrono::steady_clock;
  for (int round = 0; round < rounds; ++round)
    for (Program& p : programs) {
      const auto begin = clock::now();
      p.run();
      const double ns = std::chrono::duration<double, std::nano>(clock::now() - begin).count();
      p.best = std::min(p.best, ns / static_cast<double>(work));
    }
}

// The first program is what the others are compared with.
inline void print(const std::string& title, const std::vector<Program>& programs) {
  std::printf("%s\n", title.c_str());
  for (const Program& p : programs)
    std::printf("  %-36s %9.2f ns  %7.2f x\n", p.name.c_str(), p.best, p.best / programs.front().best);
  std::printf("\n");
}

}  // namespace bench
