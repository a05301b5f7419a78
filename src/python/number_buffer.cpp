#include "python/number_buffer.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "python/text_object.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

constexpr std::string_view kKnownTypes = "int32, uint32, int64, uint64, float32 and float64";

[[noreturn]] void raise_value_error(const std::string& message) { throw nb::value_error(message.c_str()); }
[[noreturn]] void raise_type_error(const std::string& message) { throw nb::type_error(message.c_str()); }

/// What the `dtype` of an object is called, or its class where it has none.
std::string name_of_type(nb::handle object) {
  if (!nb::hasattr(object, "dtype")) return class_name(object);
  const nb::object type = object.attr("dtype");
  std::string name = nb::cast<std::string>(nb::str(nb::handle(type)));
  // That of an array of structs has the names of all fields.
  constexpr std::size_t kMostShown = 400;
  if (name.size() > kMostShown) name.replace(kMostShown, std::string::npos, "...");
  return name;
}

/// Whether an object says with the error that it has no such array, and not, for example, that memory is exhausted.
bool refuses_array(const nb::python_error& error) {
  return error.matches(PyExc_BufferError) || error.matches(PyExc_ValueError) || error.matches(PyExc_TypeError);
}

/// What __dlpack__() of the object gives: a capsule of the present form, or of the old one where that is not known.
nb::object tensor_of(nb::handle object) {
  const nb::object give = object.attr("__dlpack__");
  try {
    return give(nb::arg("max_version") = nb::make_tuple(1, 0));
  } catch (nb::python_error& error) {
    const std::string text = nb::cast<std::string>(nb::str(error.value()));
    if (!error.matches(PyExc_TypeError) || text.find("keyword") == std::string::npos) throw;
  }
  return give();
}

/// The advice in a message about a type; empty where a conversion would change the values or their order.
std::string conversion_of(const std::string& name, const std::string& type) {
  constexpr std::pair<std::string_view, std::string_view> kWider[] = {{"bool", "int32"},    {"int8", "int32"},
                                                                      {"int16", "int32"},   {"uint8", "uint32"},
                                                                      {"uint16", "uint32"}, {"float16", "float32"}};
  if (type.starts_with("big-endian"))
    return ": convert it with " + name + ".astype(" + name + ".dtype.newbyteorder(\"=\"))";
  if (type.starts_with("datetime64") || type.starts_with("timedelta64")) {
    return ": sort the numbers in it with " + name + ".view(\"int64\")";
  }
  for (const auto& [narrow, wide] : kWider) {
    if (type == narrow) return ": convert it with " + name + ".astype(\"" + std::string(wide) + "\")";
  }
  return {};
}

/// The name of the type that a buffer's format means; of more than one letter as it stands.
std::string type_of_format(std::string_view format, std::size_t item_bytes) {
  const std::string bits = std::to_string(8 * item_bytes);
  std::string prefix;
  if (!format.empty() && std::string_view("@=<").find(format.front()) != std::string_view::npos) {
    format.remove_prefix(1);
  } else if (!format.empty() && std::string_view(">!").find(format.front()) != std::string_view::npos) {
    prefix = "big-endian ";
    format.remove_prefix(1);
  }
  if (format.size() != 1) return std::string(format);
  const char letter = format.front();
  if (std::string_view("bhilqn").find(letter) != std::string_view::npos) return prefix + "int" + bits;
  if (std::string_view("BHILQN").find(letter) != std::string_view::npos) return prefix + "uint" + bits;
  if (std::string_view("efdg").find(letter) != std::string_view::npos) return prefix + "float" + bits;
  return letter == '?' ? "bool" : prefix + letter;
}

std::string type_of_tensor(nb::dlpack::dtype type) {
  using Code = nb::dlpack::dtype_code;
  constexpr std::pair<Code, const char*> kNames[] = {
      {Code::Int, "int"}, {Code::UInt, "uint"}, {Code::Float, "float"}, {Code::Bfloat, "bfloat"}};
  if (type.lanes == 1 && type.code == static_cast<std::uint8_t>(Code::Bool)) return "bool";
  for (const auto& [code, name] : kNames) {
    if (type.lanes == 1 && type.code == static_cast<std::uint8_t>(code)) return name + std::to_string(type.bits);
  }
  return "of this type";
}

}  // namespace

HeldBuffer::HeldBuffer(nb::handle object, int flags) {
  if (PyObject_GetBuffer(object.ptr(), &buffer_, flags) != 0) throw nb::python_error();
}

NumberBuffer::NumberBuffer(nb::handle object, const char* name, Use use) : name_(name) {
  if (PyObject_CheckBuffer(object.ptr()) != 0) {
    hold_buffer(object, use);
  } else if (nb::hasattr(object, "__dlpack__")) {
    hold_dlpack(object, use);
  } else {
    raise_type_error(name_ + " must be an array of " + std::string(kKnownTypes) +
                     " with the buffer protocol or DLPack, not " + class_name(object) + ": try numpy.asarray()");
  }
}

std::string NumberBuffer::type() const {
  const char* const kind = kind_ == FieldKind::kFloat ? "float" : kind_ == FieldKind::kSigned ? "int" : "uint";
  return kind + std::to_string(8 * number_bytes_);
}

void NumberBuffer::hold_buffer(nb::handle object, Use use) {
  try {
    buffer_.emplace(object, PyBUF_FORMAT | PyBUF_STRIDES);
  } catch (nb::python_error& error) {
    if (!refuses_array(error)) throw;
    refuse_type(object, name_of_type(object));
  }
  const Py_buffer& buffer = **buffer_;
  set_type(object,
           type_of_format(buffer.format == nullptr ? "B" : buffer.format, static_cast<std::size_t>(buffer.itemsize)));
  if (use == Use::kWrite && buffer.readonly != 0)
    raise_value_error(name_ + " is read-only: pass an array that may be written");
  // Arrays of ctypes give no strides, which means that their items lie side by side.
  const bool is_dense =
      buffer.ndim != 1 || buffer.strides == nullptr || buffer.shape[0] < 2 || buffer.strides[0] == buffer.itemsize;
  check_shape(static_cast<std::size_t>(buffer.ndim), is_dense);
  count_ = static_cast<std::size_t>(buffer.shape[0]);
  data_ = buffer.buf;
}

void NumberBuffer::hold_dlpack(nb::handle object, Use use) {
  nb::ndarray<nb::ro> tensor;
  std::string reason;
  try {
    if (!nb::try_cast(tensor_of(object), tensor)) reason = " (it is of no known form)";
  } catch (nb::python_error& error) {
    if (!refuses_array(error)) throw;
    reason = " (" + nb::cast<std::string>(nb::str(error.value())) + ")";
  }
  if (!reason.empty()) {
    raise_type_error(name_ + ": its DLPack could not be taken over" + reason +
                     ": pass an array in the memory of the host");
  }
  if (tensor.device_type() != nb::device::cpu::value) {
    raise_value_error(name_ + " lies in the memory of a device: copy it to the host first, for example with .cpu()");
  }
  set_type(object, type_of_tensor(tensor.dtype()));
  if (use == Use::kWrite) {
    nb::ndarray<> writable;
    if (!nb::try_cast(tensor_of(object), writable))
      raise_value_error(name_ + " is read-only: pass an array that may be written");
  }
  check_shape(tensor.ndim(), tensor.ndim() != 1 || tensor.shape(0) < 2 || tensor.stride(0) == 1);
  count_ = tensor.shape(0);
  data_ = const_cast<void*>(tensor.data());
  tensor_.emplace(std::move(tensor));
}

void NumberBuffer::set_type(nb::handle object, const std::string& type) {
  constexpr std::pair<std::string_view, FieldKind> kKinds[] = {
      {"int", FieldKind::kSigned}, {"uint", FieldKind::kUnsigned}, {"float", FieldKind::kFloat}};
  for (const auto& [prefix, kind] : kKinds) {
    if (!type.starts_with(prefix)) continue;
    const std::string_view bits = std::string_view(type).substr(prefix.size());
    if (bits != "32" && bits != "64") continue;
    kind_ = kind;
    number_bytes_ = bits == "32" ? 4 : 8;
    return;
  }
  refuse_type(object, type);
}

void NumberBuffer::refuse_type(nb::handle object, const std::string& type) const {
  const std::string shown = nb::hasattr(object, "dtype") ? name_of_type(object) : type;
  const char* const order = type.starts_with("big-endian") ? " in the byte order of this machine" : "";
  raise_type_error(name_ + " is an array of " + shown + ", and known are " + std::string(kKnownTypes) + order +
                   conversion_of(name_, type));
}

void NumberBuffer::refuse_unaligned() const {
  if (reinterpret_cast<std::uintptr_t>(data_) % number_bytes_ == 0) return;
  raise_value_error(name_ + " does not lie at a multiple of " + std::to_string(number_bytes_) + " bytes: pass " +
                    name_ + ".copy()");
}

void NumberBuffer::check_shape(std::size_t dimensions, bool is_dense) const {
  if (dimensions != 1) {
    raise_value_error(name_ + " has " + std::to_string(dimensions) + " dimensions, and one is sorted: pass " + name_ +
                      ".reshape(-1), or one row at a time");
  }
  if (!is_dense) {
    raise_value_error(name_ + " is not contiguous: pass numpy.ascontiguousarray(" + name_ + ")");
  }
}

}  // namespace sortie::python
