// Records in device memory with the order of their keys. Kernels use it to read a record's prefix and the words behind
// it, and to compare two records. A plain value that kernels take as an argument.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"
#include "record/key_plan.hpp"

namespace sortie::kernels {

/// For fixed-length records, record i is the bytes [i * record_bytes, (i + 1) * record_bytes) of `records`. For lines,
/// record i is the bytes [offsets[i], offsets[i + 1]), which include the delimiter at its end, if lines have one.
struct RecordKeys {
  KeyPlan plan;
  const std::byte* records = nullptr;
  std::uint64_t record_bytes = 0;          ///< 0 for lines
  const std::uint64_t* offsets = nullptr;  ///< for lines only: one more entry than there are records
  std::uint32_t delimiter_bytes = 1;       ///< of each line: 1, or 0 for strings that lie side by side without

  SORTIE_HD const std::byte* record(std::uint64_t index) const {
    return records + (record_bytes != 0 ? index * record_bytes : offsets[index]);
  }

  /// The bytes that the key may use. The delimiter is not among them.
  SORTIE_HD std::uint64_t length(std::uint64_t index) const {
    return record_bytes != 0 ? record_bytes : offsets[index + 1] - offsets[index] - delimiter_bytes;
  }

  SORTIE_HD std::uint64_t word(std::uint64_t index, std::uint64_t word_index) const {
    return key_word(plan, record(index), length(index), word_index);
  }

  /// Whether record a comes strictly before record b. Words before `first_word` are taken as equal.
  SORTIE_HD bool before(std::uint64_t a, std::uint64_t b, std::uint64_t first_word) const {
    return compare_keys(plan, record(a), length(a), record(b), length(b), first_word) < 0;
  }

  /// Whether equal prefixes may still hide unequal keys.
  SORTIE_HD bool exceed_prefix() const { return plan.whole_line || plan.key_bytes > 8; }
};

/// An array of (prefix, index) pairs. The prefix is word 0 of a record's key; the index says which record it is.
struct PrefixPairs {
  std::uint64_t* prefixes = nullptr;
  std::uint32_t* indices = nullptr;
};

}  // namespace sortie::kernels
