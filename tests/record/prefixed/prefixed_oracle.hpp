// Length-prefixed records taken apart and sorted in the plainest way, and made-up ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace sortie::test {

struct PrefixedText {
  std::string_view raw;
  std::string_view key;
};

inline std::string prefixed_record(std::string_view key, std::string_view payload) {
  std::string record(8, '\0');
  const std::uint32_t lengths[] = {static_cast<std::uint32_t>(key.size()), static_cast<std::uint32_t>(payload.size())};
  std::memcpy(record.data(), lengths, sizeof lengths);
  return record.append(key).append(payload);
}

/// The whole records at the front of `text`.
inline std::vector<PrefixedText> read_prefixed(std::string_view text) {
  std::vector<PrefixedText> records;
  while (text.size() >= 8) {
    std::uint32_t lengths[2];
    std::memcpy(lengths, text.data(), sizeof lengths);
    const std::uint64_t size = std::uint64_t{8} + lengths[0] + lengths[1];
    if (size > text.size()) break;
    records.push_back({text.substr(0, size), text.substr(8, lengths[0])});
    text.remove_prefix(size);
  }
  return records;
}

inline std::string sorted_prefixed(std::string_view text, bool descending = false, bool unique = false,
                                   bool keep_last = false) {
  std::vector<PrefixedText> records = read_prefixed(text);
  const auto before = [&](const PrefixedText& a, const PrefixedText& b) {
    return descending ? b.key < a.key : a.key < b.key;
  };
  std::ranges::stable_sort(records, before);
  std::string sorted;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::size_t neighbour = keep_last ? i + 1 : i - 1;
    if (unique && neighbour < records.size() && records[neighbour].key == records[i].key) continue;
    sorted += records[i].raw;
  }
  return sorted;
}

/// Bytes that lines of such records end in or escape, their neighbours and complements, and others.
inline constexpr std::string_view kBytesThatMatter("\x1e\x1f\x1d\x20\xe0\xe1\xdf\xe2\x00\x01\x02\xff\xfe\xfd\n\r\x80zz",
                                                   19);

inline std::string random_bytes(std::mt19937_64& random, std::size_t size, std::string_view alphabet) {
  std::string bytes;
  while (bytes.size() < size) bytes += alphabet[random() % alphabet.size()];
  return bytes;
}

/// Few of the records have the same key if `most_key` is more than 3.
inline std::string random_prefixed(std::size_t count, std::uint64_t seed, std::size_t most_key = 12,
                                   std::size_t most_payload = 60) {
  std::mt19937_64 random(seed);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string key = random_bytes(random, random() % (most_key + 1), kBytesThatMatter);
    const std::size_t payload_bytes = random() % 64 == 0 ? random() % 600 : random() % (most_payload + 1);
    text += prefixed_record(key, random_bytes(random, payload_bytes, random() % 2 == 0 ? "ab" : kBytesThatMatter));
  }
  return text;
}

}  // namespace sortie::test
