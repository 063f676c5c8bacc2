#include <actio/run/ensemble.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <actio/core/parallel.hpp>
#include <actio/run/integrate.hpp>

#include "../../system/differentiate.hpp"

namespace actio::run {
namespace {

using method::Lanes;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr long most_at_once = 256;  // steps of a block while it is in the cache; between them the run can be stopped

}  // namespace

std::string words(const MemberFailure& failure) {
  const char* what = failure.why == Lanes::Note::not_converged ? "Newton's method did not converge" : "the state is not finite";
  return fmt::format("{} at step {}, t = {}", what, failure.step, failure.t);
}

Ensemble::Ensemble(EnsembleTask task, const expr::CompileOptions& options)
    : task_(std::move(task)),
      lanes_(task_.model, task_.method, task_.members.varied, options, task_.stop ? &*task_.stop : nullptr),
      blocks_((task_.members.count + width - 1) / width),
      varied_(static_cast<long>(task_.members.varied.size())) {
  const auto numbers = [&](long rows) { return static_cast<std::size_t>(blocks_ * rows * width); };
  state_.resize(numbers(lanes_.rows()));
  constants_.resize(numbers(varied_));
  notes_.resize(numbers(note_rows));
  const auto members = static_cast<std::size_t>(task_.members.count);
  failed_.assign(members, -1);
  why_.assign(members, 0);
  energy0_.assign(members, missing);
  energy_stays_ = is_autonomous(task_.model) && !system::is_forced(task_.model);
  worst_.assign(members, energy_stays_ ? 0 : missing);
  make_observer(options);
}

// Of one block: the energy and the outputs, of q, p and the parameters that differ.
void Ensemble::make_observer(const expr::CompileOptions& options) {
  using expr::Id;
  const system::Model& model = task_.model;
  const int n = static_cast<int>(model.size()), parameters = static_cast<int>(model.parameters.size());
  expr::Graph g;
  std::vector<Id> q, p, uniforms{g.uniform(0)};
  for (int i = 0; i < n; ++i) q.push_back(g.column(i));
  for (int i = 0; i < n; ++i) p.push_back(g.column(n + i));
  for (int k = 0; k < parameters; ++k) uniforms.push_back(g.uniform(k + 1));
  for (std::size_t j = 0; j < task_.members.varied.size(); ++j)
    uniforms[static_cast<std::size_t>(task_.members.varied[j]) + 1] = g.column(2 * n + static_cast<int>(j));
  uniforms_.assign(1, 0);
  uniforms_.insert(uniforms_.end(), model.parameters.begin(), model.parameters.end());
  for (const double m : model.mass.diagonal) uniforms_.push_back(1 / m);

  std::vector<Id> v, outputs;
  Id energy = g.constant(0);
  for (int i = 0; i < n; ++i) {  // p^2/2m
    v.push_back(g.mul(g.uniform(1 + parameters + i), p[static_cast<std::size_t>(i)]));
    energy = g.add(energy, g.mul(g.constant(0.5), g.mul(p[static_cast<std::size_t>(i)], v.back())));
  }
  const system::Part minus_V = system::minus_potential_of(model);
  energy = g.sub(energy, expr::substitute(g, minus_V.graph, minus_V.values[0], q, uniforms));
  outputs.push_back(energy);
  names_.emplace_back("energy");
  std::vector<Id> columns = q;
  columns.insert(columns.end(), v.begin(), v.end());
  for (const MemberOutput& output : task_.outputs) {
    outputs.push_back(expr::substitute(g, output.graph, output.value, columns, uniforms));
    names_.push_back(output.name);
  }
  const std::vector<expr::KernelSource> sources{{"observe", &g, outputs, true, 2 * n + static_cast<int>(varied_), 0}};
  observer_ = expr::Module::build(sources, options);
  if (task_.stop) names_.emplace_back("stopped_at");
  values_.resize(names_.size());
  for (Blocks& of : values_) of.resize(static_cast<std::size_t>(blocks_ * width));
  reduced_.resize(names_.size());
}

// The lanes that no member has repeat the last one.
void Ensemble::start() {
  const Members& members = task_.members;
  const long n = lanes_.coordinates();
  core::parallel_for(blocks_, [&](long b, int) {
    double *x = block(state_, b, lanes_.rows()), *c = block(constants_, b, varied_);
    for (long l = 0; l < width; ++l) {
      const auto m = static_cast<std::size_t>(std::min(b * width + l, members.count - 1));
      for (long i = 0; i < n; ++i) {
        x[i * width + l] = members.q0[static_cast<std::size_t>(i)][m];
        x[(n + i) * width + l] = task_.model.mass.diagonal[i] * members.v0[static_cast<std::size_t>(i)][m];
      }
      for (long j = 0; j < varied_; ++j) c[j * width + l] = members.parameters[static_cast<std::size_t>(j)][m];
    }
    lanes_.start(task_.schedule.start, c, x);
  });
}

bool Ensemble::advance(const std::atomic<bool>* stop, const std::function<void(long)>& progress) {
  const Schedule& schedule = task_.schedule;
  if (step_ < 0) {
    start();
    step_ = 0;
    t_ = schedule.start;
    chunk(0, 0);
    observe();
    std::ranges::copy(values(0), energy0_.begin());
    follow_energy();
    return true;
  }
  if (step_ == schedule.steps || stopped_) return false;
  const long to = std::min(schedule.steps, (step_ / schedule.every + 1) * schedule.every);
  while (step_ < to) {
    const long count = std::min(most_at_once, to - step_);
    const auto begin = std::chrono::steady_clock::now();
    chunk(step_, count);
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    step_ += count;
    if (progress) progress(step_);
    if (stop && *stop) {
      stopped_ = true;
      break;
    }
  }
  t_ = schedule.time(step_);
  observe();
  follow_energy();
  return true;
}

// Steps from + 1 to from + count of all members. Those that are lost are noted with the step, and become not a number.
void Ensemble::chunk(long from, long count) {
  const Schedule& schedule = task_.schedule;
  Lanes::Substeps substeps;
  Lanes::Before at_end = before_;
  for (long k = from; k < from + count; ++k) lanes_.add(schedule.time(k), schedule.step[k], at_end, substeps);
  const long rows = lanes_.rows(), size = rows * width;
  std::atomic<bool> any{false};
  core::parallel_for(blocks_, [&](long b, int) {
    thread_local std::vector<double> before;
    double* const x = block(state_, b, rows);
    before.assign(x, x + size);
    if (count > 0) lanes_.step(substeps, block(constants_, b, varied_), x, block(notes_, b, note_rows));
    for (long l = 0; l < lanes_used(b); ++l) {
      if (failed_[static_cast<std::size_t>(b * width + l)] >= 0 || is_finite(x, l)) continue;
      find_failure(b, before.data(), from, count);
      any = true;
      break;
    }
  });
  before_ = at_end;
  if (!any) return;
  const std::size_t known = failures_.size();
  const long before_these = count > 0 ? from : from - 1;
  for (std::size_t m = 0; m < failed_.size(); ++m)
    if (failed_[m] > before_these)
      failures_.push_back(
          {task_.members.first + static_cast<long>(m), failed_[m], schedule.time(failed_[m]), static_cast<Lanes::Note>(why_[m])});
  std::stable_sort(failures_.begin() + static_cast<std::ptrdiff_t>(known), failures_.end(),
                   [](const MemberFailure& a, const MemberFailure& b) { return a.step < b.step; });
}

// The steps of a block once more, one by one, from where all members that had not failed were finite.
void Ensemble::find_failure(long b, const double* before, long from, long count) {
  const long rows = lanes_.rows();
  Blocks x(before, before + rows * width), note(static_cast<std::size_t>(note_rows * width));
  Lanes::Before sizes = before_;
  const auto look = [&](long step) {
    for (long l = 0; l < lanes_used(b); ++l) {
      const auto m = static_cast<std::size_t>(b * width + l);
      if (failed_[m] >= 0 || is_finite(x.data(), l)) continue;
      failed_[m] = step;
      const bool newton = note[static_cast<std::size_t>(l)] == static_cast<double>(Lanes::Note::not_converged);
      why_[m] = static_cast<std::int64_t>(newton ? Lanes::Note::not_converged : Lanes::Note::not_finite);
    }
  };
  look(from);
  for (long k = from; k < from + count; ++k) {
    Lanes::Substeps one;
    lanes_.add(task_.schedule.time(k), task_.schedule.step[k], sizes, one);
    lanes_.step(one, block(constants_, b, varied_), x.data(), note.data());
    look(k + 1);
  }
  double* const now = block(state_, b, rows);
  for (long l = 0; l < lanes_used(b); ++l) {
    if (failed_[static_cast<std::size_t>(b * width + l)] < 0) continue;
    for (long row = 0; row < rows; ++row) now[row * width + l] = missing;
    if (task_.stop) now[lanes_.moves() * width + l] = 0;  // so that no condition is looked at
  }
}

bool Ensemble::is_finite(const double* state, long lane) const {
  double sum = 0;
  for (long row = 0; row < 2 * lanes_.coordinates(); ++row) sum += 0 * state[row * width + lane];
  return sum == 0;
}

void Ensemble::observe() {
  uniforms_[0] = t_;
  const long rows = lanes_.rows(), n = lanes_.coordinates();
  core::parallel_for(blocks_, [&](long b, int) {
    std::vector<const double*> columns;
    std::vector<double*> out;
    const double *x = block(state_, b, rows), *c = block(constants_, b, varied_);
    for (long row = 0; row < 2 * n; ++row) columns.push_back(x + row * width);
    for (long j = 0; j < varied_; ++j) columns.push_back(c + j * width);
    for (Blocks& of : values_) out.push_back(block(of, b, 1));
    observer_.batch(0)(width, uniforms_.data(), columns.data(), out.data());
    if (task_.stop) std::copy_n(x + lanes_.stopped_at() * width, width, out.back());
    for (long l = 0; l < lanes_used(b); ++l)  // an expression may be finite where the state is not
      if (failed_[static_cast<std::size_t>(b * width + l)] >= 0)
        for (double* const values : out) values[l] = missing;
  });
  for (std::size_t k = 0; k < values_.size(); ++k) reduced_[k] = reduce(values(k), task_.quantiles, bins(k));
}

void Ensemble::follow_energy() {
  for (std::size_t m = 0; m < worst_.size(); ++m) {
    const double error = std::abs(values(0)[m] - energy0_[m]);
    if (!(worst_[m] >= error) && !std::isnan(worst_[m])) worst_[m] = error;  // one that is not a number stays
  }
}

std::span<const double> Ensemble::values(std::size_t k) const {
  return {values_[k].data(), static_cast<std::size_t>(task_.members.count)};
}

double Ensemble::state(long member, long row) const {
  return block(state_, member / width, lanes_.rows())[row * width + member % width];
}

double Ensemble::iterations() const {
  double iterations = 0, steps = 0;
  for (long m = 0; m < task_.members.count; ++m) {
    if (failed_[static_cast<std::size_t>(m)] >= 0) continue;
    const double* const note = block(notes_, m / width, note_rows) + m % width;
    iterations += note[width];
    steps += note[2 * width];
  }
  return steps > 0 ? iterations / steps : 0;
}

}  // namespace actio::run
