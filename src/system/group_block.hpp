#pragma once
#include "../algebra/lanes.hpp"

namespace actio::system {

constexpr double singular_group = 1e-14;  // the smallest pivot beside the largest, rows scaled
constexpr int most_group_entries = 64, most_group_coordinates = 48;

struct GroupProduct {
  std::int32_t of_G, of_G0;  // entries of one coordinate
};

// Up to 8 * packs groups of one shape. Arrays are of vectors of eight groups, row c of an array at c * packs.
struct GroupBlock {
  int rows, coordinates, entries;
  long packs, here;                    // here: groups; those beyond are copies of the last
  const std::int32_t* row_starts;      // (rows + 1) entries of each row of G
  const std::int32_t* coordinate;      // (entries)
  const std::int32_t* product_starts;  // (rows * rows + 1) entry (k, l) of G M^-1 G0' at k * rows + l
  const GroupProduct* products;
  const algebra::LaneSlots *places, *multipliers;  // where they are in vectors of all
  const algebra::StoredLanes* inverse;             // M^-1
  algebra::StoredLanes *q0, *q, *p, *G0, *G, *g, *eta;
};

}  // namespace actio::system
