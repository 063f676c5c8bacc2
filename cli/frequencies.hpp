#pragma once
#include <actio/invariant/json.hpp>
#include <actio/session/frequencies.hpp>
#include <vector>

#include "commands.hpp"
#include "describe.hpp"

namespace actio::cli {

void describe(const session::Linearised& linearised, const Session& session, std::vector<Fact>& out);
void write(const session::Linearised& linearised, invariant::Json& j);

}  // namespace actio::cli
