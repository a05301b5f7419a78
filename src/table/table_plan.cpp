#include "table/table_plan.hpp"

#include <algorithm>

#include <sortie/error.hpp>

#include "base/system_limits.hpp"
#include "base/thread_team.hpp"
#include "table/schema_reader.hpp"

namespace sortie::table {
namespace {

SortOptions sort_options(const TableOptions& options, const RowLayout& layout) {
  SortOptions sort = options.sort;
  if (sort.format != Format()) throw Error("the schema tells how rows are sorted: give keys and no format");
  if (sort.header_lines != 0 || !sort.header_prefixes.empty())
    throw Error("a table has no header lines: its schema has the names");
  if (sort.count) throw Error("rows of a table cannot be counted: use unique to keep one of those with equal keys");
  sort.format = record_format(layout);
  return sort;
}

}  // namespace

unsigned most_threads(const SortOptions& options) {
  const unsigned wanted = std::min(options.threads == 0 ? available_threads() : options.threads, kMostThreads);
  return ThreadTeam::most_threads(wanted);
}

TablePlan make_table_plan(const ArrowSchema& schema, const TableOptions& options) {
  if (options.batch_rows == 0U) throw Error("batches of 0 rows hold no table: batch_rows is at least 1");
  TablePlan plan;
  plan.schema = read_schema(schema);
  plan.layout = make_row_layout(plan.schema, options.keys);
  plan.sort = sort_options(options, plan.layout);
  plan.batch = batch_limit(plan.schema, options.batch_rows);
  return plan;
}

}  // namespace sortie::table
