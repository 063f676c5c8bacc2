#include <actio/system/reactions.hpp>

#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <actio/system/constraints_alone.hpp>

namespace actio::system {
namespace {

using Eigen::VectorXd;
constexpr std::array component{"x", "y", "z"};

// What pushes a coordinate that is held, of terms or forces. Of all of them where the acceleration of the others counts.
std::vector<std::size_t> elements_at(const ElementFunction& function, const std::vector<bool>& dirichlet) {
  const auto held = [&](std::int32_t i) -> bool { return dirichlet[static_cast<std::size_t>(i)]; };
  std::vector<std::size_t> out;
  for (long e = 0; e < function.elements; ++e) {
    bool here = !function.rows.empty() && held(function.rows[static_cast<std::size_t>(e)]);
    for (long l = 0; l < function.locals && function.rows.empty() && !here; ++l) here = held(function.dof(l, e));
    if (here) out.push_back(static_cast<std::size_t>(e));
  }
  return out;
}

template <class Function>
void keep_at(const std::vector<bool>& dirichlet, std::vector<Function>& functions) {
  std::vector<Function> out;
  for (Function& function : functions) {
    if (const auto chosen = elements_at(function, dirichlet); !chosen.empty()) out.push_back(of_elements(function, chosen));
  }
  functions = std::move(out);
}

}  // namespace

Reactions::Reactions(const Model& model, std::vector<Support> supports, const expr::CompileOptions& options)
    : supports_(std::move(supports)), penalty_(model.omega * model.omega) {
  for (const Support& support : supports_)
    for (std::size_t i = 0; i < 3; ++i) {
      if (!support.of[i].prescribes()) continue;
      names_.push_back(fmt::format("{}.{}", support.name, component[i]));
      fixed_ = fixed_ || !support.of[i].fixed_dofs.empty();
    }
  if (!model.constraints.empty() || !model.penalised.empty()) {
    Model alone = model;
    alone.fixed_dofs.clear();
    constraints_.emplace(constraints_alone(alone, options));
    g_ = g_t_ = VectorXd::Zero(constraints_->constraints());
    G_ = constraints_->kkt_solver().jacobian();
  }
  if (!fixed_) return;
  dirichlet_.assign(static_cast<std::size_t>(model.size()), false);
  for (const std::int32_t i : model.fixed_dofs) dirichlet_[static_cast<std::size_t>(i)] = true;
  Model free = model;
  free.fixed_dofs.clear();
  free.constraints.clear();
  free.penalised.clear();
  free.symmetries.clear();
  if (model.mass.kind == MassMatrix::Kind::full) {
    mass_ = std::move(free.mass);
    diagonal_ = mass_.full.diagonal();
  } else {
    keep_at(dirichlet_, free.terms);
    keep_at(dirichlet_, free.dissipation);
    keep_at(dirichlet_, free.forces);
  }
  free.mass = {MassMatrix::Kind::diagonal, VectorXd::Ones(model.size()), {}, {}};
  const auto compiled = compile(free, options, false);
  system_.emplace(compiled, layout<algebra::SparseSpace>(*compiled, Entries::none));
}

void Reactions::operator()(double t, const VectorXd& q, const VectorXd& v, std::span<const double> lambda,
                           std::span<double> out) {
  lambda_ = Eigen::Map<const VectorXd>(lambda.data(), static_cast<long>(lambda.size()));
  if (constraints_ && penalty_ > 0) {
    constraints_->constraint(t, q, g_);
    lambda_ = -penalty_ * g_;  // TO (7): its force is among those of the energy
  } else if (constraints_ && lambda_.size() != g_.size()) {
    lambda_.setConstant(g_.size(), std::numeric_limits<double>::quiet_NaN());
  }
  if (fixed_) {
    f_.resize(q.size());
    system_->force(t, q, f_);
    if (system_->forced()) {
      force_.resize(q.size());
      system_->applied(t, q, v, force_);
      f_ += force_;
    }
    if (constraints_ && penalty_ == 0) {
      constraints_->constraint_tangent(t, q, g_, g_t_, G_);
      f_ += G_.transpose() * lambda_;
    }
    if (mass_.kind == MassMatrix::Kind::full) {
      accelerate();
      f_ -= mass_.full * a_;
    }
  }
  std::size_t k = 0;
  for (const Support& support : supports_)
    for (const Support::Component& of : support.of) {
      if (!of.prescribes()) continue;
      double sum = 0;
      for (const std::int32_t i : of.fixed_dofs) sum -= f_[i];
      for (long j = 0; j < of.count; ++j) sum += lambda_[of.constraint + j];
      out[k++] = sum;
    }
}

// M a = f of the coordinates that are not held: conjugate gradients, preconditioned by the diagonal, beside which the
// eigenvalues of a consistent mass lie close together whatever the mesh. Wathen, IMA J. Numer. Anal. 7 (1987) 449.
void Reactions::accelerate() {
  const auto free_part = [&](VectorXd& x) {
    for (std::size_t i = 0; i < dirichlet_.size(); ++i)
      if (dirichlet_[i]) x[static_cast<long>(i)] = 0;
  };
  a_.setZero(f_.size());
  r_ = f_;
  free_part(r_);
  z_ = r_.cwiseQuotient(diagonal_);
  s_ = z_;
  double rz = r_.dot(z_);
  const double enough = 1e-28 * rz;
  for (int k = 0; k < 500 && rz > enough; ++k) {
    Ms_ = mass_.full * s_;
    free_part(Ms_);
    const double alpha = rz / s_.dot(Ms_);
    a_ += alpha * s_;
    r_ -= alpha * Ms_;
    z_ = r_.cwiseQuotient(diagonal_);
    const double before = std::exchange(rz, r_.dot(z_));
    s_ = z_ + (rz / before) * s_;
  }
}

}  // namespace actio::system
