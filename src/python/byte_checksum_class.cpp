// ByteChecksum, by which the package's own files find out whether files are still those that were written.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

#include "base/byte_checksum.hpp"
#include "python/bindings.hpp"
#include "python/number_buffer.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

void add_to(ByteChecksum& checksum, nb::handle bytes) {
  const HeldBuffer held(bytes, PyBUF_SIMPLE);
  const nb::gil_scoped_release unlocked;
  checksum.add(held.bytes());
}

}  // namespace

void bind_byte_checksum(nb::module_& module) {
  nb::class_<ByteChecksum>(module, "ByteChecksum")
      .def(nb::init<>())
      .def("add", &add_to, nb::arg("bytes"))
      .def("value", [](const ByteChecksum& checksum) { return to_string(checksum.value()); });
}

}  // namespace sortie::python
