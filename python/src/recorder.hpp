#pragma once
#include <nanobind/nanobind.h>

#include <actio/run/observer.hpp>
#include <actio/run/probe.hpp>
#include <actio/session/session.hpp>
#include <string>
#include <utility>
#include <vector>

// What a run shows at its observations, row by row in memory, which numpy then takes over without a copy.
namespace actio::python {

class Recorder final : public run::Observer {
 public:
  // q, v, p (n columns each) are kept where `states` has their letter.
  Recorder(const session::Session& session, const std::string& states);
  void observe(const run::Observation& now) override;
  // {"t": (N), "q": (N, n), ..., "energy": (N), "momentum": (N, J), "ledger": (N, 6), "multipliers": (N, m), "observed": (N, k),
  // "probes": (N, 3 k): means of q, then of v, sums of p}
  nanobind::dict arrays();

 private:
  enum class What { t, energy, q, v, p, momentum, ledger, multipliers, observed, probes };
  struct Table {
    What what;
    const char* name;
    long columns = 0;  // -1: rows are numbers
    std::vector<double> values{};
  };
  std::vector<Table> tables_;
  std::vector<run::Probe> probes_;
  long rows_ = 0;
};

}  // namespace actio::python
