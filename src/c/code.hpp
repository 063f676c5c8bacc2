#pragma once
#include <actio/c/actio.h>

#include <actio/system/model.hpp>
#include <memory>
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
  std::string words() const;  // "residual returned -3 at t = 0.5"; not when none failed
};

// Copies what `code` points to, but `user`. Throws core::InputError for what is missing or does not fit.
system::Model model_of(const actio_code& code, std::shared_ptr<Calls> calls);

}  // namespace actio::c
