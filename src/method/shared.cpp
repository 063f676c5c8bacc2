#include "shared.hpp"

namespace actio {

namespace solve {
template class Factorisations<algebra::DenseSpace<1>>;
template class ConstrainedNewton<algebra::DenseSpace<1>, algebra::KktOf<algebra::DenseSpace<1>>>;
template class Factorisations<algebra::DenseSpace<2>>;
template class ConstrainedNewton<algebra::DenseSpace<2>, algebra::KktOf<algebra::DenseSpace<2>>>;
template class Factorisations<algebra::DenseSpace<3>>;
template class ConstrainedNewton<algebra::DenseSpace<3>, algebra::KktOf<algebra::DenseSpace<3>>>;
template class Factorisations<algebra::DenseSpace<4>>;
template class ConstrainedNewton<algebra::DenseSpace<4>, algebra::KktOf<algebra::DenseSpace<4>>>;
template class Newton<Full>;
template class Factorisations<Full>;
template class ConstrainedNewton<Full, algebra::KktOf<Full>>;
template class Newton<SparseSpace>;
template class Factorisations<SparseSpace>;
template class ConstrainedNewton<SparseSpace, algebra::KktOf<SparseSpace>>;
}  // namespace solve

namespace discrete {
template class Acceleration<system::Assembled<algebra::DenseSpace<1>>>;
template class Acceleration<system::Assembled<algebra::DenseSpace<2>>>;
template class Acceleration<system::Assembled<algebra::DenseSpace<3>>>;
template class Acceleration<system::Assembled<algebra::DenseSpace<4>>>;
template class Acceleration<system::Assembled<Full>>;
template class Acceleration<system::Assembled<SparseSpace>>;
template class Projection<system::Assembled<Full>>;
template class Projection<system::Assembled<SparseSpace>>;
template StartReport project(system::Assembled<Full>&, double, Eigen::VectorXd&, Eigen::VectorXd&);
template StartReport project(Projection<system::Assembled<Full>>&, system::Assembled<Full>&, double, Eigen::VectorXd&,
                             Eigen::VectorXd&);
template StartReport project(Projection<system::Assembled<SparseSpace>>&, system::Assembled<SparseSpace>&, double,
                             Eigen::VectorXd&, Eigen::VectorXd&);
template StartReport project(system::Assembled<SparseSpace>&, double, Eigen::VectorXd&, Eigen::VectorXd&);

StartReport project(const system::CompiledModel& model, double t, Eigen::VectorXd& q, Eigen::VectorXd& v) {
  const std::shared_ptr<const system::CompiledModel> same(std::shared_ptr<void>(), &model);
  system::Assembled<Full> system(same, system::layout<Full>(model, true));
  return project(system, t, q, v);
}
}  // namespace discrete

namespace method {
template class IntegratorOn<system::Assembled<algebra::DenseSpace<1>>>;
template class IntegratorOn<system::Assembled<algebra::DenseSpace<2>>>;
template class IntegratorOn<system::Assembled<algebra::DenseSpace<3>>>;
template class IntegratorOn<system::Assembled<algebra::DenseSpace<4>>>;
template class IntegratorOn<system::Assembled<Full>>;
template class IntegratorOn<system::Assembled<SparseSpace>>;
}  // namespace method

}  // namespace actio
