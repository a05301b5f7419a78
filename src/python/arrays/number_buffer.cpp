#include "python/arrays/number_buffer.hpp"

#include <cstdint>
#include <string_view>
#include <utility>

#include "python/raise_errors.hpp"
#include "python/text_object.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

/// The name of the type that a buffer's format means; of more than one letter as it stands.
std::string type_of_format(std::string_view format, Py_ssize_t item_bytes) {
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

/// The object, if it has a buffer.
nb::handle with_buffer(nb::handle object, const char* name) {
  if (PyObject_CheckBuffer(object.ptr()) != 0) return object;
  raise_type_error(std::string(name) + " must be an array, not " + class_name(object) + ": try numpy.asarray()");
}

}  // namespace

HeldBuffer::HeldBuffer(nb::handle object, int flags) {
  if (PyObject_GetBuffer(object.ptr(), &buffer_, flags) != 0) throw nb::python_error();
}

NumberBuffer::NumberBuffer(nb::handle object, const char* name, Use use)
    : name_(name), buffer_(with_buffer(object, name), PyBUF_RECORDS_RO) {
  type_ = type_of_format(buffer_->format == nullptr ? "B" : buffer_->format, buffer_->itemsize);
  set_kind();
  if (use == Use::kWrite && buffer_->readonly != 0)
    raise_value_error(name_ + " is read-only: pass an array that may be written");
  check_shape();
  count_ = static_cast<std::size_t>(buffer_->shape[0]);
}

void NumberBuffer::set_kind() {
  constexpr std::pair<std::string_view, FieldKind> kKinds[] = {
      {"int", FieldKind::kSigned}, {"uint", FieldKind::kUnsigned}, {"float", FieldKind::kFloat}};
  number_bytes_ = static_cast<unsigned>(buffer_->itemsize);
  if (type_ == "bool") return;
  for (const auto& [prefix, kind] : kKinds) {
    if (!type_.starts_with(prefix) || number_bytes_ > 8) continue;
    kind_ = kind;
    return;
  }
  raise_type_error(
      name_ + " is an array of " + type_ +
      ", and known are bool, and integers and floats of 64 bits at most, in the byte order of this machine");
}

void NumberBuffer::refuse_unaligned() const {
  if (reinterpret_cast<std::uintptr_t>(buffer_->buf) % number_bytes_ == 0) return;
  raise_value_error(name_ + " does not lie at a multiple of " + std::to_string(number_bytes_) + " bytes: pass " +
                    name_ + ".copy()");
}

void NumberBuffer::check_shape() const {
  if (buffer_->ndim != 1) {
    raise_value_error(name_ + " has " + std::to_string(buffer_->ndim) + " dimensions, and one is sorted: pass " +
                      name_ + ".reshape(-1), or one row at a time");
  }
  // Arrays of ctypes give no strides, which means that their items lie side by side.
  if (buffer_->strides != nullptr && buffer_->shape[0] > 1 && buffer_->strides[0] != buffer_->itemsize) {
    raise_value_error(name_ + " is not contiguous: pass numpy.ascontiguousarray(" + name_ + ")");
  }
}

}  // namespace sortie::python
