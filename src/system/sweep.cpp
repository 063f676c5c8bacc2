#include "sweep.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace actio::system {
namespace {

using Action = Sweep::Action;

constexpr long smallest_range = 1 << 14;  // coordinates
constexpr long fewest_ranges = 4;         // for threads
constexpr std::size_t most_taken = 12;    // of a piece, on average
constexpr double most_joined = 1.0 / 16;  // of the elements: they run on one thread

// Elements [begin, end) of a batch, and the blocks of coordinates that they take: blocks[first], ..., blocks[last - 1] of Pieces.
struct Piece {
  std::int32_t batch;
  long begin, end;
  std::size_t first, last;
  double in_batch;   // its middle, from 0 to 1
  double in_memory;  // the middle of its blocks
};

struct Pieces {
  std::vector<Piece> all;  // those of several batches side by side
  std::vector<std::int32_t> blocks;
  long elements = 0;

  template <class F>
  void for_each_block(const Piece& piece, F&& f) const {
    for (std::size_t k = piece.first; k < piece.last; ++k) f(static_cast<std::size_t>(blocks[k]));
  }
};

void add_blocks(const Batch& b, long begin, long end, std::vector<std::int32_t>& to) {
  const std::size_t first = to.size();
  const auto block = [](long i) { return static_cast<std::int32_t>(i / Sweep::coordinates); };
  for (long l = 0; l < b.locals; ++l) {
    if (const long dof = b.contiguous[static_cast<std::size_t>(l)]; dof >= 0) {
      for (auto k = block(dof + begin); k <= block(dof + end - 1); ++k) to.push_back(k);
      continue;
    }
    const std::int32_t* const dof = b.dofs.data() + l * b.elements;
    for (long e = begin; e < end; ++e)
      if (const auto k = block(dof[e]); to.size() == first || to.back() != k) to.push_back(k);
  }
  std::sort(to.begin() + static_cast<long>(first), to.end());
  to.erase(std::unique(to.begin() + static_cast<long>(first), to.end()), to.end());
}

Pieces pieces_of(const std::vector<Batch>& batches) {
  Pieces out;
  for (std::size_t j = 0; j < batches.size(); ++j) {
    const Batch& b = batches[j];
    out.elements += b.elements;
    for (long e = 0; e < b.elements; e += Sweep::elements) {
      const long end = std::min(e + Sweep::elements, b.elements);
      const std::size_t first = out.blocks.size();
      add_blocks(b, e, end, out.blocks);
      const double memory = first == out.blocks.size() ? 0 : 0.5 * (out.blocks[first] + out.blocks.back());
      out.all.push_back({static_cast<std::int32_t>(j), e, end, first, out.blocks.size(),
                         static_cast<double>(e + end) / (2 * static_cast<double>(b.elements)), memory});
    }
  }
  return out;
}

// Writes the tasks of a sweep once it is known which range has which piece.
class Writer {
 public:
  Writer(const Pieces& pieces, long n)
      : pieces_(pieces),
        n_(n),
        left_(static_cast<std::size_t>((n + Sweep::coordinates - 1) / Sweep::coordinates)),
        drifted_(left_.size()) {
    for (const std::int32_t k : pieces.blocks) ++left_[static_cast<std::size_t>(k)];
  }
  void begin_range() { sweep_.starts.push_back(static_cast<long>(sweep_.tasks.size())); }
  void piece(const Piece& piece) {
    pieces_.for_each_block(piece, [&](std::size_t k) {
      if (!std::exchange(drifted_[k], 1)) add(Action::drift, k);
    });
    sweep_.tasks.push_back({Action::push, piece.batch, piece.begin, piece.end});
    pieces_.for_each_block(piece, [&](std::size_t k) {
      if (--left_[k] == 0) add(Action::kick, k);
    });
  }
  void free_block(std::size_t k) {  // that no element takes
    add(Action::drift, k);
    add(Action::kick, k);
  }
  bool is_free(std::size_t k) const { return left_[k] == 0 && !drifted_[k]; }
  std::size_t blocks() const { return left_.size(); }
  Sweep take() { return std::move(sweep_); }

 private:
  void add(Action action, std::size_t block) {
    const long begin = static_cast<long>(block) * Sweep::coordinates, end = std::min(begin + Sweep::coordinates, n_);
    sweep_.tasks.push_back({action, 0, begin, end});
  }
  const Pieces& pieces_;
  long n_;
  std::vector<long> left_;  // pieces of each block still to come
  std::vector<char> drifted_;
  Sweep sweep_;
};

// The range of each piece, or `ranges` of those that join two; empty where these are too many.
std::vector<long> ranges_of(const Pieces& pieces, std::size_t blocks, long ranges) {
  constexpr long nobody = -1, several = -2;
  std::vector<long> of(pieces.all.size()), owner(blocks, nobody);
  long before = 0;
  for (std::size_t k = 0; k < of.size(); ++k) {
    const Piece& piece = pieces.all[k];
    of[k] = before * ranges / pieces.elements;
    before += piece.end - piece.begin;
    pieces.for_each_block(piece, [&](std::size_t block) {
      if (owner[block] == nobody)
        owner[block] = of[k];
      else if (owner[block] != of[k])
        owner[block] = several;
    });
  }
  long joined = 0;
  for (std::size_t k = 0; k < of.size(); ++k) {
    const Piece& piece = pieces.all[k];
    bool joins = false;
    pieces.for_each_block(piece, [&](std::size_t block) { joins = joins || owner[block] == several; });
    if (!joins) continue;
    of[k] = ranges;
    joined += piece.end - piece.begin;
  }
  if (static_cast<double>(joined) > most_joined * static_cast<double>(pieces.elements)) of.clear();
  return of;
}

struct Cut {
  long ranges;
  std::vector<long> of;  // ranges_of
};
// Into as many ranges as there may be. Sorts the pieces: first by their place in their batches, which takes families side by
// side; then by their place in memory, which a term over some of the coordinates needs.
std::optional<Cut> cut_of(Pieces& pieces, long n, long fewest) {
  const auto blocks = static_cast<std::size_t>((n + Sweep::coordinates - 1) / Sweep::coordinates);
  for (const auto place : {&Piece::in_batch, &Piece::in_memory}) {
    std::ranges::stable_sort(pieces.all, {}, place);
    for (long ranges = std::max(1L, n / smallest_range); ranges >= fewest; ranges /= 2)
      if (std::vector<long> of = ranges_of(pieces, blocks, ranges); !of.empty()) return Cut{ranges, std::move(of)};
  }
  return {};
}

}  // namespace

std::shared_ptr<const Sweep> sweep_of(const CompiledModel& model) {
  const auto& batches = model.lagrangian.batches;
  const bool elements_alone = model.separable && !model.forced() && !model.stiffness && !model.callbacks && !model.motion &&
                              model.mass.kind != MassMatrix::Kind::full && !batches.empty();
  if (!elements_alone || model.n < 2 * Sweep::coordinates) return nullptr;
  if (std::ranges::any_of(batches, [](const Batch& b) { return b.interpolation || b.pairs || b.elements == 0; })) return nullptr;
  Pieces pieces = pieces_of(batches);
  if (pieces.blocks.size() > most_taken * pieces.all.size()) return nullptr;

  // Where elements are enough for several threads, so must the ranges be.
  const bool parallel = std::ranges::any_of(batches, [](const Batch& b) { return b.chunks != nullptr; });
  const std::optional<Cut> cut = cut_of(pieces, model.n, parallel ? fewest_ranges : 1);
  if (!cut) return nullptr;
  const long ranges = cut->ranges;
  const std::vector<long>& of = cut->of;
  Writer writer(pieces, model.n);

  std::vector<std::size_t> order(of.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return of[k]; });
  std::vector<std::size_t> free;
  for (std::size_t k = 0; k < writer.blocks(); ++k)
    if (writer.is_free(k)) free.push_back(k);

  auto next = order.begin();
  for (long range = 0; range <= ranges; ++range) {
    writer.begin_range();
    for (; next != order.end() && of[*next] == range; ++next) writer.piece(pieces.all[*next]);
    if (range == ranges) break;
    const auto share = [&](long r) { return free.size() * static_cast<std::size_t>(r) / static_cast<std::size_t>(ranges); };
    for (std::size_t k = share(range); k < share(range + 1); ++k) writer.free_block(free[k]);
  }
  return std::make_shared<const Sweep>(writer.take());
}

}  // namespace actio::system
