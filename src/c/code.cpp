#include "code.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <actio/core/checksum.hpp>
#include <actio/core/error.hpp>
#include <actio/system/callbacks.hpp>

namespace actio::c {

namespace {

using system::Callbacks;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t most_coordinates = 700'000'000;  // as many as 32-bit indices of a matrix by rows can tell

// Rows and columns of what is given by rows.
struct Entries {
  std::vector<std::int32_t> rows, columns;
};
Entries entries(const char* what, std::int64_t n, const std::int32_t* starts, const std::int32_t* columns) {
  Entries all;
  if (starts[0] != 0) throw core::InputError(fmt::format("{}: the first row starts at {}, not at 0", what, starts[0]));
  for (std::int64_t i = 0; i < n; ++i)
    if (starts[i + 1] < starts[i]) throw core::InputError(fmt::format("{}: row {} ends before it starts", what, i));
  all.rows.reserve(static_cast<std::size_t>(starts[n]));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int32_t k = starts[i]; k < starts[i + 1]; ++k) {
      if (columns[k] < 0 || columns[k] >= n)
        throw core::InputError(fmt::format("{}: row {} has column {}, of {}", what, i, columns[k], n));
      all.rows.push_back(static_cast<std::int32_t>(i));
    }
  all.columns.assign(columns, columns + starts[n]);
  return all;
}

Eigen::SparseMatrix<double> symmetric(const char* what, std::int64_t n, const Entries& at, const double* values) {
  std::vector<Eigen::Triplet<double, int>> list;
  list.reserve(at.rows.size());
  for (std::size_t k = 0; k < at.rows.size(); ++k) {
    if (!std::isfinite(values[k]))
      throw core::InputError(fmt::format("{} is not finite at ({}, {})", what, at.rows[k], at.columns[k]));
    list.emplace_back(at.rows[k], at.columns[k], values[k]);
  }
  Eigen::SparseMatrix<double> A(n, n);
  A.setFromTriplets(list.begin(), list.end());
  const Eigen::SparseMatrix<double> transposed = A.transpose(), off = A - transposed;
  if (!(off.norm() <= 1e-10 * A.norm()))
    throw core::InputError(fmt::format("{} is not symmetric: |A - A'| / |A| is {:.1e}", what, off.norm() / A.norm()));
  A = 0.5 * (A + transposed);
  return A;
}

system::MassMatrix mass_of(const actio_code& code) {
  if (!code.mass) throw core::InputError("there is no mass");
  if (!code.mass_starts != !code.mass_columns) throw core::InputError("the mass has starts of its rows or columns, but not both");
  system::MassMatrix mass;
  if (!code.mass_starts) {
    mass.kind = system::MassMatrix::Kind::diagonal;
    mass.diagonal = Eigen::Map<const Eigen::VectorXd>(code.mass, code.n);
    for (std::int64_t i = 0; i < code.n; ++i)
      if (!std::isfinite(code.mass[i])) throw core::InputError(fmt::format("the mass is {} at coordinate {}", code.mass[i], i));
    return mass;
  }
  mass.kind = system::MassMatrix::Kind::full;
  mass.full = symmetric("mass", code.n, entries("mass", code.n, code.mass_starts, code.mass_columns), code.mass);
  return mass;
}

// Calls a function of the code; where it fails `out` becomes NaN.
template <class... A>
void call(const char* name, Calls& calls, double t, Callbacks::Out out, int (*function)(A...),
          std::type_identity_t<A>... arguments) {
  if (!calls.stopped) {
    const int returned = function(arguments...);
    if (returned == 0) return;
    calls.function = name;
    calls.code = returned;
    calls.t = t;
    calls.stopped = returned < 0;
  }
  std::ranges::fill(out, nan);
}

Callbacks callbacks_of(const actio_code& code, Entries pattern, const std::shared_ptr<Calls>& calls) {
  using In = Callbacks::In;
  using Out = Callbacks::Out;
  Callbacks to;
  to.rows = std::move(pattern.rows);
  to.columns = std::move(pattern.columns);
  to.linear = code.flags & ACTIO_LINEAR;
  to.time = code.flags & ACTIO_TIME;
  to.velocity = !(code.flags & ACTIO_NO_VELOCITY);
  to.symmetric = code.flags & ACTIO_SYMMETRIC;
  void* const user = code.user;
  if (code.energy)
    to.energy = [f = code.energy, calls, user](double t, In q) {
      double V = 0;
      call("energy", *calls, t, {&V, 1}, f, t, q.data(), &V, user);
      return V;
    };
  if (code.residual)
    to.residual = [f = code.residual, calls, user](double t, In q, Out r) {
      call("residual", *calls, t, r, f, t, q.data(), r.data(), user);
    };
  if (code.tangent)
    to.tangent = [f = code.tangent, calls, user](double t, In q, Out values) {
      call("tangent", *calls, t, values, f, t, q.data(), values.data(), user);
    };
  if (code.force)
    to.force = [f = code.force, calls, user](double t, In q, In v, Out F) {
      call("force", *calls, t, F, f, t, q.data(), v.data(), F.data(), user);
    };
  if (code.force_tangent)
    to.force_tangent = [f = code.force_tangent, calls, user](double t, In q, In v, double wq, double wv, Out values) {
      call("force_tangent", *calls, t, values, f, t, q.data(), v.data(), wq, wv, values.data(), user);
    };
  return to;
}

}  // namespace

bool Calls::explain(double from, double h) const {
  const double part = (t - from) / h;  // of the step; loads and composed steps reach beyond its ends
  return function && (stopped || (part > -1 && part < 2.5));
}

std::string Calls::words() const { return fmt::format("{} returned {} at t = {:.6g}", function, code, t); }

system::Model model_of(const actio_code& code, std::shared_ptr<Calls> calls) {
  if (code.abi != ACTIO_C_ABI)
    throw core::InputError(fmt::format("the code has interface version {}, and Actio has version {}", code.abi, ACTIO_C_ABI));
  if (code.n < 1 || code.n > most_coordinates) throw core::InputError(fmt::format("{} coordinates", code.n));
  if (code.flags & ~(ACTIO_LINEAR | ACTIO_TIME | ACTIO_NO_VELOCITY | ACTIO_SYMMETRIC))
    throw core::InputError(fmt::format("unknown flags {:#x}", static_cast<unsigned>(code.flags)));
  if (!code.starts != !code.columns) throw core::InputError("the pattern has starts of its rows or columns, but not both");
  if (!code.starts && (code.tangent || code.force_tangent || code.damping))
    throw core::InputError("a tangent or the damping is given, but not the pattern of its entries");
  if (code.fixed_count < 0 || (code.fixed_count > 0 && !code.fixed))
    throw core::InputError(fmt::format("{} fixed coordinates", code.fixed_count));

  Entries pattern;
  if (code.starts) pattern = entries("pattern", code.n, code.starts, code.columns);
  Eigen::SparseMatrix<double> damping;
  if (code.damping) damping = symmetric("damping", code.n, pattern, code.damping);
  system::Model model = system::model_of(code.n, callbacks_of(code, std::move(pattern), calls));
  model.mass = mass_of(code);
  model.damping = std::move(damping);
  model.fixed_dofs.assign(code.fixed, code.fixed + code.fixed_count);
  std::ranges::sort(model.fixed_dofs);
  model.fixed_dofs.erase(std::unique(model.fixed_dofs.begin(), model.fixed_dofs.end()), model.fixed_dofs.end());
  if (!model.fixed_dofs.empty() && (model.fixed_dofs.front() < 0 || model.fixed_dofs.back() >= code.n))
    throw core::InputError(fmt::format("coordinate {} is fixed, of {}",
                                       model.fixed_dofs.front() < 0 ? model.fixed_dofs.front() : model.fixed_dofs.back(),
                                       code.n));
  return model;
}

std::uint32_t checksum(const actio_code& code) {
  std::uint32_t sum = 0;
  const auto add = [&](const auto* values, std::int64_t count) {
    if (values)
      sum = core::checksum({reinterpret_cast<const char*>(values), static_cast<std::size_t>(count) * sizeof *values}, sum);
  };
  add(&code.flags, 1);
  add(&code.n, 1);
  add(code.mass_starts, code.n + 1);
  const std::int64_t of_mass = code.mass_starts ? code.mass_starts[code.n] : code.n;
  if (code.mass_starts) add(code.mass_columns, of_mass);
  add(code.mass, of_mass);
  add(code.starts, code.n + 1);
  const std::int64_t entries = code.starts ? code.starts[code.n] : 0;
  add(code.columns, entries);
  add(code.damping, entries);
  add(code.fixed, code.fixed_count);
  return sum;
}

}  // namespace actio::c
