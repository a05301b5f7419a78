// Single values as keys: what one becomes, and back. A form has
//
//   measure(value)          the bytes that it takes
//   encode(value, out)      writes it; returns the byte behind it
//   encode_null(out)        the same for what is null
//   decode(in, value)       whether it is not null, and then the value; moves `in` behind it
//
// The table of key_column.hpp has their bytes; that of texts is in text_code.hpp.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/bytes.hpp"
#include "table/number_codes.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

inline std::uint64_t complement_of(const KeyColumn& key) { return key.descending ? ~std::uint64_t{0} : 0; }

/// In rows of fixed length: the number, then a flag.
template <class Code>
struct FixedForm {
  FixedForm(const KeyColumn& key, const Code& number_code)
      : code(number_code),
        complement(complement_of(key)),
        value_flag(std::byte{key.nulls_first ? std::uint8_t{1} : std::uint8_t{0}}) {}

  std::size_t measure(const std::byte*) const { return code.bytes() + 1; }
  std::byte* encode(const std::byte* value, std::byte* out) const {
    code.encode(value, out, complement);
    out[code.bytes()] = value_flag;
    return out + code.bytes() + 1;
  }
  std::byte* encode_null(std::byte* out) const {
    std::memset(out, value_flag == std::byte{1} ? 0x00 : 0xFF, code.bytes());
    out[code.bytes()] = value_flag ^ std::byte{1};
    return out + code.bytes() + 1;
  }
  bool decode(const std::byte*& in, std::byte* value) const {
    code.decode(in, value, complement);
    in += code.bytes() + 1;
    return in[-1] == value_flag;
  }

  const Code code;
  const std::uint64_t complement;
  const std::byte value_flag;
};

/// In rows of any length, in which null is a byte alone.
struct LeadForm {
  explicit LeadForm(const KeyColumn& key)
      : complement(complement_of(key)), null(key.nulls_first ? std::byte{0x30} : std::byte{0xC0}) {}

  std::byte* encode_null(std::byte* out) const {
    *out = null;
    return out + 1;
  }

  const std::uint64_t complement;
  const std::byte null;
};

/// A lead, then the number.
template <class Code>
struct NumberForm : LeadForm {
  static constexpr std::byte kValue{0x80};

  NumberForm(const KeyColumn& key, const Code& number_code) : LeadForm(key), code(number_code) {}

  std::size_t measure(const std::byte*) const { return 1 + code.bytes(); }
  std::byte* encode(const std::byte* value, std::byte* out) const {
    *out = kValue;
    code.encode(value, out + 1, complement);
    return out + 1 + code.bytes();
  }
  bool decode(const std::byte*& in, std::byte* value) const {
    if (*in++ != kValue) return false;
    code.decode(in, value, complement);
    in += code.bytes();
    return true;
  }

  const Code code;
};

/// An integer of up to 8 bytes: its bytes that count.
template <class Number>
class WordInteger {
 public:
  explicit WordInteger(const std::byte* value)
      : word_(static_cast<std::uint64_t>(load_as<Number>(value))), is_negative_(load_as<Number>(value) < Number{0}) {}

  bool is_negative() const { return is_negative_; }

  std::size_t counting_bytes() const {
    return static_cast<std::size_t>(64 - std::countl_zero(is_negative_ ? ~word_ : word_) + 7) / 8;
  }

  /// Writes the bytes that count, and no others.
  void store(std::byte* out, std::size_t count, std::uint64_t complement) const {
    if (count == 0) return;
    const std::uint64_t word = byte_swap((word_ ^ complement) << (64 - 8 * count));
    if (count == 8) return store_as(out, word);
    if (count >= 4) {
      store_as(out, static_cast<std::uint32_t>(word));
      return store_as(out + count - 4, static_cast<std::uint32_t>(word >> (8 * (count - 4))));
    }
    out[0] = static_cast<std::byte>(word);
    if (count > 1) store_as(out + count - 2, static_cast<std::uint16_t>(word >> (8 * (count - 2))));
  }

  /// Reads what store() wrote.
  static void load(const std::byte* code, std::size_t count, bool is_negative, std::uint64_t complement,
                   std::byte* value) {
    // The bytes in front are those of this row.
    const std::uint64_t behind = byte_swap(load_as<std::uint64_t>(code + count - 8)) ^ complement;
    const std::uint64_t counting = count == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * count)) - 1;
    store_as(value, static_cast<Number>((behind & counting) | (is_negative ? ~counting : 0)));
  }

 private:
  std::uint64_t word_;  // with its sign in all bits above
  bool is_negative_;
};

/// A wider one: big-endian bytes with its sign.
template <std::size_t kBytes>
class WideInteger {
 public:
  explicit WideInteger(const std::byte* value) {
    for (std::size_t i = 0; i < kBytes; ++i) bytes_[i] = value[kBytes - 1 - i];
  }

  bool is_negative() const { return (bytes_[0] & std::byte{0x80}) != std::byte{}; }

  std::size_t counting_bytes() const {
    const std::byte filler = is_negative() ? std::byte{0xFF} : std::byte{0};
    std::size_t skipped = 0;
    while (skipped < kBytes && bytes_[skipped] == filler) ++skipped;
    return kBytes - skipped;
  }

  void store(std::byte* out, std::size_t count, std::uint64_t complement) const {
    const auto mask = static_cast<std::byte>(complement & 0xFF);
    for (std::size_t i = kBytes - count; i < kBytes; ++i) *out++ = bytes_[i] ^ mask;
  }

  static void load(const std::byte* code, std::size_t count, bool is_negative, std::uint64_t complement,
                   std::byte* value) {
    const auto mask = static_cast<std::byte>(complement & 0xFF);
    for (std::size_t i = 0; i < count; ++i) value[i] = code[count - 1 - i] ^ mask;
    std::memset(value + count, is_negative ? 0xFF : 0, kBytes - count);
  }

 private:
  std::byte bytes_[kBytes];
};

/// A lead that tells the sign and how many bytes count, then these. Small numbers are short, and few codes hold zeros,
/// which would be escaped in a line.
template <class Integer>
struct IntegerForm : LeadForm {
  /// The lead of 0. Bytes that count are added for others, and taken off below it.
  static constexpr unsigned kZeroLead = 0x80;

  using LeadForm::LeadForm;

  std::size_t measure(const std::byte* value) const { return 1 + Integer(value).counting_bytes(); }
  std::byte* encode(const std::byte* value, std::byte* out) const {
    const Integer number(value);
    const std::size_t count = number.counting_bytes();
    const std::size_t lead = number.is_negative() ? kZeroLead - 1 - count : kZeroLead + count;
    *out = static_cast<std::byte>(lead) ^ static_cast<std::byte>(complement & 0xFF);
    number.store(out + 1, count, complement);
    return out + 1 + count;
  }
  bool decode(const std::byte*& in, std::byte* value) const {
    if (*in == null) return ++in, false;
    const unsigned lead = std::to_integer<unsigned>(*in++ ^ static_cast<std::byte>(complement & 0xFF));
    const bool is_negative = lead < kZeroLead;
    const std::size_t count = is_negative ? kZeroLead - 1 - lead : lead - kZeroLead;
    Integer::load(in, count, is_negative, complement, value);
    in += count;
    return true;
  }
};

/// Calls visit() with the form of a key whose values have a fixed width.
template <class Visit>
void visit_form(const KeyColumn& key, const Visit& visit) {
  const TableType& type = *key.type;
  if (key.is_fixed) return visit_code(type, [&](const auto& code) { visit(FixedForm(key, code)); });
  const bool is_signed = type.order == Order::kSigned;
  const bool is_integer = is_signed || type.order == Order::kUnsigned;
  // Integers of 4 bytes and more are seldom as large as their type allows.
  if (!is_integer || type.width < 4) return visit_code(type, [&](const auto& code) { visit(NumberForm(key, code)); });
  if (type.width == 4 && is_signed) return visit(IntegerForm<WordInteger<std::int32_t>>(key));
  if (type.width == 4) return visit(IntegerForm<WordInteger<std::uint32_t>>(key));
  if (type.width == 8 && is_signed) return visit(IntegerForm<WordInteger<std::int64_t>>(key));
  if (type.width == 8) return visit(IntegerForm<WordInteger<std::uint64_t>>(key));
  if (type.width == 16) return visit(IntegerForm<WideInteger<16>>(key));
  visit(IntegerForm<WideInteger<32>>(key));
}

}  // namespace sortie::table
