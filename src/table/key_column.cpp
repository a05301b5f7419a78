#include "table/key_column.hpp"

#include <bit>
#include <cstring>
#include <span>
#include <vector>

#include "table/array_parts.hpp"
#include "table/nested_reader.hpp"
#include "table/number_codes.hpp"
#include "table/text_code.hpp"

namespace sortie::table {
namespace {

constexpr std::byte kNullFirst{0x30};
constexpr std::byte kValue{0x80};
constexpr std::byte kNullLast{0xC0};

bool is_text(const TableType& type) { return type.order == Order::kBytes && type.storage != Storage::kFixed; }

/// Integers that are seldom as large as their type allows.
bool is_short_integer(const TableType& type) {
  return type.storage == Storage::kFixed && type.width >= 4 &&
         (type.order == Order::kSigned || type.order == Order::kUnsigned);
}

std::uint64_t complement_of(const KeyColumn& key) { return key.descending ? ~std::uint64_t{0} : 0; }
std::byte null_lead(const KeyColumn& key) { return key.nulls_first ? kNullFirst : kNullLast; }

/// Calls visit(row, place) for every value that is not null, null(row) for every other.
template <class Visit, class Null>
void for_each(const KeySource& source, const Visit& visit, const Null& null) {
  const std::int64_t offset = source.values->offset;
  for (std::size_t i = 0; i < source.count; ++i) {
    if (source.valid != nullptr && source.valid[i] == 0) {
      null(i);
    } else if (source.indexes != nullptr) {
      visit(i, offset + source.indexes[i]);
    } else {
      visit(i, offset + source.first + static_cast<std::int64_t>(i));
    }
  }
}

/// Finds values of fixed width by their place.
struct WideValues {
  const std::byte* buffer;
  std::size_t width;

  const std::byte* operator()(std::int64_t place) const { return buffer + static_cast<std::size_t>(place) * width; }
};

/// Finds bits, as bytes.
struct BitValues {
  const std::byte* buffer;

  const std::byte* operator()(std::int64_t place) const {
    static constexpr std::byte kBit[2] = {std::byte{0}, std::byte{1}};
    return &kBit[bit_at(buffer, place) ? 1 : 0];
  }
};

/// Calls use() with the code for a type of fixed width, and with what finds the values of an array.
template <class Use>
void visit_values(const TableType& type, const ArrowArray& array, const Use& use) {
  const std::byte* const buffer = buffer_of(array, 1);
  if (type.storage == Storage::kBits) return use(NumberCode<1, Order::kUnsigned>(), BitValues{buffer});
  visit_code(type, [&](const auto& code) { use(code, WideValues{buffer, type.width}); });
}

// --- Rows of fixed length ---

void write_fixed(const KeyColumn& key, const KeySource& source, std::byte** cursors) {
  const std::uint64_t complement = complement_of(key);
  const auto null_fill = static_cast<int>(key.nulls_first ? 0x00 : 0xFF);
  const std::byte null_flag{static_cast<unsigned char>(key.nulls_first ? 0 : 1)};
  const std::byte value_flag{static_cast<unsigned char>(key.nulls_first ? 1 : 0)};
  visit_values(*key.type, *source.values, [&](const auto& code, const auto& value_at) {
    for_each(
        source,
        [&](std::size_t row, std::int64_t place) {
          std::byte* const out = cursors[row];
          code.encode(value_at(place), out, complement);
          out[code.bytes()] = value_flag;
          cursors[row] = out + code.bytes() + 1;
        },
        [&](std::size_t row) {
          std::memset(cursors[row], null_fill, code.bytes());
          cursors[row][code.bytes()] = null_flag;
          cursors[row] += code.bytes() + 1;
        });
  });
}

/// Makes of bytes, one for each value, what the column has: the same, or bits.
class FixedValues {
 public:
  FixedValues(const TableType& type, std::size_t count, ColumnData& column)
      : type_(type), count_(count), column_(column) {
    if (type.storage == Storage::kBits) {
      booleans_.resize(count);
      out_ = reinterpret_cast<std::byte*>(booleans_.data());
    } else {
      out_ = column.values.extend(count * type.width);
    }
  }
  FixedValues(const FixedValues&) = delete;
  FixedValues& operator=(const FixedValues&) = delete;

  std::byte* at(std::size_t row) { return out_ + row * type_.width; }

  /// `valid`: by row. The column counts its values.
  void finish(std::span<const std::uint8_t> valid) {
    append_validity(column_, valid);
    if (type_.storage == Storage::kBits) append_bytes_as_bits(column_.values, column_.length, booleans_);
    column_.length += static_cast<std::int64_t>(count_);
  }

 private:
  const TableType& type_;
  const std::size_t count_;
  ColumnData& column_;
  std::vector<std::uint8_t> booleans_;
  std::byte* out_ = nullptr;
};

void read_fixed(const KeyColumn& key, std::size_t count, const std::byte** cursors, ColumnData& column) {
  const std::uint64_t complement = complement_of(key);
  const std::byte value_flag{static_cast<unsigned char>(key.nulls_first ? 1 : 0)};
  FixedValues values(*key.type, count, column);
  std::vector<std::uint8_t> valid(count);
  visit_code(*key.type, [&](auto code) {
    for (std::size_t row = 0; row < count; ++row) {
      const std::byte* const in = cursors[row];
      cursors[row] = in + code.bytes() + 1;
      valid[row] = in[code.bytes()] == value_flag ? 1 : 0;
      code.decode(in, values.at(row), complement);
      if (valid[row] == 0 && code.bytes() > 0) std::memset(values.at(row), 0, code.bytes());
    }
  });
  values.finish(valid);
}

// --- Rows of any length: numbers with a lead ---

void measure_led(const KeyColumn& key, const KeySource& source, std::uint64_t* sizes) {
  const std::uint32_t width = key.type->width;
  for_each(
      source, [&](std::size_t row, std::int64_t) { sizes[row] += 1 + width; }, [&](std::size_t row) { ++sizes[row]; });
}

void write_led(const KeyColumn& key, const KeySource& source, std::byte** cursors) {
  const std::uint64_t complement = complement_of(key);
  const std::byte null = null_lead(key);
  visit_values(*key.type, *source.values, [&](const auto& code, const auto& value_at) {
    for_each(
        source,
        [&](std::size_t row, std::int64_t place) {
          *cursors[row] = kValue;
          code.encode(value_at(place), cursors[row] + 1, complement);
          cursors[row] += 1 + code.bytes();
        },
        [&](std::size_t row) { *cursors[row]++ = null; });
  });
}

void read_led(const KeyColumn& key, std::size_t count, const std::byte** cursors, ColumnData& column) {
  const std::uint64_t complement = complement_of(key);
  FixedValues values(*key.type, count, column);
  std::vector<std::uint8_t> valid(count);
  visit_code(*key.type, [&](auto code) {
    for (std::size_t row = 0; row < count; ++row) {
      valid[row] = *cursors[row]++ == kValue ? 1 : 0;
      if (valid[row] != 0) {
        code.decode(cursors[row], values.at(row), complement);
        cursors[row] += code.bytes();
      } else if (code.bytes() > 0) {
        std::memset(values.at(row), 0, code.bytes());
      }
    }
  });
  values.finish(valid);
}

// --- Rows of any length: integers ---

/// An integer of up to 8 bytes.
struct WordInteger {
  std::uint64_t word = 0;  ///< with its sign in all bits above
  bool is_negative = false;

  WordInteger(const TableType& type, const std::byte* value) {
    if (type.order == Order::kSigned) {
      const std::int64_t number = load_integer(value, type.width, true);
      word = static_cast<std::uint64_t>(number);
      is_negative = number < 0;
    } else {
      word = type.width == 4 ? load_as<std::uint32_t>(value) : load_as<std::uint64_t>(value);
    }
  }

  std::size_t counting_bytes() const {
    const std::uint64_t magnitude = is_negative ? ~word : word;
    return static_cast<std::size_t>(64 - std::countl_zero(magnitude) + 7) / 8;
  }
};

std::byte lead_of(bool is_negative, std::size_t bytes) {
  const auto count = static_cast<unsigned>(bytes);
  return static_cast<std::byte>(is_negative ? ShortInteger::kZero - 1 - count : ShortInteger::kZero + count);
}

/// The integer as big-endian bytes with its sign.
struct WideInteger {
  std::byte bytes[32] = {};
  std::size_t width;
  bool is_negative;

  WideInteger(const TableType& type, const std::byte* value) : width(type.width) {
    for (std::size_t i = 0; i < width; ++i) bytes[i] = value[width - 1 - i];
    is_negative = (std::to_integer<unsigned>(bytes[0]) & 0x80U) != 0;
  }
  std::size_t counting_bytes() const { return ShortInteger::counting_bytes(bytes, width, is_negative); }
};

void measure_integers(const KeyColumn& key, const KeySource& source, std::uint64_t* sizes) {
  const WideValues value_at{buffer_of(*source.values, 1), key.type->width};
  for_each(
      source,
      [&](std::size_t row, std::int64_t place) {
        const std::byte* const value = value_at(place);
        const std::size_t bytes = key.type->width <= 8 ? WordInteger(*key.type, value).counting_bytes()
                                                       : WideInteger(*key.type, value).counting_bytes();
        sizes[row] += 1 + bytes;
      },
      [&](std::size_t row) { ++sizes[row]; });
}

void write_integers(const KeyColumn& key, const KeySource& source, std::byte** cursors) {
  const std::uint64_t complement = complement_of(key);
  const auto mask = static_cast<std::byte>(complement & 0xFF);
  const auto write_word = [&](const std::byte* value, std::byte* out) {
    const WordInteger number(*key.type, value);
    const std::size_t bytes = number.counting_bytes();
    *out++ = lead_of(number.is_negative, bytes) ^ mask;
    if (bytes > 0) store_first(out, byte_swap((number.word ^ complement) << (64 - 8 * bytes)), bytes);
    return out + bytes;
  };
  const auto write_wide = [&](const std::byte* value, std::byte* out) {
    const WideInteger number(*key.type, value);
    const std::size_t bytes = number.counting_bytes();
    *out++ = lead_of(number.is_negative, bytes) ^ mask;
    for (std::size_t i = number.width - bytes; i < number.width; ++i) *out++ = number.bytes[i] ^ mask;
    return out;
  };
  const std::byte null = null_lead(key);
  const WideValues value_at{buffer_of(*source.values, 1), key.type->width};
  for_each(
      source,
      [&](std::size_t row, std::int64_t place) {
        const std::byte* const value = value_at(place);
        cursors[row] = key.type->width <= 8 ? write_word(value, cursors[row]) : write_wide(value, cursors[row]);
      },
      [&](std::size_t row) { *cursors[row]++ = null; });
}

/// Reads an integer behind its lead; returns the byte behind it.
const std::byte* read_integer(const std::byte* code, unsigned lead, std::size_t width, std::uint64_t complement,
                              std::byte* value) {
  const bool is_negative = lead < ShortInteger::kZero;
  const std::size_t bytes = is_negative ? ShortInteger::kZero - 1 - lead : lead - ShortInteger::kZero;
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

// --- Rows of any length: texts ---

void measure_texts(const KeyColumn& key, const KeySource& source, std::uint64_t* sizes) {
  const TextCode code(key.descending, key.nulls_first);
  visit_texts(*key.type, *source.values, [&](const auto& texts) {
    for_each(
        source, [&](std::size_t row, std::int64_t place) { sizes[row] += code.measure(texts(place)); },
        [&](std::size_t row) { ++sizes[row]; });
  });
}

void write_texts(const KeyColumn& key, const KeySource& source, std::byte** cursors) {
  const TextCode code(key.descending, key.nulls_first);
  visit_texts(*key.type, *source.values, [&](const auto& texts) {
    for_each(
        source, [&](std::size_t row, std::int64_t place) { cursors[row] = code.encode(texts(place), cursors[row]); },
        [&](std::size_t row) { *cursors[row]++ = code.null; });
  });
}

/// The text that has just been put behind the column's bytes becomes its next value.
void count_text(const TableType& type, ColumnData& column, std::size_t begin) {
  const std::size_t bytes = column.bytes.size() - begin;
  if (type.storage != Storage::kBinaryView) return push_offset(type, column.values, column.bytes.size());
  if (column.bytes.size() > INT32_MAX) refuse_size(type);
  ByteView::make(column.values.extend(ByteView::kBytes),
                 {reinterpret_cast<const char*>(column.bytes.data()) + begin, bytes},
                 static_cast<std::uint32_t>(begin));
  if (bytes <= ByteView::kMostInline) column.bytes.shorten(bytes);
}

void read_texts(const KeyColumn& key, std::size_t count, const std::byte** cursors, const std::byte* const* ends,
                ColumnData& column) {
  const TextCode code(key.descending, key.nulls_first);
  std::vector<std::uint8_t> valid(count);
  for (std::size_t row = 0; row < count; ++row) {
    const std::size_t begin = column.bytes.size();
    valid[row] = *cursors[row] != code.null ? 1 : 0;
    if (valid[row] == 0) {
      ++cursors[row];
    } else {
      const auto room = static_cast<std::size_t>(ends[row] - cursors[row]);
      std::byte* const text = column.bytes.extend(room);
      std::byte* out = text;
      cursors[row] = code.decode(cursors[row], ends[row], out);
      column.bytes.shorten(room - static_cast<std::size_t>(out - text));
    }
    count_text(*key.type, column, begin);
  }
  append_validity(column, valid);
  column.length += static_cast<std::int64_t>(count);
}

}  // namespace

std::size_t fixed_key_bytes(const TableType& type) { return type.order == Order::kNull ? 0 : type.width + 1; }

void measure_key(const KeyColumn& key, const KeySource& source, std::uint64_t* sizes) {
  if (key.type->order == Order::kNull) return;
  if (is_text(*key.type)) return measure_texts(key, source, sizes);
  if (is_short_integer(*key.type)) return measure_integers(key, source, sizes);
  measure_led(key, source, sizes);
}

void write_key(const KeyColumn& key, const KeySource& source, std::byte** cursors) {
  if (key.type->order == Order::kNull) return;
  if (key.is_fixed) return write_fixed(key, source, cursors);
  if (is_text(*key.type)) return write_texts(key, source, cursors);
  if (is_short_integer(*key.type)) return write_integers(key, source, cursors);
  write_led(key, source, cursors);
}

void read_key(const KeyColumn& key, std::size_t count, const std::byte** cursors, const std::byte* const* ends,
              ColumnData& column) {
  if (key.type->order == Order::kNull) {
    column.length += static_cast<std::int64_t>(count);
  } else if (key.is_fixed) {
    read_fixed(key, count, cursors, column);
  } else if (is_text(*key.type)) {
    read_texts(key, count, cursors, ends, column);
  } else if (is_short_integer(*key.type)) {
    read_integers(key, count, cursors, column);
  } else {
    read_led(key, count, cursors, column);
  }
}

}  // namespace sortie::table
