#pragma once
#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <memory>
#include <string>

#include "hand.hpp"

// A problem file read once, stepped in batches as a run does.
namespace bench {

class FromFile {
 public:
  FromFile(const std::string& path, const std::string& method, const actio::method::BuildOptions& options = {})
      : problem_(actio::io::load(path, {{}, method})), integrator_(make_integrator(problem_.model, problem_.method, options)) {}

  Phase operator()(const Phase& s, double h, long steps) {
    q_ << s.x, s.y;
    v_ << s.u, s.v;
    integrator_->start(0, q_, v_);
    const auto report = integrator_->advance(steps, h);
    integrator_->snapshot(end_);
    return {end_.q[0], end_.q[1], end_.v[0], end_.v[1], report.ok ? report.iterations : -1};
  }

 private:
  actio::io::Problem problem_;
  std::unique_ptr<actio::method::Integrator> integrator_;
  actio::method::Snapshot end_;
  Eigen::VectorXd q_{2}, v_{2};
};

}  // namespace bench
