#include "record/time/time_key.hpp"

#include <cstdint>

namespace sortie {
namespace {

// Digits of a number of base 224, from 0x10 on:
//
//   | seconds, 5 digits | milliseconds, 2 | microseconds, 2 | ... | attoseconds, 2 |     without zeros at the end
//
// Most times have whole seconds or milliseconds. Those of a leap second go on from 1000.

constexpr std::uint64_t kBase = 224;
constexpr unsigned kFirstDigit = 0x10;
constexpr int kSecondsDigits = 5;
/// A zone may be a day before the first second.
constexpr std::int64_t kLeastSeconds = kFirstSecond - 86'400;
static_assert(kLastSecond + 86'400 - kLeastSeconds < std::int64_t{kBase * kBase * kBase * kBase} * 224);

std::byte digit(std::uint64_t value) { return static_cast<std::byte>(kFirstDigit + value % kBase); }

std::byte* put_thousands(std::uint64_t value, std::byte* out) {
  out[0] = digit(value / kBase);
  out[1] = digit(value);
  return out + 2;
}

}  // namespace

std::byte* write_time_key(const Instant& instant, std::byte* out) {
  auto seconds = static_cast<std::uint64_t>(instant.seconds - kLeastSeconds);
  for (int i = kSecondsDigits - 1; i >= 0; --i) {
    out[i] = digit(seconds);
    seconds /= kBase;
  }
  out += kSecondsDigits;
  std::uint64_t rest = instant.attoseconds;
  for (std::uint64_t unit = kAttosecondsInSecond / 1000; rest != 0; unit /= 1000) {
    out = put_thousands(rest / unit, out);
    rest %= unit;
  }
  return out;
}

}  // namespace sortie
