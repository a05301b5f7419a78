#include "python/table_sort.hpp"

#include <nanobind/stl/optional.h>
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
#include "python/raise_errors.hpp"

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
  raise_type_error("data is a column, and tables are sorted: pass a table that has it, or a record batch");
}

/// (the number of the column, the numbers of the fields in it) of a key in the table that `name` calls so in messages.
nb::tuple key_target(nb::handle schema, nb::handle key, const std::string& name) {
  const KeyTarget target = find_key(struct_in<ArrowSchema>(schema), table_key(key), name);
  nb::list fields;
  for (const std::size_t field : target.fields) fields.append(field);
  return nb::make_tuple(target.column, nb::tuple(fields));
}

/// How a batch looks: see batch_as_text() and batch_as_html() of table_preview.py.
nb::object shown_batch(nb::handle_t<SortedBatch> self, const char* maker) {
  const SortedBatch& batch = *nb::inst_ptr<SortedBatch>(self);
  return nb::module_::import_("sortie.tables.table_preview").attr(maker)(self, batch.row_count(), batch.column_count());
}

nb::object schema_capsule(TableSort& sort) { return make_capsule(share(sort.schema(), *(*sort.schema()))); }

nb::object stream_capsule(nb::handle_t<TableSort> self, nb::handle requested_schema) {
  check_requested(requested_schema, **nb::inst_ptr<TableSort>(self)->schema());
  return make_capsule(make_stream(nb::borrow(self)));
}

}  // namespace

TableKey table_key(nb::handle key) {
  const auto [column, falls, nulls_first] = nb::cast<std::tuple<nb::object, bool, bool>>(key);
  TableKey made{.column = {}, .descending = falls, .nulls_first = nulls_first};
  if (PyLong_Check(column.ptr())) {
    int overflow = 0;
    made.position = PyLong_AsLongLongAndOverflow(column.ptr(), &overflow);
    // No table has so many columns: the message about a position that is not there is the right one.
    if (overflow != 0) made.position = overflow > 0 ? INT64_MAX : INT64_MIN;
  } else {
    made.column = ObjectValue("by", column).as_column();
  }
  return made;
}

nb::tuple SortedBatch::capsules(nb::handle requested_schema) const {
  check_requested(requested_schema, **schema_);
  return nb::make_tuple(schema_capsule(), make_capsule(share(rows_, **rows_)));
}

TableSort::TableSort(const nb::dict& arguments, const nb::list& keys, std::optional<std::uint64_t> batch_rows,
                     const char* function, nb::object on_progress, nb::object on_warning, nb::object on_end)
    : HeldSorter(std::move(on_progress), std::move(on_warning), std::move(on_end)) {
  options_.sort = read_table_options(arguments, function);
  options_.batch_rows = batch_rows;
  for (const nb::handle key : keys) options_.keys.push_back(table_key(key));
  call_.attach(options_.sort);
}

void TableSort::push_stream(nb::handle stream, const std::string& name) {
  const SorterTurn turn = begin_call();
  refuse_rows_after_the_end();
  ArrowOwner<ArrowArrayStream> taken(struct_in<ArrowArrayStream>(stream));
  ArrowOwner<ArrowSchema> schema;
  ask([&] { return taken->get_schema(taken.get(), schema.get()); }, *taken);
  take_schema(*schema, name);
  for (;;) {
    ArrowOwner<ArrowArray> rows;
    ask([&] { return taken->get_next(taken.get(), rows.get()); }, *taken);
    if (!rows) return;
    push_rows(rows);
  }
}

void TableSort::push_array(nb::handle schema, nb::handle array, const std::string& name) {
  const SorterTurn turn = begin_call();
  refuse_rows_after_the_end();
  const ArrowSchema& given = struct_in<ArrowSchema>(schema);
  ArrowOwner<ArrowArray> rows(struct_in<ArrowArray>(array));
  take_schema(given, name);
  push_rows(rows);
}

void TableSort::push_rows(ArrowOwner<ArrowArray>& rows) {
  pushed_rows_ += rows->length;
  bool is_taken = false;
  if (!call_.has_news()) WatchedCall::run_unwatched([&] { is_taken = sorter_->push_if_little(rows.get()); });
  if (!is_taken) call_.run([&] { sorter_->push(rows.get()); });
}

void TableSort::require_schema(const ArrowSchema& schema, const std::string& name) {
  try {
    WatchedCall::run_unwatched([&] { sorter_->require_schema(schema); });
  } catch (const MemoryError&) {
    throw;
  } catch (const Error& error) {
    raise_value_error(name + ": " + error.what());
  }
}

void TableSort::take_schema(const ArrowSchema& schema, const std::string& name) {
  refuse_column(schema);
  if (sorter_) return require_schema(schema, name);
  call_.run([&] {
    sorter_ = std::make_unique<TableSorter>(schema, options_);
    auto shown = std::make_shared<ArrowOwner<ArrowSchema>>();
    sorter_->export_schema(shown->get());
    // The owner of the structures releases those that are not shown, too.
    (*shown)->n_children -= hidden_columns_;
    schema_ = std::move(shown);
  });
}

ArrowOwner<ArrowArray> TableSort::next_rows() {
  ArrowOwner<ArrowArray> rows;
  if (is_done_) return rows;
  call_.run([&] { is_done_ = !sorter_->pull(rows.get()); });
  if (!is_done_) {
    rows->n_children -= hidden_columns_;
    return rows;
  }
  sorted_rows_ = sorter_->report().output_records;
  if (!on_end_.is_none()) on_end_(true);
  return rows;
}

void TableSort::finish() {
  const SorterTurn turn = begin_call();
  if (is_pulled_ || !sorter_) return;
  is_pulled_ = true;
  hold_next();
}

bool TableSort::hold_next() {
  ArrowOwner<ArrowArray> rows = next_rows();
  if (!rows) return false;
  held_.push_back(std::make_shared<const ArrowOwner<ArrowArray>>(std::move(rows)));
  return true;
}

void TableSort::keep() {
  const SorterTurn turn = begin_call();
  if (are_kept_ || !sorter_) return;
  claim(new_reader());
  is_pulled_ = true;
  while (!is_done_) hold_next();
  are_kept_ = true;
}

void TableSort::claim(std::uint64_t reader) {
  if (reader_ != 0 && reader_ != reader) {
    throw Error("sorted rows are read once, and another reader has begun: call to_arrow() first, which keeps them");
  }
  reader_ = reader;
}

nb::object TableSort::first_rows() const {
  if (held_.empty()) return nb::none();
  return nb::cast(SortedBatch(schema_, held_.front()));
}

ArrowOwner<ArrowArray> TableSort::pull_rows(std::uint64_t reader) {
  const SorterTurn turn = begin_call();
  if (are_kept_) {
    std::size_t& place = places_[reader];
    if (place == held_.size()) return {};
    const SharedRows& rows = held_[place++];
    return share(rows, **rows);
  }
  claim(reader);
  is_pulled_ = true;
  if (!sorter_) return {};
  if (held_.empty()) return next_rows();
  const SharedRows rows = std::move(held_.front());
  held_.pop_front();
  return share(rows, **rows);
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
  const SorterTurn turn = begin_call();
  if (!is_done_ || (!held_.empty() && !are_kept_)) throw Error("a sort has no report yet: read its rows to the end");
  return report_object(sorter_->report());
}

void TableSort::close() {
  HeldSorter::close();
  held_.clear();
}

void TableSort::refuse_rows_after_the_end() const {
  if (is_pulled_) throw Error("a sorter takes no more rows once they are pulled: push all of them before");
}

void check_requested(nb::handle requested_schema, const ArrowSchema& own) {
  if (requested_schema.is_none()) return;
  const std::int64_t columns = struct_in<ArrowSchema>(requested_schema).n_children;
  if (columns == own.n_children) return;
  raise_value_error("the requested schema has " + counted(columns, "column") + ", and the sorted table " +
                    std::to_string(own.n_children));
}

void bind_tables(nb::module_& module) {
  nb::class_<SortedBatch>(module, "SortedBatch",
                          "Rows in order, which any number of consumers may have: pyarrow.record_batch(batch) and the "
                          "like. len() counts the rows.")
      .def("__len__", &SortedBatch::row_count)
      .def("__repr__", [](nb::handle_t<SortedBatch> self) { return shown_batch(self, "batch_as_text"); })
      .def("_repr_html_", [](nb::handle_t<SortedBatch> self) { return shown_batch(self, "batch_as_html"); })
      .def("__arrow_c_schema__", &SortedBatch::schema_capsule)
      .def("__arrow_c_array__", &SortedBatch::capsules, nb::arg("requested_schema").none() = nb::none());
  module.def("key_target", &key_target, nb::arg("schema"), nb::arg("key"), nb::arg("table"));
  nb::class_<TableSort>(module, "TableSort", nb::type_slots(CollectedType<TableSort>::slots))
      .def(nb::init<const nb::dict&, const nb::list&, std::optional<std::uint64_t>, const char*, nb::object, nb::object,
                    nb::object>(),
           nb::arg("arguments"), nb::arg("keys"), nb::arg("batch_rows").none(), nb::arg("function"),
           nb::arg("on_progress").none(), nb::arg("on_warning").none(), nb::arg("on_end").none())
      .def("hide_columns", &TableSort::hide_columns, nb::arg("count"))
      .def("expect_bytes", &TableSort::expect_bytes, nb::arg("bytes"))
      .def("push_stream", &TableSort::push_stream, nb::arg("stream"), nb::arg("name"))
      .def("push_array", &TableSort::push_array, nb::arg("schema"), nb::arg("array"), nb::arg("name"))
      .def("finish", &TableSort::finish)
      .def("keep", &TableSort::keep)
      .def("first_rows", &TableSort::first_rows)
      .def_prop_ro("pushed_rows", &TableSort::pushed_rows)
      .def_prop_ro("sorted_rows", &TableSort::sorted_rows)
      .def_prop_ro("column_count", [](TableSort& sort) { return (**sort.schema()).n_children; })
      .def("new_reader", &TableSort::new_reader)
      .def("pull", &TableSort::pull, nb::arg("reader"))
      .def_prop_ro("is_closed", &TableSort::is_closed)
      .def_prop_ro("has_schema", &TableSort::has_schema)
      .def("schema", &schema_capsule)
      .def("stream", &stream_capsule, nb::arg("requested_schema").none())
      .def("report", &TableSort::report)
      .def("close", &TableSort::close);
}

}  // namespace sortie::python
