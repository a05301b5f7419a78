// The extension module sortie._native.
#include <nanobind/nanobind.h>

#include "python/bindings.hpp"
#include "python/raise_errors.hpp"

NB_MODULE(_native, module) {
  // A callable for progress may refer to the sorter that holds it. What is left then at the end of the interpreter
  // harms nobody, and programs are not to print lines about it.
  nanobind::set_leak_warnings(false);
  sortie::python::translate_errors();
  sortie::python::bind_files(module);
  sortie::python::bind_arrays(module);
  sortie::python::bind_sorter(module);
}
