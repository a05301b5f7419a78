// How the keys of generated records are distributed. A key is a 64-bit code whose order every kind of record
// keeps: bigger code, bigger key; equal codes, equal keys.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sortie::tools {

enum class Distribution : std::uint8_t {
  kUniform,
  kZipf,      ///< 2^20 distinct keys, the k-th most frequent about 1/k as often as the first
  kFew,       ///< 16 distinct keys
  kPrefix,    ///< keys that share one of 16 beginnings and differ after it
  kSorted,    ///< ascending
  kReversed,  ///< descending
  kConstant,  ///< all equal
};

/// Parses "uniform", "zipf", ... Throws Error that lists the known words.
Distribution parse_distribution(std::string_view word);

class KeyDistribution {
 public:
  /// The codes of records first_record to first_record + record_count - 1 of the data set named by `seed`.
  KeyDistribution(Distribution distribution, std::uint64_t first_record, std::uint64_t record_count,
                  std::uint64_t seed);

  Distribution kind() const { return kind_; }

  /// Codes rise or fall with the position, so all of the record must.
  bool ordered() const { return kind_ == Distribution::kSorted || kind_ == Distribution::kReversed; }

  /// The codes at positions [begin, begin + codes.size()) counted from the first record. For kPrefix the code is
  /// of the shared beginning alone: the rest comes from random().
  void fill(std::uint64_t begin, std::span<std::uint64_t> codes) const;

  /// A number that depends on nothing but the record, for what is not its key.
  std::uint64_t random(std::uint64_t position) const;

 private:
  Distribution kind_;
  std::uint64_t first_record_;
  std::uint64_t seed_;
  std::uint64_t step_;  ///< between ascending codes
};

}  // namespace sortie::tools
