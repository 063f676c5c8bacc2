#include "frame.hpp"

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <stdexcept>

namespace models {
namespace {

using Eigen::MatrixXd;

struct Member {
  std::int32_t from, to;
  const Section* section;
};

// Local axes as rows: x along the member, z as near to up as it can be, of a column along -X.
Eigen::Matrix3d axes(const Eigen::Vector3d& along) {
  const Eigen::Vector3d x = along.normalized();
  const bool upright = std::abs(x[2]) > 0.99;
  const Eigen::Vector3d up = upright ? Eigen::Vector3d(-1, 0, 0) : Eigen::Vector3d(0, 0, 1);
  const Eigen::Vector3d y = up.cross(x).normalized();
  Eigen::Matrix3d R;
  R << x.transpose(), y.transpose(), x.cross(y).transpose();
  return R;
}

Eigen::Vector3d point(const Structure& s, std::int32_t node) { return Eigen::Vector3d(s.nodes[node].data()); }

// M and S of members between the nodes of s, plus `extra` mass [kg] at each node.
void assemble(Structure& s, const std::vector<Member>& members, const std::vector<double>& extra, long n) {
  std::vector<std::int32_t> dofs;
  for (const Member& m : members)
    for (const std::int32_t node : {m.from, m.to})
      for (int k = 0; k < 6; ++k) dofs.push_back(s.coordinate[6 * node + k]);
  const Assembly assembly(n, 12, std::move(dofs));
  MatrixXd K;
  const auto global = [&](long e, auto&& local) -> const MatrixXd& {
    const Member& m = members[e];
    const Eigen::Vector3d along = point(s, m.to) - point(s, m.from);
    MatrixXd T = MatrixXd::Zero(12, 12);
    for (int k = 0; k < 12; k += 3) T.block<3, 3>(k, k) = axes(along);
    K = T.transpose() * local(*m.section, along.norm()) * T;
    K = MatrixXd(0.5 * (K + K.transpose()));
    return K;
  };
  s.stiffness = assembly.sum([&](long e) -> const MatrixXd& { return global(e, beam_stiffness); });
  s.mass = assembly.sum([&](long e) -> const MatrixXd& { return global(e, beam_mass); });
  for (std::size_t node = 0; node < extra.size(); ++node)
    for (std::size_t k = 0; k < 3; ++k)
      if (const auto i = s.coordinate[6 * node + k]; i >= 0) s.mass.coeffRef(i, i) += extra[node];
}

void check(const Section& s) {
  if (!(s.A > 0) || !(s.Iy > 0) || !(s.Iz > 0) || !(s.J > 0) || !(s.E > 0) || !(s.G > 0) || !(s.rho > 0) || !(s.I0 >= 0))
    throw std::invalid_argument("a section needs A, Iy, Iz, J, E, G, rho > 0");
}

}  // namespace

Section steel_box(double width, double wall) {
  const double inside = width - 2 * wall, middle = width - wall;
  Section s;
  s.A = width * width - inside * inside;
  s.Iy = s.Iz = (width * width * width * width - inside * inside * inside * inside) / 12;
  s.J = wall * middle * middle * middle;  // Bredt: 4 (middle^2)^2 / (4 middle / wall)
  return s;
}

Section heb600() {
  Section s;
  s.A = 270e-4;
  s.Iy = 171000e-8;
  s.Iz = 13530e-8;
  s.J = 667e-8;
  return s;
}

MatrixXd beam_stiffness(const Section& s, double L) {
  MatrixXd K = MatrixXd::Zero(12, 12);
  const auto pair = [&](int i, int j, double k) {  // k/2 (u_i - u_j)^2
    K(i, i) += k;
    K(j, j) += k;
    K(i, j) -= k;
    K(j, i) -= k;
  };
  pair(0, 6, s.E * s.A / L);
  pair(3, 9, s.G * s.J / L);
  // bending: deflection at v, rotation `sign` dv/dx at r
  const auto bending = [&](int v, int r, double EI, double sign) {
    const int at[4] = {v, r, v + 6, r + 6};
    const double f[4] = {1, sign, 1, sign};
    const double k[4][4] = {{12, 6 * L, -12, 6 * L},
                            {6 * L, 4 * L * L, -6 * L, 2 * L * L},
                            {-12, -6 * L, 12, -6 * L},
                            {6 * L, 2 * L * L, -6 * L, 4 * L * L}};
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) K(at[i], at[j]) += EI / (L * L * L) * f[i] * f[j] * k[i][j];
  };
  bending(1, 5, s.E * s.Iz, 1);
  bending(2, 4, s.E * s.Iy, -1);  // a rotation about y lowers what lies ahead
  return K;
}

MatrixXd beam_mass(const Section& s, double L) {
  MatrixXd M = MatrixXd::Zero(12, 12);
  const auto rod = [&](int i, int j, double m) {  // linear between the ends
    M(i, i) += m / 3;
    M(j, j) += m / 3;
    M(i, j) += m / 6;
    M(j, i) += m / 6;
  };
  rod(0, 6, s.rho * s.A * L);
  rod(3, 9, s.rho * (s.I0 > 0 ? s.I0 : s.Iy + s.Iz) * L);
  const auto bending = [&](int v, int r, double sign) {
    const int at[4] = {v, r, v + 6, r + 6};
    const double f[4] = {1, sign, 1, sign};
    const double m[4][4] = {{156, 22 * L, 54, -13 * L},
                            {22 * L, 4 * L * L, 13 * L, -3 * L * L},
                            {54, 13 * L, 156, -22 * L},
                            {-13 * L, -3 * L * L, -22 * L, 4 * L * L}};
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) M(at[i], at[j]) += s.rho * s.A * L / 420 * f[i] * f[j] * m[i][j];
  };
  bending(1, 5, 1);
  bending(2, 4, -1);
  return M;
}

Structure make(const Frame& f) {
  if (f.bays_x < 1 || f.bays_y < 1 || f.storeys < 1 || f.members < 1)
    throw std::invalid_argument("a frame has at least one bay, one storey and one element a member");
  if (!(f.bay > 0) || !(f.storey > 0) || !(f.floor >= 0))
    throw std::invalid_argument("a frame needs bay, storey > 0 and floor >= 0");
  check(f.column);
  check(f.beam);
  if ((f.bays_x + 1.0) * (f.bays_y + 1.0) * (f.storeys + 1.0) * f.members > 3e7)
    throw std::invalid_argument("this frame has more than 1e8 nodes");

  Structure s;
  s.per_node = 6;
  const int nx = f.bays_x + 1, ny = f.bays_y + 1, nz = f.storeys + 1;
  const auto joint = [&](int i, int j, int k) { return static_cast<std::int32_t>(i + nx * (j + ny * k)); };
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) s.nodes.push_back({i * f.bay, j * f.bay, k * f.storey});
  std::vector<double> floor(s.nodes.size(), 0.0);
  std::vector<Member> members;
  const auto connect = [&](std::int32_t a, std::int32_t b, const Section& section) {
    std::int32_t from = a;
    for (int part = 1; part <= f.members; ++part) {
      std::int32_t to = b;
      if (part < f.members) {
        to = static_cast<std::int32_t>(s.nodes.size());
        const double x = static_cast<double>(part) / f.members;
        std::array<double, 3> r;
        for (std::size_t l = 0; l < 3; ++l) r[l] = (1 - x) * s.nodes[a][l] + x * s.nodes[b][l];
        s.nodes.push_back(r);
      }
      members.push_back({from, to, &section});
      from = to;
    }
  };
  for (int k = 1; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        connect(joint(i, j, k - 1), joint(i, j, k), f.column);
        if (i > 0) connect(joint(i - 1, j, k), joint(i, j, k), f.beam);
        if (j > 0) connect(joint(i, j - 1, k), joint(i, j, k), f.beam);
        const double bays = ((i > 0) + (i < f.bays_x)) * ((j > 0) + (j < f.bays_y)) / 4.0;  // whose slab this node carries
        floor[joint(i, j, k)] = bays * f.bay * f.bay * f.floor;
      }
  const long n = number_coordinates(s, f.supports, [&](long node) { return f.clamped && node < nx * ny; });
  assemble(s, members, floor, n);
  return s;
}

Structure make_beam(const Section& section, double length, int elements, bool clamped) {
  check(section);
  Structure s;
  s.per_node = 6;
  std::vector<Member> members;
  for (std::int32_t k = 0; k <= elements; ++k) {
    s.nodes.push_back({k * length / elements, 0, 0});
    if (k > 0) members.push_back({k - 1, k, &section});
  }
  const long n = number_coordinates(s, Supports::left_out, [&](long node) { return clamped && node == 0; });
  assemble(s, members, {}, n);
  return s;
}

}  // namespace models
