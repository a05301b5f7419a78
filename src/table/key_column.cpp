#include "table/key_column.hpp"

#include "table/byte_keys.hpp"
#include "table/integer_keys.hpp"
#include "table/number_keys.hpp"

namespace sortie::table {
namespace {

bool is_text(const TableType& type) { return type.order == Order::kBytes && type.storage != Storage::kFixed; }

/// Integers that are seldom as large as their type allows.
bool is_short_integer(const TableType& type) {
  return type.storage == Storage::kFixed && type.width >= 4 &&
         (type.order == Order::kSigned || type.order == Order::kUnsigned);
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
