#pragma once
#include <Eigen/Core>
#include <actio/method/linearisation.hpp>
#include <string>

namespace actio::method {

// The lowest frequencies w [rad/s] of modes that meet stiffness, M u'' + K u = 0: rigid modes are not counted.
struct ElasticFrequencies {
  std::string why_not;    // "", or why they are not known: one grows, there are fewer, they were not found
  Eigen::VectorXd omega;  // (count) increasing
};
ElasticFrequencies elastic_frequencies(const Linearisation& motion, long count);

}  // namespace actio::method
