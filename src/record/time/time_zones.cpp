#include "record/time/time_zones.hpp"

#include <algorithm>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "record/time/time_cursor.hpp"
#include "record/time/time_grammar.hpp"
#include "record/time/time_parts.hpp"

namespace sortie {
namespace {

bool is_same_word(std::string_view a, std::string_view b) {
  const auto is_same = [](char x, char y) { return (x | 0x20) == (y | 0x20); };
  return std::ranges::equal(a, b, is_same);
}

/// Whether a word of letters has another meaning in times: AM, PM, months, days of the week.
bool is_word_of_times(const std::string& word) {
  TimeCursor cursor(word);
  unsigned month = 0;
  return take_month(cursor, month) || take_weekday(cursor) || is_at_shape<"<day period>E">(cursor);
}

void validate_zone_name(const ZoneName& name) {
  if (name.name.empty() || !std::ranges::all_of(name.name, TimeCursor::is_letter)) {
    throw Error("name of a zone " + quote_word(name.name) + ": it is made of letters alone, for example CET=+01:00");
  }
  if (is_word_of_times(name.name)) {
    throw Error("name of a zone " + quote_word(name.name) +
                ": it is a month, a day of the week, AM or PM in times; leave it out");
  }
  if (is_name_of_utc(name.name) && name.offset_seconds != 0) {
    throw Error("name of a zone " + quote_word(name.name) + ": it is UTC and cannot have another offset");
  }
  if (name.offset_seconds <= -86'400 || name.offset_seconds >= 86'400) {
    throw Error("zone " + quote_word(name.name) + ": its offset is a day or more; it is at most 23:59:59");
  }
}

void refuse_repeated_names(const std::vector<ZoneName>& names) {
  for (const ZoneName& name : names) {
    const auto is_same = [&](const ZoneName& other) { return is_same_word(other.name, name.name); };
    if (std::ranges::count_if(names, is_same) == 1) continue;
    throw Error("name of a zone " + quote_word(name.name) + ": it is given twice; leave one out");
  }
}

}  // namespace

std::shared_ptr<const TimeZones> TimeZones::of(const TextOrder& order) {
  if (order.zone.empty() && order.zone_names.empty()) return nullptr;
  return std::make_shared<const TimeZones>(order.zone, order.zone_names);
}

TimeZones::TimeZones(const std::string& zone, const std::vector<ZoneName>& names, const std::string& database)
    : zone_(zone), names_(names) {
  std::ranges::for_each(names_, validate_zone_name);
  refuse_repeated_names(names_);
  if (zone.empty()) return;
  if (const std::optional<std::int32_t> offset = parse_zone_offset(zone)) {
    offset_ = *offset;
  } else {
    local_.emplace(LocalZone::load(zone, database));
  }
}

bool TimeZones::find(std::string_view word, CivilTime& time) const {
  for (const ZoneName& name : names_) {
    if (!is_same_word(name.name, word)) continue;
    time.set_zone(name.offset_seconds);
    return true;
  }
  if (!local_) return false;
  const std::vector<std::string>& names = local_->names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_same_word(names[i], word)) continue;
    time.zone = CivilTime::Zone::kName;
    time.zone_name = i;
    return true;
  }
  return false;
}

std::string TimeZones::description() const {
  std::string text = zone_ + "\n" + (local_ ? local_->description() : std::to_string(offset_)) + "\n";
  for (const ZoneName& name : names_) text += name.name + "=" + std::to_string(name.offset_seconds) + "\n";
  return text;
}

std::int32_t TimeZones::offset_at(std::int64_t local_seconds, const CivilTime& time) const {
  if (!local_) return offset_;
  if (time.zone == CivilTime::Zone::kName) return local_->offset_at(local_seconds, time.zone_name);
  return local_->offset_at(local_seconds);
}

std::optional<std::int32_t> parse_zone_offset(std::string_view text) {
  TimeCursor cursor(text);
  CivilTime time;
  if (!take_fixed_zone(cursor, time) || !cursor.is_at_end()) return std::nullopt;
  return time.zone_seconds;
}

}  // namespace sortie
