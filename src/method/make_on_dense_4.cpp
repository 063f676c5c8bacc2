#include "integrator_of.hpp"
namespace actio::method {
template std::unique_ptr<Integrator> make_on<algebra::DenseSpace<4>>(std::shared_ptr<const system::CompiledModel>, const Spec&);
}
