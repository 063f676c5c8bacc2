#pragma once

namespace tests {

// How often this program has asked for memory: operator new, malloc and what Eigen and SuiteSparse call.
long allocations();

}  // namespace tests
