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

template class Assembled<algebra::DenseSpace<1>>;
template class Assembled<algebra::DenseSpace<2>>;
template class Assembled<algebra::DenseSpace<3>>;
template class Assembled<algebra::DenseSpace<4>>;

}  // namespace actio::system
