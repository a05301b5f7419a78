#include "record/prefixed/prefixed_line.hpp"

#include <cstdint>
#include <cstring>

#include "record/prefixed/byte_stuffing.hpp"
#include "record/prefixed/prefixed_records.hpp"

namespace sortie {
namespace {

constexpr std::byte kForbidden{static_cast<unsigned char>(kPrefixedDelimiter)};

}  // namespace

std::size_t prefixed_payload_room(std::size_t size) { return stuffed_room(size) + 1; }

std::byte* write_prefixed_payload(Record record, std::byte* out) {
  out = stuff(PrefixedParts(record).payload, kForbidden, out);
  *out = kForbidden;
  return out + 1;
}

std::size_t prefixed_record_bytes(const PrefixedLine<const std::byte>& line, const KeyWriter& writer) {
  return PrefixedHeader::kBytes + writer.restored_bytes(line.key.data(), line.key.data() + line.key.size()) +
         unstuffed_bytes(line.payload, kForbidden);
}

// The payload stays where it is, as far as it has no long stretches. Header and key are put in front of it: their room
// is that of the place, the end mark and the first code.
Record restore_prefixed_record(const PrefixedLine<std::byte>& line, const KeyWriter& writer) {
  const std::span<std::byte> payload = unstuff(line.payload, kForbidden);
  std::byte* const key = line.key.data();
  const auto key_bytes = static_cast<std::size_t>(writer.restore(key, key + line.key.size()) - key);
  std::byte* const begin = payload.data() - key_bytes - PrefixedHeader::kBytes;
  std::memmove(begin + PrefixedHeader::kBytes, key, key_bytes);
  PrefixedHeader{static_cast<std::uint32_t>(key_bytes), static_cast<std::uint32_t>(payload.size())}.store(begin);
  return {begin, PrefixedHeader::kBytes + key_bytes + payload.size()};
}

}  // namespace sortie
