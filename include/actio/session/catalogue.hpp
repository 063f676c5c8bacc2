#pragma once
#include <string>

namespace actio::session {

// Every method: name, summary, equation, order, what it conserves, where it is from, its fields with defaults and limits, and
// those of a composition under "composition". As JSON, for `actio list --json` and the classes of the Python package.
std::string catalogue_json();

}  // namespace actio::session
