// What the clocks of a zone show, and when.
#include "record/time/local_zone.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <functional>
#include <string>

#include <sortie/error.hpp>
#include <sortie/text_keys.hpp>

#include "record/time/tzif.hpp"
#include "record/time/written_time.hpp"

namespace sortie {
namespace {

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// The moment of a time in a zone, or in several words of --zone, as ISO 8601 says in seconds since 1970.
std::int64_t moment(const std::string& zones, std::string_view text) {
  TextOrder order;
  set_zones(order, zones);
  const TimeFound found = TimeReader({}, last_day_of_year(2023), {}, TimeZones::of(order)).read(text);
  return found.bytes == 0 ? -1 : found.instant.seconds;
}

std::int64_t utc(std::string_view text) { return TimeReader({}, {}).read(text).instant.seconds; }

TEST(LocalZone, HasTheOffsetsOfTheTzDatabase) {
  EXPECT_EQ(moment("Europe/Berlin", "2023-01-10 13:00"), utc("2023-01-10 12:00"));
  EXPECT_EQ(moment("Europe/Berlin", "2023-07-10 13:00"), utc("2023-07-10 11:00"));
  EXPECT_EQ(moment("Europe/Berlin", "1985-01-10 13:00"), utc("1985-01-10 12:00"));
  EXPECT_EQ(moment("Europe/Berlin", "1970-07-10 13:00"), utc("1970-07-10 12:00"));
  EXPECT_EQ(moment("Asia/Kolkata", "2023-07-10 13:00"), utc("2023-07-10 07:30"));
  EXPECT_EQ(moment("Australia/Sydney", "2023-01-10 13:00"), utc("2023-01-10 02:00"));
  EXPECT_EQ(moment("Europe/Dublin", "2023-01-10 13:00"), utc("2023-01-10 13:00"));
  EXPECT_EQ(moment("Europe/Dublin", "2023-07-10 13:00"), utc("2023-07-10 12:00"));
}

TEST(LocalZone, GoesOnByItsRule) {
  EXPECT_EQ(moment("Europe/Berlin", "2040-07-10 13:00"), utc("2040-07-10 11:00"));
  EXPECT_EQ(moment("Europe/Berlin", "2437-07-10 13:00"), utc("2437-07-10 11:00"));
  EXPECT_EQ(moment("Europe/Berlin", "9999-01-10 13:00"), utc("9999-01-10 12:00"));
  EXPECT_EQ(moment("Europe/Berlin", "9999-07-10 13:00"), utc("9999-07-10 11:00"));
  EXPECT_EQ(moment("Australia/Sydney", "2500-01-10 13:00"), utc("2500-01-10 02:00"));
  EXPECT_EQ(moment("Europe/Dublin", "2500-01-10 13:00"), utc("2500-01-10 13:00"));
}

TEST(LocalZone, ReadsAnHourThatIsShownTwiceAsTheFirst) {
  EXPECT_EQ(moment("Europe/Berlin", "2023-10-29 01:59:59"), utc("2023-10-28 23:59:59"));
  EXPECT_EQ(moment("Europe/Berlin", "2023-10-29 02:00"), utc("2023-10-29 00:00"));
  EXPECT_EQ(moment("Europe/Berlin", "2023-10-29 02:59:59"), utc("2023-10-29 00:59:59"));
  EXPECT_EQ(moment("Europe/Berlin", "2023-10-29 03:00"), utc("2023-10-29 02:00"));
  EXPECT_EQ(moment("Europe/Berlin", "2023-10-29 02:30 CEST"), utc("2023-10-29 00:30"));
  EXPECT_EQ(moment("Europe/Berlin", "2023-10-29 02:30 CET"), utc("2023-10-29 01:30"));
  EXPECT_EQ(moment("Europe/Berlin", "2023-10-29 02:30 cet"), utc("2023-10-29 01:30"));
}

TEST(LocalZone, ReadsAnHourThatIsSkippedByTheClockBefore) {
  EXPECT_EQ(moment("Europe/Berlin", "2023-03-26 01:59:59"), utc("2023-03-26 00:59:59"));
  EXPECT_EQ(moment("Europe/Berlin", "2023-03-26 02:30"), utc("2023-03-26 01:30"));
  EXPECT_EQ(moment("Europe/Berlin", "2023-03-26 03:00"), utc("2023-03-26 01:00"));
}

TEST(LocalZone, IsTheSameOnBothSidesOfAYear) {
  EXPECT_EQ(moment("Europe/Berlin", "Tue Oct 10 13:55:36 +0200 2023 +0200"), utc("2023-10-10 11:55:36"));
  EXPECT_EQ(moment("Europe/Berlin", "Tue Oct 10 13:55:36 +0200 2023 (CEST)"), -1);
  EXPECT_EQ(moment("Europe/Berlin", "Tue Oct 10 13:55:36 CEST 2023 (CET)"), -1);
  EXPECT_EQ(moment("Europe/Berlin", "Tue Oct 10 13:55:36 CEST 2023 (CEST)"), utc("2023-10-10 11:55:36"));
}

TEST(LocalZone, KnowsTheNamesOfItsClocks) {
  EXPECT_EQ(moment("Europe/Berlin", "Thu Oct 10 13:55:36 CEST 2024"), utc("2024-10-10 11:55:36"));
  EXPECT_EQ(moment("Europe/Berlin", "2023-07-10 13:00 CET"), utc("2023-07-10 12:00"));
  EXPECT_EQ(moment("Europe/Berlin", "2023-01-10 13:00 CEST"), utc("2023-01-10 11:00"));
  EXPECT_EQ(moment("Europe/Berlin", "2023-01-10 13:00 Europe/Berlin"), utc("2023-01-10 12:00"));
  EXPECT_EQ(moment("Europe/Berlin", "2023-01-10 13:00 Europe/Paris"), -1);
  EXPECT_EQ(moment("Europe/Berlin", "2023-01-10 13:00 MSK"), -1);
  EXPECT_EQ(moment("Europe/Moscow", "2012-01-10 13:00 MSK"), utc("2012-01-10 09:00"));
  EXPECT_EQ(moment("Europe/Moscow", "2023-01-10 13:00 MSK"), utc("2023-01-10 10:00"));
  // A zone's own names come in front of those of mail.
  EXPECT_EQ(moment("Asia/Shanghai", "2023-01-10 13:00 CST"), utc("2023-01-10 05:00"));
  EXPECT_EQ(moment("Asia/Tokyo", "2023-01-10 13:00 CST"), utc("2023-01-10 19:00"));
}

TEST(LocalZone, GoesWithNamesThatAreGiven) {
  const std::string zones = "Europe/Berlin,MSK=+03:00,CET=+0200";
  EXPECT_EQ(moment(zones, "2023-01-10 13:00 MSK"), utc("2023-01-10 10:00"));
  EXPECT_EQ(moment(zones, "2023-01-10 13:00 CET"), utc("2023-01-10 11:00"));
  EXPECT_EQ(moment(zones, "2023-01-10 13:00"), utc("2023-01-10 12:00"));
  EXPECT_EQ(moment("+02:00", "2023-01-10 13:00"), utc("2023-01-10 11:00"));
  EXPECT_EQ(moment("XYZ=-3", "2023-01-10 13:00 XYZ"), utc("2023-01-10 16:00"));
  EXPECT_EQ(moment("XYZ=-3", "2023-01-10 13:00"), utc("2023-01-10 13:00"));
}

TEST(LocalZone, RefusesWhatItCannotBe) {
  const auto refusal = [](const std::string& zones) {
    return error_of([&] {
      TextOrder order;
      set_zones(order, zones);
      TimeZones::of(order);
    });
  };
  using testing::HasSubstr;
  EXPECT_THAT(refusal("Europe/Atlantis"), HasSubstr("zone 'Europe/Atlantis' is not in the tz database"));
  EXPECT_THAT(refusal("../passwd"), HasSubstr("is not in the tz database"));
  EXPECT_THAT(refusal("/etc/localtime"), HasSubstr("is not in the tz database"));
  EXPECT_THAT(refusal("zone.tab"), HasSubstr("is not in the tz database"));
  EXPECT_THAT(refusal("Europe"), HasSubstr("is not in the tz database"));
  EXPECT_THAT(refusal("Europe/Berlin,Europe/Paris"), HasSubstr("one alone"));
  EXPECT_THAT(refusal("CET=1x"), HasSubstr("'1x' is no offset"));
  EXPECT_THAT(refusal("CET=+24:00"), HasSubstr("is no offset"));
  EXPECT_THAT(refusal("C3=+1"), HasSubstr("letters alone"));
  EXPECT_THAT(refusal("=+1"), HasSubstr("letters alone"));
  EXPECT_THAT(refusal("UTC=+1"), HasSubstr("cannot have another offset"));
  EXPECT_THAT(refusal("Europe/Berlin,"), HasSubstr("a name is missing"));
  EXPECT_THAT(error_of([] { LocalZone::load("Europe/Berlin", "/no/such/folder"); }), HasSubstr("tzdata"));
}

std::string tzif(char version, const std::string& data, const std::string& counts) {
  return "TZif" + std::string(1, version) + std::string(15, '\0') + counts + data;
}

TEST(LocalZone, RefusesADamagedFile) {
  const std::string counts("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0\4", 24);
  const std::string data("\0\0\0\1\0\0\0\x0e\x10\0\0ABC\0", 15);
  const std::string file = tzif('\0', data, counts);
  const auto refusal = [](const std::string& bytes) {
    return error_of([&] { LocalZone(std::as_bytes(std::span(bytes)), "zone"); });
  };
  const LocalZone zone(std::as_bytes(std::span(file)), "zone");
  EXPECT_EQ(zone.names(), std::vector<std::string>{"ABC"});
  for (std::size_t size = 0; size < file.size(); ++size) EXPECT_NE(refusal(file.substr(0, size)), "no error") << size;
  std::string no_such_type = file;
  no_such_type[48] = '\1';
  EXPECT_THAT(refusal(no_such_type), testing::HasSubstr("damaged"));
  std::string far_offset = file;
  far_offset[50] = '\x7f';
  EXPECT_THAT(refusal(far_offset), testing::HasSubstr("damaged"));
}

TEST(LocalZone, ReadsEveryZoneOfTheDatabase) {
  std::size_t zones = 0;
  const std::filesystem::path database = tz_database();
  for (const char* const region : {"Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Antarctica"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(database / region)) {
      if (!entry.is_regular_file()) continue;
      const LocalZone zone = LocalZone::load(std::filesystem::relative(entry.path(), database), database);
      EXPECT_LT(std::abs(zone.offset_at(utc("2023-07-10"))), 15 * 3600) << entry.path();
      ++zones;
    }
  }
  EXPECT_GT(zones, 300U);
}

TEST(PosixRule, IsReadAsPosixWritesIt) {
  const auto rule = parse_posix_rule("<-02>2<-01>,M3.5.0/-1,M10.5.0/0");
  ASSERT_TRUE(rule && rule->summer);
  EXPECT_EQ(rule->standard, (LocalTimeType{"-02", -7200}));
  EXPECT_EQ(*rule->summer, (LocalTimeType{"-01", -3600}));
  EXPECT_EQ(rule->to_summer.local_seconds(2023), utc("2023-03-25 23:00"));
  EXPECT_EQ(parse_posix_rule("CST6CDT,J60,59/25:30:10")->to_summer.local_seconds(2024), utc("2024-03-01 02:00"));
  EXPECT_EQ(parse_posix_rule("CST6CDT,J60,59/25:30:10")->to_standard.local_seconds(2024), utc("2024-03-01 01:30:10"));
  EXPECT_EQ(parse_posix_rule("CST6CDT,J59,J365")->to_summer.local_seconds(2023), utc("2023-02-28 02:00"));
  EXPECT_EQ(parse_posix_rule("JST-9")->standard, (LocalTimeType{"JST", 32'400}));
  for (const char* const text : {"", "CET", "C1", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
                                 "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J1", "CET-25",
                                 "<CET-1", "CET-1CEST,M3.5.0,M10.5.0x", "CET-1CEST,M3.5.0/168,M10.5.0"}) {
    EXPECT_FALSE(parse_posix_rule(text)) << text;
  }
}

}  // namespace
}  // namespace sortie
