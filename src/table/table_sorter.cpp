// Rows become records, which a pushed sort sorts, and rows again.
#include <sortie/table_sorter.hpp>

#include <cassert>
#include <exception>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <sortie/sort.hpp>

#include "base/thread_team.hpp"
#include "pipeline/public_call.hpp"
#include "pipeline/pushed_sort.hpp"
#include "table/arrow_owner.hpp"
#include "table/batch_check.hpp"
#include "table/held_rows.hpp"
#include "table/row_drain.hpp"
#include "table/row_feeder.hpp"
#include "table/table_dictionaries.hpp"
#include "table/table_plan.hpp"

namespace sortie {

struct TableSorter::State {
  State(const ArrowSchema& given, const TableOptions& options)
      : plan(table::make_table_plan(given, options)),
        copy(table::copy_of(given)),
        team(table::most_threads(plan.sort), plan.sort.stop) {
    if (plan.held.most > 0) held.emplace(plan);
  }

  void push(const ArrowArray& batch) {
    begin_push(batch);
    team.run([&] {
      begin_rows(batch);
      if (held && held->has_room_for(batch)) return held->take(batch);
      feed_held_rows();
      feeder.feed(batch);
    });
  }

  bool push_if_little(const ArrowArray& batch) {
    begin_push(batch);
    if (!feeder.may_be_little(batch) || (held && !held->has_room_for(batch))) return false;
    return team.run([&] {
      begin_rows(batch);
      if (!held) return feeder.feed_little(batch, sort.room());
      held->take(batch);
      return true;
    });
  }

  /// They are too many to stay where they are.
  void feed_held_rows() {
    if (!held) return;
    const table::ArrowOwner<ArrowArray> rows = held->release();
    held.reset();
    feeder.feed(*rows);
  }

  void begin_push(const ArrowArray& batch) {
    if (is_pulled) throw Error("a table takes no more rows once sorted ones are pulled: push all of them before");
    check_batch(plan.schema, batch);
  }

  void begin_rows(const ArrowArray& batch) {
    check_values(plan.schema, batch);
    dictionaries.begin_batch(batch);
  }

  table::ArrowOwner<ArrowArray> next_of_records() {
    table::SortedRows rows = team.run([&] { return drain.next(plan.batch); });
    if (rows.count == 0) return {};
    if (!dictionary_columns) dictionary_columns = dictionaries.finish();
    const auto count = static_cast<std::int64_t>(rows.count);
    return export_batch(plan.schema, std::move(rows.columns), count, *dictionary_columns, &drain.pool());
  }

  table::ArrowOwner<ArrowArray> next_of_held() {
    if (!held->is_sorted()) {
      held->sort_places();
      team.run([&] { held->take_places(); });
    }
    return held->next(plan.batch);
  }

  bool pull(ArrowArray* batch) {
    is_pulled = true;
    table::ArrowOwner<ArrowArray> rows = held ? next_of_held() : next_of_records();
    if (rows.pointer() == nullptr) return false;
    *batch = rows.release();
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

  const table::TablePlan plan;
  const table::ArrowOwner<ArrowSchema> copy;
  ThreadTeam team;
  // Rows in: batches, records, the sort. Rows out: the sort, batches.
  table::TableDictionaries dictionaries{plan.schema};
  PushedSort sort{plan.sort, &sortie::sort};
  table::RowFeeder feeder{plan, dictionaries, [this](std::span<const std::byte> records) { sort.push(records); }};
  table::RowDrain drain{plan, [this] { return sort.pull(); }};
  std::optional<table::HeldRows> held;  // rows in, and rows out, if only their places are sorted
  bool is_pulled = false;
  std::exception_ptr failure;
  /// Those of all batches that came, made when the first sorted one goes.
  std::optional<std::vector<std::shared_ptr<const table::ColumnData>>> dictionary_columns;
};

TableSorter::TableSorter(const ArrowSchema& schema, TableOptions options)
    : state_(public_call([&] { return std::make_unique<State>(schema, options); })) {}

TableSorter::~TableSorter() = default;

void TableSorter::require_schema(const ArrowSchema& schema) const {
  public_call([&] { table::require_same_columns(state_->plan.schema, table::read_schema(schema)); });
}

void TableSorter::push(ArrowArray* batch) {
  const table::ArrowOwner<ArrowArray> taken(*batch);
  state_->checked([&] { state_->push(*taken); });
}

bool TableSorter::push_if_little(ArrowArray* batch) {
  table::ArrowOwner<ArrowArray> given(*batch);
  const bool is_taken = state_->checked([&] { return state_->push_if_little(*given); });
  if (!is_taken) *batch = given.release();
  return is_taken;
}

bool TableSorter::pull(ArrowArray* batch) {
  return state_->checked([&] { return state_->pull(batch); });
}

void TableSorter::export_schema(ArrowSchema* schema) const {
  public_call([&] { *schema = table::copy_of(*state_->copy).release(); });
}

const SortReport& TableSorter::report() const { return state_->held ? state_->held->report() : state_->sort.report(); }

}  // namespace sortie
