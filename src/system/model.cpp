#include <fmt/format.h>

#include <actio/core/error.hpp>
#include <actio/system/mechanical.hpp>
#include <actio/system/model.hpp>

namespace actio::system {

std::string Model::coordinate_name(long i) const {
  for (const Family& family : families)
    if (i >= family.offset && i < family.offset + family.size)
      return family.indexed ? fmt::format("{}[{}]", family.name, i - family.offset) : family.name;
  return fmt::format("coordinate {}", i);
}

void throw_not_positive_definite() { throw core::InputError("mass is not positive definite"); }

}  // namespace actio::system
