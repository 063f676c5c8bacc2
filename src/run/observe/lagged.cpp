#include <actio/run/lags.hpp>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "accumulator.hpp"

// Reductions of pairs of times: each element is a series of its own, and the pairs of all of them add up.
namespace actio::run {
namespace {

// sum over elements and components of f(now, before)
template <class F>
double sum_of_pairs(std::span<const double> now, const double* before, F&& f) {
  double sums[8] = {};
  const std::size_t whole = now.size() / 8 * 8;
  for (std::size_t e = 0; e < whole; e += 8)
    for (std::size_t l = 0; l < 8; ++l) sums[l] += f(now[e + l], before[e + l]);
  for (std::size_t e = whole; e < now.size(); ++e) sums[e - whole] += f(now[e], before[e]);
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

class Lagged : public Accumulator {
 public:
  // `more`: numbers that are kept beside the values of each time.
  Lagged(const Observable& of, double spacing, std::size_t more = 0)
      : elements_(static_cast<std::size_t>(of.combine == Combine::none ? of.elements() : 1)),
        components_(of.components.size()),
        spacing_(spacing),
        lags_(elements_ * components_ + more) {}

 protected:
  static double ratio(double sum, double count) { return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN(); }
  double pairs(std::size_t slot) const { return static_cast<double>(pairs_[slot]) * static_cast<double>(elements_); }
  template <class F>
  void take(std::span<const double> x, F&& pair) {
    lags_.add(x, [&](std::size_t slot, const double* before) {
      if (slot >= pairs_.size()) {
        pairs_.resize(lags_.slots());
        sums_.resize(lags_.slots());
      }
      ++pairs_[slot];
      pair(slot, before);
    });
  }
  std::size_t elements_, components_;
  double spacing_;
  Lags lags_;
  std::vector<std::int64_t> pairs_;  // of times
  std::vector<double> sums_;
};

// C(tau) = < (x(t) - m) . (x(t + tau) - m) >, with m the mean over all elements and times of each component.
class Autocorrelation : public Lagged {
 public:
  Autocorrelation(const Observable& of, double spacing)
      : Lagged(of, spacing, of.components.size()), unit_(of.unit), origin_(components_), all_(components_) {}

  void add(double, std::span<const double> values) override {
    if (times_ == 0)  // far from 0 products would cancel
      for (std::size_t c = 0; c < components_; ++c) {
        const double first = values[c * elements_];
        origin_[c] = std::isfinite(first) ? first : 0;
      }
    x_.assign(values.begin(), values.end());
    for (std::size_t c = 0; c < components_; ++c)
      for (std::size_t e = 0; e < elements_; ++e) x_[c * elements_ + e] -= origin_[c];
    ++times_;
    const std::size_t size = x_.size();  // behind the values their sums, by component
    for (std::size_t c = 0; c < components_; ++c) {
      const double sum = sum_of(std::span<const double>(x_).subspan(c * elements_, elements_), [](double e) { return e; });
      all_[c] += sum;
      x_.push_back(sum);
    }
    take(x_, [&](std::size_t slot, const double* before) {
      if (ends_.size() < sums_.size() * components_) ends_.resize(sums_.size() * components_);
      sums_[slot] += sum_of_pairs(std::span(x_).first(size), before, [](double a, double b) { return a * b; });
      for (std::size_t c = 0; c < components_; ++c) ends_[slot * components_ + c] += x_[size + c] + before[size + c];
    });
  }
  void archive(core::Archive& a) override { a(lags_, pairs_, sums_, origin_, all_, ends_, times_); }
  std::vector<Figure> figures() const override {
    std::vector<double> lag, value, normalised, count;
    const double variance = sums_.empty() ? 0 : covariance(0);
    for (std::size_t slot = 0; slot < pairs_.size(); ++slot) {
      if (pairs_[slot] == 0) continue;
      lag.push_back(spacing_ * static_cast<double>(Lags::lag(slot)));
      value.push_back(covariance(slot));
      normalised.push_back(ratio(value.back(), variance));
      count.push_back(pairs(slot));
    }
    return {figure("lag", std::move(lag)), figure("value", std::move(value)), figure("normalised", std::move(normalised)),
            figure("pairs", std::move(count))};
  }
  std::string text() const override {
    if (sums_.empty()) return "no value";
    const double variance = covariance(0);
    std::string out = fmt::format("{} at lag 0", with_unit(variance, unit_.empty() ? "" : fmt::format("({})^2", unit_)));
    for (std::size_t slot = 0; slot < pairs_.size(); ++slot)
      if (pairs_[slot] > 0 && covariance(slot) < variance * std::exp(-1.0))
        return out + fmt::format(", below 1/e of it from lag {:.6g} on; -o and --json write it",
                                 spacing_ * static_cast<double>(Lags::lag(slot)));
    return out + ", and nowhere below 1/e of it; -o and --json write it";
  }

 private:
  double covariance(std::size_t slot) const {
    double out = sums_[slot];
    for (std::size_t c = 0; c < components_; ++c) {
      const double m = all_[c] / (static_cast<double>(times_) * static_cast<double>(elements_));
      out += m * (m * pairs(slot) - ends_[slot * components_ + c]);
    }
    return ratio(out, pairs(slot));
  }
  std::string unit_;
  std::vector<double> origin_, all_;  // by component: what is subtracted, and the sum of what is left
  std::vector<double> ends_;          // by slot and component: the sum of both values of each pair
  long times_ = 0;
  std::vector<double> x_;
};

// < |x(t + tau) - x(t)|^2 >
class MeanSquareDisplacement : public Lagged {
 public:
  MeanSquareDisplacement(const Observable& of, double spacing) : Lagged(of, spacing), unit_(of.unit) {}
  void add(double, std::span<const double> values) override {
    take(values, [&](std::size_t slot, const double* before) {
      sums_[slot] += sum_of_pairs(values, before, [](double a, double b) { return (a - b) * (a - b); });
    });
  }
  void archive(core::Archive& a) override { a(lags_, pairs_, sums_); }
  std::vector<Figure> figures() const override {
    std::vector<double> lag, value, count;
    for (std::size_t slot = 0; slot < pairs_.size(); ++slot) {
      if (pairs_[slot] == 0) continue;
      lag.push_back(spacing_ * static_cast<double>(Lags::lag(slot)));
      value.push_back(ratio(sums_[slot], pairs(slot)));
      count.push_back(pairs(slot));
    }
    return {figure("lag", std::move(lag)), figure("value", std::move(value)), figure("pairs", std::move(count))};
  }
  std::string text() const override {
    std::size_t last = pairs_.size();
    while (last > 0 && pairs_[last - 1] == 0) --last;
    if (last < 2) return "no value";
    return fmt::format("{} at lag {:.6g}; -o and --json write it",
                       with_unit(ratio(sums_[last - 1], pairs(last - 1)), unit_.empty() ? "" : fmt::format("({})^2", unit_)),
                       spacing_ * static_cast<double>(Lags::lag(last - 1)));
  }

 private:
  std::string unit_;
};

}  // namespace

std::unique_ptr<Accumulator> make_lagged(Reduce kind, const Observable& of, double spacing) {
  if (kind == Reduce::autocorrelation) return std::make_unique<Autocorrelation>(of, spacing);
  return std::make_unique<MeanSquareDisplacement>(of, spacing);
}

}  // namespace actio::run
