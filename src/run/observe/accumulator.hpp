#pragma once
#include <actio/core/archive.hpp>
#include <actio/run/observable.hpp>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace actio::run {

// What a reduction keeps of the values so far. Values that are not finite do not count, but in those of lags, which they spoil.
class Accumulator {
 public:
  Accumulator() = default;
  Accumulator(const Accumulator&) = delete;
  virtual ~Accumulator() = default;
  // Of all elements at one time; of a vector component after component.
  virtual void add(double t, std::span<const double> values) = 0;
  virtual void archive(core::Archive& a) = 0;
  virtual std::vector<Figure> figures() const = 0;
  virtual std::string text() const = 0;  // without its name
};

// `spacing`: of two times [s].
std::unique_ptr<Accumulator> make_accumulator(Reduce kind, const Observable& of, double spacing);
std::unique_ptr<Accumulator> make_lagged(Reduce kind, const Observable& of, double spacing);

// sum_e f(x_e) in an order of its own: eight sums, as additions wait for one another.
template <class F>
double sum_of(std::span<const double> x, F&& f) {
  double sums[8] = {};
  const std::size_t whole = x.size() / 8 * 8;
  for (std::size_t e = 0; e < whole; e += 8)
    for (std::size_t l = 0; l < 8; ++l) sums[l] += f(x[e + l]);
  for (std::size_t e = whole; e < x.size(); ++e) sums[e - whole] += f(x[e]);
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

inline Figure figure(std::string name, double value) { return {std::move(name), {value}, false}; }
inline Figure figure(std::string name, std::vector<double> values) { return {std::move(name), std::move(values), true}; }
// "1.25", "1.25 mm"
std::string with_unit(double value, const std::string& unit);

}  // namespace actio::run
