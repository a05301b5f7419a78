// Text as strxfrm() transforms it in the C library's current locale.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sortie {

/// Appends strxfrm() of `text`, which holds no NUL. One call in the common case. Thread-safe.
void append_transformed_piece(const std::string& text, std::string& out);

/// Appends strxfrm() of each piece of `text` between NULs, with a NUL behind each; nothing if `text` is empty. Random
/// keys are hashed from it. Thread-safe.
void append_transformed(std::string_view text, std::string& out);

/// Calls `visit(piece)` for each piece of `text` between NULs; not at all if `text` is empty.
template <class Visit>
void for_each_piece(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t nul = text.find('\0');
    if (nul == text.npos) {
      visit(text);
      return;
    }
    visit(text.substr(0, nul));
    text.remove_prefix(nul + 1);
    if (text.empty()) {
      visit(text);  // behind a NUL at the end there is an empty piece
    }
  }
}

}  // namespace sortie
