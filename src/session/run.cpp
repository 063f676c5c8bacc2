#include <actio/invariant/json.hpp>
#include <actio/session/frequencies.hpp>
#include <actio/session/session.hpp>
#include <algorithm>

namespace actio::session {

invariant::Certificate run(Session& session, run::Options options, Execution& execution,
                           const std::function<void(const std::string&)>& warn) {
  const bool within_steps = !session.problem.events.empty() || !session.problem.schedule.at.empty();
  if (within_steps && !session.dense) observe(session);
  options.level = session.problem.level;
  options.observables = session.observables.get();
  options.events = session.events.get();
  options.dense = session.dense.get();
  options.stop = &execution.stop();
  options.clock = [&] { return execution.clock(); };
  const std::string method = session.problem.method.name();
  std::optional<StepTooLarge> too_large;
  if (execution.distributed_over() == 0) too_large = step_too_large(session);
  if (too_large && warn) warn(too_large->words(method));
  invariant::Certificate out = run::integrate(*session.integrator, session.momentum, session.task, options);
  if (out.failure && too_large) out.failure->hint = likely_cause(*too_large, method);
  return out;
}

namespace {

std::string json_of_columns(std::span<const run::Observed> observed) {
  invariant::Json j;
  j.begin();
  for (const run::Observed& of : observed) {
    if (!of.column) continue;
    j.key(of.name).begin().field("definition", std::string_view(of.definition)).field("unit", std::string_view(of.unit));
    for (const run::SummaryFigure& figure : run::summary_figures) j.field(figure.name, *of.column.*figure.value);
    j.end();
  }
  j.end();
  return j.text();
}

std::string json_of_events(std::span<const run::Observed> observed) {
  invariant::Json j;
  j.begin();
  for (const run::Observed& of : observed) {
    if (!of.event) continue;
    j.key(of.name).begin().field("when", std::string_view(of.definition)).field("times", of.times);
    if (of.times > 0) j.field("first", of.first).field("last", of.last);
    j.key("columns").begin();
    for (const run::Figure& column : of.reductions[0].figures) {
      j.key(column.name).begin_array();
      for (const double x : column.values) j.value(x);
      j.end_array();
    }
    j.end();
    j.end();
  }
  j.end();
  return j.text();
}

}  // namespace

std::string json(const invariant::Certificate& of_run, std::span<const run::Observed> observed) {
  std::string certificate = invariant::json(of_run);
  const bool columns = std::ranges::any_of(observed, [](const run::Observed& of) { return of.column.has_value(); });
  certificate.pop_back();
  if (columns) certificate += ",\"observables\":" + json_of_columns(observed);
  if (std::ranges::any_of(observed, [](const run::Observed& of) { return of.event; }))
    certificate += ",\"events\":" + json_of_events(observed);
  if (!run::reduces(observed)) return certificate + "}";
  invariant::Json j;
  j.begin();
  for (const run::Observed& of : observed) {
    if (of.column || of.event) continue;
    j.key(of.name).begin().field("definition", std::string_view(of.definition)).field("unit", std::string_view(of.unit));
    j.field("elements", of.elements).field("times", of.times).field("first", of.first).field("last", of.last);
    for (const auto& reduction : of.reductions) {
      j.key(reduction.name).begin();
      for (const run::Figure& figure : reduction.figures) {
        j.key(figure.name);
        if (!figure.list) {
          j.value(figure.values[0]);
          continue;
        }
        j.begin_array();
        for (const double x : figure.values) j.value(x);
        j.end_array();
      }
      j.end();
    }
    j.end();
  }
  j.end();
  return certificate + ",\"observed\":" + j.text() + "}";
}

}  // namespace actio::session
