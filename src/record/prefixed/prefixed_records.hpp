// Walks over length-prefixed records (PREFIXED.md), from header to header: nothing but the first record says where the
// others begin. What record_scan.hpp and layout.hpp do for other records; they call this for such layouts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.hpp"

namespace sortie {

struct PrefixedHeader {
  static constexpr std::size_t kBytes = 8;

  std::uint32_t key_bytes = 0;
  std::uint32_t payload_bytes = 0;

  /// Precondition: kBytes can be read.
  static PrefixedHeader load(const std::byte* record) {
    return {load_as<std::uint32_t>(record), load_as<std::uint32_t>(record + sizeof(std::uint32_t))};
  }
  void store(std::byte* record) const {
    store_as(record, key_bytes);
    store_as(record + sizeof(key_bytes), payload_bytes);
  }

  std::uint64_t record_bytes() const { return kBytes + std::uint64_t{key_bytes} + payload_bytes; }

  /// Throws Error for a key or a payload of 4 GiB and more.
  static PrefixedHeader of(std::size_t key_bytes, std::size_t payload_bytes);
};

/// Appends a record to a vector of bytes. Throws Error as PrefixedHeader::of() does.
template <class Bytes>
void append_prefixed_record(std::span<const std::byte> key, std::span<const std::byte> payload, Bytes& out) {
  const std::size_t begin = out.size();
  out.resize(begin + PrefixedHeader::kBytes);
  PrefixedHeader::of(key.size(), payload.size()).store(out.data() + begin);
  out.insert(out.end(), key.begin(), key.end());
  out.insert(out.end(), payload.begin(), payload.end());
}

/// The record in front of `bytes`, with its header; nothing if `bytes` do not hold all of it.
inline std::span<const std::byte> front_prefixed_record(std::span<const std::byte> bytes) {
  if (bytes.size() < PrefixedHeader::kBytes) return {};
  const std::uint64_t size = PrefixedHeader::load(bytes.data()).record_bytes();
  return size <= bytes.size() ? bytes.first(static_cast<std::size_t>(size)) : std::span<const std::byte>();
}

/// The same if `bytes` are known to be whole records. Should they hold less by now, as those of a mapped file may that
/// somebody has changed, all of them are the record.
inline std::span<const std::byte> first_prefixed_record(std::span<const std::byte> bytes) {
  const std::span<const std::byte> record = front_prefixed_record(bytes);
  return record.empty() ? bytes : record;
}

/// Calls visit(record, stored_length) for every record in order. Precondition: bytes are whole records.
template <class Visit>
void for_each_prefixed_record(std::span<const std::byte> bytes, Visit&& visit) {
  while (!bytes.empty()) {
    const std::span<const std::byte> record = first_prefixed_record(bytes);
    visit(record.data(), std::uint64_t{record.size()});
    bytes = bytes.subspan(record.size());
  }
}

/// The key of a record, and its payload. They lie in the record even if its header has been changed.
struct PrefixedParts {
  explicit PrefixedParts(std::span<const std::byte> record) {
    if (record.size() < PrefixedHeader::kBytes) return;
    const std::span<const std::byte> both = record.subspan(PrefixedHeader::kBytes);
    key = both.first(std::min<std::size_t>(PrefixedHeader::load(record.data()).key_bytes, both.size()));
    payload = both.subspan(key.size());
  }

  std::span<const std::byte> key;
  std::span<const std::byte> payload;
};

/// How many leading bytes are whole records.
std::size_t whole_prefixed_records(std::span<const std::byte> bytes);

// Finds length-prefixed records with all threads, although each one tells only where the next begins: every thread
// guesses where a record begins in its section, walks on from there, and the walks are joined. Used where a whole piece
// of input, or a mapped one, is walked over for the first time: that costs a page fault or a miss for each record.
//
//   bytes      | record | record | record | record | record | record | rest
//   sections   |               |                |              |
//   walks      |───────▶|─────▶|  ?────▶|──────▶|  ?──▶|──────▶|
//   joined     |────────|──────|────────|───────|──────|───────|       a wrong guess: walked from where the walk before
//                                                                      it ended, until the two meet

/// All whole records of `bytes`, which begin with one, in ranges of about `range_bytes`, one behind the other.
/// Parallel.
std::vector<std::span<const std::byte>> find_prefixed_records(std::span<const std::byte> bytes,
                                                              std::size_t range_bytes);

}  // namespace sortie
