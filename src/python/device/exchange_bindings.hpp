// The part of the submodule `device` that holds memory and tensors.
#pragma once

#include <nanobind/nanobind.h>

namespace sortie::python {

void bind_exchange(nanobind::module_& device);
void bind_tensor_door(nanobind::module_& device);

}  // namespace sortie::python
