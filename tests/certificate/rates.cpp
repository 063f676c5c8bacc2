#include <gtest/gtest.h>

#include <certificate/suite/suite.hpp>

// The two error rates of the certificate, on runs whose verdict is known: how often it says "kept" of a run that is spoiled, and
// how often it does not of one that is sound. bench/certificate makes the long ones too.
namespace certificate {
namespace {

const std::vector<Result>& results() {
  static const std::vector<Result> made = [] {
    std::vector<Result> out;
    long number = 0;
    for (const Run& run : all()) {
      if (run.long_run || (ACTIO_TEST_SHORT && ++number % 8 != 0)) continue;
      out.push_back(make(run, {"none", {}}));
    }
    return out;
  }();
  return made;
}

TEST(CertificateRates, every_run_is_begun) { EXPECT_EQ(rates(results()).not_started, 0) << offenders(results()); }

TEST(CertificateRates, no_spoiled_run_is_kept) {
  std::vector<Result> spoiled;
  for (const Result& r : results())
    if (r.run->spoiled) spoiled.push_back(r);
  if (!ACTIO_TEST_SHORT) { EXPECT_GE(spoiled.size(), 200u); }
  EXPECT_EQ(rates(spoiled).false_kept, 0) << table(spoiled) << offenders(spoiled);
}

TEST(CertificateRates, one_sound_run_in_a_hundred_may_not_be_kept) {
  std::vector<Result> sound;
  for (const Result& r : results())
    if (!r.run->spoiled) sound.push_back(r);
  if (!ACTIO_TEST_SHORT) { EXPECT_GE(sound.size(), 200u); }
  const Rates k = rates(sound);
  EXPECT_LE(100 * (k.false_failed + k.false_unresolved), k.sound) << table(sound) << offenders(sound);
  std::printf("%s", table(results()).c_str());
}

}  // namespace
}  // namespace certificate
