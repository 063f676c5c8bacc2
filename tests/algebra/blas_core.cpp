#include <actio/algebra/blas_core.hpp>

#include <gtest/gtest.h>

using namespace actio::algebra;

TEST(BlasCore, IsChosenAnewForAProcessorTakenForAnOldOne) {
  EXPECT_EQ(better_blas_core("Prescott", {.avx512 = true, .avx2 = true}), "SkylakeX");
  EXPECT_EQ(better_blas_core("Nehalem", {.avx512 = false, .avx2 = true}), "Haswell");
  EXPECT_EQ(better_blas_core("Sandybridge", {.avx512 = false, .avx2 = true}), "Haswell");
}

TEST(BlasCore, StaysWhereItIsWellChosenOrNotKnown) {
  EXPECT_EQ(better_blas_core("Prescott", {}), "");
  for (const char* core : {"SkylakeX", "Cooperlake", "SapphireRapids", "Haswell", "Zen", "a later one", ""})
    EXPECT_EQ(better_blas_core(core, {.avx512 = true, .avx2 = true}), "") << core;
}
