// Takes any two texts as times in any form. Their keys compare as the moments do, a moment does not depend on what lies
// behind its text, and what is written of it as ISO 8601 says is the same moment.
//
//   | form and zones | last day, two bytes | pattern, ended by NUL | text, ended by NUL | text |
//
// The zones are those of kZones, and of a file of the tz database that is made of the texts.
#include <array>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <string>

#include <sortie/text_keys.hpp>
#include <sortie/text_order.hpp>

#include "fuzz/fuzz_target.hpp"
#include "record/time/civil_time.hpp"
#include "record/time/local_zone.hpp"
#include "record/time/time_pattern.hpp"
#include "record/time/written_time.hpp"

namespace sortie {
namespace {

using fuzz::require;

constexpr std::array kZones = {"", "UTC", "-03:30", "CET=+01:00,CEST=+02:00", "+05:45,XYZ=-12"};

std::shared_ptr<const TimeZones> zones_of(unsigned choice) {
  TextOrder order;
  if (choice % kZones.size() > 0) set_zones(order, kZones[choice % kZones.size()]);
  return TimeZones::of(order);
}

/// Any bytes are a zone that can be asked for any time, or are refused.
void check_zone(std::string_view bytes) {
  try {
    const LocalZone zone(fuzz::as_bytes(bytes), "zone");
    for (const std::int64_t seconds : {kFirstSecond, std::int64_t{0}, std::int64_t{1'700'000'000}, kLastSecond}) {
      const std::int32_t offset = zone.offset_at(seconds);
      require(offset > -86'400 && offset < 86'400, "clocks of a zone are less than a day apart from UTC");
      for (std::size_t name = 0; name < zone.names().size(); ++name) zone.offset_at(seconds, name);
    }
  } catch (const Error&) {
  }
}

std::string key_of(const TimeFound& time) {
  if (time.bytes == 0) return {};
  std::array<std::byte, kTimeKeyRoom> key{};
  const std::byte* const end = write_time_key(time.instant, key.data());
  return {reinterpret_cast<const char*>(key.data()), static_cast<std::size_t>(end - key.data())};
}

std::string iso_text(const Instant& instant) {
  const std::chrono::sys_seconds moment{std::chrono::seconds(instant.seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(moment);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(moment - day);
  const bool is_leap_second = instant.attoseconds >= kAttosecondsInSecond;
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%018" PRIu64 "Z", int(date.year()),
                unsigned(date.month()), unsigned(date.day()), int(clock.hours().count()), int(clock.minutes().count()),
                int(clock.seconds().count()) + (is_leap_second ? 1 : 0),
                instant.attoseconds - (is_leap_second ? kAttosecondsInSecond : 0));
  return text.data();
}

void check_time(const TimeReader& reader, std::string_view text, const TimeFound& time) {
  require(time.bytes <= text.size(), "a time lies in its text");
  for (const char byte : key_of(time)) {
    const auto value = static_cast<unsigned char>(byte);
    require(value >= 0x10 && value <= 0xF0, "keys have none of the bytes that are escaped");
  }
  if (time.bytes == 0) return;
  const TimeFound alone = reader.read(text.substr(0, time.bytes));
  require(alone.instant == time.instant && alone.bytes == time.bytes, "a time does not depend on what follows it");
  const Instant& instant = time.instant;
  // In another zone, a leap second may lie within a minute.
  const bool may_be_written = instant.seconds >= kFirstSecond && instant.seconds <= kLastSecond &&
                              (instant.attoseconds < kAttosecondsInSecond || instant.seconds % 60 == 59);
  if (!may_be_written) return;
  const TimeFound again = TimeReader({}, 0).read(iso_text(instant));
  require(again.bytes > 0 && again.instant == instant, "a moment that is written as ISO 8601 says is the same");
}

void check(fuzz::InputReader input) {
  const unsigned choice = input.byte();
  TimeType type{static_cast<TimeForm>(choice % 6)};
  const auto last_day = static_cast<std::int32_t>(input.number());
  type.pattern = input.take_until('\0');
  if (type.form == TimeForm::kPattern) validate_time_pattern(type.pattern);
  const TimeReader reader(type, last_day, {}, zones_of(choice / 6));
  const std::string_view a = input.take_until('\0');
  const std::string_view b = input.rest();
  check_zone(b);
  const TimeFound first = reader.read(a);
  const TimeFound second = reader.read(b);
  check_time(reader, a, first);
  check_time(reader, b, second);
  if (first.bytes == 0 || second.bytes == 0) return;
  require((key_of(first).compare(key_of(second)) <=> 0) == (first.instant <=> second.instant),
          "keys compare as the moments");
}

}  // namespace
}  // namespace sortie

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return sortie::fuzz::check_unless_refused(sortie::check, {data, size});
}
