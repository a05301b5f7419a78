// The bytes of a group's state, one after another: whole numbers in as few bytes as they need, and texts behind their
// lengths. Used by all that is part of a state.
//
//   number   seven bits a byte, the low ones first; the high bit says that more follow
//   value    twice its length, then its bytes; of a long one that was written before, twice its number among long ones,
//            plus 1
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <sortie/error.hpp>

#include "base/release_memory.hpp"

namespace sortie {

class StateWriter {
 public:
  void clear() {
    bytes_.clear();
    values_.clear();
    if (bytes_.capacity() > kUsualBytes) release_memory(bytes_);
  }
  const std::vector<char>& bytes() const { return bytes_; }

  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>(value | 0x80));
    bytes_.push_back(static_cast<char>(value));
  }
  /// Bytes whose number the reader knows.
  void raw(std::string_view bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void text(std::string_view text) {
    number(text.size());
    raw(text);
  }
  /// Long values that are the same are written once. They must stay as they are until clear().
  void value(std::string_view value) {
    if (value.size() >= kLongValueBytes) {
      const auto same = std::ranges::find(values_, value);
      if (same != values_.end()) return number(2 * static_cast<std::uint64_t>(same - values_.begin()) + 1);
      values_.push_back(value);
    }
    number(2 * std::uint64_t{value.size()});
    raw(value);
  }

  static constexpr std::size_t kLongValueBytes = 128;

 private:
  /// More memory is given back.
  static constexpr std::size_t kUsualBytes = 64 << 10;

  std::vector<char> bytes_;
  std::vector<std::string_view> values_;  // long ones
};

/// Throws Error where the bytes end too early.
class StateReader {
 public:
  explicit StateReader(std::string_view bytes) : rest_(bytes) {}

  bool at_end() const { return rest_.empty(); }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) refuse();
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    refuse();
  }
  std::string_view raw(std::uint64_t size) {
    if (size > rest_.size()) refuse();
    const std::string_view bytes = rest_.substr(0, static_cast<std::size_t>(size));
    rest_.remove_prefix(bytes.size());
    return bytes;
  }
  std::string_view text() { return raw(number()); }
  std::string_view value() {
    const std::uint64_t size = number();
    if (size % 2 != 0) {
      if (size / 2 >= values_.size()) refuse();
      return values_[static_cast<std::size_t>(size / 2)];
    }
    const std::string_view value = raw(size / 2);
    if (value.size() >= StateWriter::kLongValueBytes) values_.push_back(value);
    return value;
  }

  [[noreturn]] static void refuse() { throw Error("the state of a group is damaged; is the memory sound?"); }

 private:
  std::string_view rest_;
  std::vector<std::string_view> values_;  // long ones
};

}  // namespace sortie
