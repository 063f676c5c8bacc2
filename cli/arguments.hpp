#pragma once
#include <optional>
#include <string>
#include <vector>

namespace actio::cli {

// Exit codes.
inline constexpr int ok = 0, run_failed = 1, wrong_input = 2;

struct Arguments {
  std::string file;
  std::vector<std::string> overrides;  // key=value
  std::string output;
  std::string picture;  // of a sweep, by the Python package
  std::vector<std::string> methods;
  std::string method;
  std::string list_of = "methods";  // or "keys", "kinds"
  std::string kernels = "auto", space = "automatic";
  std::string certificate;  // the level of it, "": the file's
  bool json = false, quiet = false;
  bool spectral = false;
  std::vector<std::string> checkpoint;  // every=STEPS, seconds=S, file=NAME
  std::vector<std::string> sweep;       // c=1,2,3: values of keys
  int jobs = 1;                         // runs of a sweep at a time
  std::string reference;                // METHOD or METHOD@STEP, that a comparison measures errors by
  long member = -1;                     // of an ensemble, to be run alone; -1: all of them
  double error = 1e-4;                  // of positions, at which methods are compared
  long tries = 3;                       // methods that are tried
  double seconds = 10;                  // for all trials together
  std::optional<long> count;            // of modes
  std::string matrices;                 // what the names of files with the matrices begin with, or ""
  double xi = 0;                        // damping ratio of the motion whose spectrum is asked for
};

}  // namespace actio::cli
