#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <actio/discrete/body_coordinates.hpp>
#include <actio/system/bodies.hpp>

#include "owners.hpp"

namespace actio::discrete {
namespace {

double entry(const system::MassMatrix& mass, long i, long j) {
  if (mass.kind == system::MassMatrix::Kind::diagonal) return i == j ? mass.diagonal[i] : 0;
  return mass.full.coeff(i, j);
}

bool positive(const Matrix3& inertia) {
  const Eigen::Vector3d I = system::principal_inertias(inertia);
  return I[0] > 1e-12 * I[2];
}

}  // namespace

std::vector<long> owners_of_rotations(const system::Model& model) {
  std::vector<long> owner(static_cast<std::size_t>(model.size()), -1);
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    std::fill_n(owner.begin() + model.bodies[b].rotation, 9, static_cast<long>(b));
  return owner;
}

std::string not_of_bodies(const system::Model& model) {
  const auto owner = owners_of_rotations(model);
  for (const std::int32_t i : model.fixed_dofs)
    if (const long b = owner[static_cast<std::size_t>(i)]; b >= 0)
      return fmt::format("{} is fixed, an entry of the rotation of \"{}\": fix the body by a joint", model.coordinate_name(i),
                         model.bodies[static_cast<std::size_t>(b)].name);
  if (model.mass.kind == system::MassMatrix::Kind::full)
    for (long j = 0; j < model.mass.full.outerSize(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator it(model.mass.full, j); it; ++it)
        if (it.value() != 0 && owner[static_cast<std::size_t>(it.row())] != owner[static_cast<std::size_t>(j)])
          return fmt::format("the mass couples {} and {}, and one of them is an entry of a body's rotation",
                             model.coordinate_name(it.row()), model.coordinate_name(j));
  for (const system::Body& body : model.bodies) {
    if (!positive(body.inertia)) return fmt::format("the body \"{}\" has an axis about which it has no inertia", body.name);
    const Matrix3 J = system::ambient_inertia(body.inertia);
    for (long a = 0; a < 9; ++a)
      for (long b = 0; b < 9; ++b) {
        const double expected = a / 3 == b / 3 ? J(a % 3, b % 3) : 0;
        if (std::abs(entry(model.mass, body.rotation + a, body.rotation + b) - expected) > 1e-12 * body.inertia.trace())
          return fmt::format("the mass entry of {} and {} does not follow from the inertia of the body \"{}\"",
                             model.coordinate_name(body.rotation + a), model.coordinate_name(body.rotation + b), body.name);
      }
  }
  return "";
}

}  // namespace actio::discrete
