// A test that every machine skips.
#include <gtest/gtest.h>

TEST(Skipping, AsForWantOfALocale) { GTEST_SKIP() << "no such locale"; }
