#include "mesh_builder.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace actio::io {

using system::Cell;
using system::CellBlock;

void MeshBuilder::reserve_nodes(long count) {
  if (count < 0 || count + node_count() > most_nodes) fail_(fmt::format("{} nodes; at most {} can be read", count, most_nodes));
  tags_.reserve(tags_.size() + static_cast<std::size_t>(count));
  places_.reserve(places_.size() + 3 * static_cast<std::size_t>(count));
}

void MeshBuilder::add_node(std::int64_t tag, double x, double y, double z) {
  if (tag < 0) fail_(fmt::format("a node has the negative number {}", tag));
  if (!std::isfinite(x) || !std::isfinite(y) || !std::isfinite(z))
    fail_(fmt::format("node {} is at ({}, {}, {}), not a finite place", tag, x, y, z));
  tags_.push_back(tag);
  places_.insert(places_.end(), {x, y, z});
}

void MeshBuilder::finish_nodes() {
  finished_ = true;
  bool in_a_row = true;
  for (std::size_t k = 1; k < tags_.size() && in_a_row; ++k) in_a_row = tags_[k] == tags_[k - 1] + 1;
  if (in_a_row) return;
  by_tag_.resize(tags_.size());
  for (std::size_t k = 0; k < tags_.size(); ++k) by_tag_[k] = {tags_[k], static_cast<std::int32_t>(k)};
  std::sort(by_tag_.begin(), by_tag_.end());
  for (std::size_t k = 1; k < by_tag_.size(); ++k)
    if (by_tag_[k].first == by_tag_[k - 1].first) fail_(fmt::format("two nodes have the number {}", by_tag_[k].first));
}

std::int32_t MeshBuilder::index_of(std::int64_t tag) const {
  std::size_t index = tags_.size();
  if (by_tag_.empty()) {
    if (!tags_.empty() && tag >= tags_.front() && tag <= tags_.back()) index = static_cast<std::size_t>(tag - tags_.front());
  } else {
    const auto found = std::lower_bound(by_tag_.begin(), by_tag_.end(), std::pair<std::int64_t, std::int32_t>(tag, -1));
    if (found != by_tag_.end() && found->first == tag) index = static_cast<std::size_t>(found->second);
  }
  if (index == tags_.size()) fail_(fmt::format("a cell names node {}; there is no such node", tag));
  return static_cast<std::int32_t>(index);
}

MeshBuilder::Where MeshBuilder::add_cell(Cell cell, std::int64_t number, std::span<const std::int64_t> nodes,
                                         std::span<const int> order) {
  std::int32_t& block = block_of_[static_cast<std::size_t>(cell)];
  if (block < 0) {
    block = static_cast<std::int32_t>(blocks_.size());
    blocks_.push_back({cell, {}});
  }
  std::vector<std::int32_t>& all = blocks_[static_cast<std::size_t>(block)].nodes;
  const long c = blocks_[static_cast<std::size_t>(block)].size();
  if (c >= most_cells) fail_(fmt::format("more than {} cells of one kind", most_cells));
  const std::size_t first = all.size();
  for (std::size_t a = 0; a < nodes.size(); ++a) {
    const std::int64_t tag = nodes[order.empty() ? a : static_cast<std::size_t>(order[a])];
    const std::int32_t node = index_of(tag);
    if (std::find(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(), node) != all.end())
      fail_(fmt::format("a {} has node {} twice", system::name_of(cell), tag));
    all.push_back(node);
  }
  blocks_[static_cast<std::size_t>(block)].numbers.push_back(number);
  return {block, static_cast<std::int32_t>(c)};
}

void MeshBuilder::merge_equal_cells() {
  std::vector<std::vector<std::int32_t>> stays(blocks_.size());  // cell -> the cell it becomes
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    CellBlock& block = blocks_[b];
    const auto width = static_cast<std::size_t>(system::nodes_of(block.cell));
    const auto size = static_cast<std::size_t>(block.size());
    const auto nodes = [&](std::int32_t c) { return std::span(block.nodes).subspan(static_cast<std::size_t>(c) * width, width); };
    std::vector<std::int32_t> order(size), first(size);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t c, std::int32_t d) {
      return std::lexicographical_compare(nodes(c).begin(), nodes(c).end(), nodes(d).begin(), nodes(d).end());
    });
    for (std::size_t k = 0; k < size; ++k) {
      const bool again = k > 0 && std::equal(nodes(order[k]).begin(), nodes(order[k]).end(), nodes(order[k - 1]).begin());
      first[static_cast<std::size_t>(order[k])] = again ? first[static_cast<std::size_t>(order[k - 1])] : order[k];
    }
    stays[b].resize(size);
    std::size_t kept = 0;
    for (std::size_t c = 0; c < size; ++c) {
      if (first[c] != static_cast<std::int32_t>(c)) {
        stays[b][c] = stays[b][static_cast<std::size_t>(first[c])];
        continue;
      }
      std::copy_n(block.nodes.begin() + static_cast<std::ptrdiff_t>(c * width), width,
                  block.nodes.begin() + static_cast<std::ptrdiff_t>(kept * width));
      block.numbers[kept] = block.numbers[c];
      stays[b][c] = static_cast<std::int32_t>(kept++);
    }
    block.nodes.resize(kept * width);
    block.numbers.resize(kept);
  }
  for (auto& [group, cells] : cells_)
    for (auto& [block, cell] : cells) cell = stays[static_cast<std::size_t>(block)][static_cast<std::size_t>(cell)];
}

system::Mesh MeshBuilder::finish() {
  if (blocks_.empty()) fail_("there are no cells in it");
  system::Mesh mesh;
  mesh.points = Eigen::Map<const Eigen::Matrix3Xd>(places_.data(), 3, static_cast<Eigen::Index>(tags_.size()));
  mesh.blocks = std::move(blocks_);
  std::map<std::pair<int, std::string>, std::size_t> known;
  for (auto& [group, cells] : cells_) {
    const auto named = names_.find(group);
    std::string name = named == names_.end() || named->second.empty() ? fmt::format("{}", group.second) : named->second;
    const auto [at, is_new] = known.try_emplace({group.first, name}, mesh.groups.size());
    if (is_new) mesh.groups.push_back({std::move(name), group.first, {}});
    auto& all = mesh.groups[at->second].cells;
    all.insert(all.end(), cells.begin(), cells.end());
  }
  for (auto& group : mesh.groups) {
    std::sort(group.cells.begin(), group.cells.end());
    group.cells.erase(std::unique(group.cells.begin(), group.cells.end()), group.cells.end());
  }
  return mesh;
}

}  // namespace actio::io
