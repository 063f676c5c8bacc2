#pragma once
#include <string>

namespace actio::session {

// Every method: name, summary, equation, order, what it conserves, where it is from, its traits, its fields with defaults and
// limits, and those of a composition under "composition". As JSON, for `actio list --json` and the classes of the Python package.
std::string catalogue_json();

// The tables of a problem file with their keys, and the words that keys take with what they are (io/vocabulary.hpp). As JSON, for
// `actio list keys --json` and `actio list kinds --json`.
std::string keys_json();
std::string kinds_json();

}  // namespace actio::session
