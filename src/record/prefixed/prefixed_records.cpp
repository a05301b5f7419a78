#include "record/prefixed/prefixed_records.hpp"

namespace sortie {

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
