#include <gtest/gtest.h>

#include <cstdio>
#include <set>

#include <certificate/suite/suite.hpp>

// The two error rates of the certificate, on runs whose verdict is known: how often it says "kept" of a run that is spoiled, and
// how often it does not of one that is sound. bench/certificate makes the long ones too.
namespace certificate {
namespace {

std::vector<Result> results(bool spoiled) {
  std::vector<Result> out;
  long number = 0;
  for (const Run& run : all()) {
    if (run.spoiled != spoiled || run.long_run || (ACTIO_TEST_SHORT && ++number % 40 != 0)) continue;
    out.push_back(make(run, {"none", {}}, [] { return 0.0; }));
  }
  if (!ACTIO_TEST_SHORT) { EXPECT_GE(out.size(), 200u); }
  std::printf("%s", table(out).c_str());
  EXPECT_EQ(rates(out).not_started, 0);
  return out;
}

TEST(CertificateRates, no_spoiled_run_is_kept) {
  const std::vector<Result> spoiled = results(true);
  EXPECT_EQ(rates(spoiled).false_kept, 0) << offenders(spoiled);
}

TEST(CertificateRates, one_sound_run_in_a_hundred_may_not_be_kept) {
  const std::vector<Result> sound = results(false);
  const Rates k = rates(sound);
  // One of the few that are known may be among every fortieth.
  const long allowed = ACTIO_TEST_SHORT ? 1 : k.sound / 100;
  EXPECT_LE(k.false_failed + k.false_unresolved, allowed) << offenders(sound);
}

// A name says which run it is.
TEST(CertificateRates, no_two_runs_have_one_name) {
  std::set<std::string> names;
  for (const auto& run : all()) EXPECT_TRUE(names.insert(run.kind + ": " + run.name).second) << run.kind << ": " << run.name;
}

}  // namespace
}  // namespace certificate
