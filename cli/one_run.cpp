#include "one_run.hpp"

#include <algorithm>

#include "ensemble.hpp"
#include "interrupt.hpp"

namespace actio::cli {

std::string OneRun::verdict() const { return ran ? std::string(word(certificate.verdict)) : "wrong input"; }

OneRun run_one(const RunRequest& request) {
  OneRun out;
  out.method = request.load.method;
  try {
    io::Problem problem = io::load(request.file, request.load);
    if (request.member >= 0)
      take_member(problem, request.member);
    else
      refuse_ensemble(problem, request.command);
    if (request.prepare) request.prepare(problem);
    OneProcess execution(catch_interrupts());
    Session s = session::open(std::move(problem), request.choices, execution);
    if (request.observe) session::observe(s);
    out.method = s.problem.method.name();
    out.title = s.problem.model.title;
    for (std::size_t k = 0; k < s.momentum.size(); ++k) out.momenta.push_back(s.momentum.name(k));
    session::Extremes extremes(s);
    run::Options options;
    options.progress = request.progress;
    if (request.observe) options.observers.push_back(&extremes);
    if (request.beside) options.observers.push_back(request.beside);
    out.certificate = session::run(s, options, execution);
    out.ran = true;
    if (request.observe) out.extremes = extremes.found();
    out.observed = session::observed(s);
    if (out.certificate.failure) out.why = out.certificate.failure->text();
    for (const auto& sentence : out.certificate.broken) out.why += (out.why.empty() ? "error: " : "\n") + sentence;
  } catch (const core::InputError& e) {
    out.why = e.what();
    out.refused = e;
  }
  return out;
}

void throw_if_all_refused(const std::vector<const OneRun*>& runs) {
  if (runs.empty() || runs[0]->ran) return;
  const std::string& message = runs[0]->refused->diagnostic().message;  // the place may be of a value that is varied
  if (std::ranges::all_of(runs, [&](const OneRun* one) { return !one->ran && one->refused->diagnostic().message == message; }))
    throw core::InputError(*runs[0]->refused);
}

int exit_code(const std::vector<const OneRun*>& runs) {
  if (std::ranges::any_of(runs, [](const OneRun* one) { return one->good(); })) return ok;
  return std::ranges::any_of(runs, [](const OneRun* one) { return one->ran; }) ? run_failed : wrong_input;
}

}  // namespace actio::cli
