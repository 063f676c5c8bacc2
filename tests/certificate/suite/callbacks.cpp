#include "callbacks.hpp"

#include <actio/system/callbacks.hpp>

namespace certificate {

std::string_view word(Wrong wrong) {
  switch (wrong) {
    case Wrong::twice:
      return "forces twice as large as the energy's";
    case Wrong::half:
      return "forces half as large as the energy's";
    case Wrong::sign:
      return "a force of the wrong sign";
    case Wrong::curl:
      return "forces that have no potential";
    case Wrong::tangent:
      return "a tangent that is off by a third";
    case Wrong::energy:
      return "an energy that lacks a term";
    case Wrong::time:
      return "forces that grow with the time";
    case Wrong::no_energy:
      return "no energy";
    case Wrong::nothing:
      break;
  }
  return "as it should be";
}

void take_callbacks(io::Problem& problem, Wrong wrong) {
  using In = system::Callbacks::In;
  using Out = system::Callbacks::Out;
  system::Callbacks code;
  code.rows = {0, 0, 1, 1};
  code.columns = {0, 1, 0, 1};
  if (wrong != Wrong::no_energy)
    code.energy = [wrong](double, In q) {
      const double s = q[0] * q[0] + q[1] * q[1];
      return s * (s - 1) * (s - 1) - (wrong == Wrong::energy ? 0.3 * q[0] * q[0] : 0);
    };
  code.residual = [wrong](double t, In q, Out r) {
    const double s = q[0] * q[0] + q[1] * q[1], a = 2 * (s - 1) * (3 * s - 1);
    const double f = wrong == Wrong::twice ? 2 : wrong == Wrong::half ? 0.5 : wrong == Wrong::time ? 1 + 0.1 * t : 1;
    r[0] += f * a * q[0];
    r[1] += f * a * q[1] * (wrong == Wrong::sign ? -1 : 1);
    if (wrong == Wrong::curl) r[0] -= 0.05 * q[1], r[1] += 0.05 * q[0];
  };
  code.tangent = [wrong](double t, In q, Out K) {
    const double s = q[0] * q[0] + q[1] * q[1], a = 2 * (s - 1) * (3 * s - 1), b = 8 * (3 * s - 2);
    const double f = wrong == Wrong::twice     ? 2
                     : wrong == Wrong::half    ? 0.5
                     : wrong == Wrong::time    ? 1 + 0.1 * t
                     : wrong == Wrong::tangent ? 0.67
                                               : 1;
    const double g = f * (wrong == Wrong::sign ? -1 : 1), c = wrong == Wrong::curl ? 0.05 : 0;
    K[0] += f * (a + b * q[0] * q[0]);
    K[1] += f * b * q[0] * q[1] - c;
    K[2] += g * b * q[0] * q[1] + c;
    K[3] += g * (a + b * q[1] * q[1]);
  };
  const system::Model read = problem.model;
  problem.model = system::model_of(2, std::move(code));
  problem.model.title = read.title;
  problem.model.mass.kind = system::MassMatrix::Kind::diagonal;
  problem.model.mass.diagonal = Eigen::VectorXd::Ones(2);
}

}  // namespace certificate
