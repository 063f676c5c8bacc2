#pragma once
#include <fmt/format.h>
#include <string>
#include <vector>

#include "../../expr/statement.hpp"
#include "system.hpp"

namespace actio::method::lanes {

// Appends lines of C, of the functions lanes_start and lanes_step. In a loop over lanes l, q0, q1, ... are a lane's coordinates,
// and p, v, f, w likewise.
class Writer {
 public:
  Writer(const System& system, const Forces& forces);

  template <class... A>
  void line(fmt::format_string<A...> format, A&&... a) {
    add(format, fmt::make_format_args(a...));
  }
  std::string take() { return std::move(text_); }
  long n() const { return system_.n(); }

  void begin_start();
  void begin_step();
  void begin_lanes();
  void begin_group();  // of lanes, from `from` on
  void end();

  std::string at(long row) const;  // of the state, in lane l
  void load_constants();
  void load(const char* name, long row);  // n rows from `row` as name0, name1, ...
  void store(const char* name, long row);
  void advance(const char* name, long row);  // the same; where lanes may stop, only in those that move

  // Where lanes may stop, `row` says whether one moves, and the next when it stopped.
  void start_stop(long row);
  void begin_stop(long row);
  void end_stop(long row);

  // "*u[k]", the mass or one over it; nothing where the mass is 1.
  std::string times_mass(long i) const;
  std::string over_mass(long i) const;
  bool moves(long i) const { return !is_zero(forces_.f[static_cast<std::size_t>(i)]); }
  bool is_zero(expr::Id id) const { return forces_.graph.is_constant(id, 0); }

  // Declares and sets name_k = outputs[k] of the forces' graph, of the q0, q1, ... and t that are in scope.
  void values(const std::vector<std::string>& name, const std::vector<expr::Id>& outputs);
  void force();  // f0, f1, ...
  std::vector<std::string> numbered(const char* name) const;

 private:
  void add(fmt::string_view format, fmt::format_args arguments);
  void values(const expr::Graph& graph, const expr::LeafNames& leaves, const std::vector<std::string>& name,
              const std::vector<expr::Id>& outputs);
  void condition();
  std::string factor(std::size_t first, long i) const;
  const System& system_;
  const Forces& forces_;
  expr::LeafNames names_, at_end_;  // of the force; of a condition at the end of a step
  std::string text_;
};

}  // namespace actio::method::lanes
