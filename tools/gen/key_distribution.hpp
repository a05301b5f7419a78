// How the keys of generated records are distributed. A key is a 64-bit code. Every kind of record keeps the order of
// the codes: a bigger code gives a bigger key, and equal codes give equal keys.
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
  kNearly,    ///< ascending, but for one in a hundred, which is anywhere
  kConstant,  ///< all equal
};

/// Parses "uniform", "zipf", ... Throws Error that lists the known words.
Distribution parse_distribution(std::string_view word);

class KeyDistribution {
 public:
  /// Codes of records first_record to first_record + record_count - 1 of the data set named by `seed`.
  KeyDistribution(Distribution distribution, std::uint64_t first_record, std::uint64_t record_count,
                  std::uint64_t seed);

  Distribution kind() const { return kind_; }

  /// Whether codes rise or fall with the position. Then whole records must do so too.
  bool ordered() const { return kind_ == Distribution::kSorted || kind_ == Distribution::kReversed; }

  /// Whether most codes do.
  bool mostly_ordered() const { return ordered() || kind_ == Distribution::kNearly; }

  /// Sets the codes at positions [begin, begin + codes.size()), counted from the first record. For kPrefix a code only
  /// covers the shared beginning: the rest comes from random().
  void fill(std::uint64_t begin, std::span<std::uint64_t> codes) const;

  /// A number that depends on the record alone, for the parts outside its key.
  std::uint64_t random(std::uint64_t position) const;

 private:
  Distribution kind_;
  std::uint64_t first_record_;
  std::uint64_t seed_;
  std::uint64_t step_;  ///< difference between ascending codes
};

}  // namespace sortie::tools
