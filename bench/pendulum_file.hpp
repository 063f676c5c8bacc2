#pragma once
#include <actio/method/integrator.hpp>
#include <functional>

#include "pendulum_system.hpp"

namespace bench {

// f(h, count): where the pendulum of pendulum_system.hpp is after so many steps, read from a problem file. A source of its own:
// the compiler inlines less in one that holds much else, and the systems in C++ are timed as a program of their own has them.
std::function<DoublePendulum::Vector(double, long)> pendulum_from_file(const actio::method::AnyMethod& choice);

}  // namespace bench
