#include "record/time/tzif.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include <sortie/error.hpp>

#include "record/time/civil_time.hpp"

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

}  // namespace sortie
