#include "record/time/tzif.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include <sortie/error.hpp>

#include "record/time/civil_time.hpp"
#include "record/time/time_cursor.hpp"

namespace sortie {
namespace {

// The parts of a header that count.
struct TzifCounts {
  std::size_t utc_marks;
  std::size_t standard_marks;
  std::size_t leap_seconds;
  std::size_t changes;
  std::size_t types;
  std::size_t name_bytes;
};

/// Reads the file from its begin to its end. Whatever is read beyond it throws.
class TzifReader {
 public:
  TzifReader(std::span<const std::byte> file, const std::string& what) : rest_(file), what_(what) {}

  [[noreturn]] void refuse(const std::string& reason) const { throw Error(what_ + ": its file " + reason); }

  std::span<const std::byte> take(std::size_t bytes) {
    if (bytes > rest_.size()) refuse("is cut short: install the tz database anew");
    const std::span<const std::byte> taken = rest_.first(bytes);
    rest_ = rest_.subspan(bytes);
    return taken;
  }

  std::string_view take_text(std::size_t bytes) {
    const std::span<const std::byte> taken = take(bytes);
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }

  /// A number with its sign, the most significant byte first.
  std::int64_t take_number(std::size_t bytes) {
    std::uint64_t value = 0;
    for (const std::byte byte : take(bytes)) value = value << 8 | std::to_integer<std::uint64_t>(byte);
    const std::size_t unused = 64 - 8 * bytes;
    return static_cast<std::int64_t>(value << unused) >> unused;
  }

  std::size_t take_count() { return static_cast<std::uint32_t>(take_number(4)); }

  /// Takes a header. Returns the version.
  char take_header(TzifCounts& counts) {
    if (take_text(4) != "TZif") refuse("is none of a tz database: give another zone");
    const char version = take_text(1)[0];
    take(15);
    counts = {take_count(), take_count(), take_count(), take_count(), take_count(), take_count()};
    return version;
  }

  std::string_view rest() { return take_text(rest_.size()); }

 private:
  std::span<const std::byte> rest_;
  const std::string& what_;
};

std::size_t size_of_data(const TzifCounts& counts, std::size_t time_bytes) {
  return counts.changes * (time_bytes + 1) + counts.types * 6 + counts.name_bytes +
         counts.leap_seconds * (time_bytes + 4) + counts.standard_marks + counts.utc_marks;
}

std::vector<LocalTimeType> take_types(TzifReader& reader, const TzifCounts& counts) {
  struct Type {
    std::int64_t offset;
    std::size_t name;
  };
  std::vector<Type> types;
  for (std::size_t i = 0; i < counts.types; ++i) {
    const std::int64_t offset = reader.take_number(4);
    reader.take(1);  // whether it is summer time
    types.push_back({offset, static_cast<std::uint8_t>(reader.take_number(1))});
  }
  const std::string_view names = reader.take_text(counts.name_bytes);
  std::vector<LocalTimeType> local_types;
  for (const Type& type : types) {
    if (type.name >= names.size() || type.offset <= -86'400 || type.offset >= 86'400) {
      reader.refuse("is damaged: install the tz database anew");
    }
    const std::string_view name = names.substr(type.name);
    local_types.push_back({std::string(name.substr(0, name.find('\0'))), static_cast<std::int32_t>(type.offset)});
  }
  if (local_types.empty()) reader.refuse("has no local time: install the tz database anew");
  return local_types;
}

void take_data(TzifReader& reader, const TzifCounts& counts, std::size_t time_bytes, TzifZone& zone) {
  if (counts.leap_seconds > 0) reader.refuse("counts leap seconds, which times do not: give the zone without 'right/'");
  std::vector<std::int64_t> begins;
  for (std::size_t i = 0; i < counts.changes; ++i) begins.push_back(reader.take_number(time_bytes));
  std::vector<std::size_t> types;
  for (std::size_t i = 0; i < counts.changes; ++i) types.push_back(static_cast<std::uint8_t>(reader.take_number(1)));
  const std::vector<LocalTimeType> local_types = take_types(reader, counts);
  zone.changes.push_back({std::numeric_limits<std::int64_t>::min() / 2, local_types[0]});
  for (std::size_t i = 0; i < counts.changes; ++i) {
    const bool is_in_order = i == 0 || begins[i] > begins[i - 1];
    if (types[i] >= local_types.size() || !is_in_order || begins[i] > kLastSecond) {
      reader.refuse("is damaged: install the tz database anew");
    }
    // Files have changes before the first second of all, which nothing needs.
    zone.changes.push_back({std::max(begins[i], std::numeric_limits<std::int64_t>::min() / 2), local_types[types[i]]});
  }
  reader.take(counts.standard_marks + counts.utc_marks);
}

constexpr std::int64_t kSecondsOfDay = 86'400;

/// Takes letters, or whatever stands between < and >.
bool take_type_name(TimeCursor& cursor, std::string& name) {
  const bool is_quoted = cursor.take('<');
  const auto goes_on = [&] {
    const char next = cursor.peek();
    const bool is_sign = next == '+' || next == '-';
    return TimeCursor::is_letter(next) || (is_quoted && (is_digit(next) || is_sign));
  };
  for (; goes_on(); cursor.skip()) name += cursor.peek();
  return (!is_quoted || cursor.take('>')) && name.size() >= 3;
}

/// Takes [+|-]h[hh][:mm[:ss]].
bool take_seconds(TimeCursor& cursor, std::int32_t& seconds) {
  const bool is_negative = cursor.take('-');
  if (!is_negative) cursor.take('+');
  unsigned hours = 0;
  unsigned minutes = 0;
  unsigned rest = 0;
  if (!cursor.take_number(3, hours) || hours > 167) return false;
  if (cursor.take(':') && (!cursor.take_digits(2, minutes) || minutes > 59)) return false;
  if (cursor.take(':') && (!cursor.take_digits(2, rest) || rest > 59)) return false;
  const auto whole = static_cast<std::int32_t>(hours * 3600 + minutes * 60 + rest);
  seconds = is_negative ? -whole : whole;
  return true;
}

/// Takes a name and how far west it is.
bool take_rule_type(TimeCursor& cursor, LocalTimeType& type) {
  std::int32_t west = 0;
  if (!take_type_name(cursor, type.name) || !take_seconds(cursor, west) || west <= -86'400 || west >= 86'400) {
    return false;
  }
  type.offset_seconds = -west;
  return true;
}

/// Takes Mm.w.d, Jn or n, and a time of day behind a slash.
bool take_change(TimeCursor& cursor, YearlyChange& change) {
  if (cursor.take('M')) {
    change.form = YearlyChange::Form::kWeekday;
    const bool is_taken = cursor.take_number(2, change.month) && cursor.take('.') &&
                          cursor.take_number(1, change.week) && cursor.take('.') && cursor.take_number(1, change.day);
    if (!is_taken || change.month < 1 || change.month > 12 || change.week < 1 || change.week > 5 || change.day > 6) {
      return false;
    }
  } else {
    const bool is_ordinary = cursor.take('J');
    change.form = is_ordinary ? YearlyChange::Form::kDayOrdinary : YearlyChange::Form::kDay;
    if (!cursor.take_number(3, change.day) || change.day > 365 || (is_ordinary && change.day == 0)) return false;
  }
  return !cursor.take('/') || take_seconds(cursor, change.second);
}

}  // namespace

TzifZone parse_tzif(std::span<const std::byte> file, const std::string& what) {
  TzifReader reader(file, what);
  TzifZone zone;
  TzifCounts counts{};
  if (reader.take_header(counts) < '2') {
    take_data(reader, counts, 4, zone);
    return zone;
  }
  reader.take(size_of_data(counts, 4));
  reader.take_header(counts);
  take_data(reader, counts, 8, zone);
  std::string_view rule = reader.rest();
  if (!rule.starts_with('\n') || rule.find('\n', 1) == rule.npos) return zone;
  rule.remove_prefix(1);
  zone.rule = rule.substr(0, rule.find('\n'));
  return zone;
}

std::int64_t YearlyChange::local_seconds(int year) const {
  using namespace std::chrono;
  const std::chrono::year in{year};
  sys_days date;
  if (form == Form::kWeekday) {
    const std::chrono::weekday on{day};
    const std::chrono::month of{month};
    date = week == 5 ? sys_days(in / of / on[last]) : sys_days(in / of / on[week]);
  } else {
    date = sys_days(in / January / 1) + days{day};
    if (form == Form::kDayOrdinary) date -= days{in.is_leap() && day >= 60 ? 0 : 1};
  }
  return date.time_since_epoch().count() * kSecondsOfDay + second;
}

std::optional<PosixRule> parse_posix_rule(std::string_view text) {
  TimeCursor cursor(text);
  PosixRule rule;
  if (!take_rule_type(cursor, rule.standard)) return std::nullopt;
  if (cursor.is_at_end()) return rule;
  LocalTimeType& summer = rule.summer.emplace();
  if (!take_type_name(cursor, summer.name)) return std::nullopt;
  summer.offset_seconds = rule.standard.offset_seconds + 3600;
  std::int32_t west = 0;
  if (cursor.peek() != ',') {
    if (!take_seconds(cursor, west) || west <= -86'400 || west >= 86'400) return std::nullopt;
    summer.offset_seconds = -west;
  }
  const bool is_taken = cursor.take(',') && take_change(cursor, rule.to_summer) && cursor.take(',') &&
                        take_change(cursor, rule.to_standard) && cursor.is_at_end();
  return is_taken ? std::optional(rule) : std::nullopt;
}

}  // namespace sortie
