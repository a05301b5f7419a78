#include "table/integer_keys.hpp"

#include <bit>
#include <cstring>
#include <vector>

#include "table/key_values.hpp"

namespace sortie::table {
namespace {

/// The lead of 0. Bytes that count are added for others, and taken off below it.
constexpr unsigned kZeroLead = 0x80;

/// Writes the first `count` bytes of `word`, 8 at most, and no others.
void store_first(std::byte* out, std::uint64_t word, std::size_t count) {
  if (count == 8) return store_as(out, word);
  if (count >= 4) {
    store_as(out, static_cast<std::uint32_t>(word));
    return store_as(out + count - 4, static_cast<std::uint32_t>(word >> (8 * (count - 4))));
  }
  if (count == 0) return;
  out[0] = static_cast<std::byte>(word);
  if (count == 1) return;
  store_as(out + count - 2, static_cast<std::uint16_t>(word >> (8 * (count - 2))));
}

/// An integer of up to 8 bytes.
template <class Number>
struct WordInteger {
  std::uint64_t word = 0;  ///< with its sign in all bits above
  bool is_negative = false;

  explicit WordInteger(const std::byte* value) {
    const auto number = load_as<Number>(value);
    word = static_cast<std::uint64_t>(number);
    is_negative = number < Number{0};
  }

  std::size_t counting_bytes() const {
    const std::uint64_t magnitude = is_negative ? ~word : word;
    return static_cast<std::size_t>(64 - std::countl_zero(magnitude) + 7) / 8;
  }

  /// Returns the byte behind it, without the lead.
  std::byte* store(std::byte* out, std::size_t bytes, std::uint64_t complement) const {
    if (bytes > 0) store_first(out, byte_swap((word ^ complement) << (64 - 8 * bytes)), bytes);
    return out + bytes;
  }
};

std::byte lead_of(bool is_negative, std::size_t bytes) {
  const auto count = static_cast<unsigned>(bytes);
  return static_cast<std::byte>(is_negative ? kZeroLead - 1 - count : kZeroLead + count);
}

/// A wider one: big-endian bytes with its sign.
template <std::size_t kWidth>
struct WideInteger {
  std::byte bytes[kWidth];
  bool is_negative = false;

  explicit WideInteger(const std::byte* value) {
    for (std::size_t i = 0; i < kWidth; ++i) bytes[i] = value[kWidth - 1 - i];
    is_negative = (std::to_integer<unsigned>(bytes[0]) & 0x80U) != 0;
  }

  std::size_t counting_bytes() const {
    const std::byte filler = is_negative ? std::byte{0xFF} : std::byte{0};
    std::size_t skipped = 0;
    while (skipped < kWidth && bytes[skipped] == filler) ++skipped;
    return kWidth - skipped;
  }

  std::byte* store(std::byte* out, std::size_t count, std::uint64_t complement) const {
    for (std::size_t i = kWidth - count; i < kWidth; ++i) *out++ = bytes[i] ^ static_cast<std::byte>(complement & 0xFF);
    return out;
  }
};

/// Stands for a type of integers.
template <class Integer>
struct IntegerOf {
  using Type = Integer;
};

/// Calls visit() with the IntegerOf of a type.
template <class Visit>
void visit_integer(const TableType& type, const Visit& visit) {
  const bool is_signed = type.order == Order::kSigned;
  if (type.width == 4 && is_signed) return visit(IntegerOf<WordInteger<std::int32_t>>());
  if (type.width == 4) return visit(IntegerOf<WordInteger<std::uint32_t>>());
  if (type.width == 8 && is_signed) return visit(IntegerOf<WordInteger<std::int64_t>>());
  if (type.width == 8) return visit(IntegerOf<WordInteger<std::uint64_t>>());
  if (type.width == 16) return visit(IntegerOf<WideInteger<16>>());
  visit(IntegerOf<WideInteger<32>>());
}

/// Reads an integer behind its lead; returns the byte behind it.
const std::byte* read_integer(const std::byte* code, unsigned lead, std::size_t width, std::uint64_t complement,
                              std::byte* value) {
  const bool is_negative = lead < kZeroLead;
  const std::size_t bytes = is_negative ? kZeroLead - 1 - lead : lead - kZeroLead;
  if (width <= 8) {
    // The bytes in front are those of this row.
    const std::uint64_t behind = byte_swap(load_as<std::uint64_t>(code + bytes - 8)) ^ complement;
    const std::uint64_t counting = bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1;
    const std::uint64_t number = (behind & counting) | (is_negative ? ~counting : 0);
    std::memcpy(value, &number, width);
    return code + bytes;
  }
  const auto mask = static_cast<std::byte>(complement & 0xFF);
  for (std::size_t i = 0; i < bytes; ++i) value[i] = code[bytes - 1 - i] ^ mask;
  std::memset(value + bytes, is_negative ? 0xFF : 0, width - bytes);
  return code + bytes;
}

}  // namespace

void measure_integers(const KeyColumn& key, const KeySource& source, std::uint64_t* sizes) {
  const WideValues value_at{buffer_of(*source.values, 1), key.type->width};
  visit_integer(*key.type, [&]<class Integer>(IntegerOf<Integer>) {
    for_each_value(
        source,
        [&](std::size_t row, std::int64_t position) { sizes[row] += 1 + Integer(value_at(position)).counting_bytes(); },
        [&](std::size_t row) { ++sizes[row]; });
  });
}

void write_integers(const KeyColumn& key, const KeySource& source, std::byte** cursors) {
  const std::uint64_t complement = complement_of(key);
  const std::byte null = null_lead(key);
  const WideValues value_at{buffer_of(*source.values, 1), key.type->width};
  visit_integer(*key.type, [&]<class Integer>(IntegerOf<Integer>) {
    for_each_value(
        source,
        [&](std::size_t row, std::int64_t position) {
          const Integer number(value_at(position));
          const std::size_t bytes = number.counting_bytes();
          std::byte* const out = cursors[row];
          *out = lead_of(number.is_negative, bytes) ^ static_cast<std::byte>(complement & 0xFF);
          cursors[row] = number.store(out + 1, bytes, complement);
        },
        [&](std::size_t row) { *cursors[row]++ = null; });
  });
}

void read_integers(const KeyColumn& key, std::size_t count, const std::byte** cursors, ColumnData& column) {
  const std::uint64_t complement = complement_of(key);
  const auto mask = static_cast<unsigned>(complement & 0xFF);
  const std::byte null = null_lead(key);
  const std::size_t width = key.type->width;
  FixedValues values(*key.type, count, column);
  std::vector<std::uint8_t> valid(count);
  for (std::size_t row = 0; row < count; ++row) {
    const std::byte lead = *cursors[row]++;
    valid[row] = lead != null ? 1 : 0;
    if (lead == null) {
      std::memset(values.at(row), 0, width);
    } else {
      cursors[row] =
          read_integer(cursors[row], std::to_integer<unsigned>(lead) ^ mask, width, complement, values.at(row));
    }
  }
  values.finish(valid);
}

}  // namespace sortie::table
