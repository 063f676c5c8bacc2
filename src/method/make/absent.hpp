#pragma once
#include <actio/method/not_built.hpp>

#include "make.hpp"

// What CMake writes in the place of a family's ACTIO_MAKE where the build leaves the family out.
#define ACTIO_ABSENT_MAKE(family, M)                                                                                         \
  template <>                                                                                                                \
  std::unique_ptr<actio::method::Integrator> actio::method::make(const M&, const actio::system::Model&, const BuildOptions&, \
                                                                 std::vector<double>) {                                      \
    throw NotBuilt(family);                                                                                                  \
  }
#define ACTIO_ABSENT_MAKE_CONSTRAINED(family, M)                                                                               \
  template <>                                                                                                                  \
  std::unique_ptr<actio::method::Integrator> actio::method::make_constrained(const M&, const Compiled&, std::vector<double>) { \
    throw NotBuilt(family);                                                                                                    \
  }
