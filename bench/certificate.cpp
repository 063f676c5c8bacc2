// The certificate as an instrument: how often it is wrong on runs whose verdict is known, by kind, and what measuring costs
// beside the steps. Arguments: a part of the names of the runs to make, "interpreted" for kernels that are not compiled.
#include <certificate/suite/suite.hpp>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  using namespace certificate;
  std::string part;
  bool interpreted = false, text = false, slow = true, times = false;
  for (int k = 1; k < argc; ++k) {
    if (std::strcmp(argv[k], "interpreted") == 0)
      interpreted = true;
    else if (std::strcmp(argv[k], "short") == 0)
      slow = false;
    else if (std::strcmp(argv[k], "text") == 0)
      text = true;
    else if (std::strcmp(argv[k], "times") == 0)
      times = true;
    else
      part = argv[k];
  }
  std::vector<Result> results;
  for (const Run& run : all()) {
    if ((run.kind + " " + run.name).find(part) == std::string::npos || (run.long_run && !slow)) continue;
    const std::clock_t begin = std::clock();
    results.push_back(make(run, {interpreted ? "none" : "", {}}));
    if (text) std::printf("== %s\n%s\n\n", run.name.c_str(), results.back().text.c_str());
    if (times)
      std::printf("%8.3f s  %s | %s\n", static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, run.kind.c_str(),
                  run.name.c_str());
  }
  std::printf("%s\n%s", table(results).c_str(), offenders(results).c_str());
}
