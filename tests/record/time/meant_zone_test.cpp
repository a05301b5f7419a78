// Words behind a time that are meant as zones, and digits that go on in forms that are not read, make a time unread.
#include "record/time/time_parts.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <sortie/text_keys.hpp>

#include "record/time/written_time.hpp"

namespace sortie {
namespace {

const std::string kReadAsText = "1696946136";  // 2023-10-10T13:55:36Z

std::string moment_of(const TimeReader& reader, std::string_view text) {
  const TimeFound found = reader.read(text);
  return found.bytes == 0 ? "none" : std::to_string(found.instant.seconds);
}

TimeReader zone_reader(const std::string& separator, const std::string& zone = {}) {
  TextOrder order;
  if (!zone.empty()) set_zones(order, zone);
  return {{}, last_day_of_year(2023), separator, TimeZones::of(order)};
}

std::string read_moment(std::string_view text) { return moment_of(zone_reader(""), text); }

TEST(MeantZone, MakesATimeUnread) {
  for (const char* const name :
       {"ET", "CT", "MT", "PT", "HT", "NT", "NPT", "BOT", "WST", "CEDT", "HAE", "HNEC", "CETDST", "PRC", "ROK", "NZ"}) {
    for (const char* const rest : {"", " message", ": x", "] x", ")"}) {
      const std::string text = "2023-10-10 13:55:36 " + std::string(name) + rest;
      EXPECT_TRUE(zone_reader("").read(text).has_unknown_zone) << text;
    }
  }
  for (const char* const rest : {" Japan",
                                 " Japan\r",
                                 " Iran] x",
                                 " Tokyo ",
                                 " Local",
                                 " (Cuba) x",
                                 " New_York",
                                 " GB-Eire",
                                 " AT",
                                 " LT",
                                 " GB",
                                 " UCT",
                                 " XYZ] x",
                                 " local",
                                 " local time",
                                 " Tokyo Time",
                                 " Z+2",
                                 " Z-05",
                                 " Z0200",
                                 " Z02:00",
                                 "Z+2",
                                 " -0700x",
                                 " +0200CEST",
                                 " -07:0",
                                 " FOO+0200",
                                 " E.S.T.",
                                 " tz CET",
                                 " zone JST x",
                                 " Canada/Eastern",
                                 " europe/paris x",
                                 " eastern standard time"}) {
    EXPECT_EQ(read_moment("2023-10-10 13:55:36" + std::string(rest)), "none") << rest;
  }
  EXPECT_EQ(read_moment("[2023-10-10 13:55:36 Nowhere] x"), "none");
  EXPECT_EQ(read_moment("2023-10-10 13:55:36 NZ-CHAT x"), "none");
  EXPECT_EQ(read_moment("2023-10-10 13:55:36[GB]"), "none");
  EXPECT_EQ(read_moment("Tue Oct 10 13:55:36 Singapore 2023"), "none");
  EXPECT_EQ(read_moment("[2023-10-10 13:55:36 GET] x"), "none");
  EXPECT_EQ(moment_of(zone_reader(","), "2023-10-10,13:55:36,Japan"), "none");
  EXPECT_EQ(moment_of(zone_reader(","), "2023-10-10,13:55:36,-0700x"), "none");
  EXPECT_EQ(moment_of(zone_reader("", "Asia/Tokyo,ET=-04:00"), "2023-10-10 09:55:36 ET x"), kReadAsText);
  EXPECT_EQ(moment_of(zone_reader("", "Japan"), "2023-10-10 22:55:36 Japan"), kReadAsText);
  EXPECT_EQ(read_moment("2023-10-10 13:55:36 in UTC x"), kReadAsText);
}

TEST(MeantZone, IsAnyWordInFrontOfTheMessageOfARouter) {
  for (const char* const zone : {"ET", "XX", "Home", "INFO", "PRI2", "MY-ZONE", "paris"}) {
    const std::string text = "*Oct 10 2023 13:55:36.000 " + std::string(zone) + ": %SYS-5-CONFIG_I: x";
    EXPECT_TRUE(zone_reader("").read(text).has_unknown_zone) << text;
  }
  EXPECT_EQ(read_moment("*Oct 10 2023 13:55:36.000 UTC: %SYS-5"), kReadAsText);
  EXPECT_EQ(read_moment("*Oct 10 2023 13:55:36.000: %SYS-5"), kReadAsText);
}

TEST(MeantZone, IsNoWordOfOtherText) {
  for (const char* const rest : {" GET /index.html",
                                 " GET",
                                 " AT position",
                                 " INFO x",
                                 " INFO",
                                 " Local variable",
                                 " Japan earthquake",
                                 " LT x",
                                 " GB of data",
                                 " OK",
                                 " Started",
                                 " Nowhere",
                                 " Bob's",
                                 " CT-5 x",
                                 " MT=5",
                                 " NT AUTHORITY\\SYSTEM",
                                 " Alice> hi",
                                 " Z80 chip",
                                 " in time",
                                 " zone A",
                                 " (Worker) x",
                                 " U+0000 x",
                                 " CPU: %d",
                                 " etc/hosts",
                                 " A.B. x",
                                 " Z\xc3\xbcrich",
                                 " time 5"}) {
    EXPECT_EQ(read_moment("2023-10-10 13:55:36" + std::string(rest)), kReadAsText) << rest;
  }
  EXPECT_EQ(read_moment("[2023-10-10 13:55:36 Info] x"), kReadAsText);
  EXPECT_EQ(read_moment("[2023-10-10 13:55:36 Tue] x"), kReadAsText);
  EXPECT_EQ(read_moment("Tue Oct 10 13:55:36 processed 2023 x"), kReadAsText);
  EXPECT_EQ(read_moment("2023-10-10 13:55:36 (IT) x"), kReadAsText);
  EXPECT_EQ(read_moment("2023-10-10 13:55:36 cat \"x\""), kReadAsText);
  EXPECT_EQ(read_moment("2023-10-10 NT provides"), read_moment("2023-10-10"));
}

TEST(LikelyTimeOfDay, HasTooManyDigitsOrAWordOfTime) {
  for (const char* const rest :
       {" 013:55:36", " 013:55", "_013:55:36", " T013:55", " 123:45:56", " 013.55.36", " 1355:36", " 13 UTC", " 1355Z",
        " 1355 hrs", " 13.55 Uhr", " 13 Uhr", " 13\xe6\x99\x82", " 135536 UTC"}) {
    EXPECT_EQ(read_moment("2023-10-10" + std::string(rest)), "none") << rest;
  }
  EXPECT_EQ(read_moment("20231010 135536Z"), kReadAsText);
  EXPECT_EQ(read_moment("20231010_135536Z x"), kReadAsText);
  for (const char* const rest : {" 123:45", " 8080:80", " 24 hours", " 2023:10:11", " 1000 utcs", " 10 UTC-like"}) {
    EXPECT_EQ(read_moment("2023-10-10" + std::string(rest)), read_moment("2023-10-10")) << rest;
  }
}

TEST(NarrowText, OfATimeThatGoesOnInOtherScriptsMakesItUnread) {
  const std::string colon = "\xef\xbc\x9a";  // of full width
  for (const std::string& rest :
       {" 13" + colon + "55" + colon + "36", " \xef\xbc\x91\xef\xbc\x93" + colon + "55", "T13" + colon + "55",
        std::string(" 13\xe2\x88\xb6") + "55", std::string(" \xd9\xa1\xd9\xa3:55")}) {
    EXPECT_EQ(read_moment("2023-10-10" + rest), "none") << rest;
  }
  for (const std::string& rest :
       {colon + "00", std::string("\xef\xbc\x8e") + "5", std::string("\xef\xbc\x90"),
        std::string(" \xef\xbc\x8b") + "09:00", std::string(" \xef\xbc\xaa\xef\xbc\xb3\xef\xbc\xb4"),
        std::string(" \xe2\x80\x93") + "07:00"}) {
    EXPECT_EQ(read_moment("2023-10-10 13:55:36" + rest), "none") << rest;
  }
  EXPECT_EQ(read_moment("2023-10-10 13:55:36" + colon + "x"), kReadAsText);
  EXPECT_EQ(read_moment("2023-10-10 09:00\xe2\x80\x93"
                        "10:30"),
            read_moment("2023-10-10 09:00"));
  EXPECT_EQ(read_moment("2023-10-10 \xef\xbc\x88"
                        "1\xef\xbc\x89 x"),
            read_moment("2023-10-10"));
}

}  // namespace
}  // namespace sortie
