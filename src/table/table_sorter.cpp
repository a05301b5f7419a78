// Rows become records, which a sortie::Sorter sorts, and rows again.
#include <sortie/table_sorter.hpp>

#include <algorithm>
#include <cassert>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include <sortie/sorter.hpp>

#include "base/system_limits.hpp"
#include "base/thread_team.hpp"
#include "pipeline/public_call.hpp"
#include "table/array_export.hpp"
#include "table/batch_check.hpp"
#include "table/dictionary_values.hpp"
#include "table/row_drain.hpp"
#include "table/row_encoder.hpp"
#include "table/row_feeder.hpp"
#include "table/row_layout.hpp"
#include "table/schema_copy.hpp"
#include "table/schema_reader.hpp"
#include "table/table_type.hpp"
#include "table/value_check.hpp"

namespace sortie {
namespace {

/// Owns a batch that came.
class TakenBatch {
 public:
  explicit TakenBatch(ArrowArray* batch) : batch_(std::exchange(*batch, ArrowArray{})) {}
  ~TakenBatch() {
    if (batch_.release != nullptr) batch_.release(&batch_);
  }
  TakenBatch(const TakenBatch&) = delete;
  TakenBatch& operator=(const TakenBatch&) = delete;

  const ArrowArray& get() const { return batch_; }

 private:
  ArrowArray batch_;
};

/// How many rows there will be is not known: as many threads as may be.
unsigned most_threads(const SortOptions& options) {
  const unsigned wanted = std::min(options.threads == 0 ? available_threads() : options.threads, kMostThreads);
  return ThreadTeam::most_threads(wanted);
}

SortOptions sort_options(const TableOptions& options, const table::RowLayout& layout) {
  SortOptions sort = options.sort;
  if (sort.format != Format()) throw Error("the schema tells how rows are sorted: give keys and no format");
  if (sort.header_lines != 0) throw Error("a table has no header lines: its schema has the names");
  if (sort.count) throw Error("rows of a table cannot be counted: use unique to keep one of those with equal keys");
  sort.format = record_format(layout);
  return sort;
}

/// Run ends of 16 bits number no more rows.
std::uint64_t most_batch_rows(const TableOptions& options, const table::TableSchema& schema) {
  if (options.batch_rows == 0) throw Error("batches of 0 rows hold no table: batch_rows is at least 1");
  const bool has_short_run_ends =
      std::any_of(schema.columns.begin(), schema.columns.end(), [](const table::TableType& type) {
        return type.storage == table::Storage::kRunEnd && type.width == sizeof(std::int16_t);
      });
  return has_short_run_ends ? std::min<std::uint64_t>(options.batch_rows, INT16_MAX) : options.batch_rows;
}

}  // namespace

struct TableSorter::State {
  State(const ArrowSchema& given, const TableOptions& options)
      : schema(table::read_schema(given)),
        copy(given),
        layout(table::make_row_layout(schema, options.keys)),
        batch_rows(most_batch_rows(options, schema)),
        dictionaries(schema),
        encoder(schema, layout, dictionaries),
        team(most_threads(options.sort), options.sort.stop),
        sorter(sort_options(options, layout)),
        feeder(encoder, sorter),
        drain(schema, layout, sorter) {}

  void push(const ArrowArray& batch) {
    if (is_pulled) throw Error("a table takes no more rows once sorted ones are pulled: push all of them before");
    check_batch(schema, batch);
    team.run([&] {
      check_values(schema, batch);
      dictionaries.begin_batch(batch);
      feeder.feed(batch);
    });
  }

  bool pull(ArrowArray* batch) {
    is_pulled = true;
    table::SortedRows rows = team.run([&] { return drain.next(batch_rows); });
    if (rows.count == 0) return false;
    if (!dictionary_columns) dictionary_columns = dictionaries.finish();
    *batch = export_batch(schema, std::move(rows.columns), static_cast<std::int64_t>(rows.count), *dictionary_columns);
    return true;
  }

  /// What a call throws all later ones throw, too: part of a batch may be missing.
  template <class Work>
  auto checked(const Work& work) {
    if (failure) std::rethrow_exception(failure);
    try {
      return public_call(work);
    } catch (...) {
      failure = std::current_exception();
      throw;
    }
  }

  const table::TableSchema schema;
  const table::SchemaCopy copy;
  const table::RowLayout layout;
  const std::uint64_t batch_rows;
  table::TableDictionaries dictionaries;
  const table::RowEncoder encoder;
  ThreadTeam team;
  Sorter sorter;
  table::RowFeeder feeder;
  table::RowDrain drain;
  bool is_pulled = false;
  std::exception_ptr failure;
  /// Those of all batches that came, made when the first sorted one goes.
  std::optional<std::vector<std::shared_ptr<const table::ColumnData>>> dictionary_columns;
};

TableSorter::TableSorter(const ArrowSchema& schema, TableOptions options)
    : state_(public_call([&] { return std::make_unique<State>(schema, options); })) {}

TableSorter::~TableSorter() = default;

void TableSorter::require_schema(const ArrowSchema& schema) const {
  public_call([&] { table::require_same_columns(state_->schema, table::read_schema(schema)); });
}

void TableSorter::push(ArrowArray* batch) {
  const TakenBatch taken(batch);
  state_->checked([&] { state_->push(taken.get()); });
}

bool TableSorter::pull(ArrowArray* batch) {
  return state_->checked([&] { return state_->pull(batch); });
}

void TableSorter::export_schema(ArrowSchema* schema) const {
  public_call([&] { *schema = table::SchemaCopy(state_->copy.get()).release(); });
}

const SortReport& TableSorter::report() const { return state_->sorter.report(); }

}  // namespace sortie
