#include "base/base64.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace sortie {
namespace {

TEST(Base64, IsThatOfTheStandard) {
  EXPECT_EQ(to_base64(""), "");
  EXPECT_EQ(to_base64("f"), "Zg==");
  EXPECT_EQ(to_base64("fo"), "Zm8=");
  EXPECT_EQ(to_base64("foo"), "Zm9v");
  EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(to_base64("\xfb\xff\xfe"), "+//+");
}

TEST(Base64, GivesAllBytesBack) {
  std::mt19937 random(1);
  for (std::size_t size = 0; size < 100; ++size) {
    std::string bytes(size, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    EXPECT_EQ(from_base64(to_base64(bytes)), bytes);
  }
}

TEST(Base64, RefusesOtherText) {
  for (const char* const text : {"Z", "Zg", "Zg=", "=", "====", "Z===", "Zg==Zg==", "Zm9v\n", "Zm9?", "Zg=a", "Zm 9"}) {
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace sortie
