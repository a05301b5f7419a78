// Text of the library as a str of Python, and the other way round for messages.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

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

/// What a caller wrote, for a message: control characters as in C, 'a\000b', so that they neither end the message nor
/// break its line.
inline std::string without_controls(std::string_view text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto code = static_cast<unsigned char>(text[i]);
    // Those behind ASCII take two bytes in UTF-8: C2 80 to C2 9F.
    const bool is_pair =
        code == 0xc2 && i + 1 < text.size() && (static_cast<unsigned char>(text[i + 1]) & 0xe0) == 0x80;
    if (code >= 0x20 && code != 0x7f && !is_pair) {
      shown += text[i];
      continue;
    }
    for (const std::size_t end = i + (is_pair ? 2 : 1); i < end; ++i) {
      char escape[5];
      std::snprintf(escape, sizeof escape, "\\%03o", static_cast<unsigned>(static_cast<unsigned char>(text[i])));
      shown += escape;
    }
    --i;
  }
  return shown;
}

}  // namespace sortie::python
