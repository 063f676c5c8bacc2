#include <actio/session/modes.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/method/compatibility.hpp>
#include <actio/session/frequencies.hpp>
#include <actio/solve/lowest_modes.hpp>
#include <actio/system/mesh.hpp>

namespace actio::session {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr long most_without_a_count = 10;

Eigen::VectorXd at_moving(const Eigen::VectorXd& r, const std::vector<std::int32_t>& moving) {
  Eigen::VectorXd out(static_cast<long>(moving.size()));
  for (std::size_t k = 0; k < moving.size(); ++k) out[static_cast<long>(k)] = r[moving[k]];
  return out;
}

// Of symmetries, those that shift: xi is the same at every place.
void add_translations(const io::Problem& p, std::vector<std::pair<std::string, Eigen::VectorXd>>& out) {
  invariant::MomentumMap map(p.model, {"none", {}});
  const Eigen::VectorXd elsewhere = Eigen::VectorXd::NullaryExpr(p.model.size(), [](Eigen::Index i) { return 1 + std::sin(i); });
  Eigen::VectorXd here(p.model.size()), there(p.model.size());
  for (std::size_t k = 0; k < map.size(); ++k) {
    if (!map.affine(k)) continue;
    map.field(k, p.schedule.start, p.q0, here);
    map.field(k, p.schedule.start, elsewhere, there);
    if (here == there) out.emplace_back(map.name(k), here);
  }
}

std::vector<std::pair<std::string, Eigen::VectorXd>> translations(const io::Problem& p) {
  std::vector<std::pair<std::string, Eigen::VectorXd>> out = p.bases;
  for (int i = 0; i < 3 && !p.model.solids.empty(); ++i) {
    Eigen::VectorXd& r = out.emplace_back(std::string(1, "xyz"[i]), Eigen::VectorXd::Zero(p.model.size())).second;
    for (const system::SolidBody& solid : p.model.solids)
      for (long a = 0; a < solid.mesh->points.cols(); ++a) r[solid.offset + 3 * a + i] = 1;
  }
  if (out.empty()) add_translations(p, out);
  return out;
}

}  // namespace

LinearProblem linear_problem(io::Problem problem, const Choices& choices, Execution& execution) {
  if (problem.ensemble)
    throw core::InputError(fmt::format("{} has an ensemble, whose members may have different modes", problem.path),
                           "take [ensemble] out, and set a parameter: system.parameters.c=2");
  LinearProblem out;
  out.equilibrium = find_equilibrium(problem, choices, execution).has_value();
  out.problem = std::move(problem);
  const io::Problem& p = out.problem;
  out.motion = method::with_mass_of(p.method, p.model, [&](const system::Model& model) {
    return method::linearise(model, p.schedule.start, p.q0, choices.build.compile);
  });
  if (!out.motion.done())
    throw core::InputError(fmt::format("{}: there are no modes: {}", p.path, out.motion.why_not),
                           "modes are those of L = 1/2 v'Mv - V(q), whose constraints only prescribe coordinates");
  return out;
}

double Modes::frequency(long k) const { return omega[k] / (2 * std::numbers::pi); }
double Modes::period(long k) const { return 1 / frequency(k); }
long Modes::number(long k) const { return is_rigid(k) || grows(k) ? 0 : k + 1 - rigid - growing; }

Modes modes(const LinearProblem& linear, std::optional<long> count) {
  const io::Problem& p = linear.problem;
  const method::Linearisation& motion = linear.motion;
  const auto moving = static_cast<long>(motion.moving.size());
  if (count && *count < 1) throw core::InputError(fmt::format("{} modes are asked for; at least 1 can be", *count));
  if (count && *count > moving)
    throw core::InputError(
        fmt::format("{} modes are asked for; {} has {}, one for each coordinate that moves", *count, p.path, moving));
  const solve::LowestModes found =
      solve::lowest_modes(motion.K, motion.M, count.value_or(std::min(most_without_a_count, moving)));
  if (!found.found())
    throw core::InputError(fmt::format("{}: the modes were not found: {}", p.path, found.why_not), "ask for fewer of them");
  Modes out;
  out.moving = moving;
  out.equilibrium = linear.equilibrium;
  out.not_proved = found.not_proved;
  out.unit = time_unit(p);
  const long k = found.lambda.size();
  for (long i = 0; i < p.model.size(); ++i) out.coordinates.push_back(p.model.coordinate_name(i));
  out.omega.resize(k);
  out.growth = Eigen::VectorXd::Zero(k);
  out.residual.resize(k);
  for (long j = 0; j < k; ++j) {
    const double lambda = found.lambda[j];
    const bool rigid = std::abs(lambda) <= found.zero, grows = !rigid && lambda < 0;
    out.omega[j] = rigid ? 0 : grows ? not_a_number : std::sqrt(lambda);
    if (grows) out.growth[j] = std::sqrt(-lambda);
    out.residual[j] = rigid ? not_a_number : found.error[j] / std::abs(lambda);
    out.rigid += rigid;
    out.growing += grows;
  }
  out.shape = Eigen::MatrixXd::Zero(p.model.size(), k);
  for (long i = 0; i < moving; ++i) out.shape.row(motion.moving[static_cast<std::size_t>(i)]) = found.x.row(i);
  for (auto& [name, r] : translations(p)) {
    Direction& direction = out.directions.emplace_back();
    direction.name = name;
    const Eigen::VectorXd part = at_moving(r, motion.moving), Mr = motion.M * part;
    direction.mass = part.dot(Mr);
    direction.participation = found.x.transpose() * Mr;
    direction.effective_mass = direction.participation.cwiseAbs2();
  }
  return out;
}

}  // namespace actio::session
