#include <filesystem>

#include <actio/run/trajectory.hpp>

#include "trajectory_formats.hpp"

namespace actio::run {

namespace {

namespace fs = std::filesystem;

bool same(const fs::path& a, const fs::path& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error) && !error) return true;  // device and inode
  std::error_code one, two;
  const fs::path where_a = fs::weakly_canonical(a, one), where_b = fs::weakly_canonical(b, two);
  return !one && !two && where_a == where_b;
}

std::vector<std::string> written(const std::string& path, std::span<const std::string> events) {
  std::vector<std::string> out{path};
  if (!in_pieces(path)) {
    out.push_back(rows_beside(path));
    out.push_back(reductions_beside(path));
    for (const std::string& name : events) out.push_back(event_beside(path, name));
    return out;
  }
  out.push_back(next_list(path));
  const std::string stem = fs::path(path).stem().string();
  std::error_code error;
  for (auto entry = fs::directory_iterator(fs::path(path).parent_path() / stem, error);
       !error && entry != fs::directory_iterator(); entry.increment(error))
    if (frame_of(entry->path().filename().string(), stem) >= 0) out.push_back(entry->path().string());
  return out;
}

}  // namespace

Clash clash(const std::string& path, std::span<const std::string> read, std::span<const std::string> events) {
  for (const std::string& to : written(path, events))
    for (const std::string& from : read)
      if (same(to, from)) return {from, to};
  return {};
}

}  // namespace actio::run
