#pragma once

namespace actio::system {

// Of an Interpolation at one point of eight elements: element k has inverse[j * elements + k] and weight[k], k < count.
struct ElementPoint {
  long nodes, elements, count;
  const double *slopes, *inverse, *weight;
};

}  // namespace actio::system
