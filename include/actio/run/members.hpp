#pragma once
#include <actio/expr/graph.hpp>
#include <actio/method/lanes.hpp>
#include <actio/run/histogram.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

// The members of an ensemble: what differs between them, and what is asked of them all.
namespace actio::run {

struct Members {
  long first = 0, count = 0;                    // members first, first + 1, ...
  std::vector<int> varied;                      // parameters that differ, by number, ascending
  std::vector<std::vector<double>> parameters;  // their values, (count) each
  std::vector<std::vector<double>> q0, v0;      // by coordinate, (count) each

  // Of the parameters that differ. `of_model` are the names of all parameters.
  std::vector<std::string> varied_names(const std::vector<std::string>& of_model) const {
    std::vector<std::string> out;
    for (const int k : varied) out.push_back(of_model[static_cast<std::size_t>(k)]);
    return out;
  }
};

// An expression of a member's state. Columns of its graph: q (n), then v (n). Uniforms: the time, then the parameters.
struct MemberOutput {
  std::string name;
  expr::Graph graph;
  expr::Id value = -1;
  std::optional<Bins> bins;
};

struct MemberStop : method::LaneStop {
  std::optional<Bins> bins;  // of the times they stopped at
};

}  // namespace actio::run
