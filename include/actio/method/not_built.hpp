#pragma once
#include <stdexcept>
#include <string>
#include <string_view>

namespace actio::method {

// The method is of a family that this build leaves out: ACTIO_FAMILIES of CMake, the names of files in src/method/make.
class NotBuilt : public std::runtime_error {
 public:
  explicit NotBuilt(std::string_view of)
      : std::runtime_error("this program was built without the methods of the family " + std::string(of) +
                           "; cmake -DACTIO_FAMILIES=ALL builds them"),
        family(of) {}
  std::string family;
};

}  // namespace actio::method
