#include "command_line.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "options.hpp"

namespace actio::python {
namespace nb = nanobind;
using namespace nb::literals;
namespace {

int command_line(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::signal(SIGXFSZ, SIG_IGN);  // a limit of a file's size is an error like a full disk
  const int code = cli::dispatch(static_cast<int>(words.size()), argv.data());
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  std::fputs("error: cannot write to standard output\n", stderr);
  return code == cli::ok ? cli::run_failed : code;
}

}  // namespace

void bind_command_line(nb::module_& m) {
  m.def("command_line", &command_line, "words"_a, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace actio::python
