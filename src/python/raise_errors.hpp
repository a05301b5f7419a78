// How the library's errors look in Python: as sortie.Error, whose class is the package's.
#pragma once

namespace sortie::python {

/// From now on nanobind raises sortie.Error for an Error, with its remedy. Call once.
void translate_errors();

}  // namespace sortie::python
