#include <actio/system/materials.hpp>

namespace actio::system {
namespace {

using expr::Graph;
using expr::Id;
using Three = std::array<Id, 9>;  // 3 x 3, by rows

// A'B
Three product(Graph& g, const Three& A, const Three& B) {
  Three out{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      out[3 * i + j] = g.add(g.add(g.mul(A[i], B[j]), g.mul(A[3 + i], B[3 + j])), g.mul(A[6 + i], B[6 + j]));
  return out;
}

Id trace(Graph& g, const Three& A) { return g.add(g.add(A[0], A[4]), A[8]); }

Id square(Graph& g, Id a) { return g.mul(a, a); }

// A:A of a symmetric A
Id squares(Graph& g, const Three& A) {
  const Id diagonal = g.add(g.add(square(g, A[0]), square(g, A[4])), square(g, A[8]));
  const Id other = g.add(g.add(square(g, A[1]), square(g, A[2])), square(g, A[5]));
  return g.add(diagonal, g.mul(g.constant(2), other));
}

// (A + A')/2 - unit 1
Three symmetric(Graph& g, const Three& A, double unit) {
  Three out{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const Id sum = i == j ? A[4 * i] : g.mul(g.constant(0.5), g.add(A[3 * i + j], A[3 * j + i]));
      out[3 * i + j] = i == j ? g.sub(sum, g.constant(unit)) : sum;
    }
  return out;
}

// lambda/2 (tr e)^2 + mu e:e
Id hooke(Graph& g, const Three& e, const Lame& lame) {
  return g.add(g.mul(g.constant(0.5 * lame.lambda), square(g, trace(g, e))), g.mul(g.constant(lame.mu), squares(g, e)));
}

}  // namespace

Deformation deformation(Graph& g) {
  Deformation d;
  for (std::size_t k = 0; k < 9; ++k) d.F[k] = g.column(static_cast<int>(k));
  d.C = product(g, d.F, d.F);
  const auto minor = [&](std::size_t a, std::size_t b) {  // of the rows 2 and 3, columns a and b
    return g.sub(g.mul(d.F[3 + a], d.F[6 + b]), g.mul(d.F[3 + b], d.F[6 + a]));
  };
  d.J = g.add(g.sub(g.mul(d.F[0], minor(1, 2)), g.mul(d.F[1], minor(0, 2))), g.mul(d.F[2], minor(0, 1)));
  d.I1 = trace(g, d.C);
  d.I2 = g.mul(g.constant(0.5), g.sub(square(g, d.I1), squares(g, d.C)));
  return d;
}

Id linear_elastic(Graph& g, const Deformation& d, const Lame& lame) { return hooke(g, symmetric(g, d.F, 1), lame); }

Id st_venant_kirchhoff(Graph& g, const Deformation& d, const Lame& lame) {
  Three E = symmetric(g, d.C, 1);
  for (Id& e : E) e = g.mul(g.constant(0.5), e);
  return hooke(g, E, lame);
}

Id neo_hookean(Graph& g, const Deformation& d, const Lame& lame) {
  const Id log = g.unary(expr::Op::log, d.J);
  const Id shear = g.sub(g.sub(d.I1, g.constant(3)), g.mul(g.constant(2), log));
  return g.add(g.mul(g.constant(0.5 * lame.mu), shear), g.mul(g.constant(0.5 * lame.lambda), square(g, log)));
}

Id mooney_rivlin(Graph& g, const Deformation& d, double C10, double C01, double bulk) {
  const Id first = g.mul(g.pow(d.J, g.constant(-2.0 / 3)), d.I1), second = g.mul(g.pow(d.J, g.constant(-4.0 / 3)), d.I2);
  const Id shape =
      g.add(g.mul(g.constant(C10), g.sub(first, g.constant(3))), g.mul(g.constant(C01), g.sub(second, g.constant(3))));
  return g.add(shape, g.mul(g.constant(0.5 * bulk), square(g, g.sub(d.J, g.constant(1)))));
}

Id viscous(Graph& g, const Deformation& d, double viscosity) {
  Three rate{};
  for (std::size_t k = 0; k < 9; ++k) rate[k] = g.column(static_cast<int>(9 + k));
  return g.mul(g.constant(viscosity), squares(g, symmetric(g, product(g, d.F, rate), 0)));
}

}  // namespace actio::system
