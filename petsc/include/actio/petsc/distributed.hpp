#pragma once
#include <petscsys.h>

#include <actio/method/integrator.hpp>
#include <actio/method/statics.hpp>
#include <actio/petsc/partition.hpp>
#include <memory>
#include <string>

namespace actio::petsc {

// "" where a model can be distributed over processes with a method, else why not: "midpoint takes constraints on one process
// only; ...".
std::string why_not_distributed(const system::Model& model, const method::Spec& spec);
// The same of a model alone: what no method distributes.
std::string why_not_distributed(const system::Model& model);

// The method on a model distributed over the processes of comm (distributed_model.hpp). Every rank has all of `model` and makes
// the same calls in the same order; snapshots are of the whole state, the same on all. Collective. Throws core::InputError on all
// ranks where why_not_distributed or method::why_incompatible say something, and where there are more ranks than nodes.
// `partition` becomes how the coordinates were dealt out.
std::unique_ptr<method::Integrator> make_integrator(MPI_Comm comm, const system::Model& model, const method::Spec& spec,
                                                    const method::BuildOptions& options = {}, Partition* partition = nullptr);

// method::equilibrium over the processes of comm, which all get the same. Collective. Throws core::InputError on all ranks as
// that does, and where the model cannot be distributed or there are more ranks than nodes.
method::Statics equilibrium(MPI_Comm comm, const system::Model& model, double t, const Eigen::VectorXd& q0,
                            const expr::CompileOptions& options = {});

}  // namespace actio::petsc
