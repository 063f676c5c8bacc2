#pragma once
#include <actio/algebra/dense_saddle.hpp>
#include <actio/algebra/sparse_saddle.hpp>

// The saddle of each space where the number of constraints is known at run time, as for systems from files: SaddleOf<Space>.
namespace actio::algebra {

template <class Space>
struct SaddleOfSpace;
template <int N>
struct SaddleOfSpace<DenseSpace<N>> {
  using type = BoundedSaddle<N>;
};
template <>
struct SaddleOfSpace<DenseSpace<Eigen::Dynamic>> {
  using type = DenseSaddle<Eigen::Dynamic, Eigen::Dynamic>;
};
template <>
struct SaddleOfSpace<SparseSpace> {
  using type = SparseSaddle;
};
template <class Space>
using SaddleOf = typename SaddleOfSpace<Space>::type;

}  // namespace actio::algebra
