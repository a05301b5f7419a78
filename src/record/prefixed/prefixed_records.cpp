#include "record/prefixed/prefixed_records.hpp"

#include <limits>
#include <string>

#include <sortie/error.hpp>

namespace sortie {
namespace {

std::uint32_t as_length(std::size_t bytes) {
  if (bytes <= std::numeric_limits<std::uint32_t>::max()) return static_cast<std::uint32_t>(bytes);
  throw Error("a record of " + std::to_string(bytes) +
              " bytes is too long to be passed on between sorts and to parts: less than 4 GiB can be");
}

}  // namespace

PrefixedHeader PrefixedHeader::of(std::size_t key_bytes, std::size_t payload_bytes) {
  return {as_length(key_bytes), as_length(payload_bytes)};
}

void append_prefixed_record(std::span<const std::byte> key, std::span<const std::byte> payload,
                            std::vector<std::byte>& out) {
  const std::size_t begin = out.size();
  out.resize(begin + PrefixedHeader::kBytes);
  PrefixedHeader::of(key.size(), payload.size()).store(out.data() + begin);
  out.insert(out.end(), key.begin(), key.end());
  out.insert(out.end(), payload.begin(), payload.end());
}

std::size_t whole_prefixed_records(std::span<const std::byte> bytes) {
  std::size_t whole = 0;
  while (true) {
    const std::size_t size = front_prefixed_record(bytes.subspan(whole)).size();
    if (size == 0) return whole;
    whole += size;
  }
}

std::size_t first_prefixed_records(std::span<const std::byte> bytes, std::uint64_t count) {
  std::size_t at = 0;
  for (; count > 0 && at < bytes.size(); --count) at += first_prefixed_record(bytes.subspan(at)).size();
  return at;
}

std::span<const std::byte> last_prefixed_record(std::span<const std::byte> bytes) {
  while (true) {
    const std::span<const std::byte> record = first_prefixed_record(bytes);
    if (record.size() == bytes.size()) return record;
    bytes = bytes.subspan(record.size());
  }
}

std::uint64_t count_prefixed_records(std::span<const std::byte> bytes) {
  std::uint64_t count = 0;
  for_each_prefixed_record(bytes, [&](const std::byte*, std::uint64_t) { ++count; });
  return count;
}

}  // namespace sortie
