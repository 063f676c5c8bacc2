#pragma once
#include <string>
#include <vector>

#include <actio/run/table_file.hpp>

#include "one_run.hpp"
#include "swept.hpp"

// The table of a sweep of whole runs: one row a combination.
namespace actio::cli {

struct SweepRow {
  std::vector<std::string> values;  // one a key
  OneRun run;
};

std::string sweep_text(const std::vector<Swept>& swept, const std::vector<SweepRow>& rows);
std::string sweep_json(const std::vector<Swept>& swept, const std::vector<SweepRow>& rows);
std::vector<run::TableColumn> sweep_columns(const std::vector<Swept>& swept, const std::vector<SweepRow>& rows);

}  // namespace actio::cli
