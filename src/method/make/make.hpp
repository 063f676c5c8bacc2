#pragma once
#include <actio/algebra/dense.hpp>
#include <actio/algebra/sparse.hpp>
#include <actio/method/acceleration_coefficients.hpp>
#include <actio/method/spec.hpp>
#include <actio/method/splitting.hpp>
#include <actio/system/assembled.hpp>
#include <memory>

// Integrators of a model on a space. A family of methods is a header with the templates and two files that instantiate them, for
// spaces of a few coordinates and for large ones, so that a change to one method compiles that family alone.
namespace actio::method {

class Integrator;
struct BuildOptions;
template <class Space>
using System = system::Assembled<Space>;

template <class Space>
std::unique_ptr<Integrator> make_accelerations(System<Space> system, const AccelerationCoefficients& c, const Spec& spec);
template <class Space>
std::unique_ptr<Integrator> make_minimising(System<Space> system, const Spec& spec);  // MinimisingNewmark, TwoStep
template <class Space>
std::unique_ptr<Integrator> make_variational(System<Space> system, const Spec& spec);  // Variational, Midpoint
template <class Space>
std::unique_ptr<Integrator> make_splitting(System<Space> system, const Spec& spec);  // Verlet, SymplecticEuler, McLachlanAtela
template <class Space>
std::unique_ptr<Integrator> make_constrained(System<Space> system, const Spec& spec);  // Rattle, Shake, Variational, Midpoint
template <class Space>
std::unique_ptr<Integrator> make_classical(System<Space> system, const Spec& spec);  // RungeKutta4, CvodeAdams
template <class Space>
std::unique_ptr<Integrator> make_linearly_implicit(System<Space> system, const Spec& spec);  // ZhangSkeel..., PushForwardNewmark

std::unique_ptr<Integrator> make_energy_momentum(const system::Model& model, const Spec& spec, const BuildOptions& options);

inline constexpr long largest_dense = 48;  // coordinates for which full matrices are taken

}  // namespace actio::method

// In a file of instantiations: ACTIO_ON_SMALL_SPACES(make_variational, const Spec&)
#define ACTIO_MAKE_ON(make, space, ...) template std::unique_ptr<Integrator> make<space>(System<space>, __VA_ARGS__);
#define ACTIO_ON_SMALL_SPACES(make, ...)                   \
  ACTIO_MAKE_ON(make, algebra::DenseSpace<1>, __VA_ARGS__) \
  ACTIO_MAKE_ON(make, algebra::DenseSpace<2>, __VA_ARGS__) \
  ACTIO_MAKE_ON(make, algebra::DenseSpace<3>, __VA_ARGS__) \
  ACTIO_MAKE_ON(make, algebra::DenseSpace<4>, __VA_ARGS__)
#define ACTIO_ON_LARGE_SPACES(make, ...)                                \
  ACTIO_MAKE_ON(make, algebra::DenseSpace<Eigen::Dynamic>, __VA_ARGS__) \
  ACTIO_MAKE_ON(make, algebra::SparseSpace, __VA_ARGS__)
