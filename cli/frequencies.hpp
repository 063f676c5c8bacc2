#pragma once
#include <actio/invariant/json.hpp>
#include <actio/method/frequencies.hpp>
#include <vector>

#include "describe.hpp"
#include "session.hpp"

namespace actio::cli {

// The frequencies of a problem linearised at its start, and what they ask of its method's steps.
struct Linearised {
  method::Frequencies of;
  std::string why_no_limit;  // "", or why no step can be named
  double limit = 0;          // of h highest [1], of the method: 0 where every step grows, infinite where none does
  double step = 0;           // the largest of the problem [s]

  bool stable() const { return !(step * of.highest > limit); }
};
Linearised linearise(const Session& session, const Arguments& arguments);
void describe(const Linearised& linearised, const Session& session, std::vector<Fact>& out);
void write(const Linearised& linearised, invariant::Json& j);

}  // namespace actio::cli
