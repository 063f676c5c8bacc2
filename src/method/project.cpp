#include "integrator_of.hpp"

namespace actio::discrete {
ACTIO_PROJECT(algebra::DenseSpace<1>);
ACTIO_PROJECT(algebra::DenseSpace<2>);
ACTIO_PROJECT(algebra::DenseSpace<3>);
ACTIO_PROJECT(algebra::DenseSpace<4>);
ACTIO_PROJECT(algebra::DenseSpace<Eigen::Dynamic>);
ACTIO_PROJECT(algebra::SparseSpace);
}  // namespace actio::discrete
