// Makes records of the rows of a batch, column by column. Any number of threads may do so at once, for different rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <sortie/arrow_c_data.hpp>

#include "record/prefixed/prefixed_records.hpp"
#include "table/dictionary_values.hpp"
#include "table/row_layout.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

/// Consecutive rows of a batch, and how long their records are.
struct RowStrip {
  std::int64_t first = 0;
  std::size_t count = 0;
  std::vector<std::uint64_t> key_bytes;      ///< by row; none in rows of fixed length
  std::vector<std::uint64_t> payload_bytes;  ///< the same
  std::uint64_t record_bytes = 0;            ///< of all
};

class RowEncoder {
 public:
  RowEncoder(const TableSchema& schema, const RowLayout& layout, const TableDictionaries& dictionaries)
      : schema_(schema), layout_(layout), dictionaries_(dictionaries) {}

  /// Finds the lengths of all records. Throws Error if one is longer than a record may be.
  void measure(const ArrowArray& batch, RowStrip& strip) const;

  /// Bytes of one record of a measured strip.
  std::uint64_t record_bytes(const RowStrip& strip, std::size_t row) const {
    if (layout_.is_fixed) return layout_.record_bytes;
    return PrefixedHeader::kBytes + strip.key_bytes[row] + strip.payload_bytes[row];
  }

  /// Writes the records of rows `begin` to `end` of a measured strip.
  void write(const ArrowArray& batch, const RowStrip& strip, std::size_t begin, std::size_t end,
             std::byte* records) const;

 private:
  const TableSchema& schema_;
  const RowLayout& layout_;
  const TableDictionaries& dictionaries_;
};

}  // namespace sortie::table
