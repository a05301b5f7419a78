// Rows become records, and records become rows. Who calls this sorts them.
#include <sortie/table_records.hpp>

#include <algorithm>
#include <utility>

#include "base/thread_team.hpp"
#include "pipeline/public_call.hpp"
#include "record/prefixed/prefixed_records.hpp"
#include "table/arrow_owner.hpp"
#include "table/batch_check.hpp"
#include "table/column_errors.hpp"
#include "table/row_drain.hpp"
#include "table/row_feeder.hpp"
#include "table/table_dictionaries.hpp"
#include "table/table_plan.hpp"

namespace sortie {
namespace {

bool holds_dictionary(const table::TableType& type) {
  return type.storage == table::Storage::kDictionary ||
         std::any_of(type.children.begin(), type.children.end(), holds_dictionary);
}

table::TablePlan plan_without_dictionaries(const ArrowSchema& schema, std::vector<TableKey> keys, unsigned threads) {
  TableOptions options;
  options.keys = std::move(keys);
  options.sort.threads = threads;
  table::TablePlan plan = table::make_table_plan(schema, options);
  for (std::size_t i = 0; i < plan.schema.columns.size(); ++i) {
    if (!holds_dictionary(plan.schema.columns[i])) continue;
    table::work_on_column(plan.schema.names[i], [] {
      throw Error("a record by itself does not hold the values of a dictionary; cast it to the type of its values");
    });
  }
  return plan;
}

}  // namespace

struct TableRecords::State {
  State(const ArrowSchema& schema, std::vector<TableKey> keys, unsigned threads)
      : plan(plan_without_dictionaries(schema, std::move(keys), threads)),
        copy(table::copy_of(schema)),
        team(table::most_threads(plan.sort)) {}

  /// Bytes of the whole records in front.
  std::size_t whole_bytes(std::span<const std::byte> records) const {
    if (!plan.layout.is_fixed) return whole_prefixed_records(records);
    return records.size() - records.size() % plan.layout.record_bytes;
  }

  const table::TablePlan plan;
  const table::ArrowOwner<ArrowSchema> copy;
  ThreadTeam team;
  const table::TableDictionaries dictionaries{plan.schema};  // there are none
  // What the calls are given.
  const std::function<void(std::span<const std::byte>)>* take = nullptr;
  std::span<const std::byte> decoded;
  table::RowFeeder feeder{plan, dictionaries, [this](std::span<const std::byte> records) { (*take)(records); }};
  table::RowDrain drain{plan, [this] { return std::exchange(decoded, {}); }};
};

TableRecords::TableRecords(const ArrowSchema& schema, std::vector<TableKey> keys, unsigned threads)
    : state_(public_call([&] { return std::make_unique<State>(schema, std::move(keys), threads); })) {}

TableRecords::~TableRecords() = default;

const Format& TableRecords::format() const { return state_->plan.sort.format; }

void TableRecords::require_schema(const ArrowSchema& schema) const {
  public_call([&] { table::require_same_columns(state_->plan.schema, table::read_schema(schema)); });
}

void TableRecords::export_schema(ArrowSchema* schema) const {
  public_call([&] { *schema = table::copy_of(*state_->copy).release(); });
}

void TableRecords::encode(ArrowArray* batch, const std::function<void(std::span<const std::byte>)>& take) {
  const table::ArrowOwner<ArrowArray> taken(*batch);
  public_call([&] {
    table::check_batch(state_->plan.schema, *taken);
    state_->take = &take;
    state_->team.run([&] {
      table::check_values(state_->plan.schema, *taken);
      state_->feeder.feed(*taken);
    });
  });
}

std::size_t TableRecords::decode(std::span<const std::byte> records, std::uint64_t most_rows, ArrowArray* batch) {
  return public_call([&] {
    const table::TablePlan& plan = state_->plan;
    const std::size_t whole = state_->whole_bytes(records);
    state_->decoded = records.first(whole);
    const table::BatchLimit limit{std::min(most_rows, plan.batch.rows), plan.batch.bytes};
    table::SortedRows rows = state_->team.run([&] { return state_->drain.next(limit); });
    const std::size_t used = whole - state_->drain.forget_rest();
    if (rows.count == 0) return used;
    const auto count = static_cast<std::int64_t>(rows.count);
    *batch = table::export_batch(plan.schema, std::move(rows.columns), count, {}, &state_->drain.pool()).release();
    return used;
  });
}

}  // namespace sortie
