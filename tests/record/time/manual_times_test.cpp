// The manual's table of times says what is read: each row is one, and what is none of them is no time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <sortie/text_keys.hpp>

#include "record/time/written_time.hpp"

namespace sortie {
namespace {

struct TimeRow {
  std::string form;
  std::string written;
  std::string moment;
};

/// What stands between the backquotes of a cell; empty if there are none.
std::string code_in(const std::string& cell) {
  const std::size_t begin = cell.find('`');
  if (begin == std::string::npos) return {};
  return cell.substr(begin + 1, cell.rfind('`') - begin - 1);
}

std::vector<TimeRow> rows_of_manual() {
  std::ifstream manual(SORTIE_TIMES_PAGE);
  std::vector<TimeRow> rows;
  std::string line;
  while (std::getline(manual, line) && line != "| form | written | in UTC |") {
  }
  std::getline(manual, line);  // the rule below it
  while (std::getline(manual, line) && line.starts_with('|')) {
    std::vector<std::string> cells;
    std::istringstream rest(line.substr(1));
    for (std::string cell; std::getline(rest, cell, '|');) cells.push_back(cell);
    if (cells.size() != 3) throw std::runtime_error("a row of three cells, not: " + line);
    rows.push_back({cells[0], code_in(cells[1]), code_in(cells[2])});
  }
  return rows;
}

/// The reader that a row's first cell asks for.
TimeReader reader_of_form(const std::string& form) {
  const std::string option = code_in(form);
  TextOrder order;
  TimeType type;
  std::optional<std::int32_t> last_day;
  if (option.starts_with("--zone=")) set_zones(order, option.substr(7));
  if (option.starts_with("--year=")) last_day = last_day_of_year(std::stoi(option.substr(7)));
  if (option.starts_with(":time")) type = *parse_key_definition("1" + option).options.time;
  return {type, last_day, {}, TimeZones::of(order)};
}

TEST(ManualTimes, MeanWhatTheTableSays) {
  const std::vector<TimeRow> rows = rows_of_manual();
  ASSERT_GT(rows.size(), 60U);
  std::string form;
  for (const TimeRow& row : rows) {
    if (row.form.find_first_not_of(' ') != std::string::npos) form = row.form;
    ASSERT_FALSE(row.written.empty() || row.moment.empty());
    const TimeFound found = reader_of_form(form).read(row.written);
    const TimeFound expected = TimeReader({}, {}).read(row.moment + "Z");
    EXPECT_GT(found.bytes, 0U) << row.written;
    EXPECT_FALSE(found.lacks_year) << row.written;
    EXPECT_EQ(found.instant, expected.instant) << form << row.written;
  }
}

TEST(ManualTimes, AreNoOthers) {
  const TimeReader reader({}, last_day_of_year(2023));
  for (const char* const text :
       {// Which number is the month, and which the year?
        "10/11/2023", "10/10/2023 13:55:36", "31/12/2023", "12/31/2023", "10.10.2023", "10-10-2023 13:55", "10/10/23",
        "23-10-10", "10-Oct-23", "231010", "101023", "10102023x", "2023", "2023-10", "10/2023", "Oct 2023", "Oct-2023",
        "2023-W41-2", "2023-283", "2023283", "2023-10/10", "2023/10-10", "2023 10 10", "2023:10:10", "2023.10.10",
        // There is no such day.
        "2023-02-29", "2023-13-01", "2023-00-10", "2023-10-00", "2023-10-32", "31 Apr 2023", "Feb 30 2023", "Sept 31",
        "0000-10-10", "20231310", "20230230",
        // There is no such time of day.
        "2023-10-10 24:01", "2023-10-10 25:00:00", "2023-10-10 12:60", "2023-10-10T12:00:61", "2023-10-10 13:55 PM",
        "2023-10-10 0:05 AM", "2023-10-10 13 p.m.", "20231010 256161", "20231010 135561", "20231010_2500",
        "20231010 1360", "2023-10-10-25.00.00", "2023-10-10 13.61.36", "Oct 10 25:00:00", "10 Oct 2023 24:30",
        "2023-10-10T25",
        // The time of day is no usual one, or is cut off.
        "2023-10-10T", "2023-10-10T1", "2023-10-10T135", "2023-10-10T1355", "20231010T1", "20231010T13555",
        "2023-10-10 9:5", "2023-10-10 13:55:6", "2023-10-10 13:55:36:5", "2023-10-10 13:55:36:1234",
        "2023-10-10 13:55.5", "2023-10-10T13.5", "2023-10-10 13:55:36.1.2", "2023-10-10 13h55", "2023-10-10 13h55m36",
        "2023-10-10-13:55", "2023-10-10|13:55:36", "2023-10-10 13-55-36", "2023-10-10 1:55 P", "2023-10-10 1:55 a.",
        "20231010 256161123", "2023-10-10 10.12.13.145", "2023-10-10;13:55", "2023-10-10 13:5x", "202310101",
        "2023101013", "2023101013555", "202310101355361", "Tue Oct 10 9:5 2023",
        // The zone is not known.
        "2023-10-10 13:55:36 CET", "2023-10-10 13:55:36 CEST x", "2023-10-10T13:55:36CEST", "2023-10-10T13:55:36+2",
        "2023-10-10T13:55:36+02000", "2023-10-10T13:55:36+24:00", "2023-10-10T13:55:36+02:60",
        "2023-10-10 13:55:36 JST", "Tue Oct 10 13:55:36 CEST 2023", "Tue Oct 10 13:55:36 Moon 2023",
        "Oct 10 13:55:36 AEDT: x", "Tue, 10 Oct 2023 13:55:36 (BST)", "2023-10-10 13:55:36 UTC+25",
        "2023-10-10 13:55:36 Asia/Tokyo", "10/Oct/2023:13:55:36 MSK", "2023-10-10 13:55:36 Eastern Daylight Time",
        "2023-10-10 13:55:36 (W. Europe Summer Time)", "2023-10-10+02:00", "2023-10-10Z", "2023-10-10T13:55:36x",
        "[2023-10-10 13:55:36] EST", "[2023-10-10 13:55:36] +1000 x", "2023-10-10 13:55:36 tz=CET",
        "[2023-10-10 13:55:36] [CET]", "2023-10-10 13:55:36 [CET]", "2023-10-10 13:55:36 \"CET\"",
        "2023-10-10 13:55:36,+02:00", "2023-10-10 13:55:36|CET", "2023-10-10 13:55:36/CET", "2023-10-10 13:55:36_CET",
        "2023-10-10 13:55:36 GMT Daylight Time", "2023-10-10 13:55:36 GMT Standard Time",
        "2023-10-10 13:55:36 Central European Time", "2023-10-10 1:55:36 PM ET x", "2023-10-10 1:55:36 PM PT",
        "2023-10-10 1:55 PM CT", "2023-10-10 1:55 PM MT x", "2023-10-10 13:55:36 ET", "2023-10-10 13:55:36 COT x",
        "2023-10-10 13:55:36 TRT x", "2023-10-10 13:55:36 ART x", "2023-10-10T13:55:36 [Europe/Paris]",
        "2023-10-10 13:55:36 UTC +2", "2023-10-10 13:55:36 GMT+5.5", "2023-10-10 13:55:36 GMT+05.30",
        "2023-10-10T13:55:36+05.30", "2023-10-10T13:55:36+05'30'", "2023-10-10 13:55:36 (CET x",
        // The year, the time of day, the rest of its fraction or its AM or PM stands where none does.
        "Oct 10-2023 13:55:36", "Oct 10/2023 13:55:36", "Oct 10. 2023 13:55:36", "Oct 10 2023_13:55:36",
        "Oct 10 2023-13:55:36", "Oct 10, 2023T13:55:36", "Oct 10 23 13:55:36", "Oct 10 13:55:36 - 2023",
        "2023-10-10; 13:55:36", "2023-10-10 - 13:55:36", "2023-10-10 | 13:55:36", "2023-10-10 : 13:55:36",
        "2023-10-10 UTC 13:55:36", "2023-10-10 下午1:55:36", "2023-10-10下午1:55:36", "2023-10-10 下午 1:55:36",
        "2023-10-10 um 13:55:36", "2023-10-10 – 13:55", "2023-10-10 - 1 PM", "2023-10-10 – 13h55",
        "2023-10-10 13:55 – CET", "2023-10-10 13:55:36 +05.30", "2023-10-10 1:55:36,PM", "2023-10-10 1:55:36 (PM)",
        "2023-10-10 1:55:36_PM", "2023-10-10 1:55:36|PM", "2023-10-10 1:55:36午後", "2023-10-10 1:55:36 午後",
        "2023-10-10 1:55:36 μ.μ.", "2023-10-10 13:55:36;123", "2023-10-10 13:55:36/123", "2023-10-10 13:55:36_123",
        "2023-10-10 13:55:36|123", "2023-10-10 13:55:36.123,456", "2023-10-10 13:55:36.123'456",
        "2023-10-10 13:55:36.123_456",
        // Names are others.
        "Okt 10 2023", "Octo 10 2023", "Octoberr 10", "10 Okt 2023", "10/Okt/2023:13:55:36", "2023-Okt-10", "Tues",
        "TueOct 10 13:55:36", "Tu 2023-10-10", "Di Oct 10 2023", "maybe 5", "Oct", "Tue", "Tue Oct", "13:55:36",
        "13:55 Oct 10",
        // It is something else.
        "", " ", "[", "[[[", "\"\"", "x", "-", "1696946136", "-2023-10-10", "1.2.3", "10", "10 apples", "10 Oct",
        "v2023-10-10", "\xff", "\xc2\xa0", "2023-10-10\xe2\x80",
        "2023\xe2\x80\xaf"
        "10"}) {
    const bool is_date = std::string_view(text).starts_with("2023-10-10\xe2");
    EXPECT_EQ(reader.read(text).bytes, is_date ? 10U : 0U) << text;
  }
}

}  // namespace
}  // namespace sortie
