#include "emit.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <set>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include <fmt/format.h>

#include "pairs.hpp"
#include "statement.hpp"

namespace actio::expr {
namespace {

using Out = std::back_insert_iterator<std::string>;

// Compilers take more than linear time over long functions. One longer than `longest` is cut into parts of `part` statements;
// what one part leaves to another goes through memory, `strip` elements at a time in a batch.
constexpr Id longest = 3000, part = 500, strip = 32;
constexpr int most_stages = 40;

bool has_vector_variant(Op op) {
#ifdef __GLIBC__
  int major = 0, minor = 0;
  if (std::sscanf(gnu_get_libc_version(), "%d.%d", &major, &minor) != 2) return false;
  const int since = operation(op).vector_since;
  return since > 0 && (major > 2 || minor >= since);
#else
  return op == Op::constant;
#endif
}

// One kernel's C.
class Emitter {
 public:
  Emitter(std::string& text, const KernelSource& source, std::string name, bool vector_functions)
      : out_(text),
        source_(source),
        vector_functions_(vector_functions),
        name_(std::move(name)),
        program_(lower(*source.graph, source.outputs)),
        c_(program_, source),
        stores_(program_.code.size()) {
    for (std::size_t j = 0; j < program_.outputs.size(); ++j)
      stores_[static_cast<std::size_t>(program_.outputs[j])].push_back(static_cast<int>(j));
  }

  void operator()() {
    if (size() <= longest) {
      if (!source_.batch) return single();
      const int stages = source_.lone ? 1 : find_stages();
      stages > 1 && stages <= most_stages ? batch_in_stages(stages) : batch();
      return;
    }
    find_slots();
    for (Id first = 0; first < size(); first += part) emit_part(first, std::min(first + part, size()));
    source_.batch ? batch_of_parts() : single_of_parts();
  }

 private:
  void single() {
    fmt::format_to(out_, "void {}({}) {{\n", name_, single_arguments);
    body(0, size(), [](Id) { return true; });
    fmt::format_to(out_, "}}\n");
  }

  void batch() {
    fmt::format_to(out_, "void {}({}) {{\n", name_, batch_arguments);
    std::set<int> columns;
    for (Id i = 0; i < size(); ++i)
      if (c_.node(i).op == Op::column) columns.insert(c_.node(i).k);
    pointers(columns, 0, size(), "");
    for (Id i = 0; i < size(); ++i)
      if (!varying(i)) put(c_.definition(i));
    put(source_.lone ? "for (long e = 0; e < n; ++e) {\nACTIO_ALONE;\n" : "ACTIO_INDEPENDENT\nfor (long e = 0; e < n; ++e) {\n");
    body(0, size(), [this](Id i) { return varying(i); });
    fmt::format_to(out_, "}}\n}}\n");
  }

  bool is_scalar_call(Op op) const {
    return operation(op).notation == Notation::library && !(vector_functions_ && has_vector_variant(op));
  }

  // Calls that have no vector variant keep the loop they stand in from becoming vector code: they are taken in turn with the
  // arithmetic between them. Stage 2 k holds arithmetic on the results of stages before, stage 2 k + 1 the calls on that.
  int find_stages() {
    stage_.assign(program_.code.size(), 0);
    int last = 0;
    for (Id i = 0; i < size(); ++i) {
      if (!varying(i) || c_.is_leaf(i)) continue;
      int& stage = stage_[static_cast<std::size_t>(i)];
      for (Id o : {c_.node(i).a, c_.node(i).b, c_.node(i).c})
        if (o >= 0) stage = std::max(stage, (stage_[static_cast<std::size_t>(o)] + 1) / 2 * 2);
      if (is_scalar_call(c_.node(i).op)) ++stage;
      last = std::max(last, stage);
    }
    return last + 1;
  }

  void batch_in_stages(int stages) {
    fmt::format_to(out_, "void {}({}) {{\n", name_, batch_arguments);
    std::vector<char> kept(program_.code.size(), 0);  // a later stage reads it
    std::set<int> columns;
    const auto is_step = [this](Id i) { return varying(i) && !c_.is_leaf(i); };
    for (Id i = 0; i < size(); ++i) {
      if (c_.node(i).op == Op::column) columns.insert(c_.node(i).k);
      if (!varying(i)) continue;
      for (Id o : {c_.node(i).a, c_.node(i).b, c_.node(i).c})
        if (o >= 0 && is_step(o) && stage_[static_cast<std::size_t>(o)] < stage_[static_cast<std::size_t>(i)])
          kept[static_cast<std::size_t>(o)] = 1;
    }
    pointers(columns, 0, size(), "");
    for (Id i = 0; i < size(); ++i)
      if (!varying(i)) put(c_.definition(i));
    fmt::format_to(out_, "for (long from = 0; from < n; from += {0}) {{\nconst long to = n - from < {0} ? n : from + {0};\n",
                   strip);
    for (Id i = 0; i < size(); ++i)
      if (kept[static_cast<std::size_t>(i)]) fmt::format_to(out_, "double s{}[{}];\n", i, strip);
    for (int stage = 0; stage < stages; ++stage) {
      const auto here = [&](Id i) { return is_step(i) && stage_[static_cast<std::size_t>(i)] == stage; };
      std::set<Id> read;
      for (Id i = 0; i < size(); ++i) {
        if (here(i))
          for (Id o : {c_.node(i).a, c_.node(i).b, c_.node(i).c})
            if (o >= 0 && varying(o) && !here(o)) read.insert(o);
        if (stage == 0 && varying(i) && c_.is_leaf(i) && !stores_[static_cast<std::size_t>(i)].empty()) read.insert(i);
      }
      put("ACTIO_INDEPENDENT\nfor (long e = from; e < to; ++e) {\n");
      for (Id i : read) {
        const bool truth = is_boolean(c_.node(i).op);
        if (c_.is_leaf(i))
          put(c_.definition(i));
        else
          fmt::format_to(out_, "const {} t{} = s{}[e - from]{};\n", truth ? "_Bool" : "double", i, i, truth ? " != 0.0" : "");
      }
      for (Id i = 0; i < size(); ++i) {
        if (here(i)) put(c_.definition(i));
        if (here(i) || (stage == 0 && !is_step(i)))
          for (int j : stores_[static_cast<std::size_t>(i)]) fmt::format_to(out_, "y{}[e] = {};\n", j, c_.number(i));
        if (here(i) && kept[static_cast<std::size_t>(i)]) fmt::format_to(out_, "s{}[e - from] = {};\n", i, c_.number(i));
      }
      put("}\n");
    }
    put("}\n}\n");
  }

  // Definitions of the positions from first to last that `here` wants, and the stores of all.
  template <class Here>
  void body(Id first, Id last, Here&& here) {
    for (Id i = first; i < last; ++i) {
      if (here(i)) put(c_.definition(i));
      for (int j : stores_[static_cast<std::size_t>(i)])
        fmt::format_to(out_, fmt::runtime(source_.batch ? "y{}[e] = {};\n" : "y[{}] = {};\n"), j, c_.number(i));
    }
  }
  void pointers(const std::set<int>& columns, Id first, Id last, const char* offset) {
    for (int k : columns) fmt::format_to(out_, "const double *restrict x{0} = x[{0}]{1};\n", k, offset);
    for (Id i = first; i < last; ++i)
      for (int j : stores_[static_cast<std::size_t>(i)]) fmt::format_to(out_, "double *restrict y{0} = y[{0}]{1};\n", j, offset);
  }

  // Places in memory for the values one part leaves to later ones, given back after the last that reads them.
  void find_slots() {
    slot_.assign(program_.code.size(), -1);
    std::vector<Id> last_read(program_.code.size(), -1);
    for (Id i = 0; i < size(); ++i)
      for (Id o : {c_.node(i).a, c_.node(i).b, c_.node(i).c})
        if (o >= 0 && !c_.is_leaf(o)) last_read[static_cast<std::size_t>(o)] = i / part;
    std::vector<std::vector<int>> free_after(static_cast<std::size_t>(size() / part) + 1);
    std::vector<int> free;
    for (Id i = 0; i < size(); ++i) {
      if (i % part == 0 && i > 0) {
        const std::vector<int>& done = free_after[static_cast<std::size_t>(i / part) - 1];
        free.insert(free.end(), done.begin(), done.end());
      }
      const Id reader = last_read[static_cast<std::size_t>(i)];
      if (reader <= i / part) continue;
      int& slot = slot_[static_cast<std::size_t>(i)];
      if (free.empty()) {
        slot = slots_++;
      } else {
        slot = free.back();
        free.pop_back();
      }
      free_after[static_cast<std::size_t>(reader)].push_back(slot);
    }
  }
  std::string memory(Id i) const {
    const int slot = slot_[static_cast<std::size_t>(i)];
    return source_.batch ? fmt::format("s[{} + e]", slot * strip) : fmt::format("s[{}]", slot);
  }

  void emit_part(Id first, Id last) {
    std::set<Id> earlier;
    std::set<int> columns;
    for (Id i = first; i < last; ++i) {
      if (c_.node(i).op == Op::column) columns.insert(c_.node(i).k);
      for (Id o : {c_.node(i).a, c_.node(i).b, c_.node(i).c})
        if (o >= 0 && o < first) {
          earlier.insert(o);
          if (c_.node(o).op == Op::column) columns.insert(c_.node(o).k);
        }
    }
    fmt::format_to(out_, "static __attribute__((noinline)) void {}_{}({}) {{\n", name_, first / part,
                   source_.batch ? batch_part_arguments : single_part_arguments);
    if (source_.batch) {
      pointers(columns, first, last, " + from");
      fmt::format_to(out_, "ACTIO_INDEPENDENT\nfor (long e = 0; e < n; ++e) {{\n");
    }
    for (Id i : earlier) {
      const bool truth = is_boolean(c_.node(i).op);
      if (c_.is_leaf(i))
        put(c_.definition(i));
      else
        fmt::format_to(out_, "const {} t{} = {}{};\n", truth ? "_Bool" : "double", i, memory(i), truth ? " != 0.0" : "");
    }
    body(first, last, [](Id) { return true; });
    for (Id i = first; i < last; ++i)
      if (slot_[static_cast<std::size_t>(i)] >= 0) fmt::format_to(out_, "{} = {};\n", memory(i), c_.number(i));
    put(source_.batch ? "}\n}\n" : "}\n");
  }
  void single_of_parts() {
    fmt::format_to(out_, "void {}({}) {{\nstatic _Thread_local double s[{}];\n", name_, single_arguments, slots_ + 1);
    for (Id first = 0; first < size(); first += part) fmt::format_to(out_, "{}_{}(u, a, b, y, s);\n", name_, first / part);
    fmt::format_to(out_, "}}\n");
  }
  void batch_of_parts() {
    fmt::format_to(out_,
                   "void {0}({1}) {{\nstatic _Thread_local double s[{2}];\n"
                   "for (long from = 0; from < n; from += {3}) {{\nconst long m = n - from < {3} ? n - from : {3};\n",
                   name_, batch_arguments, (slots_ + 1) * strip, strip);
    for (Id first = 0; first < size(); first += part) fmt::format_to(out_, "{}_{}(m, from, u, x, y, s);\n", name_, first / part);
    fmt::format_to(out_, "}}\n}}\n");
  }

  static constexpr const char *single_arguments =
                                  "const void *self, const double *restrict u, const double *restrict a, "
                                  "const double *restrict b, double *restrict y",
                              *batch_arguments =
                                  "const void *self, long n, const double *restrict u, const double *const *x, "
                                  "double *const *y",
                              *single_part_arguments =
                                  "const double *restrict u, const double *restrict a, "
                                  "const double *restrict b, double *restrict y, double *restrict s",
                              *batch_part_arguments =
                                  "long n, long from, const double *restrict u, const double *const *x, "
                                  "double *const *y, double *restrict s";

  void put(const std::string& text) { std::copy(text.begin(), text.end(), out_); }
  Id size() const { return static_cast<Id>(program_.code.size()); }
  bool varying(Id i) const { return program_.varying[static_cast<std::size_t>(i)] != 0; }

  Out out_;
  const KernelSource& source_;
  bool vector_functions_;
  std::string name_;
  Program program_;
  Statements c_;
  std::vector<std::vector<int>> stores_;  // outputs that are position i
  std::vector<int> stage_;                // of a batch whose calls are no vector code
  std::vector<int> slot_;                 // of a value that goes from part to part, else -1
  int slots_ = 0;
};

// ACTIO_ALONE keeps the loop it stands in from becoming vector code.
// No headers: they cost more to compile than most kernels. The vector variants of libmvec are declared here, which needs no
// -ffast-math, so NaN stays visible and nothing is reassociated.
constexpr const char* prologue =
    "#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)\n"
    "#define ACTIO_VECTOR __attribute__((simd(\"notinbranch\"), const))\n"
    "#else\n"
    "#define ACTIO_VECTOR __attribute__((const))\n"
    "#endif\n"
    "#ifdef __clang__\n"
    "#define ACTIO_INDEPENDENT _Pragma(\"clang loop vectorize(assume_safety)\")\n"
    "#else\n"
    "#define ACTIO_INDEPENDENT _Pragma(\"GCC ivdep\")\n"
    "#endif\n"
    "#define ACTIO_ALONE __asm__ volatile(\"\")\n";

// Of a sine and a cosine of one argument the compiler makes a sincos, which has no vector variant; not under another name.
constexpr const char* vector_sine =
    "#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)\n"
    "ACTIO_VECTOR double actio_sin(double) __asm__(\"sin\");\n"
    "#define sin actio_sin\n"
    "#endif\n";

}  // namespace

std::string c_name(const KernelSource& source, std::size_t k) { return fmt::format("actio_{}_{}", k, source.name); }

std::string declarations(bool vector_functions, bool batches) {
  std::string text = prologue;
  for (const Operation& is : operations)
    if (is.notation == Notation::library)
      fmt::format_to(Out(text), "{} double {}(double{});\n",
                     vector_functions && has_vector_variant(is.op) ? "ACTIO_VECTOR" : "__attribute__((const))", is.c,
                     is.operands == 2 ? ", double" : "");
  if (batches && vector_functions && has_vector_variant(Op::sin)) text += vector_sine;
  return text;
}

std::string emit_c(std::span<const KernelSource> sources, bool vector_functions) {
  const bool batches =
      std::any_of(sources.begin(), sources.end(), [](const KernelSource& source) { return source.batch || source.pairs; });
  std::string text = declarations(vector_functions, batches) + pairs_prologue(sources);
  for (std::size_t k = 0; k < sources.size(); ++k)
    if (sources[k].pairs && sources[k].near >= 0)
      emit_lists(text, sources[k], c_name(sources[k], k));
    else if (sources[k].pairs)
      emit_pairs(text, sources[k], c_name(sources[k], k));
    else
      Emitter(text, sources[k], c_name(sources[k], k), vector_functions)();
  return text;
}

}  // namespace actio::expr
