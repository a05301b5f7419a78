#include "table/key_column.hpp"

#include <cstring>
#include <vector>

#include "table/array_parts.hpp"
#include "table/key_forms.hpp"
#include "table/text_code.hpp"

namespace sortie::table {
namespace {

/// Finds values of fixed width by their position.
struct WideValues {
  const std::byte* buffer;
  std::size_t width;

  const std::byte* operator()(std::int64_t position) const {
    return buffer + static_cast<std::size_t>(position) * width;
  }
};

/// Finds bits, as bytes.
struct BitValues {
  const std::byte* buffer;

  const std::byte* operator()(std::int64_t position) const {
    static constexpr std::byte kBit[2] = {std::byte{0}, std::byte{1}};
    return &kBit[bit_at(buffer, position) ? 1 : 0];
  }
};

/// Calls use() with the form of a key, and with what finds the values.
template <class Use>
void visit_key(const KeyColumn& key, const ArrowArray& values, const Use& use) {
  const TableType& type = *key.type;
  if (type.order == Order::kNull) return;
  if (type.is_text()) {
    return visit_texts(type, values, [&](const auto& texts) { use(TextCode(key.descending, key.nulls_first), texts); });
  }
  const std::byte* const buffer = buffer_of(values, 1);
  if (type.storage != Storage::kBits) {
    return visit_form(key, [&](const auto& form) { use(form, WideValues{buffer, type.width}); });
  }
  constexpr NumberCode<std::uint8_t, Order::kUnsigned> kCode;
  key.is_fixed ? use(FixedForm(key, kCode), BitValues{buffer}) : use(NumberForm(key, kCode), BitValues{buffer});
}

/// Calls visit(row, position) for every value that is not null, null(row) for every other.
template <class Visit, class Null>
void for_each_value(const KeySource& source, const Visit& visit, const Null& null) {
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

/// Values of fixed width. Those of bits are bytes until all are there.
void read_numbers(const KeyColumn& key, std::size_t count, const std::byte** cursors, ColumnData& column) {
  const std::size_t width = key.type->width;
  const bool are_bits = key.type->storage == Storage::kBits;
  std::vector<std::uint8_t> valid(count);
  std::vector<std::uint8_t> booleans(are_bits ? count : 0);
  std::byte* const values =
      are_bits ? reinterpret_cast<std::byte*>(booleans.data()) : column.values.extend(count * width);
  visit_form(key, [&](const auto& form) {
    for (std::size_t row = 0; row < count; ++row) {
      std::byte* const value = values + row * width;
      valid[row] = form.decode(cursors[row], value) ? 1 : 0;
      if (valid[row] == 0 && width > 0) std::memset(value, 0, width);
    }
  });
  append_validity(column, valid);
  if (are_bits) append_bytes_as_bits(column.values, column.length, booleans);
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
    finish_text(*key.type, column, begin);
  }
  append_validity(column, valid);
}

}  // namespace

std::size_t fixed_key_bytes(const TableType& type) { return type.order == Order::kNull ? 0 : type.width + 1; }

void measure_key(const KeyColumn& key, const KeySource& source, std::uint64_t* sizes) {
  visit_key(key, *source.values, [&](const auto& form, const auto& value_at) {
    for_each_value(
        source, [&](std::size_t row, std::int64_t position) { sizes[row] += form.measure(value_at(position)); },
        [&](std::size_t row) { ++sizes[row]; });
  });
}

void write_key(const KeyColumn& key, const KeySource& source, std::byte** cursors) {
  visit_key(key, *source.values, [&](const auto& form, const auto& value_at) {
    for_each_value(
        source,
        [&](std::size_t row, std::int64_t position) { cursors[row] = form.encode(value_at(position), cursors[row]); },
        [&](std::size_t row) { cursors[row] = form.encode_null(cursors[row]); });
  });
}

void read_key(const KeyColumn& key, std::size_t count, const std::byte** cursors, const std::byte* const* ends,
              ColumnData& column) {
  if (key.type->is_text()) {
    read_texts(key, count, cursors, ends, column);
  } else if (key.type->order != Order::kNull) {
    read_numbers(key, count, cursors, column);
  }
  column.length += static_cast<std::int64_t>(count);
}

}  // namespace sortie::table
