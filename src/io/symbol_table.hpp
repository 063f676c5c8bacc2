#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <actio/expr/parse.hpp>
#include <actio/system/model.hpp>

#include "section.hpp"

// The names a problem file declares: coordinates, bodies, parameters, tables, signals, definitions and points.
namespace actio::io {

enum class Meaning { family, body, parameter, table, signal, formula, point };
std::string_view noun(Meaning meaning);

struct Table {
  std::string name;
  std::vector<double> values;
};

bool is_identifier(std::string_view name);
inline constexpr const char* identifiers = "a name is letters, digits and _, and begins with a letter";  // for messages
void need_identifier(const Document& document, const std::string& name, const Place& place);             // throws, with the place

// A named expression of [system.define]: r2, or lj(r, eps, sig).
struct Formula {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<expr::Takes> takes;    // of each
  std::vector<std::string> indices;  // those of the parameters that are indices, in their order
  const Value* text = nullptr;       // outlived by the document
  std::string path;
  std::string call() const;  // "lj(r, eps, sig)"
};

// Points of the plane or of space, by their coordinates: entry k along an axis is first + step k of a family.
struct PointFamily {
  struct Axis {
    long family = 0, first = 0, step = 1;
  };
  std::string name;
  std::vector<Axis> axes;  // two or three
  long count = 1;
  bool indexed = false;
};

// "top", or "link[100]": rigid bodies, whose coordinates follow those declared by name (system::Body says in what order).
struct BodyFamily {
  std::string name;
  long count = 1;
  long offset = 0;  // of R11 of the first among the coordinates
  bool indexed = false;
  bool moves = true;                              // they have a position, and not only a rotation
  long stride() const { return moves ? 12 : 9; }  // coordinates of one
};

// A solid, whose coordinates are a family: the place of node a begins at offset + 3 a.
struct SolidFamily {
  std::string name;
  long nodes = 0, offset = 0;
};

// A number that expressions of observables may name, and perhaps why they may not.
struct KnownNumber {
  std::string name, why_not;
};

class SymbolTable {
 public:
  explicit SymbolTable(const Document& document, std::string folder) : document_(&document), folder_(std::move(folder)) {}

  // Each throws when the name is not an identifier, is reserved or already has a meaning.
  void add_parameter(const std::string& name, double value, const Place& place);
  void add_family(const std::string& name, long size, bool indexed, const Place& place);
  void add_bodies(const std::string& name, long count, bool indexed, bool moves, const Place& place);
  void add_table(const std::string& name, std::vector<double> values, const Place& place);
  void add_signal(system::Signal signal, const Place& place);
  void add_formula(Formula formula, const Place& place);
  void add_points(PointFamily points, const Place& place);
  // A loop index, or an argument of a formula (`what`): an identifier without another meaning. `i` is free here.
  void check_local(const std::string& name, std::string_view what, const Place& place) const;

  struct Definition {
    Meaning meaning;
    long which;
  };
  const Definition* find(std::string_view name) const;
  std::vector<std::string> names() const;  // all of them, and the functions, for "did you mean"

  const Document& document() const { return *document_; }
  std::string beside(const std::string& file) const;  // a path given relative to the problem file
  // All coordinates, and those declared by name, which lists of one entry a coordinate are of: the bodies' come after them.
  long size() const { return bodies.empty() ? listed() : bodies.back().offset + bodies.back().count * bodies.back().stride(); }
  long listed() const { return families.empty() ? 0 : families.back().offset + families.back().size; }
  std::string coordinate_name(long coordinate) const;
  long coordinate_of(const PointFamily& points, std::size_t axis, long k) const;  // of point k

  std::vector<system::Family> families;
  std::vector<BodyFamily> bodies;
  std::vector<SolidFamily> solids;
  std::vector<std::string> parameter_names;
  std::vector<double> parameters;
  std::vector<Table> tables;
  std::vector<system::Signal> signals;
  std::vector<Formula> formulas;
  std::vector<PointFamily> points;
  std::vector<double> box;  // its lengths along the axes of points, 0 where it does not end; empty: there is none
  double period(std::size_t axis, std::size_t axes) const { return box.size() == axes ? box[axis] : 0; }
  std::shared_ptr<std::vector<std::string>> files = std::make_shared<std::vector<std::string>>();  // that were named so far
  // Parameters that differ between the members of an ensemble: those named before they are added, and those made of them.
  std::vector<std::string> named_by_member;
  std::vector<bool> by_member;
  std::vector<int> by_member_in(const expr::Graph& graph, expr::Id id) const;  // those that an expression depends on
  // What a run knows of a state, then the observables so far: the uniforms that follow the signals. Where a name has a meaning in
  // the file it has that. Empty until observables are read.
  std::vector<KnownNumber> quantities;
  std::vector<std::pair<std::string, long>> integers;  // parameters with whole values: allowed in indices and sizes

 private:
  void add(const std::string& name, Definition definition, const Place& place);
  const Document* document_;
  std::string folder_;
  std::unordered_map<std::string, Definition> definitions_;
};

// The path of a file that a string of the problem file names. Throws at that string when there is no such file.
std::string need_file(const SymbolTable& symbols, const Value& value, const std::string& path);

}  // namespace actio::io
