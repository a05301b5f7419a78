// The types of a table's columns: how values lie in memory, and how they order. All other files of this folder look at
// types in this form only. schema_reader.cpp makes them of a schema.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <sortie/arrow_c_data.hpp>

#include "base/name_list.hpp"

namespace sortie::table {

/// How the values of a column lie in memory. Offsets, run ends and indexes have `width` bytes.
enum class Storage : std::uint8_t {
  kNull,        ///< nothing: all are null
  kBits,        ///< booleans
  kFixed,       ///< `width` bytes each
  kBinary,      ///< offsets into bytes
  kBinaryView,  ///< views (ByteView)
  kList,        ///< offsets into the child; maps, too
  kListView,    ///< offsets into the child, and sizes
  kFixedList,   ///< `list_size` elements of the child each
  kStruct,
  kSparseUnion,
  kDenseUnion,
  kRunEnd,      ///< children: run ends, values
  kDictionary,  ///< indexes; the values are the one child
};

/// What a buffer of an array holds.
enum class Buffer : std::uint8_t {
  kValidity,  ///< bits
  kValues,    ///< what is fixed for a value: its bytes or bits, its offset, view, type id or index
  kSizes,     ///< list views: sizes; dense unions: positions in the children
  kBytes,     ///< what offsets and views point to
};

/// The buffers of an array, in their order. Of views there may be any number with bytes, and then one with their sizes.
std::span<const Buffer> buffers_of(Storage storage);

/// How the values of a column order when it is a key.
enum class Order : std::uint8_t { kNone, kNull, kUnsigned, kSigned, kFloat, kBytes };

struct TableType {
  Storage storage = Storage::kNull;
  Order order = Order::kNone;
  std::uint32_t width = 0;
  std::int64_t list_size = 0;
  std::string words;               ///< "list<int64>": of equal types alike
  std::vector<std::string> names;  ///< of the children of a struct or union
  std::vector<TableType> children;
  std::vector<std::int16_t> child_of_id;  ///< unions: which child a type id means; -1: none
  std::vector<std::int8_t> id_of_child;   ///< unions
  std::uint64_t most_indexes = 0;         ///< dictionaries: how many values an index can tell apart
  std::size_t dictionary = 0;             ///< dictionaries: the number of this one in the table
  bool is_ordered = false;                ///< dictionaries: whether values order by their positions in it
  bool is_nullable = true;                ///< whether the schema lets values be null
  bool has_required = false;              ///< whether they, or something in them, must not be null

  /// For messages: a struct may have very many fields.
  std::string shown() const { return shortened(words); }

  /// Whether the type has a bitmap of what is null.
  bool has_validity() const { return storage != Storage::kNull && !is_union() && storage != Storage::kRunEnd; }
  bool is_union() const { return storage == Storage::kSparseUnion || storage == Storage::kDenseUnion; }
  bool is_list() const { return storage == Storage::kList || storage == Storage::kListView; }
  /// Whether values are bytes of any length.
  bool is_text() const { return storage == Storage::kBinary || storage == Storage::kBinaryView; }
  /// The type whose values tell the order: that of the values of a dictionary, or of runs; of an ordered dictionary
  /// that of the values' numbers.
  const TableType& ordered_type() const;
};

/// Values of fixed width that order.
TableType fixed_type(Order order, std::uint32_t width, std::string words);

struct TableSchema {
  std::vector<std::string> names;
  std::vector<TableType> columns;
  std::size_t dictionary_count = 0;
};

/// Reads the schema of a table, which is a struct. Throws Error that names the column if its type is not known, or is
/// nested too deep.
TableSchema read_schema(const ArrowSchema& schema);

/// Throws Error that names the first column of `other` that differs in its name or type.
void require_same_columns(const TableSchema& schema, const TableSchema& other);

/// A column, or a field of the structs in one, by which rows are ordered.
struct KeyColumn {
  std::size_t column = 0;
  const TableType* type = nullptr;  ///< of the values that order: see TableType::ordered_type()
  bool descending = false;
  bool nulls_first = false;
  bool is_fixed = false;                  ///< rows have a fixed length
  bool is_restored = false;               ///< the column is made of the key again, and is not stored beside it
  std::vector<std::size_t> fields{};      ///< from the column inwards; none: the column itself
  const TableType* value_type = nullptr;  ///< of the column's or field's values
};

}  // namespace sortie::table
