#include "member_values.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include <actio/core/checksum.hpp>
#include <actio/core/parallel.hpp>
#include <actio/core/random.hpp>
#include <actio/expr/kernel.hpp>

namespace actio::io {
namespace {

constexpr long chunk = 4096;  // members at a time

// The words, in this order, as far as they are free.
enum class Word { family, member };
struct KnownWord {
  const char* text;
  Word word;
};
constexpr KnownWord known[] = {{"i", Word::family}, {"m", Word::member}, {"member", Word::member}};

Word word_of(const std::string& text) {
  return std::ranges::find_if(known, [&](const KnownWord& k) { return text == k.text; })->word;
}

class Evaluator {
 public:
  Evaluator(const Expression& expression, const run::Members& members, const MemberDraws& draws, long i, int own)
      : expression_(expression), members_(members), draws_(draws), i_(i) {
    const SymbolTable& symbols = expression.symbols();
    expr::Graph g;
    std::vector<expr::Id> columns, uniforms{g.constant(0)};
    for (std::size_t c = 0; c < expression.columns.size(); ++c) columns.push_back(g.column(static_cast<int>(c)));
    for (std::size_t k = 0; k < symbols.parameters.size(); ++k) uniforms.push_back(g.constant(symbols.parameters[k]));
    for (std::size_t j = 0; j < members.varied.size(); ++j)
      if (members.varied[j] != own)
        uniforms[static_cast<std::size_t>(members.varied[j]) + 1] = g.column(static_cast<int>(columns.size() + j));
    const expr::Id value = expr::substitute(g, expression.graph, expression.value, columns, uniforms);
    const std::vector<expr::KernelSource> sources{
        {"member", &g, {value}, true, static_cast<int>(columns.size() + members.varied.size()), 0}};
    expr::CompileOptions options;
    options.compiler = "none";
    module_ = expr::Module::build(sources, options);
  }

  std::vector<double> operator()() {
    std::vector<double> out(static_cast<std::size_t>(members_.count));
    for (const Column& column : expression_.columns) check(column);
    core::parallel_for((members_.count + chunk - 1) / chunk, [&](long k, int) {
      const long from = k * chunk, count = std::min(chunk, members_.count - from);
      std::vector<std::vector<double>> filled;
      std::vector<const double*> x;
      for (const Column& column : expression_.columns) filled.push_back(fill(column, from, count));
      for (const auto& column : filled) x.push_back(column.data());
      for (const auto& values : members_.parameters) x.push_back(values.empty() ? nullptr : values.data() + from);
      double *y = out.data() + from, u = 0;
      module_.batch(0)(count, &u, x.data(), &y);
    });
    return out;
  }

 private:
  // Indices of a table, before threads use them.
  void check(const Column& column) const {
    if (column.kind != Column::Kind::table) return;
    const long entries = static_cast<long>(table(column).size());
    for (long k = 0; k < members_.count; ++k) {
      long at = -1;
      try {
        at = column.index(words(members_.first + k));
      } catch (const std::range_error& error) {
        expression_.fail(column, fmt::format("{} in {}", error.what(), expression_.path()));
      }
      if (at < 0 || at >= entries)
        expression_.fail(
            column, fmt::format("{} is entry {} of member {} in {}, but the table has {} {}", expression_.text_of(column), at,
                                members_.first + k, expression_.path(), entries, plural(entries, "entry", "entries")));
    }
  }
  const std::vector<double>& table(const Column& column) const {
    return expression_.symbols().tables[static_cast<std::size_t>(column.which)].values;
  }
  std::vector<long> words(long member) const {
    std::vector<long> out;
    for (const std::string& name : expression_.loop_names()) { out.push_back(word_of(name) == Word::family ? i_ : member); }
    return out;
  }
  std::vector<double> fill(const Column& column, long from, long count) const {
    std::vector<double> out(static_cast<std::size_t>(count));
    for (long k = 0; k < count; ++k) {
      const long member = members_.first + from + k;
      double& x = out[static_cast<std::size_t>(k)];
      if (column.kind == Column::Kind::table) {
        x = table(column)[static_cast<std::size_t>(column.index(words(member)))];
      } else if (column.kind == Column::Kind::loop) {
        x = static_cast<double>(words(member)[static_cast<std::size_t>(column.which)]);
      } else {
        const auto occurrence = static_cast<std::uint32_t>(column.which);
        const core::Draw drawn = draws_.key != 0
                                     ? core::draw(draws_.seed, occurrence, static_cast<std::uint64_t>(member), draws_.key)
                                     : core::draw(draws_.seed, draws_.stream + (occurrence << 8), draws_.counter);
        x = column.kind == Column::Kind::normal ? drawn.normal : drawn.uniform;
      }
    }
    return out;
  }

  const Expression& expression_;
  const run::Members& members_;
  MemberDraws draws_;
  long i_;
  expr::Module module_;
};

}  // namespace

std::vector<std::string> member_words(const SymbolTable& symbols, bool family) {
  std::vector<std::string> out;
  for (const KnownWord& word : known)
    if ((word.word != Word::family || family) && !symbols.find(word.text)) out.emplace_back(word.text);
  return out;
}

std::uint32_t draw_key(std::string_view name) { return std::max<std::uint32_t>(1, core::checksum(name)); }

std::vector<double> member_values(const Expression& expression, const run::Members& members, const MemberDraws& draws, long i,
                                  int own) {
  return Evaluator(expression, members, draws, i, own)();
}

}  // namespace actio::io
