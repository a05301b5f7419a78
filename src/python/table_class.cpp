// The classes of sorted tables, as the package's own files use them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>

#include "python/bindings.hpp"
#include "python/collected_type.hpp"
#include "python/table_sort.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

nb::object schema_capsule(TableSort& sort) { return make_capsule(share(sort.schema(), *(*sort.schema()))); }

nb::object stream_capsule(nb::handle_t<TableSort> self, nb::handle requested_schema) {
  check_requested(requested_schema, **nb::inst_ptr<TableSort>(self)->schema());
  return make_capsule(make_stream(nb::borrow(self)));
}

}  // namespace

void bind_tables(nb::module_& module) {
  nb::class_<SortedBatch>(module, "SortedBatch",
                          "Rows in order, which any number of consumers may have: pyarrow.record_batch(batch) and the "
                          "like. len() counts the rows.")
      .def("__len__", &SortedBatch::row_count)
      .def("__arrow_c_schema__", &SortedBatch::schema_capsule)
      .def("__arrow_c_array__", &SortedBatch::capsules, nb::arg("requested_schema").none() = nb::none());
  nb::class_<TableSort>(module, "TableSort", nb::type_slots(CollectedType<TableSort>::slots))
      .def(nb::init<const nb::dict&, const nb::list&, std::optional<std::uint64_t>, const char*, nb::object, nb::object,
                    nb::object>(),
           nb::arg("arguments"), nb::arg("keys"), nb::arg("batch_rows").none(), nb::arg("function"),
           nb::arg("on_progress").none(), nb::arg("on_warning").none(), nb::arg("on_end").none())
      .def("push_stream", &TableSort::push_stream, nb::arg("stream"))
      .def("push_array", &TableSort::push_array, nb::arg("schema"), nb::arg("array"))
      .def("finish", &TableSort::finish)
      .def("new_reader", &TableSort::new_reader)
      .def("pull", &TableSort::pull, nb::arg("reader"))
      .def_prop_ro("has_schema", &TableSort::has_schema)
      .def("schema", &schema_capsule)
      .def("stream", &stream_capsule, nb::arg("requested_schema").none())
      .def("report", &TableSort::report)
      .def("close", &TableSort::close);
}

}  // namespace sortie::python
