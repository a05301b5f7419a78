#include "record/prefixed/prefixed_line.hpp"

#include <cstdint>
#include <cstring>

#include "record/prefixed/prefixed_records.hpp"
#include "record/prefixed/stuffed_record.hpp"

namespace sortie {

std::byte* write_prefixed_payload(Record record, std::byte* out) {
  return write_stuffed(PrefixedParts(record).payload, out);
}

std::size_t prefixed_record_bytes(const PrefixedLine<const std::byte>& line, const KeyWriter& writer) {
  return PrefixedHeader::kBytes + writer.restored_bytes(line.key.data(), line.key.data() + line.key.size()) +
         stuffed_record_bytes(line.payload);
}

// The payload stays where it is, as far as it has no long stretches. Header and key are put in front of it: their room
// is that of the place, the end mark and the first code.
Record restore_prefixed_record(const PrefixedLine<std::byte>& line, const KeyWriter& writer) {
  const std::span<std::byte> payload = restore_stuffed(line.payload);
  std::byte* const key = line.key.data();
  const auto key_bytes = static_cast<std::size_t>(writer.restore(key, key + line.key.size(), key) - key);
  std::byte* const begin = payload.data() - key_bytes - PrefixedHeader::kBytes;
  std::memmove(begin + PrefixedHeader::kBytes, key, key_bytes);
  PrefixedHeader{static_cast<std::uint32_t>(key_bytes), static_cast<std::uint32_t>(payload.size())}.store(begin);
  return {begin, PrefixedHeader::kBytes + key_bytes + payload.size()};
}

}  // namespace sortie
