#include "gaps.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace actio::method {

Gaps::Gaps(const system::Model& model, const expr::CompileOptions& options) : fixed_(static_cast<std::size_t>(model.size())) {
  auto contacts = std::make_shared<std::vector<system::Contact>>(model.contacts);
  for (const std::int32_t i : model.fixed_dofs) fixed_[static_cast<std::size_t>(i)] = true;
  uniforms_.assign(1, 0.0);
  uniforms_.insert(uniforms_.end(), model.parameters.begin(), model.parameters.end());
  std::vector<expr::KernelSource> sources;
  std::size_t columns = 0;
  for (std::size_t c = 0; c < contacts->size(); ++c) {
    system::Contact& contact = (*contacts)[c];
    if (contact.pairs) system::tabulate(contact);
    std::vector<expr::Id> x;
    for (long l = 0; l < contact.locals; ++l) x.push_back(contact.graph.column(static_cast<int>(l)));
    std::vector<expr::Id> outputs = expr::gradient(contact.graph, contact.value, x);
    outputs.insert(outputs.begin(), contact.value);
    const std::size_t all = static_cast<std::size_t>(contact.locals) + contact.data.size();
    columns = std::max(columns, all + 1);
    sources.push_back({fmt::format("gap{}", c), &contact.graph, std::move(outputs), false, static_cast<int>(all),
                       static_cast<int>(contact.locals)});
    for (long e = 0; e < contact.elements; ++e) places_.emplace_back(c, e);
  }
  module_ = expr::Module::build(sources, options);
  for (std::size_t c = 0; c < contacts->size(); ++c) kernels_.push_back(module_.single(c));
  contacts_ = std::move(contacts);
  in_.resize(columns + 1);
  out_.resize(columns + 1);
}

std::string Gaps::name(std::size_t k) const {
  const system::Contact& of = contact(k);
  return of.elements == 1 ? of.name : fmt::format("{}[{}]", of.name, places_[k].second);
}

void Gaps::evaluate(std::size_t k, const Eigen::VectorXd& q) {
  const auto [c, e] = places_[k];
  const system::Contact& of = (*contacts_)[c];
  const auto locals = static_cast<std::size_t>(of.locals);
  for (std::size_t l = 0; l < locals; ++l) in_[l] = q[of.dof(static_cast<long>(l), e)];
  for (std::size_t d = 0; d < of.data.size(); ++d) in_[locals + d] = of.datum(d, e);
  kernels_[c](uniforms_.data(), in_.data(), in_.data() + locals, out_.data());
}

Gaps::Value Gaps::at(std::size_t k, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  evaluate(k, q);
  const auto [c, e] = places_[k];
  const system::Contact& of = (*contacts_)[c];
  Value value;
  value.g = out_[0];
  for (long l = 0; l < of.locals; ++l) {
    const std::int32_t i = of.dof(l, e);
    const double slope = out_[static_cast<std::size_t>(l) + 1];
    value.rate += slope * v[i];
    value.size += std::abs(slope * q[i]);
    value.speed += std::abs(slope * v[i]);
  }
  return value;
}

void Gaps::operator()(const Eigen::VectorXd& q, const Eigen::VectorXd& v, std::vector<Value>& out) {
  out.resize(size());
  for (std::size_t k = 0; k < size(); ++k) out[k] = at(k, q, v);
}

void Gaps::gradient(std::size_t k, const Eigen::VectorXd& q, Eigen::VectorXd& out) {
  evaluate(k, q);
  const auto [c, e] = places_[k];
  const system::Contact& of = (*contacts_)[c];
  out.setZero(q.size());
  for (long l = 0; l < of.locals; ++l) {
    const std::int32_t i = of.dof(l, e);
    if (!fixed_[static_cast<std::size_t>(i)]) out[i] += out_[static_cast<std::size_t>(l) + 1];
  }
}

}  // namespace actio::method
