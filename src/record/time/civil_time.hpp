// A time as people write it, and the moment that it stands for. Readers of text fill in a CivilTime; keys are made of
// Instants.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace sortie {

struct Instant {
  std::int64_t seconds = 0;  ///< since 1970-01-01T00:00:00Z, without leap seconds
  /// Billionths of a nanosecond, below 10^18. In a leap second from 10^18 on: it belongs to the second in front of it.
  std::uint64_t attoseconds = 0;

  friend auto operator<=>(const Instant&, const Instant&) = default;
};

/// The first second of the year 1 and the last of 9999, in UTC.
inline constexpr std::int64_t kFirstSecond = -62'135'596'800;
inline constexpr std::int64_t kLastSecond = 253'402'300'799;

inline constexpr std::uint64_t kAttosecondsInSecond = 1'000'000'000'000'000'000;

/// A fraction of a second from its digits. Those behind the eighteenth do not count.
class FractionDigits {
 public:
  void append(unsigned digit) {
    attoseconds_ += digit * unit_;
    unit_ /= 10;
  }
  std::uint64_t attoseconds() const { return attoseconds_; }

 private:
  std::uint64_t attoseconds_ = 0;
  std::uint64_t unit_ = 100'000'000'000'000'000;
};

struct CivilTime {
  std::optional<int> year;  ///< 1 to 9999; none: not written
  unsigned month = 1;
  unsigned day = 1;
  unsigned hour = 0;  ///< 24 at the end of the day, without minutes and seconds
  unsigned minute = 0;
  unsigned second = 0;  ///< 60 in a leap second
  std::uint64_t attoseconds = 0;
  bool has_time_of_day = false;  ///< a time of day is written
  bool has_day_period = false;   ///< AM or PM, too
  bool has_seconds = false;
  bool has_bare_date = false;  ///< yyyymmdd: bare digits may be a time of day, too

  enum class Zone : std::uint8_t {
    kNone,     ///< not written
    kOffset,   ///< zone_seconds
    kName,     ///< zone_name
    kUnknown,  ///< one is written, but not known which: the time cannot be read
  };
  Zone zone = Zone::kNone;
  std::int32_t zone_seconds = 0;  ///< east of UTC
  std::size_t zone_name = 0;      ///< an index of LocalZone::names()

  void set_zone(std::int32_t seconds) {
    zone = Zone::kOffset;
    zone_seconds = seconds;
  }
};

/// The moment, by zone_seconds; none if there is no such date or time of day. Precondition: a year.
std::optional<Instant> instant_of(const CivilTime& time);

/// Makes an hour from 1 to 12, with AM or PM, one of the whole day. Returns false if it is none of these.
bool set_hour_of_day_period(CivilTime& time, bool is_afternoon);

/// The year in which the time is one of the 365 or 366 days up to `last_day`, counted from 1970-01-01.
int year_up_to(const CivilTime& time, std::int32_t last_day);

// Keys of times: moments as bytes from 0x10 to 0xF0, in the order of memcmp(). The record codec writes them.

/// Bytes that write_time_key() may write.
inline constexpr std::size_t kTimeKeyRoom = 17;

/// Writes the key of `instant` and returns its end. Less is a key that ends sooner. Precondition: no more than a day
/// from the years 1 to 9999.
std::byte* write_time_key(const Instant& instant, std::byte* out);

}  // namespace sortie
