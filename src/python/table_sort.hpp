// One sort of a table, as Python calls it: batches come and go in capsules of the Arrow C data interface.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <sortie/table_sorter.hpp>

#include "python/arrow_structs.hpp"
#include "python/held_sorter.hpp"

namespace sortie::python {

using SharedSchema = std::shared_ptr<const ArrowOwner<ArrowSchema>>;

/// A copy of the schema that a sorter of the library was made of.
template <class Library>
SharedSchema exported_schema(const Library& sorter) {
  auto copy = std::make_shared<ArrowOwner<ArrowSchema>>();
  sorter.export_schema(copy->get());
  return copy;
}

using SharedRows = std::shared_ptr<const ArrowOwner<ArrowArray>>;

/// Rows that were sorted. Consumers may have them any number of times.
class SortedBatch {
 public:
  SortedBatch(SharedSchema schema, SharedRows rows) : schema_(std::move(schema)), rows_(std::move(rows)) {}
  SortedBatch(SharedSchema schema, ArrowOwner<ArrowArray> rows)
      : SortedBatch(std::move(schema), std::make_shared<const ArrowOwner<ArrowArray>>(std::move(rows))) {}

  std::int64_t row_count() const { return (**rows_).length; }
  std::int64_t column_count() const { return (**schema_).n_children; }
  nanobind::object schema_capsule() const { return make_capsule(share(schema_, **schema_)); }
  /// The capsules of schema and rows, as __arrow_c_array__() returns them.
  nanobind::tuple capsules(nanobind::handle requested_schema) const;

 private:
  SharedSchema schema_;
  SharedRows rows_;
};

/// Calls must not overlap. All need the GIL, and give it up while the library works.
class TableSort : public HeldSorter<TableSorter> {
 public:
  /// `keys`: see table_key().
  /// `on_end(is_complete)` is called when the last row has been read.
  TableSort(const nanobind::dict& arguments, const nanobind::list& keys, std::optional<std::uint64_t> batch_rows,
            const char* function, nanobind::object on_progress, nanobind::object on_warning, nanobind::object on_end);

  /// The last columns are keys that do not come out. Before the first rows.
  void hide_columns(std::int64_t count) { hidden_columns_ = count; }
  /// About how many bytes all rows take. Before the first rows.
  void expect_bytes(std::uint64_t bytes) { options_.sort.source_bytes = bytes; }
  /// Takes all rows of a stream. The first schema is that of the table. Raises ValueError if another one does not agree
  /// with it. `name`: what the message calls the rows.
  void push_stream(nanobind::handle stream, const std::string& name);
  void push_array(nanobind::handle schema, nanobind::handle array, const std::string& name);
  /// Ends the input, and waits until the first rows are there.
  void finish();

  /// Reads all rows, and holds them: from then on there may be any number of readers. Throws Error if one has begun.
  void keep();

  /// A SortedBatch of the first rows that are held, which are not read by that; None if there are none.
  nanobind::object first_rows() const;
  std::int64_t pushed_rows() const { return pushed_rows_; }
  /// How many rows there are in the end; none as long as that is not known.
  std::optional<std::uint64_t> sorted_rows() const { return sorted_rows_; }

  /// A number for one who reads the result: there may be one only, unless the rows are kept.
  std::uint64_t new_reader() { return ++last_reader_; }
  /// The next SortedBatch, or None at the end. Throws Error if another reader has begun.
  nanobind::object pull(std::uint64_t reader);
  /// The same as a structure; released at the end.
  ArrowOwner<ArrowArray> pull_rows(std::uint64_t reader);

  /// Throws Error if no schema came yet.
  const SharedSchema& schema();
  bool has_schema() const { return schema_ != nullptr; }
  nanobind::object report();
  void close();

 private:
  void take_schema(const ArrowSchema& schema, const std::string& name);
  void require_schema(const ArrowSchema& schema, const std::string& name);
  void push_rows(ArrowOwner<ArrowArray>& rows);
  void refuse_rows_after_the_end() const;
  ArrowOwner<ArrowArray> next_rows();
  /// False at the end.
  bool hold_next();
  /// Throws Error if it is not this one who reads.
  void claim(std::uint64_t reader);

  TableOptions options_;
  SharedSchema schema_;
  std::int64_t hidden_columns_ = 0;
  bool is_pulled_ = false;
  bool is_done_ = false;
  std::uint64_t last_reader_ = 0;
  std::uint64_t reader_ = 0;  // who has begun; 0: nobody
  std::int64_t pushed_rows_ = 0;
  std::optional<std::uint64_t> sorted_rows_;
  std::deque<SharedRows> held_;  // the next rows; once they are kept, all
  bool are_kept_ = false;
  std::map<std::uint64_t, std::size_t> places_;  // where readers of kept rows are
};

/// A stream that reads what is sorted. It keeps `sort`, which is a TableSort, alive.
ArrowOwner<ArrowArrayStream> make_stream(nanobind::object sort);

/// `key`: as table_keys() of keys.py gives it: a name or position, whether it falls, whether nulls come first.
TableKey table_key(nanobind::handle key);

/// Checks what a consumer asks for: rows come as they are, but another number of columns cannot be meant. Raises
/// TypeError and ValueError.
void check_requested(nanobind::handle requested_schema, const ArrowSchema& own);

}  // namespace sortie::python
