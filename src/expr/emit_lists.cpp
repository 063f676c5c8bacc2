#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "emit.hpp"
#include "pair_text.hpp"

namespace actio::expr {
namespace {

constexpr long group = 256;  // pairs that are near enough, gathered and computed together

// Candidates are tried, and the indices of those that are near enough packed. They are computed in groups of as many, however
// many candidates lay between them: so the sums of a row do not depend on the candidates that are too far.
class ListEmitter : PairText {
 public:
  ListEmitter(std::string& text, const KernelSource& source, std::string name)
      : PairText(text, source, std::move(name)),
        near_program_(lower(*source.graph, std::vector<Id>{source.near})),
        near_(near_program_, [this](int k) { return candidate_column(k); }) {}

  void operator()() {
    fmt::format_to(out_,
                   "void {0}(const void *self, const double *restrict u, const struct actio_rows *restrict r, "
                   "const double *restrict q, const double *const *d, double *y) {{\n"
                   "const long *restrict c = self;\n"
                   "double w[{1}];\nint n[2 * {1} + ACTIO_LANES];\n",
                   name_, group);
    for (int k : columns_)
      if (is_of_pair(k)) {
        fmt::format_to(out_, "double p{}[{}] __attribute__((aligned(64)));\n", k, group);
        if (has_output(k)) fmt::format_to(out_, "double f{}[{}] __attribute__((aligned(64)));\n", k, group);
      }
    define(call);
    if (!derivatives_) put("double all = 0.0;\n");
    put("for (long i = r->first; i < r->last; ++i) {\n"
        "const long begin = r->starts[i - c[0]], count = r->starts[i - c[0] + 1] - begin;\n"
        "const int *restrict l = r->j + begin;\n"
        "if (count == 0) continue;\n");
    define(row);
    each_sum([this](int k, Id) { fmt::format_to(out_, "actio_v s{} = {{0}};\n", k); });
    fmt::format_to(out_,
                   "long have = 0, from = 0;\ndo {{\nwhile (from < count && have < {0}) {{\n"
                   "const long tried = count - from < {0} ? count - from : {0};\n"
                   "for (long e = 0; e < tried; ++e) {{\nconst long j = l[from + e];\n",
                   group);
    for (Id i = 0; i < static_cast<Id>(near_program_.code.size()); ++i) put(near_.definition(i));
    fmt::format_to(out_, "w[e] = {};\n}}\n", near_.number(near_program_.outputs[0]));
    put("for (long e = 0; e < tried; ++e) {\nn[have] = l[from + e];\nhave += w[e] < 0.0;\n}\nfrom += tried;\n}\n");
    fmt::format_to(out_,
                   "const long k = have < {0} ? have : {0};\nif (k == 0) break;\n"
                   "long padded = k;\nfor (; padded % ACTIO_LANES; ++padded) n[padded] = n[k - 1];\n",
                   group);
    compute();
    put("have -= k;\nfor (long e = 0; e < have; ++e) n[e] = n[k + e];\n} while (have > 0 || from < count);\n");
    each_sum([this](int k, Id) {
      if (derivatives_)
        fmt::format_to(out_, "y[{} + {} * i] += actio_v_sum(s{});\n", constant(k), place(k).by_i, k);
      else
        put("all += actio_v_sum(s0);\n");
    });
    put(derivatives_ ? "}\n}\n" : "}\n*y += all;\n}\n");
  }

 private:
  std::string base(int k) const { return is_coordinate(k) ? "q" : fmt::format("d[{}]", k - layout_.coordinates); }
  std::string at(int k, const char* j) const {
    std::string out = constant(k);
    if (place(k).by_i != 0) out += fmt::format(" + {} * i", place(k).by_i);
    if (place(k).by_j != 0) out += fmt::format(" + {} * {}", place(k).by_j, j);
    return out;
  }
  std::string candidate_column(int k) const { return fmt::format("{}[{}]", base(k), at(k, "j")); }
  std::string scalar_column(int k) const override { return fmt::format("{}[{}]", base(k), at(k, "n[e]")); }
  std::string vector_column(int k) const override { return fmt::format("*(const actio_v *)(p{} + e)", k); }

  // The k pairs of row i whose j are in n.
  void compute() {
    for (int k : columns_)
      if (is_of_pair(k)) fmt::format_to(out_, "for (long e = 0; e < padded; ++e) p{}[e] = {};\n", k, scalar_column(k));
    put("for (long e = 0; e < padded; e += ACTIO_LANES) {\n"
        "const actio_m here = ACTIO_NUMBERS < (actio_m){0} + (k - e);\n");
    for (Id i = 0; i < size(); ++i)
      if (level(i) == pair) put(vector_.definition(i));
    each_sum(
        [this](int k, Id o) { fmt::format_to(out_, "s{} += actio_choose(here, {}, (actio_v){{0}});\n", k, vector_.number(o)); });
    each_added([this](int k, Id o) { fmt::format_to(out_, "*(actio_v *)(f{} + e) = {};\n", k, vector_.number(o)); });
    put("}\n");
    bool any = false;
    each_added([&any](int, Id) { any = true; });
    if (!any) return;
    put("for (long e = 0; e < k; ++e) {\n");
    each_added([this](int k, Id) { fmt::format_to(out_, "y[{}] += f{}[e];\n", at(k, "n[e]"), k); });
    put("}\n");
  }

  Program near_program_;
  Statements near_;
};

}  // namespace

void emit_lists(std::string& text, const KernelSource& source, const std::string& name) { ListEmitter(text, source, name)(); }

const char* lists_prologue() { return "struct actio_rows { long first, last; const long *starts; const int *j; };\n"; }

}  // namespace actio::expr
