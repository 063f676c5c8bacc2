#include <fmt/format.h>

#include "orientation.hpp"
#include "parts.hpp"
#include "reference.hpp"

// Where bodies start: orientation, position, angular velocity, velocity.
namespace actio::io {
namespace {

using Eigen::Matrix3d, Eigen::Vector3d, Eigen::VectorXd;

Matrix3d hat(const Vector3d& w) {
  Matrix3d W;
  W << 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0;
  return W;
}

class Start {
 public:
  Start(const SymbolTable& symbols, const Value& table, const std::string& path, const BodyFamily& family, const Reference& which,
        std::uint64_t seed)
      : section_(symbols.document(), table, path, keys_of_table("initial.bodies.<body>")),
        family_(family),
        which_(which),
        each_{symbols, family.name, family.indexed, which.count, {which.first, which.step}, {true, seed, 2, family.offset}} {}

  void read(VectorXd& q0, VectorXd& v0) {
    const std::vector<Matrix3d> R = orientations();
    const Value* spin = section_.find("angular_velocity");
    const bool in_space = spin && spin->kind == Kind::table && spin->find("space");
    const std::vector<Vector3d> w = spin ? angular_velocities(*spin, in_space) : std::vector<Vector3d>(count(), Vector3d::Zero());
    const std::vector<Vector3d> r = vectors("position", 6), v = vectors("velocity", 9);
    for (std::size_t k = 0; k < count(); ++k) {
      const long at = which_.coordinate(static_cast<long>(k));
      const Matrix3d rate = in_space ? Matrix3d(hat(w[k]) * R[k]) : Matrix3d(R[k] * hat(w[k]));  // R' = R hat(Omega)
      for (long i = 0; i < 3; ++i) {
        q0.segment<3>(at + 3 * i) = R[k].row(i);
        v0.segment<3>(at + 3 * i) = rate.row(i);
      }
      if (!family_.moves) continue;
      q0.segment<3>(at + 9) = r[k];
      v0.segment<3>(at + 9) = v[k];
    }
  }

 private:
  std::size_t count() const { return static_cast<std::size_t>(which_.count); }
  const Document& document() const { return section_.document(); }
  std::vector<Vector3d> vectors(const char* key, std::uint32_t stream) const {
    const Value* value = section_.find(key);
    if (!value) return std::vector<Vector3d>(count(), Vector3d::Zero());
    if (!family_.moves)
      document().fail(section_.place_of(key), fmt::format("{} has no {}: it rotates about the origin", family_.name, key),
                      "a body with a mass has a position");
    return each_.three(*value, section_.path(key), stream);
  }
  std::vector<Vector3d> angular_velocities(const Value& value, bool in_space) const {
    const std::string path = section_.path("angular_velocity");
    if (value.kind == Kind::array) return each_.three(value, path, 0);
    if (value.kind != Kind::table)
      wrong_type(document(), value, path, "a list along the body's axes, { body = [...] } or { space = [...] }");
    const Section axes(document(), value, path, keys_of_table("angular_velocity"));
    if (value.fields.size() != 1)
      document().fail(value.place, fmt::format("{} is given along the axes of the body or of space", path),
                      "for example { space = [0, 0, 1] }");
    const char* key = in_space ? "space" : "body";
    return each_.three(axes.need(key), axes.path(key), 0);
  }

  std::vector<Matrix3d> orientations() const {
    const Value* value = section_.find("orientation");
    if (!value) return std::vector<Matrix3d>(count(), Matrix3d::Identity());
    return each_.orientations(*value, section_.path("orientation"), 12);
  }

  Section section_;
  const BodyFamily& family_;
  const Reference& which_;
  EachBody each_;
};

}  // namespace

void read_initial_bodies(const Section* initial, const SymbolTable& symbols, std::uint64_t seed, VectorXd& q0, VectorXd& v0) {
  for (const BodyFamily& family : symbols.bodies)
    for (long k = 0; k < family.count; ++k)
      for (long i = 0; i < 3; ++i) q0[family.offset + k * family.stride() + 4 * i] = 1;  // R = 1
  const Value* bodies = initial ? initial->find("bodies") : nullptr;
  if (!bodies) return;
  const Document& document = initial->document();
  const std::string path = initial->path("bodies");
  if (symbols.bodies.empty())
    document.fail(initial->place_of("bodies"), fmt::format("there is {}, but no body", path),
                  "bodies are declared in system.bodies");
  need_kind(document, *bodies, path, Kind::table);
  std::vector<bool> given(static_cast<std::size_t>(symbols.size()));
  for (const Entry& entry : bodies->fields) {
    std::size_t number = 0;
    const Reference which = read_body_reference(symbols, entry.key, entry.place, path, number);
    const BodyFamily& family = symbols.bodies[number];
    for (long k = 0; k < which.count; ++k) {
      const auto at = static_cast<std::size_t>(which.coordinate(k));
      if (given[at])
        document.fail(entry.place, fmt::format("{} gives {}[{}] twice", path, family.name, which.index(k)),
                      "an expression of i gives all of them: where(i == 0, 0.1, 0)");
      given[at] = true;
    }
    Start(symbols, entry.value, fmt::format("{}.{}", path, entry.key), family, which, seed).read(q0, v0);
  }
}

}  // namespace actio::io
