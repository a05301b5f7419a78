// What stands behind a time is other text, or a part of it that is read; what is neither makes the text no time.
#include "record/time/time_parts.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include <sortie/text_keys.hpp>

#include "record/time/written_time.hpp"

namespace sortie {
namespace {

constexpr std::int64_t kMomentOfRest = 1'696'946'136;  // 2023-10-10T13:55:36Z

std::string moment(const TimeReader& reader, std::string_view text) {
  const TimeFound found = reader.read(text);
  return found.bytes == 0 ? "none" : std::to_string(found.instant.seconds);
}

TimeReader reader_between(const std::string& separator, const std::string& zone = {}) {
  TextOrder order;
  if (!zone.empty()) set_zones(order, zone);
  return {{}, last_day_of_year(2021), separator, TimeZones::of(order)};
}

std::string usual_moment(std::string_view text) { return moment(reader_between(""), text); }

TEST(TimeRest, MayBeTheYearOfADayInFrontOfItsMonth) {
  for (const char* const text :
       {"Tue 10 Oct 13:55:36 UTC 2023", "Tue 10 Oct 13:55:36 2023 x", "10 Oct 13:55:36 2023",
        "Tue 10 Oct 2023 13:55:36", "Tue 10 Oct 01:55:36 PM UTC 2023", "Tue Oct 10 13:55:36, 2023",
        "Tue Oct 10 09:55:36 (EDT) 2023", "10 Oct 13:55:36.000 2023", "Oct 10 15:55:36 2023 +0200",
        "(Oct 10 13:55:36 2023) x"}) {
    EXPECT_EQ(usual_moment(text), std::to_string(kMomentOfRest)) << text;
  }
  EXPECT_EQ(usual_moment("Thu Oct 10 13:55:36 1850"), usual_moment("1850-10-10 13:55:36"));
  EXPECT_EQ(usual_moment("Oct 10, 2023. It was"), usual_moment("2023-10-10"));
  const TimeReader berlin = reader_between("", "Europe/Berlin");
  EXPECT_EQ(moment(berlin, "Tue 10 Oct 15:55:36 CEST 2023"), std::to_string(kMomentOfRest));
  EXPECT_EQ(moment(berlin, "Tue Oct 10 15:55:36 (CEST) 2023"), std::to_string(kMomentOfRest));
  EXPECT_EQ(usual_moment("Tue 10 Oct 13:55:36 CEST 2023"), "none");
  EXPECT_EQ(usual_moment("Tue Oct 10 13:55:36 (XYZ) 2023"), "none");
}

TEST(TimeRest, IsNoYearIfAnotherNumberFollows) {
  const std::string in_2021 = usual_moment("2021-10-10 13:55:36");
  for (const char* const text : {"Oct 10 13:55:36 8080 up", "Oct 10 13:55:36 8080", "Oct 10 13:55:36 2023 up",
                                 "Tue Oct 10 13:55:36 8080", "10 Oct 13:55:36 1899"}) {
    EXPECT_EQ(usual_moment(text), in_2021) << text;
  }
}

TEST(TimeRest, MayBeAFieldOfItsOwn) {
  for (const char* const separator : {",", ";", "|", "\t", "||"}) {
    const TimeReader reader = reader_between(separator);
    const TimeReader berlin = reader_between(separator, "Europe/Berlin");
    const auto fields = [&](std::string_view time_of_day, std::string_view third) {
      return "2023-10-10" + std::string(separator).append(time_of_day).append(separator).append(third);
    };
    const std::string expected = std::to_string(kMomentOfRest);
    EXPECT_EQ(moment(reader, fields("15:55:36", "+02:00")), expected) << separator;
    EXPECT_EQ(moment(reader, fields("\"15:55:36\"", "\"+0200\"")), expected) << separator;
    EXPECT_EQ(moment(reader, fields("11:55:36", "-0200")), expected) << separator;
    EXPECT_EQ(moment(reader, fields("13:55:36", "UTC")), expected) << separator;
    EXPECT_EQ(moment(reader, fields("09:55:36", "EDT")), expected) << separator;
    EXPECT_EQ(moment(reader, fields("01:55:36", "PM")), expected) << separator;
    EXPECT_EQ(moment(reader, fields("01:55:36", std::string("PM") + separator + "UTC")), expected) << separator;
    EXPECT_EQ(moment(berlin, fields("14:55:36", "CET")), expected) << separator;
    EXPECT_EQ(moment(berlin, fields("15:55:36", "Europe/Berlin")), expected) << separator;
    for (const char* const zone : {"CET", "\"CEST\"", "Europe/Paris", "Eastern Daylight Time", "GMT Daylight Time"}) {
      EXPECT_EQ(moment(reader, fields("13:55:36", zone)), "none") << separator << zone;
    }
    EXPECT_EQ(moment(reader, fields("13:55:36", "AAPL")), expected) << separator;
    EXPECT_EQ(moment(reader, fields("13:55:36", std::string("-1250") + separator + "x")), expected) << separator;
    EXPECT_EQ(moment(reader, fields("13:55:36", "-12.5")), expected) << separator;
    // Several tabs are blanks.
    EXPECT_EQ(moment(reader, fields("", "13:55:36")), separator == std::string("\t") ? expected : "none") << separator;
  }
}

TEST(TimeRest, IsNoZoneIfItIsOtherText) {
  for (const char* const rest :
       {" -12.5 C",  " +12%",    " -12,5",           " -1250,75 EUR", " est la",       " est",
        " [main] x", " [SQL] x", "] [SQL] x",        "] error",       " | info",       " / x",
        " - 12 MB",  "] 10:20",  " Response Time 5", "\xe2\x80\x94x", "\xe3\x80\x81x", " \xc3\xa9t\xc3\xa9",
        " 8080",     "_x"}) {
    EXPECT_EQ(usual_moment("2023-10-10 13:55:36" + std::string(rest)), std::to_string(kMomentOfRest)) << rest;
  }
}

TEST(TimeRest, IsAZoneInBrackets) {
  EXPECT_EQ(usual_moment("2023-10-10 15:55:36 [UTC+2]"), std::to_string(kMomentOfRest));
  EXPECT_EQ(usual_moment("2023-10-10 15:55:36 [+02:00] x"), std::to_string(kMomentOfRest));
  EXPECT_EQ(usual_moment("2023-10-10 13:55:36 [UTC]"), std::to_string(kMomentOfRest));
  const TimeReader berlin = reader_between("", "Europe/Berlin");
  EXPECT_EQ(moment(berlin, "2023-10-10 14:55:36 [CET]"), std::to_string(kMomentOfRest));
  EXPECT_EQ(moment(berlin, "2023-10-10 15:55:36 [Europe/Berlin]"), std::to_string(kMomentOfRest));
  EXPECT_EQ(moment(berlin, "[2023-10-10 14:55:36] CET"), "none");
}

TEST(TimeRest, IsATimeOfDayBehindT) {
  for (const char* const text : {"2023-10-10 T13:55:36", "2023-10-10, T13:55:36", "Oct 10 2023 T13:55:36",
                                 "10-Oct-2023 T13:55:36", "Tue Oct 10 T13:55:36 2023", "20231010 T13:55:36 x"}) {
    EXPECT_EQ(usual_moment(text), std::to_string(kMomentOfRest)) << text;
  }
  EXPECT_EQ(moment(reader_between(","), "2023-10-10,T13:55:36"), std::to_string(kMomentOfRest));
}

TEST(TimeRest, IsNoTimeIfItMayBeATimeOfDayThatIsNotRead) {
  for (const char* const rest :
       {"_T13:55:36",    "-T13:55:36",  "|T13:55:36",      "; T13:55",     " time=13:55:36", " time=\"13:55:36\"",
        ", time: 13:55", " at=135536",  " 13 55 36",       " 13 55 36 up", "/13/55/36",      " 13.55,36",
        " 13,55,36",     "%2013:55:36", "%2013%3A55%3A36", "+13%3A55",     " 13%3a55",       " T135536",
        " T1355",        " - 135536",   ";135536",         " | 135536 x",  " 135536",        "T13%3A55%3A36",
        "T13,55,36",     "T13,5",       "T13 55 36",       " +02:00",      "_t13:55:36"}) {
    EXPECT_EQ(usual_moment("2023-10-10" + std::string(rest)), "none") << rest;
  }
  for (const char* const rest : {";135536", " - 135536", ";1355", " 13 55 36", "|T1355", "_-_135536250"}) {
    EXPECT_EQ(usual_moment("20231010" + std::string(rest)), "none") << rest;
  }
  EXPECT_EQ(moment(reader_between(","), "2023-10-10,135536"), "none");
}

TEST(TimeRest, IsOtherTextBehindADate) {
  for (const char* const rest :
       {" 42 items",   " 10.0.0.1 GET", " | 17",      " 1000", " 1000 sold",  " 135536 sold",  " 10.50 EUR",
        " 10/12 done", " 12-15",        " id=135536", " x=1",  " 99 99 99",   " 13 55 361",    " 256136",
        " T13 late",   " Table 13",     " Tx",        " +5",   "; 1355",      " - 17 - 4",     ": 1,200",
        " 12 30",      "%20x",          " 100%",      "_T9",   " 2023-10-11", " to 2023-10-11"}) {
    EXPECT_EQ(usual_moment("2023-10-10" + std::string(rest)), usual_moment("2023-10-10")) << rest;
  }
  EXPECT_EQ(moment(reader_between(","), "2023-10-10,135536,7"), usual_moment("2023-10-10"));
  EXPECT_EQ(usual_moment("2023-10-10T13 55 x"), usual_moment("2023-10-10 13:00"));
}

TEST(TimeRest, IsAnOffsetWithBlanksBehindItsSign) {
  for (const char* const text :
       {"2023-10-10 15:55:36 + 02:00", "2023-10-10 15:55:36+ 02:00", "2023-10-10 11:55:36 - 02:00",
        "2023-10-10 15:55:36 UTC + 02:00", "2023-10-10 11:55:36 UTC - 02:00", "2023-10-10 15:55:36 UTC + 2",
        "2023-10-10 11:55:36 GMT - 2", "2023-10-10 11:55:36 GMT - 0200", "(2023-10-10 15:55:36 + 02:00) x"}) {
    EXPECT_EQ(usual_moment(text), std::to_string(kMomentOfRest)) << text;
  }
  for (const char* const rest : {" - 02 items", " - message", " - 02", " - 10:20 train", " UTC - 2 items", " UTC - x",
                                 "Z - x", "Z -5 x", " - 14:00:00", " - 01:30 PM", " - 2.5", " + 3 more"}) {
    EXPECT_EQ(usual_moment("2023-10-10 13:55:36" + std::string(rest)), std::to_string(kMomentOfRest)) << rest;
  }
  EXPECT_EQ(usual_moment("2023-10-10 09:00 - 10:30"), usual_moment("2023-10-10 09:00"));
}

TEST(TimeRest, IsNoTimeIfItMayBeAZoneThatIsNotRead) {
  for (const char* const rest : {" - 02:00 x",
                                 " UTC + 2 x",
                                 " UTC - 02:00 x",
                                 " GMT 2",
                                 " UTC plus 2",
                                 " UTC minus 02:00",
                                 " UTC offset +2",
                                 " UTC offset: 2",
                                 "Z+02:00",
                                 "Z +02:00",
                                 " EST +0200",
                                 " tz=CEST",
                                 " TZ=Europe/Berlin",
                                 " zone: CEST",
                                 " time zone: X",
                                 ", tz=CEST",
                                 ";tz=CEST",
                                 " +02h",
                                 " +2h",
                                 " +02h30",
                                 " (tz=CEST)"}) {
    EXPECT_EQ(usual_moment("2023-10-10 13:55:36" + std::string(rest)), "none") << rest;
  }
  EXPECT_EQ(usual_moment("2023-10-10 22:00 - 06:00"), "none");
  for (const char* const rest : {" zone=us-east-1a", " zone: 5", " tzar", " UTC 25 x", " UTC 2 items", " +5h later",
                                 " UTC offside", " UTC plus tax"}) {
    EXPECT_EQ(usual_moment("2023-10-10 13:55:36" + std::string(rest)), std::to_string(kMomentOfRest)) << rest;
  }
}

TEST(TimeRest, IsAZoneBehindALabelOrABracketThatEnds) {
  for (const char* const text :
       {"2023-10-10 15:55:36 tz=+02:00", "2023-10-10 13:55:36 TZ: UTC", "2023-10-10 09:55:36 timezone=EDT x",
        "[10/Oct/2023:15:55:36] +0200 GET", "[10/Oct/2023:15:55:36] +02:00", "\"2023-10-10 11:55:36\" -0200"}) {
    EXPECT_EQ(usual_moment(text), std::to_string(kMomentOfRest)) << text;
  }
  const TimeReader berlin = reader_between("", "Europe/Berlin");
  EXPECT_EQ(moment(berlin, "2023-10-10 15:55:36 tz=CEST"), std::to_string(kMomentOfRest));
  EXPECT_EQ(moment(berlin, "2023-10-10 15:55:36 zone=Europe/Berlin"), std::to_string(kMomentOfRest));
  EXPECT_EQ(usual_moment("[2023-10-10 13:55:36] +1000 points"), "none");
}

TEST(TimeRest, SaysThatAZoneIsNotKnown) {
  for (const char* const text : {"[2023-10-10 13:55:36] EST", "2023-10-10 13:55:36|CET", "2023-10-10 13:55:36 tz=CEST",
                                 "2023-10-10 13:55:36 UTC plus 2"}) {
    EXPECT_TRUE(reader_between("").read(text).has_unknown_zone) << text;
  }
  EXPECT_FALSE(reader_between("").read("2023-10-10 - 13:55").has_unknown_zone);
}

TEST(TimeRest, OfANumberIsOtherText) {
  const TimeReader seconds({TimeForm::kSeconds}, {});
  for (const char* const text : {"1696946136", "1696946136 5", "[1696946136]", "\"1696946136\"", "1696946136\tx",
                                 "1696946136[x", "1696946136\r"}) {
    EXPECT_EQ(moment(seconds, text), std::to_string(kMomentOfRest)) << text;
  }
  EXPECT_EQ(moment(TimeReader({TimeForm::kSeconds}, {}, ","), "1696946136,25"), std::to_string(kMomentOfRest));
  for (const char* const text : {"2023-10-10T13:55:00Z", "10:55:36", "1,696,946,136", "1696946136,25",
                                 "1696946136.2.5.1", "1/2", "5%", "1696946136.", "1696946136\xc3\xa9"}) {
    EXPECT_EQ(moment(seconds, text), "none") << text;
  }
}

TEST(TimeRest, OfAPatternWithShortHoursIsNoHalfOfDay) {
  const TimeReader reader({TimeForm::kPattern, "%F %I:%M:%S"}, {});
  EXPECT_EQ(moment(reader, "2023-10-10 01:55:36 PM"), "none");
  EXPECT_EQ(moment(reader, "2023-10-10 01:55:36pm x"), "none");
  EXPECT_EQ(moment(reader, "2023-10-10 01:55:36 x"), std::to_string(kMomentOfRest - 12 * 3600));
  EXPECT_EQ(moment(TimeReader({TimeForm::kPattern, "%F %T %z"}, {}), "2023-10-10 13:55:36 UTC +2"), "none");
}

}  // namespace
}  // namespace sortie
