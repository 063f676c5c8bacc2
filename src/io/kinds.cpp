#include <actio/io/vocabulary.hpp>

#include <algorithm>
#include <stdexcept>

// The words that keys of a problem file take, and what each of them is.
namespace actio::io {
namespace {

constexpr std::string_view cited_bonet = "J. Bonet, R. D. Wood, Nonlinear Continuum Mechanics for Finite Element Analysis (2008)",
                           cited_hughes = "T. J. R. Hughes, The Finite Element Method (2000)",
                           cited_flyvbjerg = "H. Flyvbjerg, H. G. Petersen, J. Chem. Phys. 91 (1989) 461",
                           cited_kane =
                               "C. Kane, J. E. Marsden, M. Ortiz, M. West, Int. J. Numer. Meth. Engng 49 (2000) 1295-1325";

std::vector<KindEntry> joint_kinds() {
  constexpr std::string_view group = "joint", key = "system.joint.type";
  return {{group, "spherical", key, "Two points stay together; the bodies rotate about them freely.", "P - Q = 0: 3 constraints"},
          {group,
           "revolute",
           key,
           "A hinge: two points stay together, and two axes along one line.",
           "P - Q = 0, b . u = b . v = 0, where a is the axis of the second body, b that of the first, a, u, v orthogonal: 5 "
           "constraints",
           {"axes"}},
          {group,
           "fixed",
           key,
           "Two points stay together, and the relative orientation of the bodies.",
           "P - Q = 0, a1 . b2 = a2 . b3 = a3 . b1 = 0, with the axes a of the first body, and b those of `orientation` in the "
           "second: 6 constraints",
           {"orientation"}},
          {group,
           "distance",
           key,
           "A massless rod: two points stay at a distance; the multiplier is minus its tension.",
           "(|P - Q|^2 - L^2)/(2 L) = 0: 1 constraint",
           {"length"}}};
}

std::vector<KindEntry> material_kinds() {
  constexpr std::string_view group = "material", key = "system.solid.material.model";
  return {{group,
           "linear-elastic",
           key,
           "Hooke's law of small strains: for small rotations only, because a rotation stretches such a solid.",
           "W = lambda/2 (tr eps)^2 + mu eps:eps, eps = (F + F')/2 - 1",
           {"E", "nu"},
           cited_bonet},
          {group,
           "st-venant-kirchhoff",
           key,
           "Hooke's law of Green's strain: for large rotations and small strains.",
           "W = lambda/2 (tr E)^2 + mu E:E, E = (F'F - 1)/2",
           {"E", "nu"},
           cited_bonet},
          {group,
           "neo-hookean",
           key,
           "A compressible rubber, for large strains; no element inverts, because W is infinite at J = 0.",
           "W = mu/2 (I1 - 3 - 2 ln J) + lambda/2 (ln J)^2",
           {"E", "nu"},
           cited_bonet},
          {group,
           "mooney-rivlin",
           key,
           "A rubber with two constants; the shear modulus at rest is 2 (C10 + C01).",
           "W = C10 (J^(-2/3) I1 - 3) + C01 (J^(-4/3) I2 - 3) + bulk/2 (J - 1)^2",
           {"C10", "C01", "bulk"},
           cited_bonet}};
}

std::vector<KindEntry> element_kinds() {
  constexpr std::string_view group = "element", key = "system.solid.mesh";
  constexpr std::string_view of_group = "A cell of groups, for faces, edges and nodes that keys name.";
  return {{group, "tetrahedron4", key, "A tetrahedron with 4 nodes: linear.", "1 quadrature point", {}, cited_hughes},
          {group, "tetrahedron10", key, "A tetrahedron with 10 nodes: quadratic.", "4 quadrature points", {}, cited_hughes},
          {group, "hexahedron8", key, "A hexahedron with 8 nodes: trilinear.", "8 quadrature points", {}, cited_hughes},
          {group,
           "hexahedron20",
           key,
           "A hexahedron with 20 nodes: quadratic along its edges.",
           "27 quadrature points",
           {},
           cited_hughes},
          {group, "hexahedron27", key, "A hexahedron with 27 nodes: triquadratic.", "27 quadrature points", {}, cited_hughes},
          {group, "quadrilateral4", key, of_group, "the face of a hexahedron8"},
          {group, "quadrilateral8", key, of_group, "the face of a hexahedron20"},
          {group, "quadrilateral9", key, of_group, "the face of a hexahedron27"},
          {group, "triangle3", key, of_group, "the face of a tetrahedron4"},
          {group, "triangle6", key, of_group, "the face of a tetrahedron10"},
          {group, "line2", key, of_group, "a straight edge"},
          {group, "line3", key, of_group, "an edge with a node in its middle"},
          {group, "point", key, of_group, "one node"}};
}

std::vector<KindEntry> force_kinds() {
  constexpr std::string_view group = "force";
  return {
      {group, "potential", "system", "Forces that have a potential.", "F = -dV/dq"},
      {group, "term", "system.term", "A sum of one small energy or force over ranges of indices.",
       "V = sum over i, j of V_ij(q)"},
      {group,
       "coulomb",
       "system.coulomb",
       "Charges in a periodic box, with all of their images, by an Ewald sum.",
       "V = K sum q_i q_j erfc(alpha r)/r + (2 pi K/V) sum over k of exp(-k^2/(4 alpha^2))/k^2 |S(k)|^2 - K alpha/sqrt(pi) sum "
       "q_i^2",
       {},
       "M. P. Allen, D. J. Tildesley, Computer Simulation of Liquids, 6.2"},
      {group, "force", "system.force", "An external force on a coordinate, whose work the ledger counts.", "F(q, v, t)"},
      {group, "load", "system.load", "A load: a pattern over the coordinates times a function of time.",
       "F = scale pattern time(t)"},
      {group, "base", "system.base", "The motion of the ground, for coordinates relative to it.", "F = -M r a(t)"},
      {group, "drag", "system.drag", "Drag of points in a fluid that moves, quadratic in the relative velocity.",
       "F = -c |v - w(t, q)| (v - w(t, q)), c = rho C_d A / 2"},
      {group, "dissipation", "system", "Friction of a Rayleigh potential, which the ledger counts as friction.",
       "F = -dphi/dv, phi(q, v, t)"},
      {group, "rayleigh", "system.rayleigh", "Friction in proportion to mass and stiffness.",
       "F = -(a M + b S) v; damping ratio xi(w) = (a/w + b w)/2"},
      {group, "thermostat", "system.thermostat",
       "Friction and noise that hold the system at a temperature: the Langevin equation.",
       "dp = (F - gamma p) dt + sqrt(2 gamma k_B T M) dW"}};
}

std::vector<KindEntry> solid_load_kinds() {
  constexpr std::string_view group = "load of a solid";
  return {
      {group, "gravity", "system.solid", "The weight of a solid.", "F = rho g, per reference volume"},
      {group, "body_force", "system.solid.body_force", "A force per reference volume.", "F = f(t, X)"},
      {group, "traction", "system.solid.traction", "A force per reference area of a group of faces; its direction is constant.",
       "F = T(t, X)"},
      {group, "pressure", "system.solid.pressure",
       "A pressure on deformed faces, which follows them: against their outward normals n.", "F = -p(t, X) n, per deformed area"},
      {group, "driven", "system.solid.driven", "A displacement that is prescribed for the nodes of a group.",
       "x - X = u(t, X): constraints that depend on time"}};
}

std::vector<KindEntry> word_kinds() {
  std::vector<KindEntry> out;
  const auto add = [&](std::string_view group, std::string_view key, std::vector<KindEntry> of) {
    for (KindEntry& kind : of) {
      kind.group = group;
      kind.key = key;
      out.push_back(std::move(kind));
    }
  };
  add("thermostat scheme", "system.thermostat.scheme",
      {{"", "gla", "", "A step of the method, then the flow of friction and noise: weak order 1, for any method.", "O(h) S(h)"},
       {"", "baoab", "",
        "The flow in the middle of Verlet's drift: right positions on a harmonic oscillator; for verlet and rattle.",
        "B(h/2) A(h/2) O(h) A(h/2) B(h/2)"},
       {"", "obabo", "", "Half of the flow, a step of the method, half of the flow: for any method.", "O(h/2) S(h) O(h/2)"}});
  add("fast part", "system.split.fast",
      {{"",
        "kepler",
        "",
        "Each point is drawn by all points inside it, and moves on a conic.",
        "1/2 p'M^-1 p - sum over i of G m_i (m_0 + ... + m_(i-1))/r_i, in Jacobi coordinates r_i",
        {"gravitational_constant", "points", "sun"}},
       {"", "linear", "", "The stiffness matrix and the quadratic terms with `stiff = true`, of at most 1000 coordinates.",
        "1/2 p'M^-1 p + 1/2 q'Sq"}});
  add("symmetry", "symmetry",
      {{"", "generator", "", "A vector field of one's own.", "J = p . xi(q)", {"generator", "periodic"}},
       {"",
        "rotation",
        "",
        "A rotation of all points, bodies and solids: an angular momentum.",
        "J = a . sum x cross p",
        {"rotation", "triples"}},
       {"",
        "translation",
        "",
        "A translation of all points, bodies and solids: a linear momentum.",
        "J = d . sum p",
        {"translation", "triples"}},
       {"", "body", "", "A rotation of a body about an axis of its own.", "J = axis . I Omega", {"body", "axis"}}});
  add("event direction", "event.direction",
      {{"", "both", "", "Every passage counts.", "the sign changes"},
       {"", "up", "", "Passages from below 0 to above.", "from - to +"},
       {"", "down", "", "Passages from above 0 to below.", "from + to -"}});
  add("event action", "event.do",
      {{"", "record", "", "A row for each: the time, and the columns of `record`.", ""},
       {"", "count", "", "How often, the first time and the last; no rows.", ""},
       {"", "stop", "", "The run ends there, at the passage of number `count`.", "", {"count"}}});
  add("reduction", "observe.reduce",
      {{"",
        "mean",
        "",
        "The mean over all elements and times, with a standard error that counts correlation.",
        "m = sum x/n; e_B^2 = var(means of blocks of B)/blocks",
        {},
        cited_flyvbjerg},
       {"", "rms", "", "The root of the mean square.", "sqrt(sum x^2/n)"},
       {"", "largest", "", "The largest value, its time and its element.", "max x"},
       {"", "smallest", "", "The smallest value, its time and its element.", "min x"},
       {"",
        "histogram",
        "",
        "How many values lie in each bin, and below and above.",
        "density = count/(n width)",
        {"from", "to", "bins"}},
       {"",
        "radial-distribution",
        "",
        "Of distances: how many, beside points spread evenly in the periodic box.",
        "g(r) = count(r) V_box/(n V_shell(r))",
        {"from", "to", "bins"}},
       {"", "autocorrelation", "", "The correlation of values a lag apart; of vectors by the dot product.",
        "C(tau) = <(x(t) - m) . (x(t + tau) - m)>"},
       {"", "mean-square-displacement", "", "How far a value moves in a lag.", "<|x(t + tau) - x(t)|^2>"}});
  add("combination", "observe.combine",
      {{"", "sum", "", "The sum of the elements at one time.", "sum x_i"},
       {"", "mean", "", "Their mean.", "sum x_i/n"},
       {"", "rms", "", "The root of their mean square.", "sqrt(sum x_i^2/n)"},
       {"", "largest", "", "The largest of them.", "max x_i"},
       {"", "smallest", "", "The smallest of them.", "min x_i"}});
  add("quantity", "observe.value",
      {{"", "energy", "", "The energy of the state.", "E = v . dL/dv - L"},
       {"", "kinetic_energy", "", "The kinetic energy.", "T = v . p/2"},
       {"", "potential_energy", "", "The potential energy.", "E - T"},
       {"", "temperature", "", "In units of energy: n coordinates that move, m constraints.", "2 T/(n - m)"},
       {"", "discrete_energy", "", "Of the step that leaves the state.", "E_d = -dL_d/dh", {}, cited_kane},
       {"", "stopped_at", "", "The time at which a member of an ensemble stopped.", "t"}});
  return out;
}

std::vector<KindEntry> make_kinds() {
  std::vector<KindEntry> out;
  for (std::vector<KindEntry> part :
       {joint_kinds(), material_kinds(), element_kinds(), force_kinds(), solid_load_kinds(), word_kinds()})
    for (KindEntry& kind : part) out.push_back(std::move(kind));
  return out;
}

}  // namespace

const std::vector<KindEntry>& all_kinds() {
  static const std::vector<KindEntry> all = make_kinds();
  return all;
}

std::vector<std::string> kinds_of(std::string_view group) {
  std::vector<std::string> out;
  for (const KindEntry& kind : all_kinds())
    if (kind.group == group) out.emplace_back(kind.name);
  return out;
}

const KindEntry& kind_named(std::string_view group, std::string_view name) {
  const auto found =
      std::ranges::find_if(all_kinds(), [&](const KindEntry& kind) { return kind.group == group && kind.name == name; });
  if (found == all_kinds().end()) throw std::out_of_range("no " + std::string(group) + " " + std::string(name));
  return *found;
}

}  // namespace actio::io
