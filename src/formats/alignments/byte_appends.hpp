// Appends to bytes what files of alignments are made of.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"

namespace sortie::formats::alignments {

inline void append_bytes(std::span<const std::byte> bytes, std::vector<std::byte>& out) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

inline void append_text(std::string_view text, std::vector<std::byte>& out) {
  append_bytes(std::as_bytes(std::span(text)), out);
}

inline void append_text_and_nul(std::string_view text, std::vector<std::byte>& out) {
  append_text(text, out);
  out.push_back(std::byte{});
}

/// Little-endian.
template <class Number>
void append_number(Number number, std::vector<std::byte>& out) {
  out.resize(out.size() + sizeof number);
  store_as(out.data() + out.size() - sizeof number, number);
}

}  // namespace sortie::formats::alignments
