#pragma once
#include <actio/expr/kernel.hpp>
#include <actio/run/observable.hpp>
#include <array>
#include <span>
#include <string>
#include <vector>

namespace actio::run {

// The vectors that the columns of an observable are gathered from, by State; null where no column asks for one.
using StateColumns = std::array<const double*, states_of_observable>;

// The values of one expression at all its elements, by a kernel over runs of them. A run is of one length whatever the threads,
// so its rounding is too.
class ElementValues {
 public:
  explicit ElementValues(const system::ElementFunction& function);  // which outlives it
  expr::KernelSource source(std::string name) const;
  void use(expr::BatchKernel kernel) { kernel_ = kernel; }
  bool asks_for(State state) const;
  void operator()(const double* uniforms, const StateColumns& from, double* out);

 private:
  static constexpr long run = 2048;
  struct Column {
    int number;       // in the graph
    State state;      // of a coordinate
    long local = -1;  // else of data, `datum`
    std::size_t datum = 0;
    long first = -1;  // its coordinates follow one another from there on
  };
  void gather(const Column& column, long begin, long count, const StateColumns& from, double* to) const;

  const system::ElementFunction& function_;
  long columns_;
  std::vector<Column> used_;
  expr::BatchKernel kernel_;
  std::vector<std::vector<double>> scratch_;  // of each thread
};

}  // namespace actio::run
