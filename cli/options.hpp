#pragma once
#include <string>

#include <actio/core/error.hpp>

#include "arguments.hpp"

namespace CLI {
class App;
}

namespace actio::cli {

// A problem file and what may be said of it.
void add_problem(CLI::App& command, Arguments& a);
// And what `actio run` takes beside that.
void add_run(CLI::App& command, Arguments& a);
// What `actio resume` takes.
void add_resume(CLI::App& command, Arguments& a);

// The exit code. Wrong input, on standard error, and with --json as an object on standard output as well.
int refuse(const core::Diagnostic& error, bool json, int code);

// The program: reads the command line and does what it says; the exit code.
int dispatch(int argc, char** argv);

}  // namespace actio::cli
