#include <fmt/format.h>

#include <actio/method/step_control.hpp>

#include "elements.hpp"
#include "parts.hpp"
#include "values.hpp"

// run.step = { reversible = "r^1.5", eps = 0.05 }: steps that follow the motion.
namespace actio::io {
namespace {

using method::StepControl;
constexpr const char* example = "for example step = { reversible = \"r^1.5\", eps = 0.05 }, for steps of eps r^1.5";

Value text_at(const Value& like, std::string text) {
  Value out;
  out.kind = Kind::string;
  out.string = std::move(text);
  out.place = like.place;
  return out;
}

// sigma of the expression, summed over the elements where there are any.
void read_function(const SymbolTable& symbols, const Value& text, const std::string& path, const Elements& elements,
                   StepControl& out) {
  std::vector<std::string> loops;
  for (const auto& range : elements.ranges) loops.push_back(range.name);
  Allowed allowed;
  allowed.positions = true;
  allowed.why = "sigma is a function of positions; reversible = \"energy\" makes steps short where velocities are high";
  const Expression expression(symbols, text, path, loops, allowed);
  Batch batch = assemble_potential(expression, elements);
  if (batch.locals == 0) symbols.document().fail(text.place, fmt::format("{} depends on no coordinate", path), example);
  out.sum = named<system::ElementFunction>("sigma", std::move(batch));
}

// (sum over all pairs of distance^-3)^(-1/2): r^1.5 of a pair that is close beside the others.
void read_distance(const SymbolTable& symbols, const Value& text, const std::string& path, StepControl& out) {
  const Document& document = symbols.document();
  if (symbols.points.size() != 1 || symbols.points[0].count < 2)
    document.fail(text.place, fmt::format("{} = \"distance\" is of the pairs of one family of points", path),
                  "[system.points] body = [\"x\", \"y\"] names them; else give an expression: \"(x^2 + y^2)^0.75\"");
  const PointFamily& points = symbols.points[0];
  const Value over = text_at(text, fmt::format("a_ = 0..{}, b_ = a_+1..{}", points.count - 1, points.count - 1));
  const Value power = text_at(text, fmt::format("distance({0}[a_], {0}[b_])^(-3)", points.name));
  read_function(symbols, power, path, read_elements(symbols, over, path, false), out);
  out.power = -0.5;
}

}  // namespace

std::shared_ptr<const method::StepControl> read_step_control(const Section& root, const SymbolTable& symbols,
                                                             const method::Spec& spec) {
  const Document& document = root.document();
  const Value* run = root.find("run");
  const Value* step = run && run->kind == Kind::table ? run->find("step") : nullptr;
  if (!step || step->kind != Kind::table) return nullptr;
  const Section section(document, *step, "run.step", keys_of_table("run.step"));
  auto out = std::make_shared<StepControl>();
  const Value *reversible = section.find("reversible"), *poincare = section.find("poincare");
  const Value *eps = section.find("eps"), *first = section.find("first");
  if (reversible && poincare)
    document.fail(section.place_of("poincare"), "run.step has both reversible and poincare",
                  "they are two ways: give one of them");
  if ((eps != nullptr) == (first != nullptr))
    document.fail(step->place, eps ? "run.step has both eps and first" : "run.step says nothing of how long a step is",
                  "eps is how much of sigma a step takes, first how long the first step is");
  if (eps) {
    out->eps = scalar(symbols, *eps, "run.step.eps");
    if (!(out->eps > 0)) document.fail(eps->place, fmt::format("run.step.eps is {}; it must be positive", out->eps));
  }
  const bool own = spec.traits().transforms_time;
  const Value* sigma = reversible ? reversible : poincare;
  if (own) {
    if (sigma)
      document.fail(sigma->place, fmt::format("the steps of {} follow the motion by themselves", spec.description().name),
                    "step = { eps = 0.05 }, or the size of the first step, step = 0.01");
    for (const char* key : {"over", "power"})
      if (section.find(key))
        document.fail(section.place_of(key), fmt::format("{} belongs to an expression, and the steps of {} follow the motion by "
                                                         "themselves",
                                                         section.path(key), spec.description().name));
    out->kind = StepControl::Kind::own;
    if (eps && spec.traits().finds_step)
      document.fail(eps->place, fmt::format("{} has no eps", spec.description().name), "step = 0.01 is its first step");
    return out;
  }
  if (!sigma) document.fail(step->place, "run.step says nothing that steps follow", example);
  out->kind = reversible ? StepControl::Kind::reversible : StepControl::Kind::poincare;
  const std::string path = section.path(reversible ? "reversible" : "poincare");
  need_kind(document, *sigma, path, Kind::string);
  out->definition = sigma->string;
  const Value *over = section.find("over"), *power = section.find("power");
  const bool preset = sigma->string == "distance" || sigma->string == "force" || sigma->string == "energy";
  if (preset)
    for (const char* key : {"over", "power"})
      if (section.find(key))
        document.fail(section.place_of(key),
                      fmt::format("{} belongs to an expression, and {} is \"{}\"", section.path(key), path, sigma->string));
  if (sigma->string == "force" || sigma->string == "energy") {
    if (poincare)
      document.fail(poincare->place,
                    fmt::format("{} = \"{}\": it takes an expression of positions, or \"distance\"", path, sigma->string));
    out->sigma = sigma->string == "force" ? StepControl::Sigma::force : StepControl::Sigma::energy;
  } else if (preset) {
    read_distance(symbols, *sigma, path, *out);
  } else {
    read_function(symbols, *sigma, path, over ? read_elements(symbols, *over, section.path("over"), false) : Elements{}, *out);
    if (power) out->power = scalar(symbols, *power, section.path("power"));
    if (over)
      out->definition = fmt::format("(sum of {} over {})^{:g}", sigma->string, over->string, out->power);
    else if (power)
      out->definition = fmt::format("({})^{:g}", sigma->string, out->power);
  }
  return out;
}

}  // namespace actio::io
