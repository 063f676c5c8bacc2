#include "mpi_execution.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <actio/core/archive.hpp>
#include <actio/core/error.hpp>
#include <actio/petsc/distributed.hpp>
#include <actio/petsc/error.hpp>

#include "interrupt.hpp"

namespace actio::petsc {
namespace {

// f() on the first process. What it throws there is thrown there, and a Failure made of `otherwise` on all others.
template <class Failure, class F>
void on_first(MPI_Comm comm, F&& f, const Failure& otherwise) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  std::exception_ptr error;
  if (rank == 0) {
    try {
      f();
    } catch (const Failure&) { error = std::current_exception(); } catch (const std::exception& e) {
      if constexpr (std::is_same_v<Failure, core::RunError>) {
        const auto* wrong = dynamic_cast<const core::InputError*>(&e);
        const core::Diagnostic why = wrong ? wrong->diagnostic() : core::Diagnostic{e.what()};
        error = std::make_exception_ptr(core::RunError(otherwise.step, otherwise.t, why.message, why.hint));
      } else {
        error = std::current_exception();
      }
    }
  }
  int failed = error != nullptr;
  MPI_Bcast(&failed, 1, MPI_INT, 0, comm);
  if (error) std::rethrow_exception(error);
  if (failed) throw Failure(otherwise);
}

template <class F>
void write_on_first(MPI_Comm comm, long step, double t, F&& f) {
  on_first(comm, f, core::RunError(step, t, "the first process cannot write", ""));
}

// The first process writes; what it throws is thrown on all.
class WrittenByFirst final : public run::Trajectory {
 public:
  WrittenByFirst(MPI_Comm comm, std::unique_ptr<run::Trajectory> file) : comm_(comm), file_(std::move(file)) {}
  void observe(const run::Observation& now) override {
    alone(now.step, now.state.t, [&] { file_->observe(now); });
  }
  void flush() override {
    alone(0, 0, [&] { file_->flush(); });
  }
  void finish(std::string_view certificate, std::span<const run::Observed> observed) override {
    alone(0, 0, [&] { file_->finish(certificate, observed); });
  }
  std::int64_t sync() override {
    std::int64_t bytes = 0;
    alone(0, 0, [&] { bytes = file_->sync(); });
    MPI_Bcast(&bytes, 1, MPI_INT64_T, 0, comm_);
    return bytes;
  }
  std::string remains() const override { return file_ ? file_->remains() : ""; }  // only the first process has words to print
  void forget() override {
    alone(0, 0, [&] { file_->forget(); });
  }

 private:
  template <class F>
  void alone(long step, double t, F&& f) {
    write_on_first(comm_, step, t, f);
  }
  MPI_Comm comm_;
  std::unique_ptr<run::Trajectory> file_;
};

constexpr std::int64_t most_at_once = 1 << 30;  // bytes of a message

void send(MPI_Comm comm, std::string_view bytes) {
  std::int64_t size = static_cast<std::int64_t>(bytes.size());
  MPI_Send(&size, 1, MPI_INT64_T, 0, 0, comm);
  for (std::int64_t at = 0; at < size; at += most_at_once)
    MPI_Send(bytes.data() + at, static_cast<int>(std::min(most_at_once, size - at)), MPI_BYTE, 0, 0, comm);
}

std::string receive(MPI_Comm comm, int rank) {
  std::int64_t size = 0;
  MPI_Recv(&size, 1, MPI_INT64_T, rank, 0, comm, MPI_STATUS_IGNORE);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  for (std::int64_t at = 0; at < size; at += most_at_once)
    MPI_Recv(bytes.data() + at, static_cast<int>(std::min(most_at_once, size - at)), MPI_BYTE, rank, 0, comm, MPI_STATUS_IGNORE);
  return bytes;
}

std::vector<std::string> gather(MPI_Comm comm, int rank, int ranks, std::string_view saved) {
  if (rank != 0) {
    send(comm, saved);
    return {};
  }
  std::vector<std::string> all{std::string(saved)};
  for (int r = 1; r < ranks; ++r) all.push_back(receive(comm, r));
  if (std::all_of(all.begin(), all.end(), [&](const std::string& other) { return other == all.front(); })) all.resize(1);
  return all;
}

}  // namespace

MpiExecution::MpiExecution(MPI_Comm comm) : comm_(comm), interrupted_(cli::catch_interrupts()) {
  MPI_Comm_size(comm, &processes_);
  MPI_Comm_rank(comm, &rank_);
}

std::uint32_t MpiExecution::partition_checksum() const { return PartitionChecksum(partition_).sum(); }

std::unique_ptr<method::Integrator> MpiExecution::integrator(const system::Model& model, const method::Spec& spec,
                                                             const method::BuildOptions& options) {
  return make_integrator(comm_, model, spec, options, &partition_);
}

method::Statics MpiExecution::equilibrium(const io::Problem& p, const method::BuildOptions& options) {
  if (const std::string why = why_not_distributed(p.model, p.method); !why.empty()) throw core::InputError(why);
  return petsc::equilibrium(comm_, p.model, p.schedule.start, p.q0, options.compile);
}

void MpiExecution::before(const std::function<void()>& f) {
  on_first(comm_, f, core::InputError("the first process cannot start the run"));
}

void MpiExecution::alone(long step, double t, const std::function<void()>& f) { write_on_first(comm_, step, t, f); }

// The record is an archive of the states by rank, or of one where it is the same on all.
void MpiExecution::save(long step, double t, std::string_view state, const std::function<void(std::string_view)>& write) {
  std::vector<std::string> states = gather(comm_, rank_, processes_, state);
  core::Archive a;
  a(states);
  alone(step, t, [&] { write(a.bytes()); });
}

std::string MpiExecution::saved_state(std::string record) const {
  std::vector<std::string> states;
  core::Archive a(record);
  a(states);
  if (states.size() == 1) return std::move(states[0]);
  if (static_cast<long>(states.size()) != processes_)
    throw core::InputError(
        fmt::format("{} processes saved a factor or a preconditioner each, and this run has {}", states.size(), processes_),
        fmt::format("actio resume -np {} FILE", states.size()));
  return std::move(states[static_cast<std::size_t>(rank_)]);
}

std::unique_ptr<run::Trajectory> MpiExecution::output(
    bool in_pieces, const std::function<std::unique_ptr<run::Trajectory>(const run::Pieces&)>& open) {
  if (in_pieces && processes_ > 1) return open(pieces());
  std::unique_ptr<run::Trajectory> file;
  on_first(
      comm_, [&] { file = open({}); }, core::InputError("the first process cannot create the output"));
  return std::make_unique<WrittenByFirst>(comm_, std::move(file));
}

double MpiExecution::clock() {
  double now[2] = {0, interrupted_.load(std::memory_order_relaxed) ? 1.0 : 0.0}, all[2];
  if (rank_ == 0) now[0] = MPI_Wtime();
  MPI_Allreduce(now, all, 2, MPI_DOUBLE, MPI_SUM, comm_);
  if (all[1] > 0) stop_ = true;
  return all[0];
}

run::Pieces MpiExecution::pieces() const {
  run::Pieces pieces{rank_, processes_};
  pieces.owner.reserve(partition_.number.size());
  for (const PetscInt k : partition_.number) pieces.owner.push_back(partition_.owner(k));
  pieces.first_error = [comm = comm_](const std::string& mine) {
    return first_message(comm, mine.empty() ? std::nullopt : std::optional(mine)).value_or("");
  };
  return pieces;
}

}  // namespace actio::petsc
