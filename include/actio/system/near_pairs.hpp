#pragma once
#include <array>
#include <vector>

#include <actio/expr/graph.hpp>

// Pairs of points that interact no farther than a cutoff: their energy is 0 beyond it. The sum over all pairs and that over a
// list of those that are near are the same; the list takes less time.
namespace actio::system {

struct NearPairs {
  // Point k has the coordinate offset + stride k along an axis.
  struct Axis {
    long offset = 0, stride = 1;
    double period = 0;  // of a periodic box; 0: space goes on
  };
  std::vector<Axis> axes;  // two or three
  long points = 0;
  double cutoff = 0, skin = 0;
  // In the graph of the function whose value is where(near < 0, inside, 0): these two.
  expr::Id near = -1, inside = -1;
  // What the energy of a pair at the cutoff is of the interaction it is a part of, where the rest is another sum; 1: it is all.
  double share = 1;
};

// Few points: the loops over all pairs are as fast.
constexpr long worth_a_list = 128;
// What takes all pairs in place of a list, as second derivatives do, takes no more than these.
constexpr long most_of_all_pairs = 5'000'000;

// Which pairs (i, j), i < j, may be near: all that are within the cutoff, and some more, so that the list holds until a point has
// moved by half of the skin. Found by cells (M. P. Allen, D. J. Tildesley, Computer Simulation of Liquids, 5.3).
class PairList {
 public:
  // Makes it hold for the coordinates q. False: some coordinate is not finite, or so large that the box is lost in its rounding.
  bool update(const NearPairs& pairs, const double* q);
  // Row i: j()[k] for k from starts()[i] to starts()[i + 1] - 1, increasing.
  const long* starts() const { return starts_.data(); }
  const int* j() const { return j_.data(); }
  long builds() const { return builds_; }

 private:
  bool holds(const NearPairs& pairs, const double* q) const;
  bool build(const NearPairs& pairs, const double* q);
  struct Pair {
    int i, j;
  };
  std::vector<double> at_;  // (points x axes): where the points were
  std::vector<long> starts_;
  std::vector<int> j_;
  long builds_ = 0;
  // Of a build: points by cells, with their places in the box.
  std::vector<std::array<double, 3>> places_;
  std::array<std::vector<double>, 3> sorted_;
  std::vector<int> cell_, first_, order_;
  std::vector<std::vector<Pair>> found_;
};

}  // namespace actio::system
