#include "record/csv/inner_newlines.hpp"

#include <cassert>
#include <cstring>

namespace sortie {
namespace {

constexpr std::byte kNoGap{0};
constexpr std::byte kStandIn{' '};
constexpr unsigned kMark = 0x80;
constexpr unsigned kMore = 0x40;
constexpr unsigned kDigitBits = 6;

std::byte* write_gap(std::size_t gap, std::byte* out) {
  for (; gap >> kDigitBits != 0; gap >>= kDigitBits) *out++ = std::byte(kMark | kMore | (gap & (kMore - 1)));
  *out++ = std::byte(kMark | gap);
  return out;
}

std::size_t read_gap(const std::byte*& at) {
  std::size_t gap = 0;
  for (unsigned shift = 0;; shift += kDigitBits) {
    const unsigned digit = std::to_integer<unsigned>(*at++);
    gap |= std::size_t{digit & (kMore - 1)} << shift;
    if ((digit & kMore) == 0) return gap;
  }
}

const std::byte* find_newline(const std::byte* begin, const std::byte* end) {
  return static_cast<const std::byte*>(std::memchr(begin, '\n', static_cast<std::size_t>(end - begin)));
}

}  // namespace

std::byte* write_as_line(Record record, std::byte* out) {
  const std::byte* const end = record.data() + record.size();
  const std::byte* begin = record.data();
  for (const std::byte* newline = find_newline(begin, end); newline + 1 != end; newline = find_newline(begin, end)) {
    out = write_gap(static_cast<std::size_t>(newline - begin), out);
    begin = newline + 1;
  }
  *out++ = kNoGap;
  std::memcpy(out, record.data(), record.size());
  if (begin != record.data()) {
    for (std::size_t i = 0; i + 1 < record.size(); ++i) {
      if (out[i] == std::byte('\n')) out[i] = kStandIn;
    }
  }
  return out + record.size();
}

std::size_t record_offset(Record line) {
  const void* const stop = std::memchr(line.data(), std::to_integer<int>(kNoGap), line.size());
  assert(stop != nullptr);
  return static_cast<std::size_t>(static_cast<const std::byte*>(stop) - line.data()) + 1;
}

Record restore_newlines(std::span<std::byte> line) {
  const std::span<std::byte> record = line.subspan(record_offset(line));
  std::byte* at = record.data();
  for (const std::byte* gap = line.data(); *gap != kNoGap;) {
    at += read_gap(gap);
    *at++ = std::byte('\n');
  }
  return record;
}

}  // namespace sortie
