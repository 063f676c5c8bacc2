#include <actio/system/mesh_part.hpp>

#include <actio/system/finite_elements.hpp>

namespace actio::system {

MeshPart part_of(const Mesh& mesh, const std::vector<std::vector<bool>>& chosen) {
  MeshPart out;
  std::vector<std::int32_t> number(static_cast<std::size_t>(mesh.points.cols()), -1);
  const auto for_each = [&](auto&& f) {  // f(block, cell)
    for (std::size_t b = 0; b < chosen.size(); ++b)
      for (std::size_t c = 0; c < chosen[b].size(); ++c)
        if (chosen[b][c]) f(static_cast<std::int32_t>(b), static_cast<std::int32_t>(c));
  };
  for_each([&](std::int32_t b, std::int32_t c) {
    for (const std::int32_t a : nodes_of(mesh, {b, c})) number[static_cast<std::size_t>(a)] = 0;
  });
  for (std::size_t a = 0; a < number.size(); ++a)
    if (number[a] == 0) {
      number[a] = static_cast<std::int32_t>(out.nodes.size());
      out.nodes.push_back(static_cast<std::int32_t>(a));
    }
  out.mesh.points = mesh.points(Eigen::all, out.nodes);

  std::vector<std::vector<std::int32_t>> cell_number;
  for (const CellBlock& block : mesh.blocks) {
    out.mesh.blocks.push_back({block.cell, {}});
    cell_number.emplace_back(static_cast<std::size_t>(block.size()), -1);
  }
  for_each([&](std::int32_t b, std::int32_t c) {
    const CellBlock& from = mesh.blocks[static_cast<std::size_t>(b)];
    CellBlock& to = out.mesh.blocks[static_cast<std::size_t>(b)];
    cell_number[static_cast<std::size_t>(b)][static_cast<std::size_t>(c)] = static_cast<std::int32_t>(to.size());
    for (const std::int32_t a : nodes_of(mesh, {b, c})) to.nodes.push_back(number[static_cast<std::size_t>(a)]);
    if (!from.numbers.empty()) to.numbers.push_back(from.numbers[static_cast<std::size_t>(c)]);
  });
  for (const CellGroup& group : mesh.groups) {
    out.mesh.groups.push_back({group.name, group.dimension, {}});
    for (const auto& [b, c] : group.cells)
      if (const std::int32_t at = cell_number[static_cast<std::size_t>(b)][static_cast<std::size_t>(c)]; at >= 0)
        out.mesh.groups.back().cells.emplace_back(b, at);
  }
  return out;
}

}  // namespace actio::system
