#pragma once
#include <actio/system/discrete_gradient_model.hpp>
#include <algorithm>
#include <array>
#include <cmath>

// Discrete gradients of finite elements, at each of their points: DV = sum w B' DU(F0, F1), dDV/dq1 = sum w B' (dDU/dF1) B.
namespace actio::system {

template <class Space>
void DiscreteGradientModel<Space>::start_elements(Piece& piece) {
  const Batch& b = *piece.batch;
  const long points = b.interpolation->points;
  for_each_chunk(b, false, [&](Workspace& workspace, long begin, long end) {
    ElementBlock& elements = workspace.elements;
    for (long e = begin; e < end; e += ElementBlock::lanes) {
      const long count = elements.take(b, e);
      elements.gather(0, q0_.data());
      for (long p = 0; p < points; ++p) {
        const long at = p * b.elements + e;
        elements.deform(p, 0, 0);
        for (long l = 0; l < 9; ++l) std::copy_n(elements.column(l), count, piece.x0.data() + l * points * b.elements + at);
        elements.run(piece.value, uniforms_.data(), 9);
        std::copy_n(elements.output(0), count, piece.U0.data() + at);
        std::copy_n(elements.output(1), count, piece.rounding.data() + at);
        if (piece.kind != DiscreteGradients::Kind::trapezoidal) continue;
        elements.run(b.first, uniforms_.data(), 9);
        for (long l = 0; l < 9; ++l) std::copy_n(elements.output(l), count, piece.slope.data() + l * points * b.elements + at);
      }
    }
  });
}

template <class Space>
void DiscreteGradientModel<Space>::add_elements(Piece& piece, const Vector& q1, double wV, Vector& f, Matrix* K) {
  using Kind = DiscreteGradients::Kind;
  const Batch& b = *piece.batch;
  const bool quadratic = piece.kind == Kind::quadratic, tangent = K != nullptr;
  std::array<std::int32_t, 81> where;  // of entry (r, c) among the outputs
  where.fill(workspace_.elements.zero());
  for (std::size_t s = 0; s < (quadratic ? b.entries.size() : 81); ++s) {
    const std::int32_t output = static_cast<std::int32_t>(9 + s);
    const Batch::Entry entry = quadratic ? b.entries[s] : Batch::Entry{static_cast<int>(s % 9), static_cast<int>(s / 9), false};
    where[static_cast<std::size_t>(9 * entry.row + entry.column)] = output;
    if (entry.mirrored) where[static_cast<std::size_t>(9 * entry.column + entry.row)] = output;
  }
  uniforms_[uniforms_.size() - 4] = quadratic ? -0.5 * wV : 1;  // d grad U(m)/dq1
  for_each_chunk(b, true, [&](Workspace& workspace, long begin, long end) {
    ElementBlock& elements = workspace.elements;
    for (long e = begin; e < end; e += ElementBlock::lanes) {
      const long count = elements.take(b, e);
      if (!quadratic) elements.gather(0, q1.data());
      elements.gather(1, middle_.data());
      elements.clear();
      for (long p = 0; p < b.interpolation->points; ++p) {
        if (quadratic) {
          elements.deform(p, 1, 0);
          elements.run(tangent ? b.second : b.first, uniforms_.data(), 9);
        } else {
          differentiate_point(workspace, piece, p, e, count, tangent, wV);
        }
        elements.pull(p, 0, 0);
        if (tangent) elements.pull_matrix(p, where.data(), quadratic);
      }
      elements.scatter(0, f.data());
      if (tangent) elements.scatter_matrix(piece.slots->data(), quadratic, values(*K));
    }
  });
}

// The outputs become DU (9), and -wV dDU/dF1 (9 x 9, by columns), of a point of the elements [e, e + count).
template <class Space>
void DiscreteGradientModel<Space>::differentiate_point(Workspace& workspace, Piece& piece, long p, long e, long count,
                                                       bool tangent, double wV) {
  ElementBlock& elements = workspace.elements;
  ElementGradient& element = workspace.of[piece.number];
  constexpr long lanes = ElementBlock::lanes;
  const Batch& b = *piece.batch;
  const bool midpoint = piece.kind == DiscreteGradients::Kind::midpoint;
  const long all = b.interpolation->points * b.elements, at = p * b.elements + e;
  double F1[9 * lanes], ends[9 * lanes], U1[lanes], rounding[lanes];
  const auto keep = [&](double* to, auto&& from) {
    for (long l = 0; l < 9; ++l) std::copy_n(from(l), lanes, to + l * lanes);
  };
  const auto output = [&](long l) { return elements.output(l); };
  elements.deform(p, 0, 0);
  keep(F1, [&](long l) { return elements.column(l); });
  elements.run(piece.value, uniforms_.data(), 9);
  std::copy_n(elements.output(0), lanes, U1);
  std::copy_n(elements.output(1), lanes, rounding);
  if (midpoint) {
    if (tangent) {
      elements.run(b.first, uniforms_.data(), 9);
      keep(ends, output);
    }
    elements.deform(p, 1, 0);
  }
  elements.run(tangent ? b.second : b.first, uniforms_.data(), 9);
  for (long k = 0; k < count; ++k) {
    double x0[9], x1[9], slope[9], end[9], DU[9], H[81] = {}, T[81];
    for (long l = 0; l < 9; ++l) {
      const double f = output(l)[k];
      x0[l] = piece.x0[static_cast<std::size_t>(l * all + at + k)];
      x1[l] = F1[l * lanes + k];
      slope[l] = midpoint ? f : 0.5 * (piece.slope[static_cast<std::size_t>(l * all + at + k)] + f);
      end[l] = midpoint ? (tangent ? ends[l * lanes + k] : 0) : f;
    }
    const std::size_t place = static_cast<std::size_t>(at + k);
    const ElementGradient::Energy U{piece.U0[place], U1[k], piece.rounding[place] + rounding[k], slope, end, H};
    if (tangent) {
      for (std::size_t s = 0; s < b.entries.size(); ++s) {
        const auto& [row, column, mirrored] = b.entries[s];
        const double y = 0.5 * output(9 + static_cast<long>(s))[k];
        H[row + 9 * column] = y;
        if (mirrored) H[column + 9 * row] = y;
      }
      element.tangent(x0, x1, U, DU, T);
      for (long s = 0; s < 81; ++s) output(9 + s)[k] = -wV * T[s];
    } else {
      element.gradient(x0, x1, U, DU);
    }
    for (long l = 0; l < 9; ++l) output(l)[k] = DU[l];
    const double roundoff = element.roundoff();
    if (!(roundoff > 0)) continue;
    const Interpolation& of = *b.interpolation;
    double size = 0;  // |G_a| <= |slopes_a| |inverse|
    for (long j = 0; j < 9; ++j) {
      const double y = of.inverse[static_cast<std::size_t>((p * 9 + j) * b.elements + e + k)];
      size += y * y;
    }
    for (long a = 0; a < of.nodes; ++a) {
      const double* s = of.slopes.data() + (p * of.nodes + a) * 3;
      const double of_node = elements.weight(p, k) * roundoff * std::sqrt(size * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]));
      const std::int32_t node = b.nodes[static_cast<std::size_t>((e + k) * of.nodes + a)];
      for (int i = 0; i < 3; ++i) roundoff_[node + i] += of_node;
    }
  }
}

}  // namespace actio::system
