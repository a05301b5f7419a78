// Rows of a table as records, and records as rows: what a TableSorter does around its sort, for those who sort the
// records otherwise, such as in several processes (shard.hpp).
//
//   sortie::TableRecords records(schema, {{.column = "user"}});
//   records.encode(&batch, [&](auto bytes) { write(bytes); });      sorted as records.format() says
//   const auto used = records.decode(bytes, most_rows, &batch);
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <sortie/arrow_c_data.hpp>
#include <sortie/error.hpp>
#include <sortie/format.hpp>
#include <sortie/table_sorter.hpp>

namespace sortie {

/// The records of a row are the same wherever it lies, in all processes that have the same schema, keys and version of
/// the library. The calls must not overlap; once one has thrown, the object is of no more use.
class TableRecords {
 public:
  /// `schema`, a struct, is that of all batches; it stays the caller's. `threads`: 0 for all. Throws Error as
  /// TableSorter does, and for dictionaries, whose values no record holds.
  TableRecords(const ArrowSchema& schema, std::vector<TableKey> keys, unsigned threads = 0);
  ~TableRecords();
  TableRecords(const TableRecords&) = delete;
  TableRecords& operator=(const TableRecords&) = delete;

  /// What sorts the records as a TableSorter would sort the rows.
  const Format& format() const;

  /// As those of TableSorter.
  void require_schema(const ArrowSchema& schema) const;
  void export_schema(ArrowSchema* schema) const;

  /// Takes a batch as TableSorter::push() does, and calls `take` with whole records, some MiB at a time, in the order
  /// of the rows.
  void encode(ArrowArray* batch, const std::function<void(std::span<const std::byte>)>& take);

  /// Makes `batch`, which holds nothing yet, the rows of whole records at the begin of `records`, at most `most_rows`
  /// and no more than TableOptions has by default, and returns how many bytes these take: the caller releases the
  /// batch. Returns 0, and makes none, where no record is whole. Precondition: encode() of such an object has made the
  /// records.
  std::size_t decode(std::span<const std::byte> records, std::uint64_t most_rows, ArrowArray* batch);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sortie
