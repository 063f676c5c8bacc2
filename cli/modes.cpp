#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/session/modes.hpp>

#include "commands.hpp"
#include "interrupt.hpp"
#include "spoil.hpp"
#include "terminal.hpp"

namespace actio::cli {

int modes(const Arguments& arguments) {
  OneProcess execution(catch_interrupts());
  io::Problem problem = io::load(arguments.file, {arguments.overrides, {}});
  if (!arguments.output.empty()) session::need_format_of_modes(arguments.output, problem);
  refuse_to_spoil(problem, arguments.output);
  if (!arguments.matrices.empty()) {
    const session::MatrixFiles files = session::matrix_files(arguments.matrices);
    refuse_to_spoil(problem, files.mass);
    refuse_to_spoil(problem, files.stiffness);
  }
  const session::LinearProblem linear = session::linear_problem(std::move(problem), choices(arguments), execution);
  if (!arguments.matrices.empty()) session::write_matrices(linear, arguments.matrices);
  const session::Modes found = session::modes(linear, arguments.count);
  if (!arguments.output.empty()) session::write_modes(found, linear, arguments.output);
  tell_remarks(arguments.quiet);
  if (arguments.json)
    fmt::print("{}\n", session::json(found, linear.problem));
  else if (!arguments.quiet)
    say("{}", session::text(found, linear.problem));
  return ok;
}

}  // namespace actio::cli
