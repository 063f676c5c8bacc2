#pragma once
#include <actio/expr/kernel.hpp>
#include <actio/system/model.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

// Constraints that each hold one coordinate of its own as a function of time, g(t, q) = c q_i - s(t) with a constant c:
//
//   q_i = x(t) = s/c,   x' = s'/c,   x'' = s''/c
//
// Derivatives are those of the expressions; of a where or an abs they are those of its pieces.
namespace actio::system {

struct CompiledModel;

// "" where all constraints of the model are such; else which one is not, in words: "\"link\" joins coordinates".
std::string why_not_prescribed(const Model& model);

// What is fixed, and what constraints that are such hold, sorted.
std::vector<std::int32_t> dirichlet_coordinates(const Model& model);
// The model with what its constraints hold fixed in place of them. They are such.
Model with_prescribed_fixed(Model model);

// A copy has times of its own.
class Motion {
 public:
  // The motion that the model's constraints prescribe, where why_not_prescribed says "". Throws core::InputError if a c is 0 or
  // not finite.
  explicit Motion(const Model& model, const expr::CompileOptions& options = {});

  long size() const { return static_cast<long>(made_->coordinates.size()); }        // m
  std::span<const std::int32_t> coordinates() const { return made_->coordinates; }  // i of each constraint
  bool moves() const { return made_->moves; }                                       // some x depends on the time
  double slope(long k) const { return made_->slope[static_cast<std::size_t>(k)]; }  // c
  void at(double t);                                                                // where the next three are
  double x(long k) const { return values_[static_cast<std::size_t>(k)]; }
  double rate(long k) const { return values_[static_cast<std::size_t>(size() + k)]; }              // x'
  double acceleration(long k) const { return values_[static_cast<std::size_t>(2 * size() + k)]; }  // x''

 private:
  struct Batch {
    long at = 0, elements = 0;
    std::vector<std::vector<double>> data;
    std::vector<const double*> columns;  // to them, behind one for q_i that nothing reads
    expr::BatchKernel kernel;            // x, x', x''
  };
  struct Made {
    std::vector<std::int32_t> coordinates;
    std::vector<double> slope;
    bool moves = false;
    std::vector<Batch> batches;
    expr::Module module;
  };
  std::shared_ptr<const Made> made_;
  std::vector<double> uniforms_, values_;
  bool known_ = false;
};

// A compiled model whose constraints are a motion: what they hold is fixed in its matrices, but feels its forces.
std::shared_ptr<const CompiledModel> compile_prescribed(const Model& model, const expr::CompileOptions& options = {},
                                                        bool fuse = true);
// The entries of a full mass that couple a prescribed coordinate to others that are not fixed; empty if there are none.
Eigen::SparseMatrix<double> coupling_of_prescribed(const Model& model);

}  // namespace actio::system
