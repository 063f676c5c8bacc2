#include "accumulator.hpp"

#include <actio/core/sum.hpp>
#include <actio/run/blocked_mean.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

namespace actio::run {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();

bool all_finite(std::span<const double> x) {
  return sum_of(x, [](double e) { return 0 * e; }) == 0;
}

// Those that are finite, and how many were not.
class Finite {
 public:
  std::span<const double> operator()(std::span<const double> x) {
    if (all_finite(x)) return x;
    kept_.clear();
    std::copy_if(x.begin(), x.end(), std::back_inserter(kept_), [](double e) { return std::isfinite(e); });
    missing_ += static_cast<long>(x.size() - kept_.size());
    return kept_;
  }
  void archive(core::Archive& a) { a(missing_); }
  void add_to(std::vector<Figure>& figures) const { figures.push_back(figure("not_finite", static_cast<double>(missing_))); }
  std::string text() const {
    return missing_ == 0 ? "" : fmt::format("; {} {} not finite", missing_, missing_ == 1 ? "value was" : "values were");
  }

 private:
  long missing_ = 0;
  std::vector<double> kept_;
};

// Over all elements and times; its error is that of the mean over the elements at a time, as a series in time.
class Mean : public Accumulator {
 public:
  Mean(std::string unit, double spacing) : unit_(std::move(unit)), spacing_(spacing) {}
  void add(double, std::span<const double> values) override {
    const auto x = finite_(values);
    if (x.empty()) return;
    const double n = static_cast<double>(x.size());
    const double first = x[0], mean = first + sum_of(x, [&](double e) { return e - first; }) / n;
    const double squares = sum_of(x, [&](double e) { return (e - mean) * (e - mean); });
    const double before = static_cast<double>(count_), off = mean - mean_;
    count_ += static_cast<long>(x.size());
    const double after = static_cast<double>(count_);
    mean_ += off * (n / after);
    squares_ += squares + off * off * (before * n / after);
    blocks_.add(mean);
  }
  void archive(core::Archive& a) override { a(count_, mean_, squares_, blocks_, finite_); }
  std::vector<Figure> figures() const override {
    const auto error = blocks_.error();
    std::vector<Figure> out{figure("value", count_ > 0 ? mean_ : unknown),
                            figure("standard_error", error ? error->value : unknown),
                            figure("error_of_standard_error", error ? error->uncertainty : unknown),
                            figure("standard_deviation", deviation()),
                            figure("inefficiency", error ? error->inefficiency : unknown),
                            figure("correlation_time", error ? 0.5 * error->inefficiency * spacing_ : unknown),
                            figure("count", static_cast<double>(count_))};
    finite_.add_to(out);
    return out;
  }
  std::string text() const override {
    if (count_ == 0) return "no value" + finite_.text();
    std::string out = fmt::format("{:.8g}", mean_);
    if (const auto error = blocks_.error())
      out += fmt::format(" +- {:.2g}{}, standard error of {} blocks of {}; ", error->value, unit(), error->blocks, error->block);
    else
      out += fmt::format("{}, too few independent values for a standard error; ", unit());
    return out + fmt::format("standard deviation {:.4g}; {} {}{}", deviation(), count_, count_ == 1 ? "value" : "values",
                             finite_.text());
  }

 private:
  std::string unit() const { return unit_.empty() ? "" : " " + unit_; }
  double deviation() const { return count_ > 1 ? std::sqrt(squares_ / static_cast<double>(count_ - 1)) : unknown; }
  std::string unit_;
  double spacing_;
  long count_ = 0;
  double mean_ = 0, squares_ = 0;  // over all values; the sum of squares about it
  BlockedMean blocks_;
  Finite finite_;
};

class Rms : public Accumulator {
 public:
  explicit Rms(std::string unit) : unit_(std::move(unit)) {}
  void add(double, std::span<const double> values) override {
    const auto x = finite_(values);
    squares_.add(sum_of(x, [](double e) { return e * e; }));
    count_ += static_cast<long>(x.size());
  }
  void archive(core::Archive& a) override { a(squares_.high, squares_.low, count_, finite_); }
  std::vector<Figure> figures() const override {
    std::vector<Figure> out{figure("value", value()), figure("count", static_cast<double>(count_))};
    finite_.add_to(out);
    return out;
  }
  std::string text() const override {
    return count_ == 0 ? "no value" + finite_.text() : with_unit(value(), unit_) + finite_.text();
  }

 private:
  double value() const { return std::sqrt(squares_.value() / static_cast<double>(count_)); }
  std::string unit_;
  core::Sum squares_;
  long count_ = 0;
  Finite finite_;
};

class Extreme : public Accumulator {
 public:
  Extreme(std::string unit, long elements, bool largest)
      : unit_(std::move(unit)), elements_(elements), largest_(largest), value_(largest ? -infinite : infinite) {}
  void add(double t, std::span<const double> values) override {
    const bool finite = all_finite(values);
    for (std::size_t e = 0; e < values.size(); ++e) {
      const double x = values[e];
      if (!(largest_ ? x > value_ : x < value_)) continue;  // one that is not a number is neither
      if (!finite && !std::isfinite(x)) continue;
      value_ = x;
      t_ = t;
      element_ = static_cast<long>(e);
    }
    if (!finite) missing_(values);
  }
  void archive(core::Archive& a) override { a(value_, t_, element_, missing_); }
  std::vector<Figure> figures() const override {
    std::vector<Figure> out{figure("value", element_ < 0 ? unknown : value_), figure("t", element_ < 0 ? unknown : t_)};
    if (elements_ > 1) out.push_back(figure("element", static_cast<double>(element_)));
    missing_.add_to(out);
    return out;
  }
  std::string text() const override {
    if (element_ < 0) return "no value" + missing_.text();
    return fmt::format("{} at t = {:.6g}{}{}", with_unit(value_, unit_), t_,
                       elements_ > 1 ? fmt::format(", element {}", element_) : "", missing_.text());
  }

 private:
  std::string unit_;
  long elements_;
  bool largest_;
  double value_, t_ = 0;
  long element_ = -1;
  Finite missing_;
};

class Histogram : public Accumulator {
 public:
  explicit Histogram(const Bins& bins) : bins_(bins), counts_(bins) {}
  void add(double, std::span<const double> values) override {
    for (const double x : finite_(values)) counts_.add(bins_, x);
  }
  void archive(core::Archive& a) override { a(counts_, finite_); }
  std::vector<Figure> figures() const override {
    std::vector<double> edges = this->edges(), counts, density;
    const double all = total();
    for (const std::int64_t count : counts_.bins) {
      counts.push_back(static_cast<double>(count));
      density.push_back(static_cast<double>(count) / (all * bins_.width()));
    }
    std::vector<Figure> out{figure("edge", std::move(edges)), figure("count", std::move(counts)),
                            figure("density", std::move(density)), figure("below", static_cast<double>(counts_.below)),
                            figure("above", static_cast<double>(counts_.above))};
    finite_.add_to(out);
    return out;
  }
  std::string text() const override {
    constexpr std::int64_t longest_bar = 40;
    constexpr long most_bars = 50;
    std::string out = fmt::format("{:.0f} values", total()) + finite_.text();
    if (bins_.count > most_bars) return out + fmt::format(" in {} bins, which -o and --json write", bins_.count);
    const std::int64_t most = std::max<std::int64_t>(1, *std::max_element(counts_.bins.begin(), counts_.bins.end()));
    if (counts_.below > 0) out += fmt::format("\n{:>10} below {:.6g}", counts_.below, bins_.from);
    for (long b = 0; b < bins_.count; ++b) {
      const std::int64_t count = counts_.bins[static_cast<std::size_t>(b)];
      const std::string bar(static_cast<std::size_t>(count * longest_bar / most), '#');
      out +=
          fmt::format("\n{:>10} {:>9.4g} to {:<9.4g}{}{}", count, bins_.edge(b), bins_.edge(b + 1), bar.empty() ? "" : " ", bar);
    }
    if (counts_.above > 0) out += fmt::format("\n{:>10} above {:.6g}", counts_.above, bins_.to);
    return out;
  }

 protected:
  std::vector<double> edges() const {
    std::vector<double> out;
    for (long b = 0; b <= bins_.count; ++b) out.push_back(bins_.edge(b));
    return out;
  }
  double total() const {
    double all = static_cast<double>(counts_.below + counts_.above);
    for (const std::int64_t count : counts_.bins) all += static_cast<double>(count);
    return all;
  }
  Bins bins_;
  Counts counts_;
  Finite finite_;
};

// g(r): pairs in the shell of a bin, over as many as there were if the places of the points in the box were independent.
class RadialDistribution final : public Histogram {
 public:
  explicit RadialDistribution(const Observable& of) : Histogram(*of.bins), space_(of.box.size() == 3), unit_(of.unit) {
    for (const double length : of.box) volume_ *= length;
  }
  std::vector<Figure> figures() const override {
    std::vector<double> counts;
    for (const std::int64_t count : counts_.bins) counts.push_back(static_cast<double>(count));
    std::vector<Figure> out{figure("edge", edges()), figure("g", g()), figure("count", std::move(counts))};
    finite_.add_to(out);
    return out;
  }
  std::string text() const override {
    if (total() == 0) return "no value" + finite_.text();
    const std::vector<double> g = this->g();
    const auto highest = std::max_element(g.begin(), g.end());
    const long b = highest - g.begin();
    return fmt::format("{:.0f} distances{}; highest {:.3f} from {} to {}; -o and --json write it", total(), finite_.text(),
                       *highest, with_unit(bins_.edge(b), ""), with_unit(bins_.edge(b + 1), unit_));
  }

 private:
  std::vector<double> g() const {
    const auto ball = [this](double r) { return space_ ? 4.0 / 3.0 * std::numbers::pi * r * r * r : std::numbers::pi * r * r; };
    std::vector<double> out;
    for (long b = 0; b < bins_.count; ++b) {
      const double even = total() * (ball(bins_.edge(b + 1)) - ball(bins_.edge(b))) / volume_;
      out.push_back(even > 0 ? static_cast<double>(counts_.bins[static_cast<std::size_t>(b)]) / even : unknown);
    }
    return out;
  }
  bool space_;
  std::string unit_;
  double volume_ = 1;
};

}  // namespace

std::string with_unit(double value, const std::string& unit) {
  return unit.empty() ? fmt::format("{:.8g}", value) : fmt::format("{:.8g} {}", value, unit);
}

std::unique_ptr<Accumulator> make_accumulator(Reduce kind, const Observable& of, double spacing) {
  const long elements = of.combine == Combine::none ? of.elements() : 1;
  switch (kind) {
    case Reduce::mean:
      return std::make_unique<Mean>(of.unit, spacing);
    case Reduce::rms:
      return std::make_unique<Rms>(of.unit);
    case Reduce::largest:
      return std::make_unique<Extreme>(of.unit, elements, true);
    case Reduce::smallest:
      return std::make_unique<Extreme>(of.unit, elements, false);
    case Reduce::histogram:
      return std::make_unique<Histogram>(*of.bins);
    case Reduce::radial_distribution:
      return std::make_unique<RadialDistribution>(of);
    case Reduce::autocorrelation:
    case Reduce::mean_square_displacement:
      return make_lagged(kind, of, spacing);
  }
  return nullptr;
}

}  // namespace actio::run
