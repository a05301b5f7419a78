// The types of a table's columns, as schema_reader.hpp reads them: how values lie in
// memory, and how they order. All other files of this folder look at types in this form only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/name_list.hpp"

namespace sortie::table {

/// How the values of a column lie in memory.
enum class Storage : std::uint8_t {
  kNull,    ///< nothing: all are null
  kBits,    ///< booleans
  kFixed,   ///< `width` bytes each
  kBinary,  ///< 32-bit offsets into bytes
  kLargeBinary,
  kBinaryView,
  kList,  ///< 32-bit offsets into the child; maps, too
  kLargeList,
  kListView,
  kLargeListView,
  kFixedList,  ///< `list_size` elements of the child each
  kStruct,
  kSparseUnion,
  kDenseUnion,
  kRunEnd,      ///< children: run ends, values
  kDictionary,  ///< indexes of `width` bytes; the values are the one child
};

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
  bool has_validity() const {
    return storage != Storage::kNull && storage != Storage::kSparseUnion && storage != Storage::kDenseUnion &&
           storage != Storage::kRunEnd;
  }
  /// The type whose values give the order: that of the values of a dictionary, or of runs; of an ordered dictionary
  /// that of the values' numbers.
  const TableType& ordered_type() const;
};

struct TableSchema {
  std::vector<std::string> names;
  std::vector<TableType> columns;
  std::size_t dictionary_count = 0;
};

/// Throws Error that names the first column of `other` that differs in its name or type.
void require_same_columns(const TableSchema& schema, const TableSchema& other);

}  // namespace sortie::table
