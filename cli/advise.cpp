#include <actio/session/advise.hpp>

#include <fmt/format.h>

#include "commands.hpp"
#include "ensemble.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "terminal.hpp"

namespace actio::cli {

int advise(const Arguments& arguments) {
  for (const auto& name : arguments.methods) require_method(name, "--methods");
  std::string member;
  const auto load = [&](const io::LoadOptions& how) {
    io::Problem p = io::load(arguments.file, how);
    if (arguments.member >= 0) {
      take_member(p, arguments.member);
    } else if (p.ensemble) {
      member = fmt::format("member {} of the ensemble", p.ensemble->members.first);
      take_member(p, p.ensemble->members.first);
    }
    return p;
  };
  session::AdviseOptions options{
      arguments.error, arguments.tries, arguments.seconds, arguments.methods, choices(arguments), &catch_interrupts(), {}};
  session::Advice advice;
  {
    ProgressLine line(!arguments.quiet);
    options.progress = [&](const std::string& words) { line.show_words(words); };
    advice = session::advise(load, arguments.overrides, options);
  }
  if (!member.empty()) advice.facts.insert(advice.facts.begin(), {"of", member});
  tell_remarks(arguments.quiet);
  if (arguments.json)
    fmt::print("{}\n", session::json(advice));
  else if (!arguments.quiet)
    say("{}", session::text(advice));
  return advice.best < 0 || advice.interrupted ? run_failed : ok;
}

}  // namespace actio::cli
