// Which moment a text stands for.
#include "record/time/written_time.hpp"

#include <gtest/gtest.h>

#include <string>

#include <sortie/text_keys.hpp>

namespace sortie {
namespace {

TimeReader reader_of(TimeForm form) { return TimeReader({form}, last_day_of_year(2000)); }

TimeReader reader_of_pattern(const std::string& pattern) {
  return TimeReader({TimeForm::kPattern, pattern}, last_day_of_year(2000));
}

/// Seconds and the fraction of the time, which in a leap second begins with 1; "none" if it is none.
std::string read(const TimeReader& reader, std::string_view text) {
  const TimeFound found = reader.read(text);
  if (found.bytes == 0) return "none";
  const std::string seconds = std::to_string(found.instant.seconds);
  if (found.instant.attoseconds == 0) return seconds;
  std::string fraction = std::to_string(found.instant.attoseconds);
  fraction.insert(0, 18 - std::min<std::size_t>(18, fraction.size()), '0');
  return seconds + "." + fraction.substr(0, fraction.find_last_not_of('0') + 1);
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
  for (const char* const text : {"2000-10-10T13", "2000-10-10T13Z", "2000-10-10t13 x", "2000-10-10T14+01",
                                 "20001010T13", "20001010T13Z", "20001010T13:00", "20001010 13:00"}) {
    EXPECT_EQ(usual(text), "971182800") << text;
  }
  EXPECT_EQ(usual("2000-10-10"), "971136000");
  EXPECT_EQ(usual("20001010"), "971136000");
  EXPECT_EQ(usual("20001010 x"), "971136000");
  EXPECT_EQ(usual("2000-10-09T24:00:00Z"), "971136000");
  EXPECT_EQ(usual("9999-12-31T24:00"), "253402300800");
  EXPECT_EQ(usual("2000-10-10T13:55"), "971186100");
  EXPECT_EQ(usual("20001010T1355"), "971186100");
  EXPECT_EQ(usual("2000-10-10 13:55: started"), "971186100");
  EXPECT_EQ(usual("2000-10-10 13 apples"), "971136000");
  EXPECT_EQ(usual("2000-10-10 13:a5:36"), "971136000");
  EXPECT_EQ(usual("2000-10-10-report"), "971136000");
}

TEST(WrittenTime, MayHaveAGapOfBlanksOrASeparatorInFrontOfTheClock) {
  for (const char* const text : {"2000-10-10  13:55:36", "2000-10-10\t13:55:36", "2000-10-10 \t 13:55:36",
                                 "2000-10-10,13:55:36", "2000-10-10, 13:55:36", "2000/10/10   13:55:36",
                                 "10/Oct/2000\t13:55:36", "Oct 10  13:55:36", "Oct\t10\t13:55:36"}) {
    EXPECT_EQ(usual(text), "971186136") << text;
  }
  const TimeReader between_bars({}, last_day_of_year(2000), "||");
  EXPECT_EQ(read(between_bars, "2000-10-10||13:55:36||x"), "971186136");
  EXPECT_EQ(read(between_bars, "2000-10-10 || 13:55:36"), "971186136");
  EXPECT_EQ(read(between_bars, "2000-10-10||||13:55:36"), "none");
  EXPECT_EQ(read(between_bars, "Oct||10||13:55:36"), "971186136");
}

TEST(WrittenTime, MayHaveOtherMarks) {
  for (const char* const text :
       {"20001010_135536250", "20001010 135536250", "20001010T135536250", "2000-10-10T135536.25", "20001010.135536,25",
        "20001010/135536.25", "2000-10-10_13-55-36.25", "2000-10-10_13_55_36.25", "20001010135536250",
        "2000-10-10-13.55.36,25", "2000-10-10 13:55:36:250 x", "10th October 2000 13:55:36.25"}) {
    EXPECT_EQ(usual(text), "971186136.25") << text;
  }
  for (const char* const text : {"2000-10-10 135536 x", "2000-10-10 1355", "2000-10-10 10.5", "20001010 1234567",
                                 "20001010/20001011", "2000-10-10.log", "2000-10-10-1", "2000-10-10 13 55"}) {
    EXPECT_EQ(usual(text), "971136000") << text;
  }
}

TEST(WrittenTime, MayHaveHoursOfOneDigit) {
  for (const char* const text :
       {"2000-10-10 9:05:00", "2000-10-10T9:05", "10/Oct/2000:9:05:00", "Oct 10 9:05:00", "2000-10-10 9:05 x"}) {
    EXPECT_EQ(usual(text), "971168700") << text;
  }
}

TEST(WrittenTime, MayHaveHoursOfHalfADay) {
  for (const char* const text : {"2000-10-10 9:05 AM", "2000-10-10 09:05:00 am", "2000-10-10 9:05AM x"}) {
    EXPECT_EQ(usual(text), "971168700") << text;
  }
  EXPECT_EQ(usual("2000-10-10 9:05 PM"), "971211900");
  EXPECT_EQ(usual("2000-10-10 10 PM"), "971215200");
  EXPECT_EQ(usual("2000-10-10 12:05 AM"), "971136300");
  EXPECT_EQ(usual("2000-10-10 12:05 pm EST"), "971197500");
  EXPECT_EQ(usual("2000-10-10 12:05 amok"), "971179500");
  EXPECT_EQ(usual("2000-10-10 13:05 PM"), "none");
  EXPECT_EQ(usual("2000-10-10 0:05 AM"), "none");
}

TEST(WrittenTime, IsNoDateIfItsClockCannotBeRead) {
  for (const char* const text :
       {"2000-10-10 9:5", "2000-10-10 25:00:00", "2000-10-10\t12:60", "2000-10-10 12:00:5", "2000-10-10-10:00",
        "2000-10-10 - 12:00", "2000-10-10_9:5", "2000-10-10|10:00:00", "2000-10-10T9"}) {
    EXPECT_EQ(usual(text), "none") << text;
  }
  for (const char* const text :
       {"2000-10-10 10 apples", "2000-10-10  9: apples", "2000-10-10\t123:45", "2000-10-10 1000", "2000-10-10,5"}) {
    EXPECT_EQ(usual(text), "971136000") << text;
  }
}

TEST(WrittenTime, KnowsTheZonesOfMail) {
  const auto with_zone = [](const char* zone) { return usual(std::string("2000-10-10 00:00:00 ") + zone); };
  EXPECT_EQ(with_zone("GMT x"), "971136000");
  EXPECT_EQ(with_zone("UTC"), "971136000");
  EXPECT_EQ(with_zone("Z"), "971136000");
  EXPECT_EQ(with_zone("EDT"), "971150400");
  EXPECT_EQ(with_zone("  EST"), "971154000");
  EXPECT_EQ(with_zone("CDT"), "971154000");
  EXPECT_EQ(with_zone("CST"), "971157600");
  EXPECT_EQ(with_zone("MDT"), "971157600");
  EXPECT_EQ(with_zone("MST"), "971161200");
  EXPECT_EQ(with_zone("PDT"), "971161200");
  EXPECT_EQ(with_zone("pst"), "971164800");
  EXPECT_EQ(with_zone("+01"), "971132400");
  EXPECT_EQ(with_zone("+0100"), "971132400");
  EXPECT_EQ(with_zone("\t+01:00 x"), "971132400");
  // What is none is text.
  for (const char* const text : {"A", "Zebra", "ESTate", "+1 x", "+010 x", "+01x", "INFO", "GET /", "[7]", "ist da"}) {
    EXPECT_EQ(with_zone(text), "971136000") << text;
  }
  EXPECT_EQ(usual("2000-10-10 00:00:00PDT"), "971161200");
  EXPECT_EQ(usual("2000-10-10 00:00:00[PDT x"), "none");
  EXPECT_EQ(usual("2000-10-10 00:00:00 (PDT x"), "none");
  EXPECT_EQ(usual("2000-10-10 00:00:00CET"), "none");
  // A field that follows is none.
  EXPECT_EQ(read(TimeReader({}, 0, "\t"), "2000-10-10\t00:00:00\t-10"), "971136000");
  EXPECT_EQ(read(TimeReader({}, 0, "\t"), "2000-10-10\t00:00:00 -10"), "971172000");
}

TEST(WrittenTime, IsNoneIfItsZoneIsNotKnown) {
  for (const char* const zone :
       {"CET",       "CEST",           "BST",     "JST",      "MSK",   "AEDT", "IST",  "MESZ",   "CET x",
        "JST: x",    "(CEST)",         "XYZ",     "cest",     "+2500", "+1",   "+010", "UTC+25", "GMT+1x",
        "UTC +9900", "Europe/Paris x", "EST5EDT", "CET-1CEST"}) {
    EXPECT_EQ(usual(std::string("2000-10-10 00:00:00 ") + zone), "none") << zone;
  }
  for (const char* const text :
       {"Tue Oct 10 13:55:36 CEST 2000", "Tue Oct 10 13:55:36 Xyz 2000", "Oct 10 13:55:36 XYZ 2000",
        "Tue Oct 10 01:55:36 PM CEST 2000", "Tue Oct 10 13:55:36 2000 CEST", "Tue Oct 10 9:55:36 EDT 2000 +0500",
        "2000-10-10T00:00:00[Europe/Paris]", "[2000-10-10 00:00:00 ABC] x", "2000-10-10 13:55:36 PM CET"}) {
    EXPECT_EQ(usual(text), "none") << text;
  }
}

TEST(WrittenTime, SaysThatItsZoneIsNotKnown) {
  for (const char* const text : {"2000-10-10 13:55:36 CET", "Tue Oct 10 13:55:36 Xyz 2000", "2000-10-10T13:55:36CEST x",
                                 "Tue Oct 10 13:55:36 2000 JST", "20001010135536 UTC+25"}) {
    EXPECT_TRUE(reader_of(TimeForm::kUsual).read(text).has_unknown_zone) << text;
  }
  EXPECT_TRUE(reader_of_pattern("%F %T %Z").read("2000-10-10 15:55:36 CEST").has_unknown_zone);
  for (const char* const text : {"2000-10-10 25:00 UTC", "x", "2000-10-10 13:55:36", "2000-10-10 13:55:36 EST"}) {
    EXPECT_FALSE(reader_of(TimeForm::kUsual).read(text).has_unknown_zone) << text;
  }
}

TEST(WrittenTime, MayHaveAZoneBehindADateAlone) {
  EXPECT_EQ(usual("2000-10-10 UTC"), "971136000");
  EXPECT_EQ(usual("2000-10-10 EDT x"), "971150400");
  EXPECT_EQ(usual("Oct 10, 2000 GMT+2"), "971128800");
  for (const char* const text : {"2000-10-10 CEST", "2000-10-10 JST x", "10 Oct 2000 CET"}) {
    EXPECT_EQ(usual(text), "none") << text;
  }
  for (const char* const text :
       {"2000-10-10 AAPL", "2000-10-10 -10", "2000-10-10 +5 x", "2000-10-10 ist", "2000-10-10 Z"}) {
    EXPECT_EQ(usual(text), "971136000") << text;
  }
}

TEST(WrittenTime, HasAnOffsetBehindUtc) {
  for (const char* const zone : {"UTC+2", "GMT+0200", "UTC+02:00", "GMT+02", "UTC +0200", "utc+2", "(UTC+2)", "UT+2"}) {
    EXPECT_EQ(usual(std::string("2000-10-10 15:55:36 ") + zone), "971186136") << zone;
  }
  EXPECT_EQ(usual("2000-10-10 15:55:36 UTC +02 x"), "none");
  EXPECT_EQ(read(reader_of_pattern("%F %T %z"), "2000-10-10 15:55:36 UTC+02:00"), "971186136");
  EXPECT_EQ(read(reader_of_pattern("%F %T %Z"), "2000-10-10 15:55:36 CEST"), "none");
  EXPECT_EQ(read(reader_of_pattern("%F %T%z"), "2000-10-10 13:55:36Zulu"), "none");
}

TEST(WrittenTime, HasTheYearThatIsWrittenBehindIt) {
  for (const char* const text :
       {"Oct 10 13:55:36 2000", "Oct 10 13:55:36 2000: x", "Tue Oct 10 13:55:36 2000", "Oct 10 13:55:36 UTC 2000",
        "Tue Oct 10 15:55:36 2000 +0200", "Tue Oct 10 15:55:36 +0200 2000 +0200"}) {
    EXPECT_EQ(read(TimeReader({}, last_day_of_year(1990)), text), "971186136") << text;
  }
  for (const char* const text : {"Oct 10 13:55:36 2000-a", "Oct 10 13:55:36 20001", "Oct 10 13:55:36 2000.x"}) {
    EXPECT_EQ(read(TimeReader({}, last_day_of_year(1990)), text), "655566936") << text;
  }
}

TEST(WrittenTime, HasFractionsOfEighteenDigits) {
  EXPECT_EQ(usual("1970-01-01T00:00:00.5Z"), "0.5");
  EXPECT_EQ(usual("1970-01-01 00:00:00,123"), "0.123");
  EXPECT_EQ(usual("1970-01-01 00:00:00.000000001"), "0.000000001");
  EXPECT_EQ(usual("1970-01-01 00:00:00.9999999999"), "0.9999999999");
  EXPECT_EQ(usual("1970-01-01 00:00:00.1234567890123456789Z"), "0.123456789012345678");
  EXPECT_EQ(usual("19700101T000001.25"), "1.25");
  EXPECT_EQ(usual("1970-01-01 00:00:00.x"), "0");
}

TEST(WrittenTime, HasAPlaceForLeapSeconds) {
  EXPECT_EQ(usual("2016-12-31T23:59:60.5Z"), "1483228799.15");
  EXPECT_EQ(usual("2017-01-01T00:59:60+01:00"), "1483228799.1");
  EXPECT_EQ(usual("2016-12-31T23:59:61Z"), "none");
}

TEST(WrittenTime, KnowsTheCalendarFromTheYearOne) {
  EXPECT_EQ(usual("0001-01-01"), "-62135596800");
  EXPECT_EQ(usual("9999-12-31T23:59:59Z"), "253402300799");
  EXPECT_EQ(usual("2000-02-29"), "951782400");
  for (const char* const text :
       {"1900-02-29", "2001-02-29", "2000-13-01", "2000-00-01", "2000-01-00", "2000-04-31", "0000-01-01",
        "2000-10-10T24:00:01", "2000-10-10T25", "2000-10-10 12:60", "2000-10-10 25:00:00"}) {
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
  EXPECT_EQ(usual("Oct 10"), usual("2000-10-10"));
}

TEST(WrittenTime, NeedsAYear) {
  const TimeReader reader({TimeForm::kUsual}, std::nullopt);
  EXPECT_EQ(read(reader, "2000-10-10"), "971136000");
  EXPECT_TRUE(reader.read("Oct 10 13:55:36 host").lacks_year);
  EXPECT_EQ(reader.read("Oct 10 13:55:36 host").bytes, 15U);
  EXPECT_FALSE(reader.read("Tue Oct 10 13:55:36 2000 host").lacks_year);
}

TEST(WrittenTime, IsNoOtherText) {
  for (const char* const text : {"",
                                 " ",
                                 "[",
                                 "x",
                                 "2000",
                                 "971186136",
                                 "20001310",
                                 "200010101",
                                 "20001010T",
                                 "20001010T1",
                                 "20001010T135",
                                 "2000-10",
                                 "2000-10/10",
                                 "2000-10-10T",
                                 "2000-10-10T9",
                                 "2000-10-10T13x",
                                 "2000-10-10T1355",
                                 "Tue",
                                 "Tue Oct",
                                 "TueOct 10 13:55:36",
                                 "2000-10-10x",
                                 "2000-10-101",
                                 "2000-10-10 13:5",
                                 "2000-10-10T13:55:36x",
                                 "2000-10-10T13:55:36+2",
                                 "2000-10-10T13:55:36+02000",
                                 "2000-10-10T13:55:36+99:00",
                                 "-2000-10-10",
                                 "Oct",
                                 "10/Oct",
                                 "\xff"}) {
    EXPECT_EQ(usual(text), "none") << text;
  }
}

TEST(WrittenTime, MayBeANumberSince1970) {
  const TimeReader seconds = reader_of(TimeForm::kSeconds);
  EXPECT_EQ(read(seconds, " 971186136 x"), "971186136");
  EXPECT_EQ(read(seconds, "971186136.25"), "971186136.25");
  EXPECT_EQ(read(seconds, "-0.25"), "-1.75");
  EXPECT_EQ(read(seconds, "-1"), "-1");
  EXPECT_EQ(read(seconds, "000000000000000000001"), "1");
  EXPECT_EQ(read(seconds, "253402300799"), "253402300799");
  for (const char* const text : {"", "-", ".5", "253402300800", "-62135596801", "9999999999999", "1e9", "12x", "+1"}) {
    EXPECT_EQ(read(seconds, text), "none") << text;
  }
  EXPECT_EQ(read(reader_of(TimeForm::kMilliseconds), "971186136123"), "971186136.123");
  EXPECT_EQ(read(reader_of(TimeForm::kMilliseconds), "42.5"), "0.0425");
  EXPECT_EQ(read(reader_of(TimeForm::kMilliseconds), "-1"), "-1.999");
  EXPECT_EQ(read(reader_of(TimeForm::kMicroseconds), "971186136123456"), "971186136.123456");
  EXPECT_EQ(read(reader_of(TimeForm::kNanoseconds), "971186136123456789"), "971186136.123456789");
  EXPECT_EQ(read(reader_of(TimeForm::kNanoseconds), "971186136123456789.5"), "971186136.1234567895");
  EXPECT_EQ(read(reader_of(TimeForm::kNanoseconds), "253402300799999999999"), "253402300799.999999999");
}

TEST(WrittenTime, MayHaveAPatternOfItsOwn) {
  EXPECT_EQ(read(reader_of_pattern("%d.%m.%Y %H:%M"), " 10.10.2000   13:55 Uhr"), "971186100");
  EXPECT_EQ(read(reader_of_pattern("[%a %b %d %T.%f %Y]"), "[Tue Oct 10 13:55:36.25 2000] x"), "971186136.25");
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

TEST(WrittenTime, MayHaveAFractionInAPatternOfItsOwn) {
  EXPECT_EQ(read(reader_of_pattern("%F %T"), "2000-10-10 13:55:36.25"), "971186136.25");
  EXPECT_EQ(read(reader_of_pattern("%T,%f %F"), "13:55:36 2000-10-10"), "971186136");
  EXPECT_EQ(read(reader_of_pattern("%T,%f %F"), "13:55:36,25 2000-10-10"), "971186136.25");
  EXPECT_EQ(read(reader_of_pattern("%S.%Y"), "36.2000"), "none");
}

TEST(WrittenTime, EndsWithTheLastNumberOfItsPattern) {
  EXPECT_EQ(read(reader_of_pattern("%d.%m.%y"), "10.10.2000"), "none");
  EXPECT_EQ(read(reader_of_pattern("%d.%m.%y"), "10.10.00 x"), "971136000");
  EXPECT_EQ(read(reader_of_pattern("%Y"), "20001"), "none");
}

}  // namespace
}  // namespace sortie
