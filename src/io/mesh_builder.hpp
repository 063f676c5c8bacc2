#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <actio/system/mesh.hpp>

namespace actio::io {

constexpr long most_nodes = 700'000'000;    // 3 coordinates each, counted by 32 bits
constexpr long most_cells = 2'000'000'000;  // of one kind

// What a mesh file says, piece by piece, and the Mesh it makes. Nodes and groups by the numbers of the file. `fail` throws an
// error at the place that is being read.
class MeshBuilder {
 public:
  using Where = std::pair<std::int32_t, std::int32_t>;  // (block, cell)

  explicit MeshBuilder(std::function<void(const std::string&)> fail) : fail_(std::move(fail)), block_of_(13, -1) {}

  // All nodes come before the first cell.
  void reserve_nodes(long count);
  void add_node(std::int64_t tag, double x, double y, double z);
  void finish_nodes();
  bool has_nodes() const { return finished_; }
  long node_count() const { return static_cast<long>(tags_.size()); }

  // The cell's node a is nodes[order[a]]; an empty order leaves them as they are.
  // `number`: what the file calls it.
  Where add_cell(system::Cell cell, std::int64_t number, std::span<const std::int64_t> nodes, std::span<const int> order);

  void name_group(int dimension, std::int64_t tag, std::string name) { names_[{dimension, tag}] = std::move(name); }
  void add_to_group(int dimension, std::int64_t tag, Where where) { cells_[{dimension, tag}].push_back(where); }

  // Cells of the same nodes in the same order become one, in the groups of all of them.
  void merge_equal_cells();
  system::Mesh finish();

 private:
  using Group = std::pair<int, std::int64_t>;  // dimension, tag

  std::int32_t index_of(std::int64_t tag) const;

  std::function<void(const std::string&)> fail_;
  std::vector<std::int64_t> tags_;
  std::vector<double> places_;                                 // (3 x nodes)
  std::vector<std::pair<std::int64_t, std::int32_t>> by_tag_;  // empty where tags count on by one
  bool finished_ = false;
  std::vector<system::CellBlock> blocks_;
  std::vector<std::int32_t> block_of_;  // of a kind of cell; -1: none yet
  std::map<Group, std::string> names_;
  std::map<Group, std::vector<Where>> cells_;
};

}  // namespace actio::io
