// Numbers of other libraries as a buffer of Python: tensors by DLPack, columns by the Arrow C data interface. What has
// no buffer protocol itself becomes an array of NumPy, or a memoryview, over the same memory.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <variant>
#include <vector>

#include "python/arrow_structs.hpp"

namespace sortie::python {

class ForeignNumbers {
 public:
  /// Who owns the memory.
  using Owner = std::variant<nanobind::ndarray<nanobind::ro>, std::shared_ptr<ArrowOwner<ArrowArray>>>;

  Owner owner;
  void* data = nullptr;
  const char* format = nullptr;  // as the buffer protocol has it
  Py_ssize_t item_bytes = 0;
  bool is_read_only = true;
  std::vector<Py_ssize_t> shape;
  std::vector<Py_ssize_t> strides;  // in bytes
};

}  // namespace sortie::python
