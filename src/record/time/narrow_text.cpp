#include "record/time/narrow_text.hpp"

#include <algorithm>

namespace sortie {
namespace {

struct WideForm {
  std::string_view bytes;
  char narrow;
};

/// Colons, hyphens and the blank of other blocks.
constexpr auto kWideForms = std::to_array<WideForm>({{"\xE2\x88\xB6", ':'},
                                                     {"\xEA\x9E\x89", ':'},
                                                     {"\xEF\xB8\xB0", ':'},
                                                     {"\xEF\xB9\x95", ':'},
                                                     {"\xE2\x80\x90", '-'},
                                                     {"\xE2\x80\x91", '-'},
                                                     {"\xE2\x80\x92", '-'},
                                                     {"\xE2\x80\x93", '-'},
                                                     {"\xE3\x80\x80", ' '}});

bool is_at(const TimeCursor& cursor, std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (cursor.peek(i) != bytes[i]) return false;
  }
  return true;
}

/// The ASCII form of the character that comes next, and the bytes of the other; NUL if it has none.
char narrow_form(const TimeCursor& cursor, std::size_t& bytes) {
  const auto second = static_cast<unsigned char>(cursor.peek(1));
  const auto third = static_cast<unsigned char>(cursor.peek(2));
  bytes = 3;
  if (cursor.peek() == '\xEF' && second == 0xBC && third > 0x80) return static_cast<char>('!' + (third - 0x81));
  if (cursor.peek() == '\xEF' && second == 0xBD && third < 0x9F) return static_cast<char>('`' + (third - 0x80));
  const auto* const found =
      std::ranges::find_if(kWideForms, [&](const WideForm& form) { return is_at(cursor, form.bytes); });
  if (found != kWideForms.end()) return found->narrow;
  bytes = 2;
  if (cursor.peek() == '\xD9' && second >= 0xA0 && second <= 0xA9) return static_cast<char>('0' + (second - 0xA0));
  if (cursor.peek() == '\xDB' && second >= 0xB0 && second <= 0xB9) return static_cast<char>('0' + (second - 0xB0));
  return '\0';
}

}  // namespace

NarrowText::NarrowText(TimeCursor cursor) {
  while (size_ < bytes_.size() && !cursor.is_at_end()) {
    std::size_t bytes = 0;
    const char narrow = (cursor.peek() & 0x80) != 0 ? narrow_form(cursor, bytes) : '\0';
    if (narrow == '\0') bytes = 1;
    has_changed_ = has_changed_ || narrow != '\0';
    has_new_begin_ = has_new_begin_ || (size_ == 0 && narrow != '\0');
    bytes_[size_++] = narrow == '\0' ? cursor.peek() : narrow;
    for (std::size_t i = 0; i < bytes; ++i) cursor.skip();
  }
}

bool has_wide_text_ahead(const TimeCursor& cursor) {
  for (std::size_t i = 0; i < 16; ++i) {
    if ((cursor.peek(i) & 0x80) != 0) return true;
  }
  return false;
}

bool is_at_wide_hour_mark(const TimeCursor& cursor) {
  constexpr auto kMarks =
      std::to_array<std::string_view>({"\xE6\x99\x82", "\xE6\x97\xB6", "\xE7\x82\xB9", "\xE9\xBB\x9E", "\xEC\x8B\x9C"});
  return std::ranges::any_of(kMarks, [&](std::string_view mark) { return is_at(cursor, mark); });
}

}  // namespace sortie
