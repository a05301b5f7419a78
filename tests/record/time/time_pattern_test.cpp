#include "record/time/time_pattern.hpp"

#include <gtest/gtest.h>

#include <string>

#include <sortie/error.hpp>

namespace sortie {
namespace {

std::string pattern_refusal(std::string_view pattern) {
  try {
    validate_time_pattern(pattern);
  } catch (const Error& error) {
    const std::string message = error.what();
    return message.substr(0, message.find(';'));
  }
  return "no error";
}

TEST(TimePattern, HasLettersThatAreKnown) {
  EXPECT_EQ(pattern_refusal("%Y-%m-%d %%"), "no error");
  EXPECT_EQ(pattern_refusal("%Q"), "time format '%Q': %Q is not known");
  EXPECT_EQ(pattern_refusal("%Y %"), "time format '%Y %': nothing follows the last %");
  EXPECT_EQ(pattern_refusal("Y"), "time format 'Y': it has no part of a time");
  EXPECT_EQ(pattern_refusal(""), "time format '': it has no part of a time");
}

TEST(TimePattern, MayAbbreviate) {
  EXPECT_EQ(expanded_time_pattern("%F at %T"), "%Y-%m-%d at %H:%M:%S");
  EXPECT_EQ(expanded_time_pattern("%D %R %%T"), "%m/%d/%y %H:%M %%T");
}

}  // namespace
}  // namespace sortie
