#include "callbacks.hpp"

#include <nanobind/eigen/dense.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/io/problem.hpp>
#include <actio/system/callbacks.hpp>

namespace actio::python {
namespace nb = nanobind;
using namespace nb::literals;

std::shared_ptr<nb::object> shared(nb::object function) {
  return {new nb::object(std::move(function)), [](nb::object* f) {
            const nb::gil_scoped_acquire held;
            delete f;
          }};
}

namespace {

using In = system::Callbacks::In;
using Out = system::Callbacks::Out;
using Array = nb::ndarray<const double, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const std::int32_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;

// A copy, which the function may keep.
Eigen::VectorXd vector(In x) { return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<long>(x.size())); }

void add(const char* name, const nb::object& given, Out to) {
  const Array values = nb::cast<Array>(given);
  if (values.shape(0) != to.size())
    throw core::InputError(fmt::format("{} gave {} numbers in place of {}", name, values.shape(0), to.size()));
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += values.data()[i];
}

thread_local bool ctrl_c_came = false;

template <class... In>
nb::object call(const nb::object& function, const In&... in) {
  try {
    return function(in...);
  } catch (nb::python_error& e) {
    if (ctrl_c_came || !e.matches(PyExc_KeyboardInterrupt)) throw;
    ctrl_c_came = true;
  }
  return function(in...);
}

std::vector<std::int32_t> list(const Numbers& numbers) { return {numbers.data(), numbers.data() + numbers.shape(0)}; }

// All functions take (t, q), `force` (t, q, v), and give contiguous arrays of doubles. `text`: the problem file of a free motion
// of these coordinates, with all that is asked of the run.
io::Problem problem_of_callbacks(const std::string& text, Numbers rows, Numbers columns, nb::object energy, nb::object gradient,
                                 nb::object hessian, nb::object force, bool linear, bool time, bool diagonal_mass,
                                 Numbers mass_rows, Numbers mass_columns, Array mass, Eigen::VectorXd q0, Eigen::VectorXd v0) {
  system::Callbacks code;
  code.rows = list(rows);
  code.columns = list(columns);
  code.linear = linear;
  code.time = time;
  if (!energy.is_none())
    code.energy = [f = shared(energy)](double t, In q) {
      const nb::gil_scoped_acquire held;
      return nb::cast<double>(call(*f, t, vector(q)));
    };
  if (!gradient.is_none())
    code.residual = [f = shared(gradient)](double t, In q, Out r) {
      const nb::gil_scoped_acquire held;
      add("gradient", call(*f, t, vector(q)), r);
    };
  if (!hessian.is_none())
    code.tangent = [f = shared(hessian)](double t, In q, Out values) {
      const nb::gil_scoped_acquire held;
      add("hessian", call(*f, t, vector(q)), values);
    };
  if (!force.is_none())
    code.force = [f = shared(force)](double t, In q, In v, Out F) {
      const nb::gil_scoped_acquire held;
      add("force", call(*f, t, vector(q), vector(v)), F);
    };
  code.hessian_word = "the Hessian (hessian=)";
  const long n = q0.size();
  if (n == 0) throw core::InputError("position is empty");
  if (!q0.allFinite() || v0.size() != n || !v0.allFinite())
    throw core::InputError("position and velocity must be n finite numbers");
  io::Problem out = io::load_text(text, "system");
  out.text.clear();  // it does not say what the functions are
  out.model.callbacks = std::make_shared<const system::Callbacks>(std::move(code));
  system::MassMatrix& M = out.model.mass;
  if (diagonal_mass) {
    if (mass.shape(0) != static_cast<std::size_t>(n))
      throw core::InputError(fmt::format("mass has {} numbers of {}", mass.shape(0), n));
    M.kind = system::MassMatrix::Kind::diagonal;
    M.diagonal = Eigen::Map<const Eigen::VectorXd>(mass.data(), n);
  } else {
    if (mass_rows.shape(0) != mass.shape(0) || mass_columns.shape(0) != mass.shape(0))
      throw core::InputError("the rows, columns and entries of mass differ in number");
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t k = 0; k < mass.shape(0); ++k)
      entries.emplace_back(mass_rows.data()[k], mass_columns.data()[k], mass.data()[k]);
    M.kind = system::MassMatrix::Kind::full;
    M.full.resize(n, n);
    M.full.setFromTriplets(entries.begin(), entries.end());
    if (M.full.nonZeros() > 0 && !(M.full - Eigen::SparseMatrix<double>(M.full.transpose())).eval().coeffs().isZero(0))
      throw core::InputError("mass is not symmetric");
  }
  out.q0 = std::move(q0);
  out.v0 = std::move(v0);
  return out;
}

}  // namespace

bool take_interrupt() { return std::exchange(ctrl_c_came, false); }

void bind_callbacks(nb::module_& m) {
  m.def("problem_of_callbacks", &problem_of_callbacks, "text"_a, "rows"_a, "columns"_a, "energy"_a.none(), "gradient"_a.none(),
        "hessian"_a.none(), "force"_a.none(), "linear"_a, "time"_a, "diagonal_mass"_a, "mass_rows"_a, "mass_columns"_a, "mass"_a,
        "q0"_a, "v0"_a);
}

}  // namespace actio::python
