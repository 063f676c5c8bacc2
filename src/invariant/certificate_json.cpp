#include <actio/invariant/certificate.hpp>
#include <actio/invariant/json.hpp>
#include <cmath>

namespace actio::invariant {

namespace {

std::string_view keeps_word(method::Keeps keeps) {
  switch (keeps) {
    case method::Keeps::canonical:
      return "canonical";
    case method::Keeps::conjugate_form:
      return "own";
    case method::Keeps::energy:
      return "energy";
    case method::Keeps::nothing:
      break;
  }
  return "nothing";
}

}  // namespace

std::string json(const Certificate& c, bool with_state) {
  Json j;
  j.begin();
  j.field("title", std::string_view(c.title));
  j.key("method").begin().field("name", std::string_view(c.method)).field("order", static_cast<long>(c.order));
  j.field("keeps", keeps_word(c.claims.keeps)).field("reversible", c.claims.reversible).end();
  j.field("forced", c.claims.forced);
  j.field("coordinates", c.coordinates).field("step", c.different_steps == 1 || !std::isnan(c.last_step) ? c.step : unmeasured);
  j.field("smallest_step", c.smallest_step).field("largest_step", c.step).field("different_steps", c.different_steps);
  j.field("last_step", c.last_step).field("end", c.end).field("past_end", std::string_view(c.past_end));
  j.field("follows_motion", c.follows).field("shortest", c.shortest).field("longest", c.longest);
  j.field("steps", c.steps).field("planned_steps", c.planned);
  j.field("observations", c.observations).field("wall_seconds", c.wall_seconds);
  j.key("final").begin().field("t", c.last.t);
  if (with_state) j.field("q", c.last.q).field("v", c.last.v);
  j.end();

  j.key("energy").begin().field("initial", c.energy.initial).field("max_error", c.energy.max_error);
  if (c.claims.discrete_energy)
    j.field("discrete_error", c.energy.discrete_error).field("discrete_allowed", c.energy.discrete_allowed);
  j.field("max_error_time", c.energy.max_error_time)
      .field("largest_kinetic", c.energy.largest_kinetic)
      .field("resolution", c.energy.resolution)
      .field("lost", c.energy.lost)
      .field("motion", c.energy.motion)
      .field("early_motion", c.energy.early_motion)
      .field("swings", c.energy.swings)
      .field("early_error", c.energy.early_error)
      .field("late_error", c.energy.late_error)
      .field("typical_error", c.energy.typical_error)
      .field("drift_per_step", c.energy.drift_per_step);
  j.field("drift_confidence", c.energy.drift_confidence).field("conserved_by_the_system", c.energy.conserved);
  j.field("expected_to_stay", energy_expected_to_stay(c));
  j.field("jump_at_cutoff", c.energy.jump);
  j.field("defined", c.energy.defined).field("given", c.energy.given).end();

  if (c.ledger) {
    j.key("ledger").begin().field("change", c.ledger->change).field("external", c.ledger->external);
    j.field("constraints", c.ledger->constraints).field("heat", c.ledger->heat);
    j.field("dissipated", c.ledger->dissipated).field("solver", c.ledger->residual).field("method", c.ledger->method);
    j.field("worst_method", c.ledger->worst_method)
        .field("round_off", c.ledger->round_off)
        .field("lost", c.ledger->lost)
        .field("moved", c.ledger->moved)
        .field("cancellation", c.ledger->cancellation);
    j.field("balance_claimed", c.claims.energy_balanced).end();
  }

  if (c.thermostat) {
    const auto& bath = *c.thermostat;
    const auto mean = [&](const char* key, const method::Bath::Mean& of) {
      j.key(key).begin().field("kT", of.value).field("error", of.error).end();
    };
    j.key("thermostat").begin().field("scheme", bath.scheme).field("seed", static_cast<long>(bath.seed)).field("kT", bath.kT);
    j.field("slowest_rate", bath.slowest).field("fastest_rate", bath.fastest).field("freedoms", bath.freedoms);
    mean("kinetic", bath.kinetic);
    mean("configurational", bath.configurational);
    j.end();
  }

  if (c.constraints) {
    j.key("constraints").begin().field("count", c.constraints->count).field("penalty", c.constraints->penalty);
    j.field("moving", c.constraints->moving).field("distance", c.constraints->distance);
    j.field("distance_time", c.constraints->distance_time).field("speed", c.constraints->speed);
    j.field("allowed_distance", c.constraints->allowed_distance)
        .field("allowed_speed", c.constraints->allowed_speed)
        .field("speed_claimed", c.claims.tangent);
    j.field("corrected_q", c.constraints->corrected_q).field("corrected_v", c.constraints->corrected_v).end();
  }

  if (c.contacts) {
    j.key("contacts").begin().field("impacts", c.contacts->impacts).field("resting", c.contacts->resting);
    j.field("lost", c.contacts->lost).field("lowest_gap", c.contacts->lowest_gap).field("open", c.contacts->open);
    j.field("step_with_impact_measured", c.contacts->within).end();
  }
  if (c.rotations) {
    j.key("rotations").begin().field("bodies", c.rotations->bodies).field("orthogonality", c.rotations->orthogonality);
    j.field("orthogonality_time", c.rotations->orthogonality_time).field("determinant", c.rotations->determinant);
    j.field("allowed", c.rotations->allowed).end();
  }

  j.key("momentum").begin();
  for (const auto& m : c.momentum) {
    j.key(m.name).begin().field("initial", m.initial).field("max_error", m.max_error);
    j.field("own_max_error", m.own_max_error).field("bound", m.bound).field("claimed", m.claimed);
    j.field("affine", m.affine)
        .field("symmetry", m.symmetry)
        .field("symmetry_defect", m.symmetry_defect)
        .field("withdrawn", m.withdrawn)
        .end();
  }
  j.end();

  j.key("symplecticity").begin();
  j.field("defect", c.symplecticity.canonical.value).field("floor", c.symplecticity.canonical.floor);
  j.field("own_defect", c.symplecticity.own.value).field("own_floor", c.symplecticity.own.floor);
  j.field("no_freedom", c.symplecticity.no_freedom).end();
  j.key("reversibility").begin().field("defect", c.reversibility).end();
  j.key("accuracy").begin().field("error", c.accuracy.error).field("order", c.accuracy.order);
  j.field("inconsistency", c.accuracy.inconsistency).field("floor", c.accuracy.floor).end();
  j.key("measuring").begin().field("level", word(c.measuring.level)).field("states", c.measuring.states);
  j.field("of_states", c.measuring.of_states).field("seconds", c.measuring.seconds);
  j.field("why_less", std::string_view(c.measuring.why_less)).end();
  j.key("solver").begin().field("worst_residual", c.solver.worst_residual).field("iterations", c.solver.iterations);
  j.field("factorisations", c.solver.factorisations).field("linear_iterations", c.solver.linear_iterations).end();

  const auto list = [&](std::string_view key, const std::vector<std::string>& sentences) {
    j.key(key).begin_array();
    for (const auto& sentence : sentences) j.value(std::string_view(sentence));
    j.end_array();
  };
  list("kept", c.kept);
  list("not_kept", c.not_kept);
  list("broken", c.broken);
  list("unresolved", c.unresolved);
  if (c.failure) {
    j.key("error").begin().field("step", c.failure->step).field("t", c.failure->t);
    j.field("message", std::string_view(c.failure->text())).end();
  }
  j.field("verdict", word(c.verdict)).end();
  return j.text();
}

}  // namespace actio::invariant
