#pragma once
#include <actio/c/actio.h>

#include <actio/system/model.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

// A code with a C interface as a model.
namespace actio::c {

// What the functions of the code have said since it was cleared. Shared with the model that calls them.
struct Calls {
  const char* function = nullptr;  // the last that failed; null: none did
  int code = 0;
  double t = 0;
  bool stopped = false;  // one said "never again": none is called
  void clear() { *this = {}; }
  // Whether that is why a step of h from `from` failed; another step may have been made in spite of a "not here".
  bool explain(double from, double h) const;
  std::string words() const;  // "residual returned -3 at t = 0.5"; not when none failed
};

// Copies what `code` points to, but `user`. Throws core::InputError for what is missing or does not fit.
system::Model model_of(const actio_code& code, std::shared_ptr<Calls> calls);

// A checksum of all that it has but the functions and `user`, of a code that model_of takes.
std::uint32_t checksum(const actio_code& code);

}  // namespace actio::c
