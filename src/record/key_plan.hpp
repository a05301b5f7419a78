// The order as a program: how a record becomes its normalised key, bytes whose memcmp order is the
// requested order. One definition for both engines; the plan travels to kernels by value.
//
//   fixed record   | part 0 | part 1 | ... |            key_bytes in all, zero-padded to words
//   line           | the bytes of the line |            any length; a shorter line is less on a tie
//
// Keys are read as 8-byte words: word 0 is the prefix that sorts and merges move around.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sortie/format.hpp>

#include "base/bytes.hpp"
#include "base/host_device.hpp"

namespace sortie {

struct KeyPart {
  std::uint32_t source_offset = 0;  ///< where the field begins in the record
  std::uint32_t key_offset = 0;     ///< where the part begins in the normalised key
  std::uint32_t bytes = 0;
  FieldKind kind = FieldKind::kBytes;
  ByteOrder byte_order = ByteOrder::kBig;
  bool descending = false;
};

struct KeyPlan {
  KeyPart parts[kMaxFields];
  std::uint32_t part_count = 0;
  std::uint32_t key_bytes = 0;   ///< length of a fixed key; 0 for lines
  bool whole_line = false;       ///< the key is the record without its delimiter
  bool descending_line = false;  ///< lines only: words are complemented, longer before shorter
};

/// Throws Error as validate() does.
KeyPlan make_key_plan(const Format& format);

/// The bits of a number as an unsigned integer of the same order. `bits` is right-justified, `bytes`
/// its size. Floats in totalOrder: negative ones have all bits flipped, the others the sign.
SORTIE_HD constexpr std::uint64_t encode_number(FieldKind kind, std::uint64_t bits, unsigned bytes) {
  const std::uint64_t sign = std::uint64_t{1} << (8 * bytes - 1);
  const std::uint64_t mask = sign | (sign - 1);
  if (kind == FieldKind::kSigned) return bits ^ sign;
  if (kind == FieldKind::kFloat) return (bits & sign) != 0 ? ~bits & mask : bits ^ sign;
  return bits;
}

/// The inverse of encode_number().
SORTIE_HD constexpr std::uint64_t decode_number(FieldKind kind, std::uint64_t code, unsigned bytes) {
  const std::uint64_t sign = std::uint64_t{1} << (8 * bytes - 1);
  const std::uint64_t mask = sign | (sign - 1);
  if (kind == FieldKind::kSigned) return code ^ sign;
  if (kind == FieldKind::kFloat) return (code & sign) != 0 ? code ^ sign : ~code & mask;
  return code;
}

/// Bytes [skip, skip + 8) of the encoded part, left-justified and zero-padded. skip < part.bytes.
SORTIE_HD inline std::uint64_t part_word(const KeyPart& part, const std::byte* record, std::uint32_t skip) {
  const std::uint32_t left = part.bytes - skip;
  const std::uint32_t count = left < 8 ? left : 8;
  std::uint64_t word;
  if (part.kind == FieldKind::kBytes) {
    word = load_big_padded(record + part.source_offset + skip, count);
  } else {
    const std::uint64_t raw = load_little(record + part.source_offset, part.bytes);
    const unsigned unused_bits = 64 - 8 * part.bytes;
    const std::uint64_t bits = part.byte_order == ByteOrder::kLittle ? raw : byte_swap(raw) >> unused_bits;
    word = encode_number(part.kind, bits, part.bytes) << unused_bits << (8 * skip);
  }
  if (part.descending) word = ~word & (~std::uint64_t{0} << (64 - 8 * count));
  return word;
}

/// Word `index` of the normalised key, big-endian order in an integer, zero-padded past its end.
/// `length`: bytes of the record without its delimiter (lines; ignored for fixed records).
SORTIE_HD inline std::uint64_t key_word(const KeyPlan& plan, const std::byte* record, std::uint64_t length,
                                        std::uint64_t index) {
  const std::uint64_t begin = 8 * index;
  if (plan.whole_line) {
    const std::uint64_t left = begin < length ? length - begin : 0;
    const std::uint64_t word = left == 0 ? 0 : load_big_padded(record + begin, left < 8 ? left : 8);
    return plan.descending_line ? ~word : word;
  }
  std::uint64_t word = 0;
  for (std::uint32_t i = 0; i < plan.part_count; ++i) {
    const KeyPart& part = plan.parts[i];
    const std::uint64_t part_end = std::uint64_t{part.key_offset} + part.bytes;
    if (part_end <= begin) continue;
    if (part.key_offset >= begin + 8) break;
    if (part.key_offset >= begin) {
      word |= part_word(part, record, 0) >> (8 * (part.key_offset - begin));
    } else {
      word |= part_word(part, record, static_cast<std::uint32_t>(begin - part.key_offset));
    }
  }
  return word;
}

/// How many words the key has: 0 for an empty line.
SORTIE_HD inline std::uint64_t key_words(const KeyPlan& plan, std::uint64_t length) {
  return ((plan.whole_line ? length : plan.key_bytes) + 7) / 8;
}

/// Negative, zero or positive as key a is before, equal to or after key b. Words before `first_word`
/// are taken as equal. Lengths as in key_word().
SORTIE_HD inline int compare_keys(const KeyPlan& plan, const std::byte* a, std::uint64_t a_length, const std::byte* b,
                                  std::uint64_t b_length, std::uint64_t first_word = 0) {
  const std::uint64_t a_words = key_words(plan, a_length);
  const std::uint64_t b_words = key_words(plan, b_length);
  const std::uint64_t words = a_words < b_words ? b_words : a_words;
  for (std::uint64_t i = first_word; i < words; ++i) {
    const std::uint64_t a_word = key_word(plan, a, a_length, i);
    const std::uint64_t b_word = key_word(plan, b, b_length, i);
    if (a_word != b_word) return a_word < b_word ? -1 : 1;
  }
  if (!plan.whole_line || a_length == b_length) return 0;
  return (a_length < b_length) != plan.descending_line ? -1 : 1;
}

}  // namespace sortie
