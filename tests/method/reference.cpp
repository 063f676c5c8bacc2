#include <gtest/gtest.h>

#include <actio/io/problem.hpp>
#include <actio/method/integrator.hpp>

// KMOW 4.1's oscillator, 50 steps of h = 0.2, against a program of its own that works with 50 digits.
namespace actio::method {
namespace {

struct Reference {
  const char* name;
  AnyMethod choice;
  Eigen::Vector2d q, v;
  double damping = 0;  // phi = damping/2 |v|^2
};

const Reference references[] = {
    {"newmark 0 1/2",
     Newmark{0, 0.5},
     {0.5591146265502790233, -0.0710701969265303349},
     {-0.2180322864889089805, 0.45696461048337948671}},
    {"newmark 1/4 1/2",
     Newmark{0.25, 0.5},
     {-0.160772298867045247, 0.39873924049344002791},
     {-0.6492556518214595881, 0.08492075653907921503}},
    {"newmark 0.3 0.6",
     Newmark{0.3, 0.6},
     {0.4483303051918656866, -0.6491874761797647714},
     {0.42461994814003969401, -0.0761450721747700692}},
    {"newmark 1/6 1/2",
     Newmark{1.0 / 6, 0.5},
     {0.1148264020555066481, 0.35532374771139948798},
     {-0.6111651896805506071, 0.22547825703556924065}},
    {"verlet", Verlet{}, {0.5591146265502790233, -0.0710701969265303349}, {-0.2180322864889089805, 0.45696461048337948671}},
    {"symmetric, alpha 0",
     Variational{0, true},
     {0.5591146265502790233, -0.0710701969265303349},
     {-0.2180322864889089805, 0.45696461048337948671}},
    {"alpha 0",
     Variational{0, false},
     {-0.625456417374177588, 0.39717815253812731502},
     {-0.6662330878731517900, 0.03935242539290385998}},
    {"symplectic euler",
     SymplecticEuler{},
     {-0.625456417374177588, 0.39717815253812731502},
     {-0.6662330878731517900, 0.03935242539290385998}},
    {"symmetric, alpha 1/4",
     Variational{0.25, true},
     {0.5834656410205859237, -0.0233154484450159083},
     {-0.2911952199136050269, 0.42297151672145072958}},
    {"alpha 1/4",
     Variational{0.25, false},
     {0.4089573687405028165, 0.21251511231885055926},
     {-0.4386431654782863417, 0.35891686918991241489}},
    {"symmetric, alpha 1/2",
     Variational{0.5, true},
     {0.5919182143582898330, -0.0148971907769039898},
     {-0.3079627884167668625, 0.41321212032036269213}},
    {"alpha 1/2",
     Variational{0.5, false},
     {0.5919182143582898330, -0.0148971907769039898},
     {-0.3079627884167668625, 0.41321212032036269213}},
    {"midpoint", Midpoint{}, {0.5919182143582898330, -0.0148971907769039898}, {-0.3079627884167668625, 0.41321212032036269213}},
    {"newmark 1/4 1/2, damped",
     Newmark{0.25, 0.5},
     {-0.13541730657145524918, 0.39155468187079908671},
     {-0.64965362199042405019, 0.086829160836143695239},
     1e-3},
    {"newmark 0 1/2, damped",
     Newmark{0, 0.5},
     {0.5707079908034804378, -0.089463721550524680859},
     {-0.21844840325988564916, 0.45058974354334697054},
     1e-3},
    {"central differences, damped",
     CentralDifference{},
     {0.5707079908034804378, -0.089463721550524680859},
     {-0.21844840325988564916, 0.45058974354334697054},
     1e-3},
    {"minimising newmark, damped",
     MinimisingNewmark{0.25, 0.5, 0.5},
     {-0.13645373094096465554, 0.39158743469886326054},
     {-0.64970762858494331466, 0.086361830665476264281},
     1e-3},
    {"generalised-alpha at 1, damped: midpoint",
     GeneralizedAlpha{1},
     {0.60829355908125172705, -0.028703073974469788406},
     {-0.31122339401065960024, 0.40531831995550531776},
     1e-3},
    {"rk4, damped",
     RungeKutta4{},
     {0.47234205141463003112, 0.16985040136876609269},
     {-0.38244578869111467821, 0.36533432960652373161},
     1e-3},
    {"push-forward newmark 0.4",
     PushForwardNewmark{0.4},
     {-0.57987579496843351496, -0.75256807340216657358},
     {-0.16109008614896888975, -0.62294591171370201628}},
    {"zhang-skeel 0.4",
     ZhangSkeel{0.4},
     {-0.52922616557702631296, -0.74781538116007385636},
     {-0.11675967583130802009, -0.61847788861504656451}},
    {"zhang-skeel simplified 0.4",
     ZhangSkeelSimplified{0.4},
     {-0.74524092810981293925, -0.75293433819156119203},
     {-0.24354059777540772517, -0.56809826572812607939}},
    {"rk4", RungeKutta4{}, {0.4536792044780592490, 0.18327160022123035629}, {-0.3931372348713456473, 0.36999010177842457778}},
};

class ReferenceOscillator : public testing::TestWithParam<std::tuple<Reference, BuildOptions::Space, const char*>> {};

TEST_P(ReferenceOscillator, agrees_with_fifty_digits_after_fifty_steps) {
  const auto& [reference, space, compiler] = GetParam();
  io::Problem problem = io::load("examples/oscillator.toml");
  if (reference.damping != 0) {
    problem.model.damping.resize(2, 2);
    problem.model.damping.setIdentity();
    problem.model.damping *= reference.damping;
  }
  const auto integrator = make_integrator(problem.model, Spec{reference.choice, false, {}}, {{compiler, ""}, space});
  integrator->start(0, problem.q0, problem.v0);
  const BatchReport report = integrator->advance(50, 0.2);
  ASSERT_TRUE(report.ok) << report.what;
  Snapshot end;
  integrator->snapshot(end);
  EXPECT_NEAR(end.t, 10, 1e-14);
  EXPECT_LT((end.q - reference.q).norm(), 1e-12) << reference.name;
  EXPECT_LT((end.v - reference.v).norm(), 1e-12) << reference.name;
}

using Space = BuildOptions::Space;
INSTANTIATE_TEST_SUITE_P(every_method, ReferenceOscillator,
                         testing::Combine(testing::ValuesIn(references),
                                          testing::Values(Space::fixed, Space::dense, Space::sparse),
                                          testing::Values("", "none")));

}  // namespace
}  // namespace actio::method
