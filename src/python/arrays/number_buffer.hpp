// Memory of Python's objects by the buffer protocol: arrays of numbers, and plain bytes. What does not suit is refused
// with its name and a way out.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include <sortie/format.hpp>

namespace sortie::python {

/// A buffer that is held as long as this lives. Make and destroy it with the GIL.
class HeldBuffer {
 public:
  /// `flags`: as PyObject_GetBuffer() takes them. Raises what the object raises.
  HeldBuffer(nanobind::handle object, int flags);
  ~HeldBuffer() { PyBuffer_Release(&buffer_); }
  HeldBuffer(const HeldBuffer&) = delete;
  HeldBuffer& operator=(const HeldBuffer&) = delete;

  const Py_buffer& operator*() const { return buffer_; }
  const Py_buffer* operator->() const { return &buffer_; }
  std::span<std::byte> bytes() const {
    return {static_cast<std::byte*>(buffer_.buf), static_cast<std::size_t>(buffer_.len)};
  }

 private:
  Py_buffer buffer_{};
};

/// One dimension of numbers that lie side by side, in the byte order of the machine.
class NumberBuffer {
 public:
  enum class Use : bool { kRead, kWrite };

  /// `name`: of the argument, for messages. Raises TypeError for objects and types that cannot be sorted, ValueError
  /// for their shapes.
  NumberBuffer(nanobind::handle object, const char* name, Use use);

  FieldKind kind() const { return kind_; }
  unsigned number_bytes() const { return number_bytes_; }
  std::size_t count() const { return count_; }
  std::span<std::byte> bytes() const { return {static_cast<std::byte*>(buffer_->buf), count_ * number_bytes_}; }
  bool has_type_of(const NumberBuffer& other) const { return type_ == other.type_; }
  /// As NumPy calls it.
  const std::string& type() const { return type_; }
  /// Raises ValueError if the numbers do not lie where the processor reads them one by one.
  void refuse_unaligned() const;

 private:
  void set_kind();
  void check_shape() const;

  std::string name_;
  HeldBuffer buffer_;
  std::string type_;
  FieldKind kind_ = FieldKind::kUnsigned;
  unsigned number_bytes_ = 0;
  std::size_t count_ = 0;
};

}  // namespace sortie::python
