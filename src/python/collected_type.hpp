// Lets Python's collector find objects that their own callables refer to.
#pragma once

#include <nanobind/nanobind.h>

namespace sortie::python {

/// What nanobind is told of a class with visit_listeners() and forget_listeners().
template <class Owner>
struct CollectedType {
  static int visit(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (!nanobind::inst_ready(self)) return 0;
    return nanobind::inst_ptr<Owner>(self)->visit_listeners(visit, arg);
  }
  static int drop(PyObject* self) {
    if (nanobind::inst_ready(self)) nanobind::inst_ptr<Owner>(self)->forget_listeners();
    return 0;
  }

  static inline PyType_Slot slots[] = {
      {Py_tp_traverse, reinterpret_cast<void*>(visit)}, {Py_tp_clear, reinterpret_cast<void*>(drop)}, {0, nullptr}};
};

}  // namespace sortie::python
