// Text of the library as a str of Python, and the other way round for messages.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <string>

namespace sortie::python {

/// Paths in it may be no UTF-8.
inline nanobind::object text_object(const std::string& text) {
  return nanobind::steal(PyUnicode_DecodeFSDefaultAndSize(text.data(), static_cast<Py_ssize_t>(text.size())));
}

/// A str of Python for a message: what cannot be encoded is written as Python writes it in source code.
inline std::string printable_text(nanobind::handle text) {
  const nanobind::object bytes = nanobind::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "backslashreplace"));
  if (!bytes.is_valid()) throw nanobind::python_error();
  return {PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr()))};
}

/// What the class of an object is called.
inline std::string class_name(nanobind::handle object) {
  return printable_text(nanobind::handle(object.type()).attr("__name__"));
}

}  // namespace sortie::python
