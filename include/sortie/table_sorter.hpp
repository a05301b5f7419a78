// Sorts the rows of a table larger than memory. Batches come and go through the Arrow C data interface:
//
//   sortie::TableSorter sorter(schema, {.keys = {{.column = "user"}, {.column = "ts", .descending = true}}});
//   while (more(&batch)) sorter.push(&batch);
//   while (sorter.pull(&batch)) use(&batch);
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sortie/arrow_c_data.hpp>
#include <sortie/error.hpp>
#include <sortie/options.hpp>
#include <sortie/report.hpp>

namespace sortie {

/// One column of the order, or one field of the structs in a column.
struct TableKey {
  /// A name. If no column has it, "user.id" is the field `id` of the structs in `user`, which is null where its struct
  /// is. If that can be read in several ways, the longest name of a column that fits counts.
  std::string column;
  bool descending = false;
  bool nulls_first = false;  ///< whatever the direction
  /// The number of a column from 0, or from the last one, which is -1. It stands in place of a name.
  std::optional<std::int64_t> position{};
};

/// What a key means in a table.
struct KeyTarget {
  std::size_t column = 0;
  std::vector<std::size_t> fields;  ///< from the column inwards, by their numbers; none: the column itself
};

/// A key that names no column or field, or several of them.
class KeyError : public Error {
 public:
  using Error::Error;
};

/// Finds what `key` means in the struct `schema`. Throws KeyError, naming the key, if that is nothing, or several
/// things. `table`: what the message calls the table.
KeyTarget find_key(const ArrowSchema& schema, const TableKey& key, const std::string& table = "the table");

struct TableOptions {
  /// The order: the first key counts most. Rows with equal keys keep the order in which they came. Without keys all do.
  std::vector<TableKey> keys;
  /// Rows of a batch that pull() gives; at least 1. A batch has fewer if its rows take 2 GiB. Unless it is given, a
  /// batch has 65536 rows, or fewer if these take 4 MiB, or 16 KiB for each column if that is more; a longer row is a
  /// batch by itself.
  std::optional<std::uint64_t> batch_rows{};
  /// What a sortie::Sorter takes, but for the format, which the schema decides, and what is for lines only.
  SortOptions sort{};
};

/// One sort of the rows of a table. The calls must not overlap. What goes wrong is thrown as Error; once push() or
/// pull() has thrown, both do so from then on. Keys may be of all types but nested ones and intervals of several units.
/// Integers, decimals, dates, times and durations order by value, false before true, texts by their bytes, dictionaries
/// and runs by their values. Floats follow IEEE 754 totalOrder: -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN. Memory
/// holds the values of dictionaries beside what SortOptions::memory_bytes bounds.
class TableSorter {
 public:
  /// `schema`, a struct, is that of all batches; it is copied and stays the caller's. Throws Error if a key is no
  /// column, or the type of a column cannot be sorted by, or not be carried.
  TableSorter(const ArrowSchema& schema, TableOptions options);
  /// Stops the sort if it is not done.
  ~TableSorter();
  TableSorter(const TableSorter&) = delete;
  TableSorter& operator=(const TableSorter&) = delete;

  /// Throws Error, naming column and both types, unless `schema` matches the sorter's. Whether a dictionary is ordered
  /// is part of its type; other flags and metadata may differ.
  void require_schema(const ArrowSchema& schema) const;

  /// Takes the rows of a struct array with the columns of the schema, and releases it, also if it throws. Waits while
  /// the sort has no memory for them. Dictionaries may differ from batch to batch. Throws Error after pull() has been
  /// called, and one that names the column for a batch that is damaged: whatever leads out of what is there, but for
  /// offsets of texts that rise beyond their bytes, whose number the interface does not tell. Throws one, too, for a
  /// null in a column, field, element or key that the sorter's schema declares not null.
  void push(ArrowArray* batch);

  /// Does what push() does if that takes some microseconds and no waiting: the rows are few and short, and the sorter
  /// still collects records. Otherwise returns false and leaves the batch as it is; push() takes it then. Throws what
  /// push() throws, and then has released the batch. For callers that would push on another thread.
  bool push_if_little(ArrowArray* batch);

  /// Makes `batch`, which holds nothing yet, the next sorted rows: the caller releases it. They outlive the sorter.
  /// False at the end. The first call ends the input, and waits until it is sorted. Batches of few rows with one short
  /// key share their memory, which is freed with the last of them. Dictionaries hold the values of all
  /// batches, each once, in the order in which they came; ordered ones, too: where their order means something, give
  /// all batches the same.
  bool pull(ArrowArray* batch);

  /// Makes `schema`, which holds nothing yet, a copy of the one that the sorter was made of, with names, flags,
  /// metadata and dictionaries: the caller releases it.
  void export_schema(ArrowSchema* schema) const;

  /// What the sort did, in records that hold a row each. Precondition: pull() has returned false.
  const SortReport& report() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sortie
