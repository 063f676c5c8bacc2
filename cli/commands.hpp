#pragma once
#include <actio/session/session.hpp>
#include <string>

#include "arguments.hpp"

// One file a command; each returns an exit code and throws core::InputError for wrong input.
namespace actio::cli {

using session::Execution;
using session::OneProcess;
using session::Session;

session::Choices choices(const Arguments& arguments);
// Throws core::InputError when no method has that name; `where` is "", or the option that named it.
void require_method(const std::string& name, const std::string& where = {});

int run(const Arguments& arguments, Execution& execution);
int resume(const Arguments& arguments, Execution& execution);
int check(const Arguments& arguments);
int modes(const Arguments& arguments);
int compare(const Arguments& arguments);
int advise(const Arguments& arguments);
int sweep(const Arguments& arguments);
int list(const Arguments& arguments);
int explain(const Arguments& arguments);
int spectral(const Arguments& arguments);

}  // namespace actio::cli
