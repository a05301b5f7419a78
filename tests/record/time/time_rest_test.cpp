// What stands behind a time is other text, or a part of it that is read; what is neither makes the text no time.
#include "record/time/time_rest.hpp"

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
    const auto fields = [&](std::string_view clock, std::string_view third) {
      return "2023-10-10" + std::string(separator).append(clock).append(separator).append(third);
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
       {" -12.5 C",           " +12%",    " -12,5",     " -1250,75 EUR",    " est la",       " est",
        " [main] x",          " [SQL] x", "] [SQL] x",  "] error",          " | info",       " / x",
        " - 12 MB",           "] 10:20",  " ET phones", " Response Time 5", "\xe2\x80\x94x", "\xe3\x80\x81x",
        " \xc3\xa9t\xc3\xa9", " 8080",    "_x"}) {
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

TEST(TimeRest, SaysThatAZoneIsNotKnown) {
  for (const char* const text :
       {"[2023-10-10 13:55:36] EST", "2023-10-10 13:55:36|CET", "\"2023-10-10 13:55:36\" -0200"}) {
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
