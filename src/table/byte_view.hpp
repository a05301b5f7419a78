// A view of bytes as Arrow has it: short ones lie in it, others in a buffer.
//
//   length (4) | bytes, up to 12, then zeros
//   length (4) | first 4 bytes | number of the buffer (4) | position in it (4)
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/bytes.hpp"

namespace sortie::table {

struct ByteView {
  static constexpr std::size_t kBytes = 16;
  static constexpr std::uint32_t kMostInline = 12;

  static std::uint32_t length(const std::byte* view) { return load_as<std::uint32_t>(view); }
  static bool is_inline(const std::byte* view) { return length(view) <= kMostInline; }
  static const std::byte* inline_bytes(const std::byte* view) { return view + 4; }
  static std::uint32_t buffer(const std::byte* view) { return load_as<std::uint32_t>(view + 8); }
  static std::uint32_t offset(const std::byte* view) { return load_as<std::uint32_t>(view + 12); }

  static void set_offset(std::byte* view, std::uint32_t offset) { store_as(view + 12, offset); }

  /// Makes the view of `text`. `offset`: where that is in the first buffer, if it is not short.
  static void make(std::byte* view, std::string_view text, std::uint32_t offset) {
    store_as(view, static_cast<std::uint32_t>(text.size()));
    std::memset(view + 4, 0, kBytes - 4);
    if (text.size() <= kMostInline) {
      if (!text.empty()) std::memcpy(view + 4, text.data(), text.size());
      return;
    }
    std::memcpy(view + 4, text.data(), 4);
    set_offset(view, offset);
  }
};

}  // namespace sortie::table
