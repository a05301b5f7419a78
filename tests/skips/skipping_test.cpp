// A test that no machine allows.
#include <gtest/gtest.h>

TEST(Skipping, AsForWantOfALocale) { GTEST_SKIP() << "no such locale"; }
