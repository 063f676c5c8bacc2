#pragma once
#include <actio/algebra/dense_kkt.hpp>
#include <actio/algebra/sparse_kkt.hpp>

// The KKT solver of each space where the number of constraints is known at run time, as for systems from files: KktOf<Space>.
namespace actio::algebra {

template <class Space>
struct KktOfSpace;
template <int N>
struct KktOfSpace<DenseSpace<N>> {
  using type = BoundedKkt<N>;
};
template <>
struct KktOfSpace<DenseSpace<Eigen::Dynamic>> {
  using type = DenseKkt<Eigen::Dynamic, Eigen::Dynamic>;
};
template <>
struct KktOfSpace<SparseSpace> {
  using type = SparseKkt;
};
template <class Space>
using KktOf = typename KktOfSpace<Space>::type;

}  // namespace actio::algebra
