#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "emit.hpp"
#include "pair_text.hpp"

namespace actio::expr {
namespace {

constexpr long packed = 256;  // entries of a buffer

class PairEmitter : PairText {
 public:
  PairEmitter(std::string& text, const KernelSource& source, std::string name) : PairText(text, source, std::move(name)) {}

  void operator()() {
    fmt::format_to(out_,
                   "void {}(const void *self, const double *restrict u, const long *restrict r, const double *restrict q, "
                   "const double *const *d, double *y) {{\n"
                   "const long *restrict c = self;\n"
                   "long first = r[0], last = r[1], j0 = r[2], j1 = r[3];\n"
                   "if (first < c[0]) first = c[0];\nif (last > c[1]) last = c[1];\n"
                   "if (j0 < c[2]) j0 = c[2];\nif (j1 > c[3]) j1 = c[3];\n",
                   name_);
    define(call);
    if (!derivatives_) put("double all = 0.0;\n");
    const bool packs = std::any_of(columns_.begin(), columns_.end(), [this](int k) { return is_packed(k); });
    for (int k : columns_)
      if (is_packed(k)) {
        fmt::format_to(out_, "double p{}[{}]", k, packed);
        if (has_output(k)) fmt::format_to(out_, ", f{}[{}]", k, packed);
        put(";\n");
      }
    if (packs)
      fmt::format_to(
          out_, "for (long from = j0; from < j1; from += {0}) {{\nconst long to = j1 - from < {0} ? j1 : from + {0};\n", packed);
    else
      put("const long from = j0, to = j1;\n");
    for (int k : columns_) begin_column(k);
    put("for (long i = first; i < last; ++i) {\nlong e = c[4] + c[5] * i - from, end = c[6] + c[7] * i - from;\n"
        "if (e < 0) e = 0;\nif (end > to - from) end = to - from;\nif (e >= end) continue;\n");
    rows();
    put("}\n");
    for (int k : columns_) end_column(k);
    if (packs) put("}\n");
    put(derivatives_ ? "}\n" : "*y += all;\n}\n");
  }

 private:
  bool is_packed(int k) const { return is_coordinate(k) && is_of_pair(k) && place(k).by_j != 1; }

  // Of the loops over i, k is a pointer to where the column is at i = 0; of those over j, to where it is at e = 0.
  void begin_column(int k) {
    const Affine& at = place(k);
    if (is_packed(k)) {
      fmt::format_to(out_, "for (long e = 0; e < to - from; ++e) p{0}[e] = q[{1} + {2} * (from + e)];\n", k, constant(k),
                     at.by_j);
      fmt::format_to(out_, "const double *x{0} = p{0};\n", k);
      if (has_output(k)) fmt::format_to(out_, "for (long e = 0; e < to - from; ++e) f{0}[e] = 0.0;\ndouble *y{0} = f{0};\n", k);
      return;
    }
    const std::string base = is_coordinate(k) ? "q" : fmt::format("d[{}]", k - layout_.coordinates);
    const std::string shift = at.by_j == 0 ? "" : fmt::format(" + {} * from", at.by_j);
    const bool moves = at.by_j != 0 && at.by_i != 0;  // with i too
    fmt::format_to(out_, "const double *restrict {}{} = {} + {}{};\n", moves ? 'z' : 'x', k, base, constant(k), shift);
    if (has_output(k)) fmt::format_to(out_, "double *y{} = y + {}{};\n", k, constant(k), shift);
  }
  void end_column(int k) {
    if (is_packed(k) && has_output(k))
      fmt::format_to(out_, "for (long e = 0; e < to - from; ++e) y[{1} + {2} * (from + e)] += f{0}[e];\n", k, constant(k),
                     place(k).by_j);
  }
  std::string scalar_column(int k) const override {
    const long step = is_packed(k) ? 1 : is_of_pair(k) ? place(k).by_j : place(k).by_i;
    if (!is_of_pair(k) && step == 0) return fmt::format("d[{}][{}]", k - layout_.coordinates, constant(k));
    return step == 1 ? fmt::format("x{}[{}]", k, is_of_pair(k) ? 'e' : 'i')
                     : fmt::format("x{}[{} * {}]", k, step, is_of_pair(k) ? 'e' : 'i');
  }
  std::string vector_column(int k) const override {
    const long step = is_packed(k) ? 1 : place(k).by_j;
    if (is_last_)
      return step == 1 ? fmt::format("actio_v_some(x{} + e, end - e)", k)
                       : fmt::format("actio_v_strided_some(x{0} + {1} * e, {1}, end - e)", k, step);
    return step == 1 ? fmt::format("*(const actio_u *)(x{} + e)", k)
                     : fmt::format("actio_v_strided(x{0} + {1} * e, {1})", k, step);
  }

  bool is_last_ = false;  // the vector that is written has fewer pairs than places

  void rows() {
    for (int k : columns_)
      if (is_of_pair(k) && place(k).by_i != 0)
        fmt::format_to(out_, "const double *restrict x{0} = z{0} + {1} * i;\n", k, place(k).by_i);
    define(row);
    each_sum([this](int k, Id) { fmt::format_to(out_, "actio_v s{} = {{0}};\n", k); });
    put("for (; e + ACTIO_LANES <= end; e += ACTIO_LANES) {\n");
    for (Id i = 0; i < size(); ++i)
      if (level(i) == pair) put(vector_.definition(i));
    each_sum([this](int k, Id o) { fmt::format_to(out_, "s{} += {};\n", k, vector_.number(o)); });
    each_added([this](int k, Id o) { fmt::format_to(out_, "*(actio_u *)(y{} + e) += {};\n", k, vector_.number(o)); });
    put("}\nif (e < end) {\nconst actio_m here = ACTIO_NUMBERS < (actio_m){0} + (end - e);\n");
    is_last_ = true;
    for (Id i = 0; i < size(); ++i)
      if (level(i) == pair) put(vector_.definition(i));
    is_last_ = false;
    each_sum(
        [this](int k, Id o) { fmt::format_to(out_, "s{} += actio_choose(here, {}, (actio_v){{0}});\n", k, vector_.number(o)); });
    each_added([this](int k, Id o) { fmt::format_to(out_, "actio_v_add_some(y{} + e, {}, end - e);\n", k, vector_.number(o)); });
    put("}\n");
    each_sum([this](int k, Id) {
      if (derivatives_)
        fmt::format_to(out_, "y{}[{} * i] += actio_v_sum(s{});\n", k, place(k).by_i, k);
      else
        put("all += actio_v_sum(s0);\n");
    });
  }
};

}  // namespace

void emit_pairs(std::string& text, const KernelSource& source, const std::string& name) { PairEmitter(text, source, name)(); }

std::string pairs_prologue(std::span<const KernelSource> sources) {
  std::set<Op> calls;
  bool any = false;
  for (const KernelSource& source : sources) {
    if (!source.pairs) continue;
    any = true;
    for (Id i = 0; i < static_cast<Id>(source.graph->size()); ++i)
      if (const Op op = (*source.graph)[i].op; op != Op::sqrt && op != Op::abs && operation(op).notation >= Notation::builtin)
        calls.insert(op);
  }
  if (!any) return {};
  std::string text = VectorStatements::prologue();
  text += VectorStatements::processor_functions();
  if (std::ranges::any_of(sources, [](const KernelSource& source) { return source.near >= 0; })) text += lists_prologue();
  for (const Op op : calls)
    fmt::format_to(std::back_inserter(text), "{0}({1}, {1})\n", arity(op) == 2 ? "ACTIO_TWO" : "ACTIO_ONE", operation(op).c);
  return text;
}

std::vector<long> constants_of(const PairLayout& layout) {
  const PairLoops& loops = layout.loops;
  const Extent extent = extent_of(loops);
  std::vector<long> out{loops.first,     loops.last + 1,        extent.j,     extent.j_end, loops.from.constant,
                        loops.from.by_i, loops.to.constant + 1, loops.to.by_i};
  for (const Affine& column : layout.columns) out.push_back(column.constant);
  return out;
}

}  // namespace actio::expr
