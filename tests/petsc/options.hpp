#pragma once
#include <petscsys.h>

#include <actio/petsc/error.hpp>
#include <string>
#include <utility>
#include <vector>

namespace actio::test {

// Options of PETSc, name and value in turn, taken back at the end.
class Options {
 public:
  explicit Options(std::vector<std::string> words) : words_(std::move(words)) {
    for (std::size_t k = 0; k < words_.size(); k += 2)
      petsc::check(PetscOptionsSetValue(nullptr, words_[k].c_str(), words_[k + 1].c_str()));
  }
  ~Options() {
    for (std::size_t k = 0; k < words_.size(); k += 2) (void)PetscOptionsClearValue(nullptr, words_[k].c_str());
  }
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

 private:
  std::vector<std::string> words_;
};

}  // namespace actio::test
