// Text of the library as a str of Python.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace sortie::python {

/// Paths in it may be no UTF-8.
inline nanobind::object text_object(const std::string& text) {
  return nanobind::steal(PyUnicode_DecodeFSDefaultAndSize(text.data(), static_cast<Py_ssize_t>(text.size())));
}

}  // namespace sortie::python
