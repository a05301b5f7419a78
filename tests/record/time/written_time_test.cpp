// Which moment a text stands for.
#include "record/time/written_time.hpp"

#include <gtest/gtest.h>

#include <string>

#include <sortie/error.hpp>
#include <sortie/text_keys.hpp>

namespace sortie {
namespace {

TimeReader reader_of(TimeForm form) { return TimeReader({form}, last_day_of_year(2000)); }

TimeReader reader_of_pattern(const std::string& pattern) {
  return TimeReader({TimeForm::kPattern, pattern}, last_day_of_year(2000));
}

/// Seconds and, behind a point, nanoseconds of the time; "none" if it is none.
std::string read(const TimeReader& reader, std::string_view text) {
  const TimeFound found = reader.read(text);
  if (found.bytes == 0) return "none";
  const std::string seconds = std::to_string(found.instant.seconds);
  return found.instant.nanoseconds == 0 ? seconds : seconds + "." + std::to_string(found.instant.nanoseconds);
}

std::string usual(std::string_view text) { return read(reader_of(TimeForm::kUsual), text); }

TEST(WrittenTime, IsAMomentInTheFormsOfIso8601) {
  constexpr const char* kMoment = "971186136";  // 2000-10-10T13:55:36Z
  for (const char* const text :
       {"2000-10-10T13:55:36Z", "2000-10-10t13:55:36z", "2000-10-10 13:55:36", "2000/10/10 13:55:36",
        "2000-10-10 13:55:36 UTC", "2000-10-10T13:55:36UTC", "2000-10-10T15:55:36+02:00", "2000-10-10T15:55:36+0200",
        "2000-10-10T15:55:36+02", "2000-10-10 15:55:36 +0200", "2000-10-10 15:55:36 +02:00",
        "2000-10-10T06:25:36-07:30", "20001010T135536Z", "20001010T155536+0200", " \t[2000-10-10 13:55:36] error",
        "2000-10-10 13:55:36 -5 degrees", "2000-10-10 13:55:36 - what"}) {
    EXPECT_EQ(usual(text), kMoment) << text;
  }
  EXPECT_EQ(usual("2000-10-10"), "971136000");
  EXPECT_EQ(usual("2000-10-10T13:55"), "971186100");
  EXPECT_EQ(usual("20001010T1355"), "971186100");
  EXPECT_EQ(usual("2000-10-10 13:55: started"), "971186100");
  EXPECT_EQ(usual("2000-10-10 13 apples"), "971136000");
  EXPECT_EQ(usual("2000-10-10-report"), "971136000");
}

TEST(WrittenTime, HasFractionsToTheNanosecond) {
  EXPECT_EQ(usual("1970-01-01T00:00:00.5Z"), "0.500000000");
  EXPECT_EQ(usual("1970-01-01 00:00:00,123"), "0.123000000");
  EXPECT_EQ(usual("1970-01-01 00:00:00.000000001"), "0.1");
  EXPECT_EQ(usual("1970-01-01 00:00:00.9999999999"), "0.999999999");
  EXPECT_EQ(usual("19700101T000001.25"), "1.250000000");
  EXPECT_EQ(usual("1970-01-01 00:00:00.x"), "0");
}

TEST(WrittenTime, HasAPlaceForLeapSeconds) {
  EXPECT_EQ(usual("2016-12-31T23:59:60.5Z"), "1483228799.1500000000");
  EXPECT_EQ(usual("2017-01-01T00:59:60+01:00"), "1483228799.1000000000");
  EXPECT_EQ(usual("2016-12-31T23:59:61Z"), "none");
}

TEST(WrittenTime, KnowsTheCalendarFromTheYearOne) {
  EXPECT_EQ(usual("0001-01-01"), "-62135596800");
  EXPECT_EQ(usual("9999-12-31T23:59:59Z"), "253402300799");
  EXPECT_EQ(usual("2000-02-29"), "951782400");
  for (const char* const text : {"1900-02-29", "2001-02-29", "2000-13-01", "2000-00-01", "2000-01-00", "2000-04-31",
                                 "0000-01-01", "2000-10-10T24:00:00", "2000-10-10 12:60", "2000-10-10 25:00:00"}) {
    EXPECT_EQ(usual(text), "none") << text;
  }
}

TEST(WrittenTime, IsAMomentInTheFormOfWebServers) {
  EXPECT_EQ(usual("[10/Oct/2000:13:55:36 -0700]"), "971211336");
  EXPECT_EQ(usual("10/oct/2000:13:55:36"), "971186136");
  EXPECT_EQ(usual("1/Oct/2000:13:55:36 +0000]"), "970408536");
  EXPECT_EQ(usual("10/Okt/2000:13:55:36 -0700"), "none");
}

TEST(WrittenTime, HasTheYearThatEndsWithTheLastDay) {
  const TimeReader to_march({TimeForm::kUsual}, last_day_of_year(2000) + 31 + 29);  // 2001-03-01
  EXPECT_EQ(read(to_march, "Mar  1 00:00:00"), usual("2001-03-01"));
  EXPECT_EQ(read(to_march, "Mar 2 13:55:36.5 host"), usual("2000-03-02T13:55:36.5Z"));
  EXPECT_EQ(read(to_march, "Dec 31 23:59:59"), usual("2000-12-31T23:59:59Z"));
  EXPECT_EQ(read(to_march, "Feb 29 00:00:00"), "none");
  EXPECT_EQ(usual("Dec 31 23:59:59"), usual("2000-12-31T23:59:59Z"));
  EXPECT_EQ(usual("Feb 29 00:00:00"), usual("2000-02-29"));
  EXPECT_EQ(usual("Oct 10 2000"), "none");
  EXPECT_EQ(usual("October 10 13:55:36"), "none");
}

TEST(WrittenTime, NeedsAYear) {
  const TimeReader reader({TimeForm::kUsual}, std::nullopt);
  EXPECT_EQ(read(reader, "2000-10-10"), "971136000");
  try {
    reader.read("Oct 10 13:55:36 host");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the time 'Oct 10 13:55:36' has no year: say which it is");
  }
}

TEST(WrittenTime, IsNoOtherText) {
  for (const char* const text : {"",
                                 " ",
                                 "[",
                                 "x",
                                 "2000",
                                 "971186136",
                                 "20001010",
                                 "2000-10",
                                 "2000-1-1",
                                 "2000-10/10",
                                 "2000-10-10T",
                                 "2000-10-10T13",
                                 "2000-10-10x",
                                 "2000-10-101",
                                 "2000-10-10 13:5",
                                 "2000-10-10T13:55:36x",
                                 "2000-10-10T13:55:36+2",
                                 "2000-10-10T13:55:36+02000",
                                 "2000-10-10T13:55:36+99:00",
                                 "-2000-10-10",
                                 "Oct",
                                 "Oct 10",
                                 "10/Oct",
                                 "\xff"}) {
    EXPECT_EQ(usual(text), "none") << text;
  }
}

TEST(WrittenTime, MayBeANumberSince1970) {
  const TimeReader seconds = reader_of(TimeForm::kSeconds);
  EXPECT_EQ(read(seconds, " 971186136 x"), "971186136");
  EXPECT_EQ(read(seconds, "971186136.25"), "971186136.250000000");
  EXPECT_EQ(read(seconds, "-0.25"), "-1.750000000");
  EXPECT_EQ(read(seconds, "-1"), "-1");
  EXPECT_EQ(read(seconds, "000000000000000000001"), "1");
  EXPECT_EQ(read(seconds, "253402300799"), "253402300799");
  for (const char* const text : {"", "-", ".5", "253402300800", "-62135596801", "9999999999999", "1e9", "12x", "+1"}) {
    EXPECT_EQ(read(seconds, text), "none") << text;
  }
  EXPECT_EQ(read(reader_of(TimeForm::kMilliseconds), "971186136123"), "971186136.123000000");
  EXPECT_EQ(read(reader_of(TimeForm::kMilliseconds), "42.5"), "0.42500000");
  EXPECT_EQ(read(reader_of(TimeForm::kMilliseconds), "-1"), "-1.999000000");
  EXPECT_EQ(read(reader_of(TimeForm::kMicroseconds), "971186136123456"), "971186136.123456000");
  EXPECT_EQ(read(reader_of(TimeForm::kNanoseconds), "971186136123456789"), "971186136.123456789");
  EXPECT_EQ(read(reader_of(TimeForm::kNanoseconds), "971186136123456789.5"), "971186136.123456789");
  EXPECT_EQ(read(reader_of(TimeForm::kNanoseconds), "253402300799999999999"), "253402300799.999999999");
}

TEST(WrittenTime, MayHaveAPatternOfItsOwn) {
  EXPECT_EQ(read(reader_of_pattern("%d.%m.%Y %H:%M"), " 10.10.2000   13:55 Uhr"), "971186100");
  EXPECT_EQ(read(reader_of_pattern("[%a %b %d %T.%f %Y]"), "[Tue Oct 10 13:55:36.25 2000] x"), "971186136.250000000");
  EXPECT_EQ(read(reader_of_pattern("%A, %d %B %Y %T %z"), "Tuesday, 10 October 2000 15:55:36 +0200"), "971186136");
  EXPECT_EQ(read(reader_of_pattern("%D %I:%M %p"), "10/10/00 12:05 AM"), "971136300");
  EXPECT_EQ(read(reader_of_pattern("%D %I:%M %p"), "10/10/00 1:05 pm"), "971183100");
  EXPECT_EQ(read(reader_of_pattern("%D %I:%M %p"), "10/10/00 13:05 PM"), "none");
  EXPECT_EQ(read(reader_of_pattern("%F"), "2000-10-10T13:55"), "971136000");
  EXPECT_EQ(read(reader_of_pattern("%y%m%d"), "681231"), "3124137600");
  EXPECT_EQ(read(reader_of_pattern("%y%m%d"), "690101"), "-31536000");
  EXPECT_EQ(read(reader_of_pattern("%b %e"), "Oct 10"), "971136000");
  EXPECT_EQ(read(reader_of_pattern("%R"), "00:02"), "120");
  EXPECT_EQ(read(reader_of_pattern("100%% %H"), "100% 1"), "3600");
  EXPECT_EQ(read(reader_of_pattern("%F %T"), "2000-10-10"), "none");
}

}  // namespace
}  // namespace sortie
