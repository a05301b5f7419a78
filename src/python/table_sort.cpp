#include "python/table_sort.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <cstring>
#include <string>
#include <tuple>
#include <utility>

#include <sortie/error.hpp>

#include "python/arguments.hpp"
#include "python/bindings.hpp"
#include "python/object_value.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

/// What a stream says when it fails.
std::string error_of(ArrowArrayStream& stream, int status) {
  const char* const text = stream.get_last_error(&stream);
  if (text == nullptr || *text == '\0') return "the stream of rows failed with error " + std::to_string(status);
  // Behind its first line pyarrow says where it was.
  return "the stream of rows failed: " + std::string(text, std::strcspn(text, "\n"));
}

/// Asks a stream on the calling thread: what gives the rows may belong to it, and Ctrl-C reaches Python's code there.
template <class Question>
void ask(const Question& question, ArrowArrayStream& stream) {
  int status = 0;
  {
    const nb::gil_scoped_release unlocked;
    status = question();
  }
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  if (status != 0) throw Error(error_of(stream, status));
}

void refuse_column(const ArrowSchema& schema) {
  if (std::string_view(schema.format) == "+s") return;
  throw nb::type_error("data is a column, and tables are sorted: pass a table that has it, or a record batch");
}

}  // namespace

TableKey table_key(nb::handle key) {
  const auto [name, falls, nulls_first] = nb::cast<std::tuple<nb::object, bool, bool>>(key);
  return {ObjectValue("by", name).as_column(), falls, nulls_first};
}

nb::tuple SortedBatch::capsules(nb::handle requested_schema) const {
  check_requested(requested_schema, **schema_);
  return nb::make_tuple(schema_capsule(), make_capsule(share(rows_, **rows_)));
}

TableSort::TableSort(const nb::dict& arguments, const nb::list& keys, std::optional<std::uint64_t> batch_rows,
                     const char* function, nb::object on_progress, nb::object on_warning, nb::object on_end)
    : HeldSorter(std::move(on_progress), std::move(on_warning)), on_end_(std::move(on_end)) {
  options_.sort = read_table_options(arguments, function);
  options_.batch_rows = batch_rows;
  for (const nb::handle key : keys) options_.keys.push_back(table_key(key));
  call_.attach(options_.sort);
}

void TableSort::push_stream(nb::handle stream) {
  const SorterTurns::Turn turn = begin_call();
  refuse_rows_after_the_end();
  ArrowOwner<ArrowArrayStream> taken(struct_in<ArrowArrayStream>(stream));
  ArrowOwner<ArrowSchema> schema;
  ask([&] { return taken->get_schema(taken.get(), schema.get()); }, *taken);
  call_.run([&] { take_schema(*schema); });
  for (;;) {
    ArrowOwner<ArrowArray> rows;
    ask([&] { return taken->get_next(taken.get(), rows.get()); }, *taken);
    if (!rows) return;
    call_.run([&] { sorter_->push(rows.get()); });
  }
}

void TableSort::push_array(nb::handle schema, nb::handle array) {
  const SorterTurns::Turn turn = begin_call();
  refuse_rows_after_the_end();
  const ArrowSchema& given = struct_in<ArrowSchema>(schema);
  ArrowOwner<ArrowArray> rows(struct_in<ArrowArray>(array));
  call_.run([&] {
    take_schema(given);
    sorter_->push(rows.get());
  });
}

void TableSort::take_schema(const ArrowSchema& schema) {
  refuse_column(schema);
  if (sorter_) return sorter_->require_schema(schema);
  sorter_ = std::make_unique<TableSorter>(schema, options_);
  auto copy = std::make_shared<ArrowOwner<ArrowSchema>>();
  sorter_->export_schema(copy->get());
  schema_ = std::move(copy);
}

ArrowOwner<ArrowArray> TableSort::next_rows() {
  ArrowOwner<ArrowArray> rows;
  if (is_done_) return rows;
  call_.run([&] { is_done_ = !sorter_->pull(rows.get()); });
  if (is_done_ && !on_end_.is_none()) on_end_(true);
  return rows;
}

void TableSort::finish() {
  const SorterTurns::Turn turn = begin_call();
  if (is_pulled_ || !sorter_) return;
  is_pulled_ = true;
  ahead_ = next_rows();
}

ArrowOwner<ArrowArray> TableSort::pull_rows(std::uint64_t reader) {
  const SorterTurns::Turn turn = begin_call();
  if (reader_ != 0 && reader_ != reader) {
    throw Error("sorted rows are read once, and another reader has begun: keep them in a table to read them again");
  }
  reader_ = reader;
  is_pulled_ = true;
  if (!sorter_) return {};
  if (ahead_) return std::exchange(ahead_, {});
  return next_rows();
}

nb::object TableSort::pull(std::uint64_t reader) {
  ArrowOwner<ArrowArray> rows = pull_rows(reader);
  if (!rows) return nb::none();
  return nb::cast(SortedBatch(schema_, std::move(rows)));
}

const SharedSchema& TableSort::schema() {
  if (!schema_) throw Error("the columns are not known before a batch was pushed: push one");
  return schema_;
}

nb::object TableSort::report() {
  const SorterTurns::Turn turn = begin_call();
  if (!is_done_ || ahead_) throw Error("a sort has no report yet: read its rows to the end");
  return report_object(sorter_->report());
}

void TableSort::close() {
  HeldSorter::close();
  on_end_ = nb::none();
  ahead_ = {};
}

int TableSort::visit_listeners(visitproc visit, void* arg) const {
  Py_VISIT(on_end_.ptr());
  return HeldSorter::visit_listeners(visit, arg);
}

void TableSort::forget_listeners() {
  on_end_ = nb::none();
  HeldSorter::forget_listeners();
}

void TableSort::refuse_rows_after_the_end() const {
  if (is_pulled_) throw Error("a sorter takes no more rows once they are pulled: push all of them before");
}

void check_requested(nb::handle requested_schema, const ArrowSchema& own) {
  if (requested_schema.is_none()) return;
  const std::int64_t columns = struct_in<ArrowSchema>(requested_schema).n_children;
  if (columns == own.n_children) return;
  throw nb::value_error(("the requested schema has " + std::to_string(columns) + " columns, and the sorted table " +
                         std::to_string(own.n_children))
                            .c_str());
}

}  // namespace sortie::python
