#pragma once
#include <Eigen/Core>
#include <actio/expr/kernel.hpp>
#include <actio/system/model.hpp>
#include <string>

// Contacts of a model before a run, and by name. What a run makes of them is in Integrator::impacts().
namespace actio::method {

// Throws core::InputError where a gap is below 0 by more than rounding: the bodies overlap.
void check_open(const system::Model& model, const Eigen::VectorXd& q, const expr::CompileOptions& options = {});

// Of the gap of that number: "floor", or "ball[3]".
std::string contact_name(const system::Model& model, long number);

}  // namespace actio::method
