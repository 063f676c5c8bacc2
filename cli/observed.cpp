#include "observed.hpp"

#include <fmt/format.h>

#include <actio/invariant/json.hpp>

#include "terminal.hpp"

namespace actio::cli {

std::string observed_text(std::span<const run::Observed> observed) {
  std::string out;
  for (const run::Observed& of : observed) {
    std::string label = of.name;
    for (const auto& reduction : of.reductions) {
      std::string text = reduction.text;
      for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
        text.replace(at, 1, fmt::format("\n{:18}", ""));
      out += fmt::format("  {:<15} {} {}\n", label, reduction.name, text);
      label.clear();
    }
  }
  return out;
}

std::string with_observed(std::string certificate, std::span<const run::Observed> observed) {
  if (observed.empty()) return certificate;
  invariant::Json j;
  j.begin();
  for (const run::Observed& of : observed) {
    j.key(of.name).begin().field("definition", std::string_view(of.definition)).field("unit", std::string_view(of.unit));
    j.field("elements", of.elements).field("times", of.times).field("first", of.first).field("last", of.last);
    for (const auto& reduction : of.reductions) {
      j.key(reduction.name).begin();
      for (const run::Figure& figure : reduction.figures) {
        j.key(figure.name);
        if (!figure.list) {
          j.value(figure.values[0]);
          continue;
        }
        j.begin_array();
        for (const double x : figure.values) j.value(x);
        j.end_array();
      }
      j.end();
    }
    j.end();
  }
  j.end();
  certificate.pop_back();
  return certificate + ",\"observed\":" + j.text() + "}";
}

}  // namespace actio::cli
