// The extension module sortie._native.
#include <nanobind/nanobind.h>

#include "python/bindings.hpp"
#include "python/raise_errors.hpp"

NB_MODULE(_native, module) {
  sortie::python::translate_errors();
  sortie::python::bind_files(module);
  sortie::python::bind_arrays(module);
  sortie::python::bind_sorter(module);
}
