// Random records for the samples of the self-test. They are the same in every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace sortie::cli {

using Random = std::mt19937_64;

/// Several times the least memory of a sort.
inline constexpr std::size_t kSampleBytes = 1 << 20;

inline std::uint64_t below(Random& random, std::uint64_t end) { return random() % end; }

inline std::string word(Random& random, std::string_view letters, std::size_t longest) {
  std::string text(1 + below(random, longest), '\0');
  for (char& letter : text) letter = letters[below(random, letters.size())];
  return text;
}

inline std::string small_word(Random& random) { return word(random, "abcdefgh", 4); }

template <class Record>
std::string many(Record record) {
  Random random(1);
  std::string bytes;
  while (bytes.size() < kSampleBytes) bytes += record(random);
  return bytes;
}

}  // namespace sortie::cli
