#include "table/row_layout.hpp"

#include <algorithm>
#include <utility>

#include <sortie/error.hpp>

#include "table/key_target.hpp"

namespace sortie::table {
namespace {

KeyColumn make_key(const TableSchema& schema, const TableKey& key) {
  KeyTarget target = find_target(schema, key);
  const TableType& type = type_of(schema, target);
  if (type.order == Order::kNone) {
    throw Error("key " + quote_key(key) + ": values of type " + type.shown() +
                " have no order; sort by another column" +
                (type.storage == Storage::kStruct ? ", or by a field of it, which is named behind a dot" : ""));
  }
  KeyColumn made;
  made.column = target.column;
  made.fields = std::move(target.fields);
  made.value_type = &type;
  made.type = &type.ordered_type();
  made.descending = key.descending;
  made.nulls_first = key.nulls_first;
  made.is_restored = made.fields.empty() && made.type == &type;
  return made;
}

void store_columns(const TableSchema& schema, RowLayout& layout) {
  std::size_t bits = 0;
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    const bool is_restored =
        std::ranges::any_of(layout.keys, [&](const KeyColumn& key) { return key.column == i && key.is_restored; });
    if (is_restored) continue;
    StoredColumn stored;
    stored.column = i;
    stored.is_cell = cell_bytes(schema.columns[i]) > 0;
    if (schema.columns[i].has_validity()) {
      stored.null_byte = bits / 8;
      stored.null_bit = static_cast<std::uint8_t>(1U << (bits % 8));
      ++bits;
    }
    layout.stored.push_back(stored);
  }
  layout.null_bytes = (bits + 7) / 8;
  layout.cells_end = layout.null_bytes;
  for (StoredColumn& stored : layout.stored) {
    if (!stored.is_cell) continue;
    stored.cell = layout.cells_end;
    layout.cells_end += cell_bytes(schema.columns[stored.column]);
  }
}

}  // namespace

std::size_t cell_bytes(const TableType& type) {
  if (type.storage == Storage::kDictionary) return sizeof(std::uint32_t);
  return type.storage == Storage::kBits || type.storage == Storage::kFixed ? type.width : 0;
}

RowLayout make_row_layout(const TableSchema& schema, std::span<const TableKey> keys) {
  RowLayout layout;
  for (const TableKey& key : keys) {
    KeyColumn made = make_key(schema, key);
    // Where the values of a key are equal, it cannot decide any more.
    const bool is_known = std::ranges::any_of(layout.keys, [&](const KeyColumn& known) {
      return known.column == made.column && known.fields == made.fields;
    });
    if (!is_known) layout.keys.push_back(std::move(made));
  }
  const auto is_fixed = [](const TableType& type) {
    return type.storage == Storage::kNull || type.storage == Storage::kBits || type.storage == Storage::kFixed;
  };
  layout.is_fixed = std::ranges::all_of(layout.keys, [&](const KeyColumn& key) { return is_fixed(*key.type); }) &&
                    std::ranges::all_of(schema.columns, [&](const TableType& type) {
                      return is_fixed(type) || type.storage == Storage::kDictionary;
                    });
  for (KeyColumn& key : layout.keys) {
    key.is_fixed = layout.is_fixed;
    if (layout.is_fixed) layout.key_bytes += fixed_key_bytes(*key.type);
  }
  if (layout.is_fixed) layout.key_bytes = std::max<std::size_t>(layout.key_bytes, 1);  // a field has a byte
  store_columns(schema, layout);
  if (layout.is_fixed) layout.record_bytes = layout.key_bytes + layout.cells_end;
  return layout;
}

Format record_format(const RowLayout& layout) {
  Format format;
  if (!layout.is_fixed) {
    format.kind = RecordKind::kPrefixed;
    return format;
  }
  format.kind = RecordKind::kFixed;
  format.record_bytes = layout.record_bytes;
  Field field;
  field.length = layout.key_bytes;
  format.fields = {field};
  return format;
}

}  // namespace sortie::table
