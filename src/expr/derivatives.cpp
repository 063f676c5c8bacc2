#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <utility>

#include <actio/expr/graph.hpp>

#include "partials.hpp"
#include "rebuild.hpp"

namespace actio::expr {
namespace {

using Pair = std::pair<int, int>;  // (i, j), j <= i

// Derivatives by the positions in x that are not structurally zero.
struct Sparse {
  std::map<int, Id> first;
  std::map<Pair, Id> second;
};

// Reverse mode of first and second order from one node down to the leaves. Leaves are the x and, to keep NaN out of branches not
// taken, the nodes that choose a branch: their derivatives are chosen from those of the branches, which are found before.
class Differentiator {
 public:
  Differentiator(Graph& g, Id f, std::span<const Id> x, int order) : g_(g), order_(order), zero_(g.constant(0)) {
    for (std::size_t i = 0; i < x.size(); ++i) position_.emplace(x[i], static_cast<int>(i));
    mark_active(f);
  }

  Sparse operator()(Id f) {
    for (Id i = 0; i <= f; ++i)
      if (active(i) && is_choice(g_[i].op) && !position_.contains(i)) choices_.emplace(i, chosen(i));
    return sweep(f);
  }

 private:
  bool is_leaf(Id i) const { return position_.contains(i) || choices_.contains(i); }
  bool active(Id i) const { return i < static_cast<Id>(active_.size()) && active_[static_cast<std::size_t>(i)] == 3; }

  // 1: f is built from it; 2: built from some x; 3: both.
  void mark_active(Id f) {
    active_.assign(static_cast<std::size_t>(f) + 1, 0);
    active_[static_cast<std::size_t>(f)] = 1;
    for (Id i = f; i >= 0; --i)
      if (active_[static_cast<std::size_t>(i)] && !position_.contains(i)) for_operands(i, [&](Id o) { active_[o] = 1; });
    for (Id i = 0; i <= f; ++i) {
      bool from_x = position_.contains(i);
      for_operands(i, [&](Id o) { from_x = from_x || (active_[o] & 2) != 0; });
      if (from_x) active_[static_cast<std::size_t>(i)] |= 2;
    }
  }
  template <class F>
  void for_operands(Id i, F&& call) const {
    const Node n = g_[i];
    for (Id o : {n.a, n.b, n.c})
      if (o >= 0) call(o);
  }

  void accumulate(Id& sum, Id term) { sum = g_.add(sum, term); }
  void add_to(std::map<int, Id>& row, int key, Id term) {
    if (!g_.is_constant(term, 0)) accumulate(row.try_emplace(key, zero_).first->second, term);
  }
  void add_to(std::map<Pair, Id>& block, int i, int j, Id term) {
    if (!g_.is_constant(term, 0)) accumulate(block.try_emplace(Pair{std::max(i, j), std::min(i, j)}, zero_).first->second, term);
  }

  // The operands that lead to x, each once, with the partial derivatives of node i.
  struct Edges {
    int count = 0;
    Id to[2] = {-1, -1};
    Id d[2] = {-1, -1};
    Id dd[3] = {-1, -1, -1};  // 00, 10, 11
  };
  Edges edges(Id i) {
    const Node n = g_[i];
    const bool a = active(n.a), b = n.b >= 0 && active(n.b);
    const Partials p = order_ > 1 ? partials(g_, i) : first_partials(g_, i);
    Edges e;
    if (a && b && n.a == n.b) {
      e = {1, {n.a, -1}, {g_.add(p.a, p.b), -1}, {-1, -1, -1}};
      if (order_ > 1) e.dd[0] = g_.add(g_.add(p.aa, p.bb), g_.mul(g_.constant(2), p.ab));
    } else if (a && b) {
      e = {2, {n.a, n.b}, {p.a, p.b}, {p.aa, p.ab, p.bb}};
    } else if (a) {
      e = {1, {n.a, -1}, {p.a, -1}, {p.aa, -1, -1}};
    } else if (b) {
      e = {1, {n.b, -1}, {p.b, -1}, {p.bb, -1, -1}};
    }
    return e;
  }

  Sparse sweep(Id f) {
    Sparse result;
    if (!active(f)) return result;
    std::map<Id, Id, std::greater<>> adjoint;  // of nodes still to be visited, the latest first
    std::map<Id, std::map<Id, Id>> w;          // w[i][j]: second derivative in nodes i and j, kept with the one visited first
    std::map<Id, Id> leaf_adjoint;
    adjoint.emplace(f, g_.constant(1));
    while (!adjoint.empty()) {
      const auto [i, y] = *adjoint.begin();
      adjoint.erase(adjoint.begin());
      if (is_leaf(i)) {
        leaf_adjoint.emplace(i, y);
        continue;
      }
      std::map<Id, Id> row;
      if (const auto found = w.find(i); found != w.end()) row = std::move(found->second), w.erase(found);
      const Edges e = edges(i);
      for (int k = 0; k < e.count; ++k) accumulate(adjoint.try_emplace(e.to[k], zero_).first->second, g_.mul(y, e.d[k]));
      if (order_ > 1) push(w, i, y, e, row);
    }
    to_x(leaf_adjoint, w, result);  // only rows of leaves are left
    return result;
  }

  // One node of edge pushing: its row of w goes to its operands, and its own curvature is created there.
  template <class W>
  void push(W& w, Id i, Id y, const Edges& e, const std::map<Id, Id>& row) {
    const auto add = [&](Id p, Id q, Id term) {
      if (g_.is_constant(term, 0)) return;
      const bool p_first = std::pair(!is_leaf(p), p) > std::pair(!is_leaf(q), q);
      accumulate(w[p_first ? p : q].try_emplace(p_first ? q : p, zero_).first->second, term);
    };
    for (const auto& [j, value] : row) {
      if (j == i) continue;
      for (int k = 0; k < e.count; ++k) {
        const Id term = g_.mul(value, e.d[k]);
        add(e.to[k], j, e.to[k] == j ? g_.mul(g_.constant(2), term) : term);
      }
    }
    const auto self = row.find(i);
    for (int k = 0; k < e.count; ++k)
      for (int l = 0; l <= k; ++l) {
        if (self != row.end()) add(e.to[k], e.to[l], g_.mul(g_.mul(self->second, e.d[k]), e.d[l]));
        add(e.to[k], e.to[l], g_.mul(y, e.dd[k + l]));
      }
  }

  // Derivatives in the leaves to derivatives in x.
  void to_x(const std::map<Id, Id>& leaf_adjoint, const std::map<Id, std::map<Id, Id>>& leaf_w, Sparse& result) {
    for (const auto& [leaf, y] : leaf_adjoint) {
      for (const auto& [i, d] : first_of(leaf)) add_to(result.first, i, g_.mul(y, d));
      if (const auto found = choices_.find(leaf); found != choices_.end())
        for (const auto& [ij, dd] : found->second.second) add_to(result.second, ij.first, ij.second, g_.mul(y, dd));
    }
    for (const auto& [p, row] : leaf_w)
      for (const auto& [q, value] : row)
        for (const auto& [i, di] : first_of(p))
          for (const auto& [j, dj] : first_of(q)) {
            if (p == q && j > i) continue;
            const Id term = g_.mul(g_.mul(value, di), dj);
            add_to(result.second, i, j, p != q && i == j ? g_.mul(g_.constant(2), term) : term);
          }
  }
  std::map<int, Id> first_of(Id leaf) {
    const auto x = position_.find(leaf);
    return x != position_.end() ? std::map<int, Id>{{x->second, g_.constant(1)}} : choices_.at(leaf).first;
  }

  Sparse chosen(Id i) {
    const Choice c = choice(g_, i);
    const Sparse yes = sweep(c.yes), no = sweep(c.no);
    Sparse result;
    merge(i, yes.first, no.first, result.first);
    merge(i, yes.second, no.second, result.second);
    return result;
  }
  template <class Map>
  void merge(Id i, const Map& yes, const Map& no, Map& result) {
    for (const Map* from : {&yes, &no})
      for (const auto& entry : *from) {
        if (result.contains(entry.first)) continue;
        const auto y = yes.find(entry.first), n = no.find(entry.first);
        result.emplace(entry.first, choose(g_, i, y == yes.end() ? zero_ : y->second, n == no.end() ? zero_ : n->second));
      }
  }

  Graph& g_;
  int order_;
  Id zero_;
  std::map<Id, int> position_;
  std::map<Id, Sparse> choices_;
  std::vector<char> active_;
};

// Second derivative of f along x + s a at s = 0, by Taylor arithmetic of order two.
Id second_along(Graph& g, Id f, std::span<const Id> x, std::span<const Id> a) {
  struct Series {
    Id one = -1, two = -1;
  };
  const Id zero = g.constant(0);
  std::vector<Series> series(static_cast<std::size_t>(f) + 1, {zero, zero});
  const auto at = [&](Id i) -> Series& { return series[static_cast<std::size_t>(i)]; };
  std::map<Id, Id> direction;
  for (std::size_t k = 0; k < x.size(); ++k) direction.emplace(x[k], a[k]);
  const auto times = [&](Id p, Id q) { return g.is_constant(q, 0) ? zero : g.mul(p, q); };
  const std::vector<char> needed = reachable(g, f);
  for (Id i = 0; i <= f; ++i) {
    if (!needed[static_cast<std::size_t>(i)]) continue;
    if (const auto d = direction.find(i); d != direction.end()) {
      at(i).one = d->second;
      continue;
    }
    const Node n = g[i];
    if (is_choice(n.op)) {
      const Choice c = choice(g, i);
      at(i) = {choose(g, i, at(c.yes).one, at(c.no).one), choose(g, i, at(c.yes).two, at(c.no).two)};
      continue;
    }
    const Series u = n.a >= 0 ? at(n.a) : Series{zero, zero}, v = n.b >= 0 ? at(n.b) : Series{zero, zero};
    if (g.is_constant(u.one, 0) && g.is_constant(u.two, 0) && g.is_constant(v.one, 0) && g.is_constant(v.two, 0)) continue;
    const Partials p = partials(g, i);
    Id one = times(p.a, u.one), two = g.add(times(p.aa, times(u.one, u.one)), times(p.a, u.two));
    if (n.b >= 0) {
      one = g.add(one, times(p.b, v.one));
      two = g.add(two, times(p.bb, times(v.one, v.one)));
      two = g.add(two, times(g.constant(2), times(p.ab, times(u.one, v.one))));
      two = g.add(two, times(p.b, v.two));
    }
    at(i) = {one, two};
  }
  return at(f).two;
}

}  // namespace

std::vector<Id> gradient(Graph& g, Id f, std::span<const Id> x) {
  std::vector<Id> result(x.size(), g.constant(0));
  for (const auto& [i, d] : Differentiator(g, f, x, 1)(f).first) result[static_cast<std::size_t>(i)] = d;
  return result;
}

std::vector<Id> hessian(Graph& g, Id f, std::span<const Id> x) {
  std::vector<Id> result(x.size() * (x.size() + 1) / 2, g.constant(0));
  for (const auto& [ij, dd] : Differentiator(g, f, x, 2)(f).second)
    result[static_cast<std::size_t>(ij.first) * (static_cast<std::size_t>(ij.first) + 1) / 2 +
           static_cast<std::size_t>(ij.second)] = dd;
  return result;
}

std::vector<Id> third(Graph& g, Id f, std::span<const Id> x, std::span<const Id> a) {
  // Where a depends on x, nodes that occur nowhere else stand for it while it is held fixed.
  std::vector<char> from_x(g.size(), 0);
  for (Id i : x) from_x[static_cast<std::size_t>(i)] = 1;
  for (std::size_t i = 0; i < from_x.size(); ++i)
    for (Id o : {g[static_cast<Id>(i)].a, g[static_cast<Id>(i)].b, g[static_cast<Id>(i)].c})
      if (o >= 0 && from_x[static_cast<std::size_t>(o)]) from_x[i] = 1;
  std::vector<Id> held(a.begin(), a.end());
  std::map<Id, Id> meaning;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!from_x[static_cast<std::size_t>(a[i])]) continue;
    held[i] = g.uniform(std::numeric_limits<int>::min() + static_cast<int>(i));
    meaning.emplace(held[i], a[i]);
  }
  std::vector<Id> result = gradient(g, second_along(g, f, x, held), x);
  if (!meaning.empty())
    for (Id& d : result) d = replace(g, d, meaning);
  return result;
}

}  // namespace actio::expr
