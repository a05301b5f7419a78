// Reads word `word_index` of the key of record after record, as fast as the plan allows. The general
// path interprets the plan; the common plans (a byte string, a whole line) load eight bytes at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "record/record_order.hpp"

namespace sortie {

class WordReader {
 public:
  /// Records will be taken from `bytes`, which the reader may touch anywhere but never beyond.
  WordReader(const RecordOrder& order, std::span<const std::byte> bytes, std::uint64_t word_index)
      : plan_(&order.plan()), end_(bytes.data() + bytes.size()), index_(word_index) {
    const KeyPart& part = plan_->parts[0];
    if (plan_->whole_line) {
      direct_ = true;
      offset_ = 8 * word_index;
      complement_ = plan_->descending_line ? ~std::uint64_t{0} : 0;
    } else if (plan_->part_count == 1 && part.kind == FieldKind::kBytes && 8 * word_index < part.bytes) {
      direct_ = true;
      offset_ = part.source_offset + 8 * word_index;
      fixed_count_ = part.bytes - 8 * word_index;
      complement_ = part.descending ? ~std::uint64_t{0} : 0;
    }
  }

  /// The word; `length` as in key_word().
  std::uint64_t operator()(const std::byte* record, std::uint64_t length) const {
    const std::byte* source = record + offset_;
    if (!direct_ || end_ - source < 8) return key_word(*plan_, record, length, index_);
    if (plan_->whole_line) return line_word(source, length) ^ complement_;
    const std::uint64_t word = byte_swap(load_as<std::uint64_t>(source)) ^ complement_;
    return fixed_count_ >= 8 ? word : word & ~(~std::uint64_t{0} >> (8 * fixed_count_));
  }

 private:
  std::uint64_t line_word(const std::byte* source, std::uint64_t length) const {
    if (length >= offset_ + 8) return byte_swap(load_as<std::uint64_t>(source));
    if (length <= offset_) return 0;
    return byte_swap(load_as<std::uint64_t>(source)) & ~(~std::uint64_t{0} >> (8 * (length - offset_)));
  }

  const KeyPlan* plan_;
  const std::byte* end_;
  std::uint64_t index_;
  std::uint64_t offset_ = 0;
  std::uint64_t fixed_count_ = 0;
  std::uint64_t complement_ = 0;
  bool direct_ = false;
};

}  // namespace sortie
