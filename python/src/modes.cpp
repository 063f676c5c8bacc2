#include "modes.hpp"

#include <nanobind/eigen/dense.h>
#include <nanobind/eigen/sparse.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>

#include <actio/io/problem.hpp>
#include <actio/session/modes.hpp>

namespace actio::python {
namespace nb = nanobind;
using namespace nb::literals;
namespace {

session::LinearProblem linear(const io::Problem& problem, const std::string& kernels) {
  const std::atomic<bool> stop = false;
  session::OneProcess here(stop);
  return session::linear_problem(problem, session::choices(kernels, "automatic"), here);
}

template <class Each>
Eigen::VectorXd column(long count, Each&& each) {
  return Eigen::VectorXd::NullaryExpr(count, [&](Eigen::Index k) { return each(k); });
}

nb::dict arrays(const session::Modes& m, const io::Problem& p) {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto count = static_cast<long>(m.directions.size());
  Rows participation(m.size(), count), effective(m.size(), count);
  Eigen::VectorXd mass(count);
  nb::list directions;
  for (long d = 0; d < count; ++d) {
    const session::Direction& of = m.directions[static_cast<std::size_t>(d)];
    directions.append(of.name);
    mass[d] = of.mass;
    participation.col(d) = of.participation;
    effective.col(d) = of.effective_mass;
  }
  nb::dict out;
  out["omega"] = m.omega;
  out["frequency"] = column(m.size(), [&](long k) { return m.frequency(k); });
  out["period"] = column(m.size(), [&](long k) { return m.period(k); });
  out["growth"] = m.growth;
  out["residual"] = m.residual;
  out["shapes"] = Rows(m.shape.transpose());
  out["directions"] = directions;
  out["mass"] = mass;
  out["participation"] = participation;
  out["effective_mass"] = effective;
  out["coordinates"] = m.coordinates;
  out["rigid"] = m.rigid;
  out["growing"] = m.growing;
  out["not_proved"] = m.not_proved;
  out["text"] = session::text(m, p);
  return out;
}

}  // namespace

void bind_modes(nb::module_& m) {
  m.def(
      "modes",
      [](const io::Problem& problem, std::optional<long> n, const std::string& kernels) {
        std::optional<session::Modes> found;
        {
          const nb::gil_scoped_release others_run;
          found = session::modes(linear(problem, kernels), n);
        }
        return arrays(*found, problem);
      },
      "problem"_a, "n"_a.none(), "kernels"_a);
  m.def(
      "matrices",
      [](const io::Problem& problem, const std::string& kernels) {
        session::LinearProblem found;
        {
          const nb::gil_scoped_release others_run;
          found = linear(problem, kernels);
        }
        return nb::make_tuple(found.motion.M, found.motion.K, found.motion.moving);
      },
      "problem"_a, "kernels"_a);
}

}  // namespace actio::python
