#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>
#include <actio/method/statics.hpp>
#include <actio/run/pieces.hpp>
#include <actio/run/trajectory.hpp>

// The processes that run one problem: one alone, or many, which each call the same functions in the same order.
namespace actio::session {

class Execution {
 public:
  Execution() = default;
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;
  virtual ~Execution() = default;

  // Over how many processes the vectors are distributed; 0: they are not.
  virtual long distributed_over() const = 0;
  // A checksum of how the coordinates were dealt out to the last integrator; 0 where they are not distributed.
  virtual std::uint32_t partition_checksum() const = 0;

  virtual std::unique_ptr<method::Integrator> integrator(const system::Model& model, const method::Spec& spec,
                                                         const method::BuildOptions& options) = 0;
  // Of the start. Throws core::InputError where the problem's method cannot run on the processes.
  virtual method::Statics equilibrium(const io::Problem& problem, const method::BuildOptions& options) = 0;

  // f() on one process, before there are steps. It throws core::InputError, which is thrown on all.
  virtual void before(const std::function<void()>& f) = 0;
  // f() on one process, at a step. What it throws is thrown on all.
  virtual void alone(long step, double t, const std::function<void()>& f) = 0;

  // write(record) on one process: the record has the `state` of each of them. What it throws is thrown on all.
  virtual void save(long step, double t, std::string_view state, const std::function<void(std::string_view record)>& write) = 0;
  // The state that this process gave to a record. Throws core::InputError where another number of processes saved it.
  virtual std::string saved_state(std::string record) const = 0;

  // What open() opens, once for all processes; with `in_pieces` each opens its own piece of it.
  virtual std::unique_ptr<run::Trajectory> output(
      bool in_pieces, const std::function<std::unique_ptr<run::Trajectory>(const run::Pieces& pieces)>& open) = 0;

  // [s] from any origin, and whether the run is to end: both the same on all processes. The flag may wait for the next look at
  // the clock.
  virtual double clock() = 0;
  virtual const std::atomic<bool>& stop() = 0;
};

// This process alone.
class OneProcess final : public Execution {
 public:
  explicit OneProcess(const std::atomic<bool>& stop) : stop_(stop) {}
  long distributed_over() const override { return 0; }
  std::uint32_t partition_checksum() const override { return 0; }
  std::unique_ptr<method::Integrator> integrator(const system::Model& model, const method::Spec& spec,
                                                 const method::BuildOptions& options) override;
  method::Statics equilibrium(const io::Problem& problem, const method::BuildOptions& options) override;
  void before(const std::function<void()>& f) override { f(); }
  void alone(long, double, const std::function<void()>& f) override { f(); }
  void save(long, double, std::string_view state, const std::function<void(std::string_view)>& write) override { write(state); }
  std::string saved_state(std::string record) const override { return record; }
  std::unique_ptr<run::Trajectory> output(
      bool, const std::function<std::unique_ptr<run::Trajectory>(const run::Pieces&)>& open) override {
    return open({});
  }
  double clock() override;
  const std::atomic<bool>& stop() override { return stop_; }

 private:
  const std::atomic<bool>& stop_;
};

}  // namespace actio::session
