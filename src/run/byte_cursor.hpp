// Builds and takes apart little-endian structures field by field. Used by the run format only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.hpp"

namespace sortie {

class ByteBuilder {
 public:
  template <class Number>
  void number(Number value) {
    bytes_.resize(bytes_.size() + sizeof value);
    store_as(bytes_.data() + bytes_.size() - sizeof value, value);
  }
  void bytes(std::span<const std::byte> source) { bytes_.insert(bytes_.end(), source.begin(), source.end()); }

  std::size_t size() const { return bytes_.size(); }
  std::span<const std::byte> view() const { return bytes_; }
  std::vector<std::byte> take() && { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

/// Reading past the end gives zeros and makes complete() false: one check after all fields are read.
class ByteCursor {
 public:
  explicit ByteCursor(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class Number>
  Number number() {
    const std::span<const std::byte> source = bytes(sizeof(Number));
    return source.empty() ? Number{} : load_as<Number>(source.data());
  }
  /// The next `count` bytes; empty if fewer are left.
  std::span<const std::byte> bytes(std::size_t count) {
    if (rest_.size() < count) {
      overrun_ = true;
      return {};
    }
    const std::span<const std::byte> taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }

  bool overrun() const { return overrun_; }
  /// Whether exactly all bytes have been read.
  bool complete() const { return !overrun_ && rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
  bool overrun_ = false;
};

}  // namespace sortie
