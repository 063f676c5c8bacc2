#pragma once
#include <actio/algebra/dense.hpp>
#include <actio/algebra/sparse.hpp>
#include <actio/discrete/acceleration.hpp>
#include <actio/discrete/projection.hpp>
#include <actio/method/integrator_on.hpp>
#include <actio/solve/constrained_newton.hpp>
#include <actio/solve/factorisations.hpp>
#include <actio/solve/minimise.hpp>
#include <actio/solve/newton.hpp>
#include <actio/system/assembled.hpp>

// What the steppers have in common, compiled once, in shared.cpp.
namespace actio {

using Full = algebra::DenseSpace<Eigen::Dynamic>;
using algebra::SparseSpace;

namespace solve {
extern template class Factorisations<algebra::DenseSpace<1>>;
extern template class ConstrainedNewton<algebra::DenseSpace<1>, algebra::KktOf<algebra::DenseSpace<1>>>;
extern template class Factorisations<algebra::DenseSpace<2>>;
extern template class ConstrainedNewton<algebra::DenseSpace<2>, algebra::KktOf<algebra::DenseSpace<2>>>;
extern template class Factorisations<algebra::DenseSpace<3>>;
extern template class ConstrainedNewton<algebra::DenseSpace<3>, algebra::KktOf<algebra::DenseSpace<3>>>;
extern template class Factorisations<algebra::DenseSpace<4>>;
extern template class ConstrainedNewton<algebra::DenseSpace<4>, algebra::KktOf<algebra::DenseSpace<4>>>;
extern template class Newton<Full>;
extern template class Factorisations<Full>;
extern template class ConstrainedNewton<Full, algebra::KktOf<Full>>;
extern template class Newton<SparseSpace>;
extern template class Factorisations<SparseSpace>;
extern template class ConstrainedNewton<SparseSpace, algebra::KktOf<SparseSpace>>;
}  // namespace solve

namespace discrete {
extern template class Acceleration<system::Assembled<algebra::DenseSpace<1>>>;
extern template class Acceleration<system::Assembled<algebra::DenseSpace<2>>>;
extern template class Acceleration<system::Assembled<algebra::DenseSpace<3>>>;
extern template class Acceleration<system::Assembled<algebra::DenseSpace<4>>>;
extern template class Acceleration<system::Assembled<Full>>;
extern template class Acceleration<system::Assembled<SparseSpace>>;
extern template class Projection<system::Assembled<Full>>;
extern template class Projection<system::Assembled<SparseSpace>>;
extern template StartReport project(Projection<system::Assembled<Full>>&, system::Assembled<Full>&, double, Eigen::VectorXd&,
                                    Eigen::VectorXd&);
extern template StartReport project(Projection<system::Assembled<SparseSpace>>&, system::Assembled<SparseSpace>&, double,
                                    Eigen::VectorXd&, Eigen::VectorXd&);
extern template StartReport project(system::Assembled<Full>&, double, Eigen::VectorXd&, Eigen::VectorXd&);
extern template StartReport project(system::Assembled<SparseSpace>&, double, Eigen::VectorXd&, Eigen::VectorXd&);
}  // namespace discrete

namespace method {
extern template class IntegratorOn<system::Assembled<algebra::DenseSpace<1>>>;
extern template class IntegratorOn<system::Assembled<algebra::DenseSpace<2>>>;
extern template class IntegratorOn<system::Assembled<algebra::DenseSpace<3>>>;
extern template class IntegratorOn<system::Assembled<algebra::DenseSpace<4>>>;
extern template class IntegratorOn<system::Assembled<Full>>;
extern template class IntegratorOn<system::Assembled<SparseSpace>>;
}  // namespace method

}  // namespace actio
