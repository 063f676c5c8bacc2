#pragma once
#include <actio/system/finite_elements.hpp>

namespace actio::system {

// Cells of one kind in an order in which those that follow one another lie together, boxes in boxes, where the order they came in
// is not much like that: of large meshes only. Threads then take parts of the solid that have little in common.
void put_in_order(const Mesh& mesh, Cells& cells);

}  // namespace actio::system
