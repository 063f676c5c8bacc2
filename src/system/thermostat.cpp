#include <actio/system/thermostat.hpp>

namespace actio::system {

bool Thermostat::acts() const {
  switch (friction.kind) {
    case MassMatrix::Kind::diagonal:
      return (friction.diagonal.array() != 0).any();
    case MassMatrix::Kind::full:
      return friction.full.nonZeros() > 0;
    case MassMatrix::Kind::none:
      break;
  }
  return rate != 0;
}

}  // namespace actio::system
