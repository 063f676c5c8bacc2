#pragma once
#include <actio/expr/pairs.hpp>
#include <actio/system/element_function.hpp>
#include <actio/system/near_pairs.hpp>
#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

// Elements that are pairs of indices, such as i = 0..N-1, j = i+1..N-1: element e is the e-th pair (i, j), row by row. Nothing is
// stored for a pair.
namespace actio::system {

// Nodes of an energy's graph: the loops of a larger one would take long to compile.
constexpr std::size_t longest_of_pairs = 400;

struct Pairs {
  Pairs(expr::PairLoops of, std::vector<expr::Affine> dof, std::vector<expr::Affine> datum);

  expr::PairLoops loops;
  std::vector<expr::Affine> dofs;   // (locals): the coordinate
  std::vector<expr::Affine> data;   // (data columns): the entry of the table
  std::vector<long> starts;         // of each i the number of its first element, then how many there are
  std::optional<NearPairs> near{};  // where the function is 0 beyond a cutoff

  long elements() const { return starts.back(); }
  std::pair<long, long> place(long e) const {  // (i, j)
    const long row = std::upper_bound(starts.begin(), starts.end(), e) - starts.begin() - 1, i = loops.first + row;
    return {i, loops.from(i, 0) + (e - starts[static_cast<std::size_t>(row)])};
  }
  // f(k, i, j, length): elements e + k, e + k + 1, ... of [e, e + count) are (i, j), (i, j + 1), ...
  template <class F>
  void for_each_run(long e, long count, F&& f) const {
    auto [i, j] = place(e);
    for (long k = 0; k < count; ++i) {
      const long length = std::min(count - k, starts[static_cast<std::size_t>(i - loops.first) + 1] - (e + k));
      if (length > 0) f(k, i, j, length);
      k += length;
      j = loops.from(i + 1, 0);
    }
  }
  std::pair<long, long> range_of_j() const;  // the lowest and the highest
};

struct Term;
// Whether the forces and the energy of a term go by a list of near pairs. Else all pairs are tried: few points, or coordinates
// beside those of the two points.
bool takes_a_list(const Term& term);
// Throws core::InputError where a function of near pairs has too many pairs to take all of them; `why` says what does.
void need_few_pairs(const ElementFunction& function, const char* why);

}  // namespace actio::system
