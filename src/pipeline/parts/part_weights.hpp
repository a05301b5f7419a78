// The weights of records on their way into parts: whole numbers that records say of themselves, as how many tokens they
// have (Parts::weight). Cuts go by them, and the manifest has their sums. They are read once, by all threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <sortie/format.hpp>

#include "pipeline/parts/part_records.hpp"
#include "record/layout.hpp"
#include "record/text/key_texts.hpp"

namespace sortie {

class PartWeights {
 public:
  /// `format`: of lines. `weight`: where their weights are; its column has been found.
  PartWeights(const Format& format, const TextKey& weight);

  /// Reads the weights of records, which are asked for until the next call. Throws Error for a record that has none.
  void load(const PartRecords& records);

  /// Here and below, `records` are some of those that were loaded.
  std::uint64_t sum(const PartRecords& records) const;
  /// Bytes of the first records that together weigh at most `most`.
  std::size_t bytes_within(const PartRecords& records, std::uint64_t most) const;

 private:
  struct Weighed {
    const std::byte* end;  // behind the record
    std::uint64_t sum;     // of the weights up to it
  };

  std::vector<Weighed> weighed_of(std::span<const std::byte> records) const;
  std::uint64_t weight_of(Record record) const;
  /// Sum of the weights in front of a record.
  std::uint64_t sum_before(const std::byte* record) const;

  Layout layout_;
  KeyTexts texts_;
  std::vector<Weighed> weighed_;
};

}  // namespace sortie
