#include <actio/core/meanings.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace actio::core {
namespace {

struct Meaning {
  std::string_view word;           // as people write it; case, - and _ do not count
  std::string_view means;          // a word of ours; of a key of a problem file, with its table: "run.step"
  std::string_view beside;         // another word of the same list, where the same word means something else in others; or ""
  std::string_view sentence = {};  // in place of "did you mean"
};

constexpr std::string_view
    average = R"(the average acceleration is name = "newmark" with beta = 0.25 and gamma = 0.5)",
    linear = R"(the linear acceleration is name = "newmark" with beta = 0.166666666666667 and gamma = 0.5)",
    composed = R"(a composition belongs to a method: compose = { order = 4, scheme = "yoshida" })",
    ratio = "a damping ratio is system.rayleigh = { ratio = 0.05, frequencies = [1, 10] }: it holds at these two [Hz]",
    alpha =
        "alpha of the literature is given by rho, the spectral radius at infinite frequency: for hht rho = (1 + alpha)/(1 - "
        "alpha)",
    outputs = R"(what is asked of members is a table [[observe]], with reduce = "histogram" for one)",
    deviation = "mean gives the standard deviation too",
    tolerance = "steps are solved to round-off, so there is no tolerance; certificate.residual bounds what they leave";

constexpr std::array table{
    // [run]
    Meaning{"dt", "run.step", "every"},
    Meaning{"h", "run.step", "every"},
    Meaning{"timestep", "run.step", "every"},
    Meaning{"deltat", "run.step", "every"},
    Meaning{"tstep", "run.step", "every"},
    Meaning{"stepsize", "run.step", "every"},
    Meaning{"tmax", "run.end", "every"},
    Meaning{"tend", "run.end", "every"},
    Meaning{"tfinal", "run.end", "every"},
    Meaning{"tstop", "run.end", "every"},
    Meaning{"tf", "run.end", "every"},
    Meaning{"t1", "run.end", "every"},
    Meaning{"duration", "run.end", "every"},
    Meaning{"endtime", "run.end", "every"},
    Meaning{"finaltime", "run.end", "every"},
    Meaning{"stop", "run.end", "every"},
    Meaning{"nsteps", "run.steps", "every"},
    Meaning{"numsteps", "run.steps", "every"},
    Meaning{"numberofsteps", "run.steps", "every"},
    Meaning{"t0", "run.start", "every"},
    Meaning{"tstart", "run.start", "every"},
    Meaning{"starttime", "run.start", "every"},
    Meaning{"stride", "run.every", "start"},
    Meaning{"outputevery", "run.every", "start"},
    Meaning{"saveevery", "run.every", "start"},
    Meaning{"interval", "run.every", "start"},
    Meaning{"nout", "run.every", "start"},
    // [initial]
    Meaning{"q0", "initial.position", "velocity"},
    Meaning{"x0", "initial.position", "velocity"},
    Meaning{"u0", "initial.position", "velocity"},
    Meaning{"positions", "initial.position", "velocity"},
    Meaning{"initialposition", "initial.position", "velocity"},
    Meaning{"displacement", "initial.position", "static"},
    Meaning{"v0", "initial.velocity", "position"},
    Meaning{"velocities", "initial.velocity", "position"},
    Meaning{"initialvelocity", "initial.velocity", "position"},
    Meaning{"speed", "initial.velocity", "position"},
    // damping and solver settings
    Meaning{"zeta", "ratio", "frequencies"},
    Meaning{"xi", "ratio", "frequencies"},
    Meaning{"dampingratio", "ratio", "frequencies"},
    Meaning{"zeta", "system.rayleigh.ratio", "stiffness", ratio},
    Meaning{"xi", "system.rayleigh.ratio", "stiffness", ratio},
    Meaning{"dampingratio", "system.rayleigh.ratio", "stiffness", ratio},
    Meaning{"alpha", "mass", "frequencies"},
    Meaning{"beta", "stiffness", "frequencies"},
    Meaning{"tolerance", "rtol", "atol"},
    Meaning{"reltol", "rtol", "atol"},
    Meaning{"abstol", "atol", "rtol"},
    Meaning{"tolerance", "certificate.residual", "momentum", tolerance},
    Meaning{"tol", "certificate.residual", "momentum", tolerance},
    Meaning{"maxiter", "iterations", "gamma"},
    Meaning{"maxiterations", "iterations", "gamma"},
    // [system]
    Meaning{"m", "mass", "stiffness"},
    Meaning{"masses", "mass", "stiffness"},
    Meaning{"massmatrix", "mass", "stiffness"},
    Meaning{"k", "stiffness", "mass"},
    Meaning{"stiffnessmatrix", "stiffness", "mass"},
    Meaning{"c", "damping", "stiffness"},
    Meaning{"dampingmatrix", "damping", "stiffness"},
    Meaning{"v", "potential", "lagrangian"},
    Meaning{"potentialenergy", "potential", "lagrangian"},
    Meaning{"kinetic", "mass", "lagrangian"},
    Meaning{"kineticenergy", "mass", "lagrangian"},
    Meaning{"l", "lagrangian", "potential"},
    Meaning{"hamiltonian", "lagrangian", "potential"},
    Meaning{"dofs", "coordinates", "potential"},
    Meaning{"dof", "coordinates", "potential"},
    Meaning{"variables", "coordinates", "potential"},
    Meaning{"unknowns", "coordinates", "potential"},
    Meaning{"params", "parameters", "potential"},
    Meaning{"constants", "parameters", "potential"},
    Meaning{"friction", "dissipation", "potential"},
    Meaning{"langevin", "thermostat", "potential"},
    Meaning{"noise", "thermostat", "potential"},
    Meaning{"bath", "thermostat", "potential"},
    Meaning{"heatbath", "thermostat", "potential"},
    Meaning{"temperature", "thermostat", "potential"},
    Meaning{"boundary", "fixed", "stiffness"},
    Meaning{"boundaryconditions", "fixed", "stiffness"},
    Meaning{"supports", "fixed", "stiffness"},
    Meaning{"earthquake", "base", "stiffness"},
    Meaning{"groundmotion", "base", "stiffness"},
    Meaning{"integrator", "method", "initial"},
    Meaning{"solver", "method", "initial"},
    Meaning{"simulation", "run", "initial"},
    Meaning{"time", "run", "initial"},
    // [system.thermostat]
    Meaning{"gamma", "rate", "temperature"},
    Meaning{"damping", "rate", "temperature"},
    Meaning{"collisionrate", "rate", "temperature"},
    Meaning{"tau", "rate", "temperature", "a relaxation time tau of the momenta is rate = 1/tau"},
    Meaning{"kt", "temperature", "seed"},
    Meaning{"kbt", "temperature", "seed"},
    Meaning{"randomseed", "seed", "temperature"},
    // methods and their fields
    Meaning{"leapfrog", "verlet", ""},
    Meaning{"Gauss-Legendre", "gauss", ""},
    Meaning{"collocation", "gauss", ""},
    Meaning{"Stormer-Verlet", "verlet", ""},
    Meaning{"Stoermer-Verlet", "verlet", ""},
    Meaning{"velocity Verlet", "verlet", ""},
    Meaning{"kick-drift-kick", "verlet", ""},
    Meaning{"HHT-alpha", "hht", ""},
    Meaning{"Hilber-Hughes-Taylor", "hht", ""},
    Meaning{"Bossak", "wbz", ""},
    Meaning{"WBZ-alpha", "wbz", ""},
    Meaning{"Wood-Bossak-Zienkiewicz", "wbz", ""},
    Meaning{"Chung-Hulbert", "generalized-alpha", ""},
    Meaning{"g-alpha", "generalized-alpha", ""},
    Meaning{"generalised-alpha", "generalized-alpha", ""},
    Meaning{"Wilson-theta", "wilson", ""},
    Meaning{"average acceleration", "newmark", "", average},
    Meaning{"constant average acceleration", "newmark", "", average},
    Meaning{"constant acceleration", "newmark", "", average},
    Meaning{"trapezoidal", "newmark", "", average},
    Meaning{"trapezoidal rule", "newmark", "", average},
    Meaning{"linear acceleration", "newmark", "", linear},
    Meaning{"Newmark-beta", "newmark", ""},
    Meaning{"explicit Newmark", "central-difference", ""},
    Meaning{"central differences", "central-difference", ""},
    Meaning{"semi-implicit Euler", "symplectic-euler", ""},
    Meaning{"euler", "symplectic-euler", ""},
    Meaning{"Runge-Kutta", "rk4", ""},
    Meaning{"Runge-Kutta 4", "rk4", ""},
    Meaning{"adams", "cvode-adams", ""},
    Meaning{"cvode", "cvode-adams", ""},
    Meaning{"implicit midpoint", "midpoint", ""},
    Meaning{"discrete gradient", "energy-momentum", ""},
    Meaning{"gonzalez", "energy-momentum", ""},
    Meaning{"yoshida", "verlet", "rk4", composed},
    Meaning{"kahanli", "verlet", "rk4", composed},
    Meaning{"forestruth", "verlet", "rk4", composed},
    Meaning{"alpha", "rho", "compose", alpha},
    Meaning{"alpham", "rho", "compose"},
    Meaning{"alphaf", "rho", "compose"},
    Meaning{"rhoinf", "rho", "compose"},
    Meaning{"rhoinfinity", "rho", "compose"},
    Meaning{"spectralradius", "rho", "compose"},
    // of ensembles
    Meaning{"output", "ensemble.observe", "", outputs},
    Meaning{"outputs", "ensemble.observe", "", outputs},
    Meaning{"histogram", "ensemble.observe", "", outputs},
    // reductions of observables
    Meaning{"max", "largest", "smallest"},
    Meaning{"maximum", "largest", "smallest"},
    Meaning{"peak", "largest", "smallest"},
    Meaning{"min", "smallest", "largest"},
    Meaning{"minimum", "smallest", "largest"},
    Meaning{"average", "mean", "rms"},
    Meaning{"total", "sum", "rms"},
    Meaning{"acf", "autocorrelation", "mean"},
    Meaning{"correlation", "autocorrelation", "mean"},
    Meaning{"msd", "mean-square-displacement", "mean"},
    Meaning{"std", "mean", "histogram", deviation},
    Meaning{"standarddeviation", "mean", "histogram", deviation},
    Meaning{"variance", "mean", "histogram", deviation},
    Meaning{"rdf", "radial-distribution", "mean"},
    Meaning{"gofr", "radial-distribution", "mean"},
    // joints
    Meaning{"hinge", "revolute", "spherical"},
    Meaning{"pin", "revolute", "spherical"},
    Meaning{"pivot", "revolute", "spherical"},
    Meaning{"ball", "spherical", "revolute"},
    Meaning{"balljoint", "spherical", "revolute"},
    Meaning{"ballandsocket", "spherical", "revolute"},
    Meaning{"weld", "fixed", "revolute"},
    Meaning{"rigid", "fixed", "revolute"},
    Meaning{"rod", "distance", "revolute"},
    Meaning{"link", "distance", "revolute"},
    // functions
    Meaning{"ln", "log", "atan2", "the natural logarithm is log"},
    Meaning{"log2", "log", "atan2", "log2(x) is log(x)/log(2)"},
    Meaning{"arcsin", "asin", "atan2"},
    Meaning{"arccos", "acos", "atan2"},
    Meaning{"arctan", "atan", "atan2"},
    Meaning{"arctan2", "atan2", "atan"},
    Meaning{"fabs", "abs", "atan2"},
    Meaning{"sgn", "sign", "atan2"},
    Meaning{"signum", "sign", "atan2"},
    Meaning{"power", "pow", "atan2"},
    Meaning{"if", "where", "atan2", "where(condition, a, b) is a where the condition holds, and b elsewhere"},
    Meaning{"piecewise", "where", "atan2", "where(condition, a, b) is a where the condition holds, and b elsewhere"},
    Meaning{"heaviside", "where", "atan2", "heaviside(x) is where(x > 0, 1, 0)"},
    Meaning{"cbrt", "pow", "atan2", "cbrt(x) is sign(x)*abs(x)^(1/3)"},
    Meaning{"ceil", "floor", "atan2", "ceil(x) is -floor(-x)"},
    Meaning{"trunc", "floor", "atan2", "trunc(x) is sign(x)*floor(abs(x))"},
    Meaning{"rint", "round", "atan2"},
    Meaning{"fmod", "mod", "atan2"},
    Meaning{"torsion", "dihedral", "angle"},
    Meaning{"cot", "tan", "atan2", "cot(x) is 1/tan(x)"},
    Meaning{"sec", "cos", "atan2", "sec(x) is 1/cos(x)"},
    Meaning{"csc", "sin", "atan2", "csc(x) is 1/sin(x)"},
    Meaning{"time", "t", "atan2"},
    // options of the program
    Meaning{"out", "output", "quiet"},
    Meaning{"silent", "quiet", "output"},
};

// "HHT-alpha" -> "hhtalpha"; also without blanks and the dashes before an option.
std::string plain(std::string_view word) {
  std::string out;
  for (const char c : word.substr(0, 64))
    if (c != '-' && c != '_' && c != ' ') out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

std::string_view key_of(std::string_view path) { return path.substr(path.rfind('.') + 1); }

}  // namespace

std::string same_meaning(std::string_view word, std::span<const std::string> candidates) {
  const std::string given = plain(word);
  const auto among = [&](std::string_view name) {
    return std::any_of(candidates.begin(), candidates.end(), [&](const std::string& c) { return c == name; });
  };
  for (const Meaning& m : table) {
    const std::string_view ours = key_of(m.means);
    if (plain(m.word) != given || !among(ours) || !(m.beside.empty() || among(m.beside))) continue;
    return m.sentence.empty() ? fmt::format("did you mean \"{}\"?", ours) : std::string(m.sentence);
  }
  return "";
}

std::string meant_elsewhere(std::string_view word) {
  const std::string given = plain(word);
  for (const Meaning& m : table)
    if (plain(m.word) == given && m.means.find('.') != std::string_view::npos)
      return m.sentence.empty() ? fmt::format("did you mean {}?", m.means) : std::string(m.sentence);
  return "";
}

std::vector<std::string_view> other_words_for(std::string_view name) {
  std::vector<std::string_view> out;
  for (const Meaning& m : table)
    if (m.means == name && m.beside.empty()) out.push_back(m.word);
  return out;
}

}  // namespace actio::core
