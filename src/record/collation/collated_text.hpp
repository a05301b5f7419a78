// Asks the C library about text in a locale: how strcoll() orders it, and how strxfrm() writes it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "record/collation/locale_handle.hpp"

namespace sortie {

/// Text with a NUL behind it, which `size` does not count.
struct TerminatedText {
  const char* begin;
  std::size_t size;
};

/// The sign of the order of two texts as GNU sort compares them: by strcoll(), piece by piece if they hold NULs.
/// Thread-safe.
int compare_collated(const LocaleHandle& locale, TerminatedText a, TerminatedText b);
int compare_collated(const LocaleHandle& locale, std::string_view a, std::string_view b);

/// Appends strxfrm() of `text`, which holds no NUL. One call in the common case. Thread-safe.
void append_transformed_piece(const LocaleHandle& locale, const std::string& text, std::string& out);

/// Appends strxfrm() of each piece of `text` between NULs, with a NUL behind each; nothing if `text` is empty. Random
/// keys are hashed from it. Thread-safe.
void append_transformed(const LocaleHandle& locale, std::string_view text, std::string& out);

}  // namespace sortie
