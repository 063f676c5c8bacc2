#pragma once
#include <actio/core/error.hpp>
#include <actio/discrete/projection.hpp>
#include <actio/discrete/pulled_back.hpp>
#include <actio/method/catalogue/lie_group.hpp>
#include <actio/method/detail/extrapolation.hpp>
#include <actio/method/stepper.hpp>
#include <actio/solve/constrained_newton.hpp>
#include <actio/system/assembled.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

// Variational integrators of rigid bodies beside ordinary coordinates, on R^n x SO(3)^N (Moser and Veselov 1991; Bou-Rabee and
// Marsden, Found. Comput. Math. 9 (2009) 197; TO (34)). The discrete Lagrangian is
//
//   Ld(q0, q1) = h [w'Iw/2 - V],   q1 = q0 (+) h w:  x1 = x0 + h x',  R1 = R0 tau(xi), xi = h Omega
//
// of the velocities w = (x', Omega) of body_coordinates.hpp, with tau = exp or cay and V at the ends, weighed 1 - alpha and alpha
// (endpoint), or in the middle of the turn (midpoint). With R'dR = hat(eta): dtau(xi) d(xi) = eta1 - tau' eta0, so the slot
// derivatives of Ld are, in the axes of the body, T the torque of V and of forces F(t, q, v) there,
//
//   mu0 = dtau(-xi)^-T I Omega - h (1 - alpha) T0 - G0' eta,    g(t1, q1) = 0          unknown w and eta
//   mu1 = dtau(xi)^-T I Omega + h alpha T1 + G1' lambda,        G1 v1 + g_t = 0
//
// and with the midpoint rule h/2 (1 + C/2) Tm and h/2 (1 - C/2) Tm in place of h (1 - alpha) T0 and h alpha T1, C of the half
// turn in rotation.hpp. Ordinary coordinates have M x' in place of the first terms, and C = 0. g are joints; R'R = 1 holds of
// itself. Symplectic on the manifold; order 2 and symmetric but for endpoints with alpha other than 1/2; keeps the momentum map
// of every symmetry that is affine, R -> A R B, and leaves V and g alone: tau(xi)' dtau(-xi)^-T = dtau(xi)^-T.
//
// The endpoint rule takes one force a step. Where no joint and no force that depends on velocities couples them, each body is a
// 3 x 3 Newton iteration of its own.
namespace actio::method {

// ReducedSpace: where the matrices in w live, DenseSpace<Eigen::Dynamic> or SparseSpace.
template <class ReducedSpace>
class LieGroupStepper {
 public:
  using System = system::Assembled<algebra::SparseSpace>;
  using Space = algebra::SparseSpace;
  using Vector = Eigen::VectorXd;
  using Pulled = discrete::PulledBack<ReducedSpace>;
  using KktSolver = typename Pulled::KktSolver;
  using Matrix = typename Pulled::Matrix;
  using Jacobian = typename Pulled::Jacobian;

  using Multipliers = Vector;
  static constexpr Capabilities capabilities{
      .factorisations = true, .work = true, .multipliers = true, .on_a_manifold = true, .explains_failure = true};
  static constexpr const char* failure =
      "Newton's method found no rotations that solve the step: the step is too long (a body makes nearly a full turn in it), the "
      "joints contradict one another, or their Jacobian has lost rank";

  struct State {
    double t = 0, h = 0, h_before = 0;  // of the last steps; 0: there was none
    Vector q, mu;                       // (n), (k)
    Vector w, w_before, f;              // f (k): E' times the forces at (t, q), where those at ends need no velocity
    Vector eta, eta_before, lambda;     // (joints) impulses of the step that led here
    void archive(core::Archive& a) { a(t, h, h_before, q, mu, w, w_before, f, eta, eta_before, lambda); }
  };

  // joints: the system's constraints are rows joints[..] of `all` that the model has, those of R'R = 1 among them.
  LieGroupStepper(System system, std::shared_ptr<const discrete::BodyCoordinates> bodies, const LieGroup& m,
                  std::vector<long> joints, long all)
      : system_(std::move(system)),
        bodies_(std::move(bodies)),
        tau_(m.retraction == "cayley" ? discrete::Retraction::cayley : discrete::Retraction::exponential),
        midpoint_(m.rule == "midpoint"),
        at_start_(1 - m.alpha),
        at_end_(m.alpha),
        joints_(std::move(joints)),
        all_(all),
        velocities_(system_.forced() && system_.force_needs_velocity()),
        couples_(midpoint_ || velocities_),
        G_(system_.kkt_solver().jacobian()),
        pulled_(std::make_shared<const Pulled>(*bodies_, G_, couples_ ? &*system_.space().pattern : nullptr)),
        kkt_(pulled_->kkt_solver(system_.kkt_solver().regularised())),
        newton_(pulled_->space(), kkt_),
        q_(Vector::Zero(bodies_->coordinates())),
        q1_(q_),
        f_(q_),
        F_(q_),
        v_(q_),
        w_(Vector::Zero(bodies_->size())),
        mu_(w_),
        r_(w_),
        u_(w_),
        fr_(w_),
        eta_(Vector::Zero(static_cast<long>(joints_.size()))),
        g_(eta_),
        g_t_(eta_),
        deta_(eta_),
        rest_(eta_),
        G0_(kkt_.jacobian()),
        G1_(G0_),
        K_(pulled_->space().matrix()),
        M_(K_),
        Kq_(couples_ ? system_.space().matrix() : algebra::SparseMatrix()),
        Kv_(velocities_ ? Kq_ : algebra::SparseMatrix()),
        L_(discrete::Frame::Zero(3, bodies_->coordinates())),
        C_(L_),
        D_(L_),
        halves_(bodies_->bodies().size()) {
    pulled_->add_ordinary_mass(M_);
    for (std::size_t b = 0; b < halves_.size(); ++b) pulled_->add_block(b, bodies_->bodies()[b].inertia, M_);
    diagonal_ = Vector::Ones(bodies_->size());
    for (const auto& run : bodies_->ordinary())
      for (long i = run.at; i < run.at + run.length; ++i)
        for (algebra::SparseMatrix::InnerIterator it(bodies_->mass(), i); it; ++it) {
          if (it.row() == i)
            diagonal_[i] = it.value();
          else if (it.value() != 0)
            full_ = true;
        }
    if (full_) {
      mass_ = algebra::SparseSolver(bodies_->mass(), true);
      if (!mass_.factor_positive(bodies_->mass())) throw core::InputError("mass is not positive definite");
    }
  }

  System& system() { return system_; }
  void archive(core::Archive& a) { a.part(kkt_)(newton_); }
  long factorisations() const { return newton_.factorisations(); }
  long constraints() const { return all_; }

  State start(double t, const Vector& q, const Vector& p) {
    State x;
    x.t = t;
    x.mu = x.w = x.w_before = x.f = Vector::Zero(w_.size());
    x.eta = x.eta_before = x.lambda = Vector::Zero(eta_.size());
    q_ = q;
    (void)bodies_->make_rotations(q_);  // a step from what is near no rotation fails
    x.q = q_;
    bodies_->pull(q_, p, x.mu);
    if (!couples_) force(t, q_, x.w, x.f);
    return x;
  }

  StepReport step(State& x, double h) {
    StepReport report;
    report.converged = false;
    if (!couples_ && joints_.empty()) report = solve_each(x, h);
    if (!report.converged) report = solve_all(x, h);
    if (!report.converged || !within_a_turn(h)) return {report.iterations, false, report.increment_squared};
    // mu1 = dtau(xi)^-T I Omega + h alpha T1
    bodies_->retract(tau_, x.q, h, w_, q1_);
    momentum_after(h);
    if (midpoint_) {
      force_in_the_middle(x, h);
      for (const auto& run : bodies_->ordinary()) mu_.segment(run.at, run.length) += (h / 2) * fr_.segment(run.at, run.length);
      for (std::size_t b = 0; b < halves_.size(); ++b) {
        const Eigen::Vector3d torque = omega(fr_, b);
        omega(mu_, b) += (h / 2) * (torque - 0.5 * halves_[b].c.cross(torque));
      }
    } else {
      force(x.t + h, q1_, w_, fr_);
      mu_ += (h * at_end_) * fr_;
      if (!couples_) x.f = fr_;
    }
    if (!joints_.empty()) {
      if (!project_momentum(x.t + h, q1_, mu_, deta_)) return {report.iterations, false, 1};
      x.lambda = deta_;
    }
    x.q = q1_;
    x.mu = mu_;
    x.w_before = x.w;
    x.w = w_;
    x.eta_before = x.eta;
    x.eta = eta_;
    x.h_before = x.h;
    x.h = h;
    x.t += h;
    return report;
  }

  void phase(const State& x, Vector& q, Vector& p) {
    q = x.q;
    p.resize(q.size());
    bodies_->push_momentum(x.q, x.mu, p);
  }
  void conjugate_coordinates(const State& x, double, Vector& q, Vector& p) { phase(x, q, p); }
  void velocity(const State& x, Vector& v) {
    v.resize(x.q.size());
    solve_mass(x.mu, u_);
    bodies_->velocity(x.q, u_, v);
  }

  // |mu0 - ...| / (|mu0| + |mu1| + |G0' eta|), or |g| at the end as a length beside |q|.
  double residual(const State& before, const State& after, double h) {
    start_rows(before);
    equations(before, h, after.w, after.eta, r_, g_, K_, G1_);
    u_.setZero();
    KktSolver::add_transposed(1, G0_, after.eta, u_);
    const double size = before.mu.norm() + after.mu.norm() + u_.norm(), of_momentum = size > 0 ? r_.norm() / size : r_.norm();
    if (joints_.empty()) return of_momentum;
    system_.constraint_tangent(after.t, after.q, g_, g_t_, G_);
    v_.setZero();
    algebra::SparseKkt::add_transposed(1, G_, g_, v_);
    const double off = g_.norm() > 0 ? g_.squaredNorm() / v_.norm() : 0;
    return std::max(of_momentum, off / after.q.norm());
  }

  // lambda of all constraints of the model: of joints (lambda + eta)/h as in constrained.hpp, NaN where R'R = 1 needs none.
  // False: the step ahead fails.
  bool multipliers(const State& x, double h, Vector& all) {
    State ahead = x;
    if (!step(ahead, h).converged) return false;
    all.setConstant(all_, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t k = 0; k < joints_.size(); ++k) {
      const long row = static_cast<long>(k);
      all[joints_[k]] = 2 / (x.h + h) * (x.lambda[row] + ahead.eta[row]);
    }
    return true;
  }

  // The work of the discrete forces, F . E w where they act, and of moving joints.
  Work work(const State& before, const State& after, double h) {
    Work work;
    start_rows(before);
    equations(before, h, after.w, after.eta, r_, g_, K_, G1_);
    work.residual = r_.dot(after.w);
    const auto add = [&](double weight, double t, const Vector& q) {
      if (weight == 0 || !system_.forced()) return;
      bodies_->velocity(q, after.w, v_);
      system_.external(t, q, v_, F_);
      const double external = F_.dot(v_);
      system_.applied(t, q, v_, F_);
      work.external += weight * external;
      work.dissipated += weight * (external - F_.dot(v_));
    };
    if (midpoint_) {
      middle(before, h, after.w);
      add(h, before.t + h / 2, q_);
    } else {
      add(h * at_start_, before.t, before.q);
      add(h * at_end_, before.t + h, after.q);
    }
    if (!joints_.empty() && system_.moving()) {
      system_.constraint_tangent(before.t, before.q, g_, g_t_, G_);
      work.constraints = -after.eta.dot(g_t_);
      system_.constraint_tangent(after.t, after.q, g_, g_t_, G_);
      work.constraints -= after.lambda.dot(g_t_);
    }
    return work;
  }

  // The state onto rotations, the nearest, and joints, by turns and moves that are the shortest in the metric of the mass.
  discrete::StartReport project(State& x) {
    discrete::StartReport report;
    report.found = false;
    velocity(x, v_);
    q1_ = x.q;
    if (!bodies_->make_rotations(q1_) || !onto_joints(x.t, q1_)) return report;
    mu_ = x.mu;
    if (!joints_.empty() && !project_momentum(x.t, q1_, mu_, deta_)) return report;
    report.found = true;
    report.position = (q1_ - x.q).norm();
    x.q = q1_;
    x.mu = mu_;
    x.h = x.h_before = 0;
    if (!couples_) force(x.t, x.q, x.w, x.f);
    f_ = v_;
    velocity(x, v_);
    report.velocity = (v_ - f_).norm();
    return report;
  }

 private:
  static constexpr double round_off = solve::Stop::round_off;
  static constexpr int most_iterations = solve::Stop::most_new;

  auto omega(Vector& w, std::size_t b) const { return discrete::BodyCoordinates::omega(w, bodies_->bodies()[b]); }
  auto omega(const Vector& w, std::size_t b) const { return discrete::BodyCoordinates::omega(w, bodies_->bodies()[b]); }
  auto rotation(const Vector& q, std::size_t b) const { return discrete::BodyCoordinates::rotation(q, bodies_->bodies()[b]); }
  const Eigen::Matrix3d& inertia(std::size_t b) const { return bodies_->bodies()[b].inertia; }

  // w = mass^-1 mu
  void solve_mass(const Vector& mu, Vector& w) {
    if (full_)
      mass_.solve(mu, w);
    else
      w = mu.cwiseQuotient(diagonal_);
    for (std::size_t b = 0; b < halves_.size(); ++b) omega(w, b) = bodies_->bodies()[b].inverse_inertia * omega(mu, b);
  }
  // out = mass w
  void multiply_mass(const Vector& w, Vector& out) const {
    if (full_)
      out.noalias() = bodies_->mass() * w;
    else
      out = diagonal_.cwiseProduct(w);
    for (std::size_t b = 0; b < halves_.size(); ++b) omega(out, b) = inertia(b) * omega(w, b);
  }
  // mu_ = dtau(xi)^-T I Omega, and M x'
  void momentum_after(double h) {
    multiply_mass(w_, mu_);
    for (std::size_t b = 0; b < halves_.size(); ++b)
      omega(mu_, b) = discrete::momentum_after(tau_, h * omega(w_, b), omega(mu_, b));
  }

  // out = E' (-grad V + F) at (t, q) and v = E w; f_ holds the forces themselves
  void force(double t, const Vector& q, const Vector& w, Vector& out) {
    system_.force(t, q, f_);
    if (system_.forced()) {
      bodies_->velocity(q, w, v_);
      system_.applied(t, q, v_, F_);
      f_ += F_;
    }
    bodies_->pull(q, f_, out);
  }
  // q_ = the middle of the step, and its half turns
  void middle(const State& x, double h, const Vector& w) {
    for (const auto& run : bodies_->ordinary()) u_.segment(run.at, run.length) = (h / 2) * w.segment(run.at, run.length);
    for (std::size_t b = 0; b < halves_.size(); ++b) {
      halves_[b] = discrete::half_turn(tau_, h * omega(w, b));
      omega(u_, b) = halves_[b].c;
    }
    bodies_->retract(discrete::Retraction::cayley, x.q, 1, u_, q_);
  }
  void force_in_the_middle(const State& x, double h) {
    middle(x, h, w_);
    force(x.t + h / 2, q_, w_, fr_);
  }

  // Each body alone: dtau(-xi)^-T I Omega = mu0 + h (1 - alpha) T0, unknown Omega.
  StepReport solve_each(const State& x, double h) {
    r_ = x.mu + (h * at_start_) * x.f;
    solve_mass(r_, u_);
    guess(x, h);
    for (const auto& run : bodies_->ordinary()) w_.segment(run.at, run.length) = u_.segment(run.at, run.length);
    StepReport report;
    for (std::size_t b = 0; b < halves_.size() && report.converged; ++b) {
      Eigen::Vector3d w = omega(w_, b);
      const Eigen::Vector3d m = omega(r_, b);
      double last = 0;
      report.converged = false;
      for (int k = 1; k <= most_iterations && !report.converged; ++k) {
        const Eigen::Vector3d xi = h * w, moment = inertia(b) * w;
        const Eigen::Matrix3d K =
            discrete::inverse_tangent(tau_, xi) * inertia(b) + h * discrete::momentum_before_slope(tau_, xi, moment);
        const Eigen::Vector3d dw = K.inverse() * (discrete::momentum_before(tau_, xi, moment) - m);
        w -= dw;
        const double d = dw.squaredNorm(), size = w.squaredNorm();
        if (!std::isfinite(d)) break;
        report.iterations = std::max(report.iterations, k);
        if (solve::Stop::settled(d, last, size)) {
          const double ratio = last > 0 ? d / last : 1;
          if (size > 0) report.increment_squared = std::max(report.increment_squared, ratio * ratio * d / size);
          report.converged = true;
        } else if (d == 0 || (k > 2 && d > 0.0625 * last && d <= round_off * size)) {
          report.converged = true;
        }
        last = d;
      }
      omega(w_, b) = w;
    }
    return report;
  }

  StepReport solve_all(const State& x, double h) {
    start_rows(x);
    guess(x, h);
    detail::continue_impulse(x, h, eta_);
    const auto of = [&](const Vector& w, const Vector& eta, Vector& r, Vector& g, Matrix& K, Jacobian& G1) {
      equations(x, h, w, eta, r, g, K, G1);
    };
    const double floor = 16 * std::numeric_limits<double>::epsilon() * x.q.norm() / std::abs(h);
    const auto report = newton_.solve(of, G0_, w_, eta_, floor);
    return {report.iterations, report.converged, report.increment_squared};
  }
  void guess(const State& x, double h) {
    if (x.h != 0)
      detail::continue_line(x, h, w_);
    else
      solve_mass(x.mu, w_);
  }
  // exp is no longer a chart beyond a turn
  bool within_a_turn(double h) const {
    if (tau_ == discrete::Retraction::cayley) return true;
    for (std::size_t b = 0; b < halves_.size(); ++b)
      if (!(std::abs(h) * omega(w_, b).norm() < 6.28)) return false;
    return true;
  }

  // G0_ of joints at the start of a step
  void start_rows(const State& x) {
    if (joints_.empty()) return;
    system_.constraint_tangent(x.t, x.q, deta_, g_t_, G_);
    rows(x.q, G0_);
  }
  void rows(const Vector& q, Jacobian& G) {
    for (std::size_t b = 0; b < halves_.size(); ++b)
      discrete::put_rotation(rotation(q, b), Eigen::Matrix3d::Identity(), bodies_->bodies()[b].rotation, C_);
    pulled_->pull(G_, C_, G);
  }

  // r = dtau(-xi)^-T I Omega - h (1 - alpha) T0 - mu0 - G0' eta and K = dr/dw,  g = g(t1, q1)/h and G1 = dg/dw
  void equations(const State& x, double h, const Vector& w, const Vector& eta, Vector& r, Vector& g, Matrix& K, Jacobian& G1) {
    ReducedSpace::clear(K);
    pulled_->add_ordinary_mass(K);
    multiply_mass(w, r);
    for (std::size_t b = 0; b < halves_.size(); ++b) {
      const Eigen::Vector3d xi = h * omega(w, b), moment = omega(r, b);
      omega(r, b) = discrete::momentum_before(tau_, xi, moment);
      pulled_->add_block(
          b, discrete::inverse_tangent(tau_, xi) * inertia(b) + h * discrete::momentum_before_slope(tau_, xi, moment), K);
    }
    r -= x.mu;
    if (midpoint_)
      add_middle(x, h, w, r, K);
    else if (velocities_)
      add_start(x, h, w, r, K);
    else
      r -= (h * at_start_) * x.f;
    if (joints_.empty()) return;
    KktSolver::add_transposed(-1, G0_, eta, r);
    bodies_->retract(tau_, x.q, h, w, q_);
    system_.constraint_tangent(x.t + h, q_, deta_, g_t_, G_);
    g = deta_ / h;
    for (std::size_t b = 0; b < halves_.size(); ++b)
      discrete::put_rotation(rotation(q_, b), discrete::tangent(tau_, h * omega(w, b)), bodies_->bodies()[b].rotation, C_);
    pulled_->pull(G_, C_, G1);
  }
  // Kq_ = d/dq and Kv_ = d/dv of the forces, at (t, q, v_)
  void slopes(double t, const Vector& q) {
    system_.stiffness(t, q, 0, -1, F_, Kq_);
    if (system_.forced()) system_.applied_tangent(t, q, v_, 1, 0, F_, Kq_);
    if (system_.forced() && velocities_) {
      Space::clear(Kv_);
      system_.applied_tangent(t, q, v_, 0, 1, F_, Kv_);
    }
    for (const std::int32_t i : system_.model().fixed_dofs) {  // their diagonals hold the mass
      Kq_.coeffRef(i, i) = 0;
      if (velocities_) Kv_.coeffRef(i, i) = 0;
    }
  }
  // r -= h (1 - alpha) T0 of forces that depend on w
  void add_start(const State& x, double h, const Vector& w, Vector& r, Matrix& K) {
    if (at_start_ == 0) return;
    force(x.t, x.q, w, fr_);
    r -= (h * at_start_) * fr_;
    slopes(x.t, x.q);
    for (std::size_t b = 0; b < halves_.size(); ++b)
      discrete::put_rotation(rotation(x.q, b), Eigen::Matrix3d::Identity(), bodies_->bodies()[b].rotation, D_);
    C_.setZero();
    pulled_->add(-h * at_start_, D_, Kq_, 0, C_, &Kv_, D_, K);
  }
  // r -= h/2 (1 + C/2) Tm, where R turns by eta = h/2 (1 + C/2) dtau dOmega, and Tm by -(tr A 1 - A) eta, A = R' (forces on R)
  void add_middle(const State& x, double h, const Vector& w, Vector& r, Matrix& K) {
    middle(x, h, w);
    force(x.t + h / 2, q_, w, fr_);
    slopes(x.t + h / 2, q_);
    for (const auto& run : bodies_->ordinary()) r.segment(run.at, run.length) -= (h / 2) * fr_.segment(run.at, run.length);
    for (std::size_t b = 0; b < halves_.size(); ++b) {
      const Eigen::Vector3d velocity = omega(w, b), torque = omega(fr_, b), xi = h * velocity;
      const Eigen::Matrix3d R = rotation(q_, b), half = Eigen::Matrix3d::Identity() + 0.5 * discrete::hat(halves_[b].c);
      const Eigen::Matrix3d turn = (h / 2) * (half * discrete::tangent(tau_, xi));
      const Eigen::Matrix3d A = R.transpose() * rotation(f_, b);
      omega(r, b) -= (h / 2) * (half * torque);
      pulled_->add_block(
          b, (h / 2) * (half * (A.trace() * turn - A * turn)) + (h * h / 4) * (discrete::hat(torque) * halves_[b].slope), K);
      const long at = bodies_->bodies()[b].rotation;
      discrete::put_rotation(R, half.transpose(), at, L_);
      discrete::put_rotation(R, turn, at, C_);
      if (!velocities_) continue;
      discrete::put_rotation(R, Eigen::Matrix3d::Identity(), at, D_);
      discrete::add_rotated_velocity(R, velocity, turn, at, D_);
    }
    pulled_->add(-h / 2, L_, Kq_, h / 2, C_, velocities_ ? &Kv_ : nullptr, D_, K);
  }

  // mu += G' lambda with G w + g_t = 0, mass w = mu: one solve, and once more against rounding
  bool project_momentum(double t, const Vector& q, Vector& mu, Vector& lambda) {
    system_.constraint_tangent(t, q, g_, g_t_, G_);
    rows(q, G1_);
    if (!kkt_.factor(M_, G1_, G1_)) return false;
    lambda.setZero();
    solve_mass(mu, u_);
    for (int k = 0; k < (kkt_.regularised() ? 10 : 2); ++k) {
      KktSolver::multiply(G1_, u_, g_);
      g_ += g_t_;
      r_.setZero();
      kkt_.solve(r_, g_, fr_, rest_);  // mass dw = G' dlambda, G dw = G w + g_t
      u_ -= fr_;
      lambda -= rest_;
    }
    if (kkt_.regularised()) newton_.least_norm(G1_, lambda);
    KktSolver::add_transposed(1, G1_, lambda, mu);
    return mu.allFinite();
  }
  // q onto the joints, each move the shortest that their tangents allow and halved until g decreases
  bool onto_joints(double t, Vector& q) {
    if (joints_.empty()) return true;
    for (int k = 0; k < 50; ++k) {
      system_.constraint_tangent(t, q, g_, g_t_, G_);
      const double before = g_.squaredNorm();
      if (before == 0) return true;
      rows(q, G1_);
      if (!kkt_.factor(M_, G1_, G1_)) return false;
      g_ = -g_;
      r_.setZero();
      kkt_.solve(r_, g_, fr_, rest_);
      const double d = fr_.norm();
      if (!std::isfinite(d)) return false;
      if (d <= 4e-16 * q.norm()) return true;
      double s = 1;
      for (; s > 1e-4; s /= 2) {
        bodies_->retract(discrete::Retraction::cayley, q, s, fr_, q_);
        system_.constraint(t, q_, g_);
        if (g_.squaredNorm() < before) break;
      }
      if (s <= 1e-4) return d <= 1e-12 * q.norm();  // rounding, or no way on
      q = q_;
    }
    return false;
  }

  System system_;
  std::shared_ptr<const discrete::BodyCoordinates> bodies_;
  discrete::Retraction tau_;
  bool midpoint_;
  double at_start_, at_end_;
  std::vector<long> joints_;
  long all_;
  bool velocities_, couples_, full_ = false;  // forces depend on v; forces enter K; the mass of ordinary coordinates is full
  algebra::SparseJacobian G_;
  std::shared_ptr<const Pulled> pulled_;
  KktSolver kkt_;
  solve::ConstrainedNewton<ReducedSpace, KktSolver> newton_;
  Vector q_, q1_, f_, F_, v_;           // (n)
  Vector w_, mu_, r_, u_, fr_;          // (k)
  Vector eta_, g_, g_t_, deta_, rest_;  // (joints)
  Jacobian G0_, G1_;
  Matrix K_, M_;
  algebra::SparseMatrix Kq_, Kv_;
  discrete::Frame L_, C_, D_;
  std::vector<discrete::HalfTurn> halves_;
  Vector diagonal_;
  algebra::SparseSolver mass_;
};

}  // namespace actio::method
