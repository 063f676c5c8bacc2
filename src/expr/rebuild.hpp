#pragma once
#include <map>
#include <vector>

#include <actio/expr/graph.hpp>

// Walks over what a node is built from.
namespace actio::expr {

// Which nodes up to f it is built from.
std::vector<char> reachable(const Graph& g, Id f);
// f with nodes replaced by others of the same graph.
Id replace(Graph& g, Id f, const std::map<Id, Id>& images);

}  // namespace actio::expr
