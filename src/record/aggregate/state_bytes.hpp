// The bytes of a group's state, one after another: whole numbers in few bytes, and texts behind their
// lengths. Used by all that is part of a state.
//
//   number   seven bits a byte, the low ones first; the high bit says that more follow. 10 takes two, so
//            that lengths of texts are no newlines, which end most lines
//   value    twice its length, then its bytes; of a long one that was written before, twice its number among long ones,
//            plus 1
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include <sortie/error.hpp>

#include "base/release_memory.hpp"

namespace sortie {

class StateWriter {
 public:
  void clear() {
    size_ = 0;
    values_.clear();
    if (bytes_.size() > kUsualBytes) release_memory(bytes_);
  }
  /// Valid until the next call.
  std::string_view bytes() const { return {bytes_.data(), size_}; }

  void number(std::uint64_t value) {
    const bool is_short = value < 0x80 && value != '\n' && size_ < bytes_.size();
    if (is_short) {
      bytes_[size_++] = static_cast<char>(value);
    } else {
      long_number(value);
    }
  }
  /// Bytes that number() writes.
  static std::size_t number_bytes(std::uint64_t value) {
    if (value == '\n') return 2;
    std::size_t bytes = 1;
    for (; value >= 0x80; value >>= 7) ++bytes;
    return bytes;
  }
  /// Bytes whose number the reader knows.
  void raw(std::string_view bytes) {
    if (bytes.empty()) return;
    std::memcpy(room(bytes.size()), bytes.data(), bytes.size());
    size_ += bytes.size();
  }
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
  /// Seven bits a byte.
  static constexpr std::size_t kMostNumberBytes = 10;
  static constexpr std::size_t kLeastBytes = 256;
  /// More memory is given back.
  static constexpr std::size_t kUsualBytes = 64 << 10;

  [[gnu::noinline]] void long_number(std::uint64_t value) {
    char* at = room(kMostNumberBytes);
    if (value == '\n') {
      *at++ = static_cast<char>('\n' | 0x80);
      value = 0;
    }
    for (; value >= 0x80; value >>= 7) *at++ = static_cast<char>(value | 0x80);
    *at++ = static_cast<char>(value);
    size_ = static_cast<std::size_t>(at - bytes_.data());
  }
  char* room(std::size_t count) {
    if (bytes_.size() - size_ < count) bytes_.resize(std::max({kLeastBytes, 2 * bytes_.size(), size_ + count}));
    return bytes_.data() + size_;
  }

  std::vector<char> bytes_;  // of which the first are in use
  std::size_t size_ = 0;
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
