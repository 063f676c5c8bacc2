#include "assembled/callbacks.hpp"
#include "assembled/constraints.hpp"
#include "assembled/energies.hpp"
#include "assembled/forces.hpp"
#include "assembled/lagrangian.hpp"
#include "assembled/prescribed.hpp"
#include "assembled/state.hpp"
#include "assembled/sweep.hpp"
#include "assembled/third.hpp"

namespace actio::system {

template class Assembled<algebra::DenseSpace<Eigen::Dynamic>>;
template class Assembled<algebra::SparseSpace>;

}  // namespace actio::system
