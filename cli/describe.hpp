#pragma once
#include <string>
#include <vector>

#include <actio/io/problem.hpp>

// What a problem says, in words.
namespace actio::cli {

struct Fact {
  std::string label, text;
};
// Coordinates, mass, matrices, terms, forces, constraints, signals: one fact each.
std::vector<Fact> describe(const io::Problem& problem);

// "length angstrom, mass amu, time 48.8882 fs, energy kcal/mol"; empty where the file names no units.
std::string unit_words(const io::Problem& problem);

// The sample of largest size.
struct Peak {
  double t = 0, value = 0;
};
Peak peak_of(const system::Signal& signal);

}  // namespace actio::cli
