#include <gtest/gtest.h>

#include <actio/petsc/error.hpp>
#include <cstdio>
#include <memory>

// The tests on every rank; the first says what passes, the others only what fails.
namespace {

class Failures : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (result.failed()) std::printf("%s:%d: %s\n", result.file_name(), result.line_number(), result.message());
  }
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const actio::petsc::Session session(argc, argv);
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank > 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(std::make_unique<Failures>().release());
  }
  return RUN_ALL_TESTS();
}
