// The extension module sortie._native.
#include <nanobind/nanobind.h>

#include <malloc.h>

#include <string>
#include <string_view>

#include "option/door.hpp"
#include "python/arguments.hpp"
#include "python/bindings.hpp"
#include "python/raise_errors.hpp"
#include "python/watched_call.hpp"

namespace {

/// Gives free memory back to the system, which the allocator keeps otherwise.
void trim_memory() {
  sortie::python::WatchedCall::run_unwatched([] { ::malloc_trim(0); });
}

/// For messages of the package's own files: `text` is UTF-8.
nanobind::bytes without_controls(const nanobind::bytes& text) {
  const std::string escaped = sortie::option::without_controls(std::string_view(text.c_str(), text.size()));
  return nanobind::bytes(escaped.data(), escaped.size());
}

}  // namespace

/// The module itself. Whoever imports it comes through PyInit__native().
NB_MODULE(_extension, module) {
  // What is left at the end of the interpreter harms nobody, and programs are not to print lines about it.
  nanobind::set_leak_warnings(false);
  sortie::python::translate_errors();
  sortie::python::bind_options(module);
  sortie::python::bind_files(module);
  sortie::python::bind_arrays(module);
  sortie::python::bind_foreign_numbers(module);
  sortie::python::bind_sorter(module);
  sortie::python::bind_tables(module);
  sortie::python::bind_table_records(module);
  sortie::python::bind_row_words(module);
  sortie::python::bind_key_order(module);
  sortie::python::bind_row_gather(module);
  sortie::python::bind_text_pages(module);
  sortie::python::bind_output(module);
  sortie::python::bind_cluster(module);
  sortie::python::bind_spawn(module);
  sortie::python::bind_stored_pages(module);
  sortie::python::bind_thrift(module);
  sortie::python::bind_different_numbers(module);
  sortie::python::bind_device(module);
  module.def("trim_memory", &trim_memory);
  module.def("without_controls", &without_controls, nanobind::arg("text"));
  nanobind::module_::import_("atexit").attr("register")(nanobind::cpp_function(&sortie::python::WatchedCall::end_all));
}

/// What a class of one interpreter leaves in the module, another one would touch.
// The name is Python's.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wreserved-identifier"
#endif
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" NB_EXPORT PyObject* PyInit__native() {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0) return PyInit__extension();
  PyErr_SetString(
      PyExc_ImportError,
      "sortie cannot be imported by a subinterpreter: import it in the main interpreter, or in a process of its own");
  return nullptr;
}
