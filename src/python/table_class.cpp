// The classes of sorted tables, as the package's own files use them.
#include <nanobind/nanobind.h>

#include <malloc.h>

#include <cstdint>

#include "python/bindings.hpp"
#include "python/table_sort.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

nb::object schema_capsule(TableSort& sort) { return make_capsule(share(sort.schema(), *(*sort.schema()))); }

nb::object stream_capsule(nb::handle_t<TableSort> self, nb::handle requested_schema) {
  check_requested(requested_schema, **nb::inst_ptr<TableSort>(self)->schema());
  return make_capsule(make_stream(nb::borrow(self)));
}

/// Gives free memory back to the system, which the allocator keeps otherwise.
void trim_memory() {
  const nb::gil_scoped_release unlocked;
  ::malloc_trim(0);
}

// Python's collector finds a sort whose callable refers to it.
int visit_listeners(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  return nb::inst_ptr<TableSort>(self)->visit_listeners(visit, arg);
}

int drop_listeners(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<TableSort>(self)->forget_listeners();
  return 0;
}

PyType_Slot kCollectedSlots[] = {{Py_tp_traverse, reinterpret_cast<void*>(visit_listeners)},
                                 {Py_tp_clear, reinterpret_cast<void*>(drop_listeners)},
                                 {0, nullptr}};

}  // namespace

void bind_tables(nb::module_& module) {
  module.def("trim_memory", &trim_memory);
  nb::class_<SortedBatch>(module, "SortedBatch",
                          "Rows in order, which any number of consumers may have: pyarrow.record_batch(batch) and the "
                          "like. len() counts the rows.")
      .def("__len__", &SortedBatch::row_count)
      .def("__arrow_c_schema__", &SortedBatch::schema_capsule)
      .def("__arrow_c_array__", &SortedBatch::capsules, nb::arg("requested_schema").none() = nb::none());
  nb::class_<TableSort>(module, "TableSort", nb::type_slots(kCollectedSlots))
      .def(nb::init<const nb::dict&, const nb::list&, std::uint64_t, const char*, nb::object, nb::object, nb::object>(),
           nb::arg("arguments"), nb::arg("keys"), nb::arg("batch_rows"), nb::arg("function"),
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
