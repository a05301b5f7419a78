#include "record/time/local_zone.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "record/time/time_cursor.hpp"
#include "record/time/tzif.hpp"

namespace sortie {
namespace {

constexpr std::int64_t kSecondsOf400Years = std::int64_t{146'097} * 86'400;
constexpr const char* kOtherwise =
    "give a name of the tz database, as Europe/Berlin, an offset, as +02:00, or names with theirs, as CET=+01:00";

/// Names have no way out of the database's folder.
bool may_be_in_database(std::string_view name) {
  const auto suits = [](char byte) {
    return TimeCursor::is_letter(byte) || is_digit(byte) ||
           std::string_view("/_+-").find(byte) != std::string_view::npos;
  };
  return !name.empty() && name.front() != '/' && std::ranges::all_of(name, suits);
}

int year_of(std::int64_t seconds) {
  const std::chrono::sys_seconds moment{std::chrono::seconds(seconds)};
  return int(std::chrono::year_month_day(std::chrono::floor<std::chrono::days>(moment)).year());
}

}  // namespace

std::string tz_database() {
  const char* const folder = std::getenv("TZDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/usr/share/zoneinfo";
}

LocalZone LocalZone::load(const std::string& name, const std::string& database) {
  const std::string what = "zone " + quote_word(name);
  std::error_code no_matter;
  if (!std::filesystem::is_directory(database, no_matter)) {
    throw Error(
        what + ": there is no tz database in " + quote_word(database) +
        ": install it, as Debian's package tzdata, or give offsets instead, as +02:00 or CET=+01:00,CEST=+02:00");
  }
  // Joined as strings: path::operator/= of GCC 12 frees what it does not own if it gets no memory.
  const std::filesystem::path path = database + "/" + name;
  if (!may_be_in_database(name) || !std::filesystem::is_regular_file(path, no_matter)) {
    throw Error(what + " is not in the tz database " + quote_word(database) + ": " + kOtherwise);
  }
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  if (!stream)
    throw Error(what + ": cannot read " + quote_word(path.string()) + ": let its file be readable, or " + kOtherwise);
  return {std::as_bytes(std::span(bytes)), what};
}

LocalZone::LocalZone(std::span<const std::byte> file, const std::string& what) {
  const TzifZone zone = parse_tzif(file, what);
  for (const TzifChange& change : zone.changes) add_period(change.begin, change.type.offset_seconds, change.type.name);
  if (!zone.rule.empty()) {
    const std::optional<PosixRule> rule = parse_posix_rule(zone.rule);
    if (!rule)
      throw Error(what + ": its rule " + quote_word(zone.rule) + " cannot be read: install the tz database anew, or " +
                  kOtherwise);
    add_rule(*rule);
  }
  set_ends();
}

std::size_t LocalZone::index_of_name(std::string_view name) {
  if (!std::ranges::all_of(name, TimeCursor::is_letter)) return kNoName;
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) names_.emplace_back(name);
  return static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin());
}

void LocalZone::add_period(std::int64_t begin, std::int32_t offset, std::string_view name) {
  periods_.push_back({begin, offset, index_of_name(name)});
}

// The file's own changes end where the rule begins, or lie some years beyond that and agree with it.
void LocalZone::add_rule(const PosixRule& rule) {
  const std::int64_t last_change = periods_.back().begin;
  const int first_year = periods_.size() > 1 ? year_of(last_change) : 1;
  if (!rule.summer) {
    const Period& last = periods_.back();
    if (last.offset != rule.standard.offset_seconds) {
      add_period(last_change + 1, rule.standard.offset_seconds, rule.standard.name);
    }
    return;
  }
  for (int year = first_year; year <= first_year + 402; ++year) {
    const std::int64_t summer = rule.to_summer.local_seconds(year) - rule.standard.offset_seconds;
    const std::int64_t standard = rule.to_standard.local_seconds(year) - rule.summer->offset_seconds;
    const auto add_summer = [&] {
      if (summer > last_change) add_period(summer, rule.summer->offset_seconds, rule.summer->name);
    };
    if (summer < standard) add_summer();
    if (standard > last_change) add_period(standard, rule.standard.offset_seconds, rule.standard.name);
    if (summer >= standard) add_summer();
  }
  using namespace std::chrono;
  cycle_end_ = sys_seconds(sys_days(std::chrono::year(first_year + 401) / January / 1)).time_since_epoch().count();
}

void LocalZone::set_ends() {
  for (std::size_t i = 1; i < periods_.size(); ++i) {
    const std::int64_t end = periods_[i].begin + std::max(periods_[i - 1].offset, periods_[i].offset);
    ends_.push_back(ends_.empty() ? end : std::max(end, ends_.back()));
  }
}

std::string LocalZone::description() const {
  std::string text;
  for (const Period& period : periods_) {
    text += std::to_string(period.begin) + " " + std::to_string(period.offset);
    text += period.name == kNoName ? ";" : " " + names_[period.name] + ";";
  }
  return text;
}

std::int64_t LocalZone::in_first_cycle(std::int64_t local_seconds) const {
  if (local_seconds < cycle_end_) return local_seconds;
  return local_seconds - ((local_seconds - cycle_end_) / kSecondsOf400Years + 1) * kSecondsOf400Years;
}

std::size_t LocalZone::period_at(std::int64_t local_seconds) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(ends_, local_seconds) - ends_.begin());
}

std::int32_t LocalZone::offset_at(std::int64_t local_seconds) const {
  return periods_[period_at(in_first_cycle(local_seconds))].offset;
}

std::int32_t LocalZone::offset_at(std::int64_t local_seconds, std::size_t name) const {
  const std::int64_t local = in_first_cycle(local_seconds);
  const std::size_t now = period_at(local);
  if (periods_[now].name == name) return periods_[now].offset;
  if (now + 1 < periods_.size()) {
    const Period& next = periods_[now + 1];
    if (next.name == name && local >= next.begin + next.offset) return next.offset;
  }
  for (std::size_t i = now; i > 0; --i) {
    if (periods_[i - 1].name == name) return periods_[i - 1].offset;
  }
  const auto has_name = [&](const Period& period) { return period.name == name; };
  const auto first = std::ranges::find_if(periods_, has_name);
  return first == periods_.end() ? 0 : first->offset;
}

}  // namespace sortie
