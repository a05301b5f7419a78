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
  EXPECT_EQ(pattern_refusal("Y"), "time format 'Y': it has no part of a date or of a time of day");
  for (const char* const pattern : {"%%", "%n", "%t", "%p", "%z", "%Z", "%a", "%A", "%n%p%t%%"}) {
    EXPECT_EQ(pattern_refusal(pattern),
              "time format '" + std::string(pattern) + "': it has no part of a date or of a time of day");
  }
  EXPECT_EQ(pattern_refusal(""), "time format '': it has no part of a date or of a time of day");
}

TEST(TimePattern, ReadsEveryLetterThatIsListed) {
  const std::string letters = known_pattern_letters();
  for (std::size_t at = 0; at < letters.size(); at += 3) {
    EXPECT_EQ(pattern_refusal("%Y" + letters.substr(at, 2)), "no error");
  }
  CivilTime time;
  const std::string text =
      "2000 00 10 Oct October Oct 10 10 01 01 01 01 PM 55 36 25 Z Z Tue Tuesday "
      "2000-10-10 10/10/00 01:55:36 01:55 %";
  TimeCursor cursor(text);
  EXPECT_TRUE(take_pattern(expanded_time_pattern(letters), cursor, time));
  EXPECT_EQ(cursor.taken(), text.size());
}

TEST(TimePattern, MayAbbreviate) {
  EXPECT_EQ(expanded_time_pattern("%F at %T"), "%Y-%m-%d at %H:%M:%S%?");
  EXPECT_EQ(expanded_time_pattern("%D %R %%T"), "%m/%d/%y %H:%M %%T");
  EXPECT_EQ(expanded_time_pattern("%T.%f,%S"), "%H:%M:%S%?,%S%?");
  EXPECT_EQ(expanded_time_pattern("%S%f"), "%S%f");
}

}  // namespace
}  // namespace sortie
