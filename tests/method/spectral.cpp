#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <actio/core/error.hpp>
#include <actio/method/acceleration_coefficients.hpp>
#include <actio/method/integrator.hpp>
#include <actio/method/spectral.hpp>
#include <cmath>

// Spectra against what is known of them: Chung and Hulbert (1993), Hughes (1987), Bathe.
namespace actio::method {
namespace {

Spec spec(const AnyMethod& choice) { return {choice, false, {}}; }

TEST(ChungHulbert, coefficients_at_spectral_radius_one_half) {
  const double r = 0.5;
  const AccelerationCoefficients k = GeneralizedAlpha{r}.coefficients();
  EXPECT_DOUBLE_EQ(1 - k.s, 0);        // am
  EXPECT_DOUBLE_EQ(1 - k.c, 1.0 / 3);  // af
  EXPECT_DOUBLE_EQ(k.gamma, 5.0 / 6);
  EXPECT_DOUBLE_EQ(k.beta, 4.0 / 9);
  for (const double rho : {0.0, 0.3, 0.8, 1.0}) {
    const AccelerationCoefficients g = GeneralizedAlpha{rho}.coefficients();
    EXPECT_DOUBLE_EQ(1 - g.s, (2 * rho - 1) / (rho + 1));
    EXPECT_DOUBLE_EQ(1 - g.c, rho / (rho + 1));
  }
}

// As Omega grows the equation of the step becomes qc = (1-af) q1 + af q0 = 0: an eigenvalue -af/(1-af), and, where q is 0,
// beta l^2 + (1/2 - 2 beta + gamma) l + 1/2 + beta - gamma = 0. With x = af - am, beta = (1+x)^2/4 and gamma = 1/2 + x that has
// the double root -(1-x)/(1+x), which is -rho for all three. The other one is -rho for generalised-alpha, -(1-rho)/(2 rho) for
// HHT (below rho in size from 1/2 on, which is why rho starts there) and 0 for WBZ.
TEST(ChungHulbert, spectral_radius_at_infinite_frequency_is_the_one_asked_for) {
  const double Omega = 1e6;
  const double split = 4 * std::pow(Omega, -2.0 / 3);  // what 1/Omega^2 makes of eigenvalues of which three meet
  const auto expect = [&](const AnyMethod& choice, double r, double other) {
    EXPECT_NEAR(spectrum(spec(choice), Omega).radius, r, split) << spec(choice).name() << " " << r;
    const Eigen::MatrixXd A = amplification(spec(choice), Omega);  // its invariants know of no splitting
    EXPECT_NEAR(A.determinant(), r * r * other, 1e-9) << spec(choice).name() << " " << r;
    EXPECT_NEAR(A.trace(), -2 * r + other, 1e-9) << spec(choice).name() << " " << r;
  };
  for (const double r : {0.0, 0.5, 0.8, 1.0}) {
    expect(GeneralizedAlpha{r}, r, -r);
    if (r >= 0.5) expect(Hht{r}, r, -(1 - r) / (2 * r));
    expect(Wbz{r}, r, 0);
  }
}

// Algorithmic damping is O(Omega^3) where the motion is resolved: doubling Omega makes it 8 times as large.
TEST(ChungHulbert, low_frequencies_are_damped_to_third_order) {
  const auto slope = [](const AnyMethod& choice) {
    return std::log2(spectrum(spec(choice), 0.02).damping_ratio / spectrum(spec(choice), 0.01).damping_ratio);
  };
  for (const AnyMethod& choice :
       std::initializer_list<AnyMethod>{GeneralizedAlpha{0.0}, GeneralizedAlpha{0.5}, GeneralizedAlpha{0.8}, Hht{0.5}, Hht{0.8},
                                        Wbz{0.0}, Wbz{0.5}, Wilson{1.4}})
    EXPECT_NEAR(slope(choice), 3, 0.05) << spec(choice).name();
  EXPECT_NEAR(slope(Newmark{0.3025, 0.6}), 1, 0.01);  // gamma - 1/2 of Newmark damps to first order
  // generalised-alpha damps low frequencies least at the same damping of high ones; at 1/2 it is HHT
  const auto damping = [](const AnyMethod& choice) { return spectrum(spec(choice), 0.3).damping_ratio; };
  EXPECT_LT(damping(GeneralizedAlpha{0.8}), 0.9 * damping(Hht{0.8}));
  EXPECT_LT(damping(GeneralizedAlpha{0.8}), 0.9 * damping(Wbz{0.8}));
  EXPECT_LT(damping(GeneralizedAlpha{0.5}), 0.9 * damping(Wbz{0.5}));
  EXPECT_NEAR(damping(GeneralizedAlpha{0.5}), damping(Hht{0.5}), 1e-13);
}

TEST(ChungHulbert, stable_at_every_step_and_radius_never_above_one) {
  for (const double r : {0.0, 0.3, 0.5, 0.8, 0.95, 1.0})
    for (const double xi : {0.0, 0.05, 0.7}) {
      if (ACTIO_TEST_SHORT && (xi != 0.05 || (r != 0 && r != 0.8))) continue;
      EXPECT_EQ(stability_limit(spec(GeneralizedAlpha{r}), xi), INFINITY) << r << " " << xi;
      EXPECT_EQ(stability_limit(spec(Wbz{r}), xi), INFINITY) << r << " " << xi;
      if (r >= 0.5) { EXPECT_EQ(stability_limit(spec(Hht{r}), xi), INFINITY) << r << " " << xi; }
    }
}

// lambda = exp(+-2 i atan(Omega/2)) at 1/4, 1/2
TEST(NewmarkSpectrum, quarter_half_keeps_every_amplitude_and_lengthens_periods_by_a_twelfth_of_Omega_squared) {
  for (const double Omega : {0.01, 0.1, 1.0, 10.0, 100.0}) {
    const Spectrum s = spectrum(spec(Newmark{0.25, 0.5}), Omega);
    EXPECT_NEAR(s.radius, 1, 1e-11);
    EXPECT_NEAR(s.period_error, Omega / (2 * std::atan(Omega / 2)) - 1, 1e-11 * (1 + Omega));
    EXPECT_NEAR(s.damping_ratio, 0, 1e-10);
  }
  // Omega / (2 atan(Omega/2)) - 1 = Omega^2/12 + O(Omega^4)
  EXPECT_NEAR(spectrum(spec(Newmark{0.25, 0.5}), 0.01).period_error, 1e-4 / 12, 1e-8 / 10);
  EXPECT_NEAR(spectrum(spec(Newmark{1.0 / 12, 0.5}), 0.1).period_error, 0, 1e-4 / 100);  // Fox and Goodwin: fourth order
}

// A Jacobian by hand: trace and determinant of Newmark's 2 x 2 matrix (Hughes 9.1), with damping.
TEST(NewmarkSpectrum, agrees_with_its_matrix_by_hand) {
  for (const auto& [beta, gamma] : {std::pair{0.25, 0.5}, {0.3025, 0.6}, {0.1, 0.5}, {0.0, 0.5}})
    for (const double xi : {0.0, 0.1})
      for (const double Omega : {0.3, 1.5}) {
        const double D = 1 + 2 * gamma * xi * Omega + beta * Omega * Omega;
        const double trace = 2 - (2 * xi * Omega + (gamma + 0.5) * Omega * Omega) / D;
        const double determinant = 1 - (2 * xi * Omega + (gamma - 0.5) * Omega * Omega) / D;
        const Eigen::MatrixXd A = amplification(spec(Newmark{beta, gamma}), Omega, xi);  // and one eigenvalue 0
        EXPECT_NEAR(A.trace(), trace, 1e-13);
        EXPECT_NEAR(0.5 * (A.trace() * A.trace() - (A * A).trace()), determinant, 1e-13);
        EXPECT_NEAR(A.determinant(), 0, 1e-13);
      }
}

TEST(StabilityLimit, is_two_for_central_differences_and_below_for_less_than_a_quarter) {
  EXPECT_NEAR(stability_limit(spec(CentralDifference{})), 2, 1e-5);
  EXPECT_NEAR(stability_limit(spec(Verlet{})), 2, 1e-5);
  for (const double beta : {0.05, 1.0 / 12, 1.0 / 6})
    EXPECT_NEAR(stability_limit(spec(Newmark{beta, 0.5})), 2 / std::sqrt(1 - 4 * beta), 1e-4) << beta;  // TO: h^2 W^2 (1-4b) <= 4
  EXPECT_EQ(stability_limit(spec(Newmark{0.25, 0.5})), INFINITY);
  EXPECT_EQ(stability_limit(spec(Midpoint{})), INFINITY);
  EXPECT_NEAR(stability_limit(spec(RungeKutta4{})), 2 * std::sqrt(2.0), 1e-4);
  EXPECT_LT(stability_limit(spec(Newmark{0.1, 0.3})), 0.011);  // gamma < 1/2 grows at every step
}

TEST(StabilityLimit, wilson_needs_theta_of_1_37) {
  EXPECT_EQ(stability_limit(spec(Wilson{1.4})), INFINITY);
  EXPECT_EQ(stability_limit(spec(Wilson{1.37})), INFINITY);
  EXPECT_LT(stability_limit(spec(Wilson{1.36})), 1e4);
  EXPECT_LT(stability_limit(spec(Wilson{1.2})), 10);
}

TEST(Spectrum, of_damped_motion_is_that_of_the_motion_where_steps_are_small) {
  for (const AnyMethod& choice : std::initializer_list<AnyMethod>{Newmark{}, GeneralizedAlpha{0.5}, Hht{0.8}, Wbz{0.5}, Wilson{},
                                                                  CentralDifference{}, Midpoint{}, RungeKutta4{}}) {
    const Spectrum s = spectrum(spec(choice), 0.01, 0.2);
    EXPECT_NEAR(s.damping_ratio, 0.2, 1e-4) << spec(choice).name();
    EXPECT_NEAR(s.period_error, 0, 1e-4) << spec(choice).name();
  }
}

TEST(Spectrum, refuses_methods_without_one) {
  EXPECT_THROW((void)spectrum(spec(CvodeAdams{}), 0.1), core::InputError);
  EXPECT_THROW((void)spectrum(spec(Verlet{}), 0.1, 0.05), core::InputError);  // takes no friction
}

// Composed methods too: Yoshida's of order 4 has a period error of Omega^4.
TEST(Spectrum, of_a_composition) {
  const Spec yoshida{Verlet{}, true, {4, "yoshida"}};
  EXPECT_NEAR(std::log2(spectrum(yoshida, 0.2).period_error / spectrum(yoshida, 0.1).period_error), 4, 0.1);
}

}  // namespace
}  // namespace actio::method
