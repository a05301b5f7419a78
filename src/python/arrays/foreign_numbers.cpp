#include "python/arrays/foreign_numbers.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "python/bindings.hpp"
#include "python/raise_errors.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

/// A kind of numbers as the three interfaces know it.
struct NumberKind {
  std::uint8_t dlpack_code;
  std::uint8_t bytes;
  const char* arrow;   // null: Arrow has it otherwise
  const char* buffer;  // a letter of the module struct
};

constexpr std::uint8_t kInt = static_cast<std::uint8_t>(nb::dlpack::dtype_code::Int);
constexpr std::uint8_t kUInt = static_cast<std::uint8_t>(nb::dlpack::dtype_code::UInt);
constexpr std::uint8_t kFloat = static_cast<std::uint8_t>(nb::dlpack::dtype_code::Float);
constexpr std::uint8_t kBool = static_cast<std::uint8_t>(nb::dlpack::dtype_code::Bool);

constexpr NumberKind kNumberKinds[] = {{kInt, 1, "c", "b"},   {kUInt, 1, "C", "B"},  {kInt, 2, "s", "h"},
                                       {kUInt, 2, "S", "H"},  {kInt, 4, "i", "i"},   {kUInt, 4, "I", "I"},
                                       {kInt, 8, "l", "q"},   {kUInt, 8, "L", "Q"},  {kFloat, 2, "e", "e"},
                                       {kFloat, 4, "f", "f"}, {kFloat, 8, "g", "d"}, {kBool, 1, nullptr, "?"}};

/// Whether an object says with the error that it has no such array, and not, for example, that memory is exhausted.
bool refuses_array(const nb::python_error& error) {
  return error.matches(PyExc_BufferError) || error.matches(PyExc_ValueError) || error.matches(PyExc_TypeError);
}

/// What __dlpack__() of the object gives: a capsule of the present form, or of the old one where that is not known.
nb::object capsule_of(nb::handle object) {
  const nb::object give = object.attr("__dlpack__");
  try {
    return give(nb::arg("max_version") = nb::make_tuple(1, 0));
  } catch (nb::python_error& error) {
    const std::string text = nb::cast<std::string>(nb::str(error.value()));
    if (!error.matches(PyExc_TypeError) || text.find("keyword") == std::string::npos) throw;
  }
  return give();
}

nb::ndarray<nb::ro> tensor_of(nb::handle object, const std::string& name) {
  nb::ndarray<nb::ro> tensor;
  std::string reason;
  try {
    if (!nb::try_cast(capsule_of(object), tensor)) reason = " (it is of no known form)";
  } catch (nb::python_error& error) {
    if (!refuses_array(error)) throw;
    reason = " (" + nb::cast<std::string>(nb::str(error.value())) + ")";
  }
  if (reason.empty()) return tensor;
  raise_type_error(name + ": its DLPack could not be taken over" + reason +
                   ": pass an array in the memory of the host");
}

/// What a tensor holds, in the words of NumPy as far as it has them.
std::string tensor_type(nb::handle object) {
  return nb::hasattr(object, "dtype") ? nb::cast<std::string>(nb::str(object.attr("dtype"))) : "numbers of this type";
}

ForeignNumbers numbers_of_dlpack(nb::handle object, const std::string& name) {
  nb::ndarray<nb::ro> tensor = tensor_of(object, name);
  if (tensor.device_type() != nb::device::cpu::value) {
    raise_value_error(name +
                      " lies in the memory of a device: sortie.cuda sorts it there, or copy it to the host first, "
                      "for example with .cpu()");
  }
  const nb::dlpack::dtype type = tensor.dtype();
  const auto* const kind = std::ranges::find_if(kNumberKinds, [&](const NumberKind& known) {
    return known.dlpack_code == type.code && 8U * known.bytes == type.bits && type.lanes == 1;
  });
  if (kind == std::end(kNumberKinds)) {
    raise_type_error(name + " is an array of " + tensor_type(object) +
                     ", and known are bool, and integers and floats of 64 bits at most");
  }
  ForeignNumbers numbers;
  numbers.data = const_cast<void*>(tensor.data());
  numbers.format = kind->buffer;
  numbers.item_bytes = kind->bytes;
  nb::ndarray<> writable;
  numbers.is_read_only = !nb::try_cast(capsule_of(object), writable);
  for (std::size_t i = 0; i < tensor.ndim(); ++i) {
    numbers.shape.push_back(static_cast<Py_ssize_t>(tensor.shape(i)));
    numbers.strides.push_back(static_cast<Py_ssize_t>(tensor.stride(i)) * kind->bytes);
  }
  numbers.owner = std::move(tensor);
  return numbers;
}

std::int64_t null_count(const ArrowSchema& schema, const ArrowArray& column) {
  if (std::string_view(schema.format) == "n") return column.length;
  if (column.null_count >= 0 || column.n_buffers == 0 || column.buffers[0] == nullptr) {
    return std::max<std::int64_t>(column.null_count, 0);
  }
  const auto* const bits = static_cast<const std::uint8_t*>(column.buffers[0]);
  std::int64_t nulls = 0;
  for (std::int64_t i = column.offset; i < column.offset + column.length; ++i) nulls += (bits[i / 8] >> i % 8 & 1) == 0;
  return nulls;
}

/// None if it holds other things than numbers. Refuses nulls, of whatever.
std::optional<ForeignNumbers> numbers_of_arrow(nb::handle object, const std::string& name) {
  const nb::tuple capsules = nb::cast<nb::tuple>(object.attr("__arrow_c_array__")());
  const ArrowSchema& schema = struct_in<ArrowSchema>(capsules[0]);
  if (std::string_view(schema.format) == "+s") {
    raise_type_error(name + " is a table: sort_table() sorts its rows");
  }
  auto owner = std::make_shared<ArrowOwner<ArrowArray>>(struct_in<ArrowArray>(capsules[1]));
  const ArrowArray& column = **owner;
  if (const std::int64_t nulls = null_count(schema, column); nulls > 0) {
    raise_value_error(name + " has " + counted(nulls, "null") +
                      (nulls == 1 ? ", which is no value: leave it out or fill it"
                                  : ", which are no values: leave them out or fill them") +
                      ", for example with drop_null() or fill_null()");
  }
  const auto* const kind = std::ranges::find_if(kNumberKinds, [&](const NumberKind& known) {
    return known.arrow != nullptr && std::string_view(schema.format) == known.arrow && schema.dictionary == nullptr;
  });
  if (kind == std::end(kNumberKinds)) return std::nullopt;
  ForeignNumbers numbers;
  // Without numbers there may be no memory, but a buffer has an address.
  static std::byte nothing{};
  const auto* const values = static_cast<const std::byte*>(column.buffers[1]);
  numbers.data = values == nullptr ? &nothing : const_cast<std::byte*>(values + column.offset * kind->bytes);
  numbers.format = kind->buffer;
  numbers.item_bytes = kind->bytes;
  numbers.shape = {static_cast<Py_ssize_t>(column.length)};
  numbers.strides = {kind->bytes};
  numbers.owner = std::move(owner);
  return numbers;
}

int give_buffer(PyObject* self, Py_buffer* view, int flags) {
  ForeignNumbers& numbers = *nb::inst_ptr<ForeignNumbers>(nb::handle(self));
  if (numbers.is_read_only && (flags & PyBUF_WRITABLE) != 0) {
    PyErr_SetString(PyExc_BufferError, "the numbers are read-only");
    return -1;
  }
  if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
    PyErr_SetString(PyExc_BufferError, "the numbers are given with their strides alone");
    return -1;
  }
  *view = {};
  view->buf = numbers.data;
  view->itemsize = numbers.item_bytes;
  view->len = numbers.item_bytes;
  for (const Py_ssize_t length : numbers.shape) view->len *= length;
  view->readonly = numbers.is_read_only ? 1 : 0;
  view->ndim = static_cast<int>(numbers.shape.size());
  view->format = (flags & PyBUF_FORMAT) == PyBUF_FORMAT ? const_cast<char*>(numbers.format) : nullptr;
  view->shape = numbers.shape.data();
  view->strides = numbers.strides.data();
  view->obj = self;
  Py_INCREF(self);
  return 0;
}

PyType_Slot slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(give_buffer)}, {0, nullptr}};

}  // namespace

void bind_foreign_numbers(nb::module_& module) {
  const nb::class_<ForeignNumbers> numbers_class(module, "ForeignNumbers", nb::type_slots(slots));
  module.def("numbers_of_dlpack", &numbers_of_dlpack, nb::arg("array"), nb::arg("name"));
  module.def(
      "numbers_of_arrow",
      [](nb::handle object, const std::string& name) {
        std::optional<ForeignNumbers> numbers = numbers_of_arrow(object, name);
        return numbers ? nb::cast(std::move(*numbers)) : nb::none();
      },
      nb::arg("array"), nb::arg("name"));
}

}  // namespace sortie::python
