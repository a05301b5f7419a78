// Asks the C library about text in a locale: how strcoll() orders it, and how strxfrm() writes it. Used by collated
// keys and by whoever orders ties.
#pragma once

#include <clocale>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

namespace sortie {

/// The C library's locale as it was when a sort began: a copy, so that neither setlocale() nor uselocale() of any
/// thread changes the order in the middle of a sort. Everything that asks the C library about text passes it.
class LocaleHandle {
 public:
  /// The locale that the calling thread has set by uselocale(), else the one that setlocale() has set. Throws
  /// std::bad_alloc.
  static LocaleHandle current();
  /// The locale "C", whatever is set.
  static LocaleHandle c();

  locale_t get() const { return locale_.get(); }

  /// The name of the locale in `category`, LC_COLLATE for example.
  std::string_view name(int category) const;
  bool is_c(int category) const { return name(category) == "C" || name(category) == "POSIX"; }

 private:
  explicit LocaleHandle(locale_t locale);

  std::shared_ptr<std::remove_pointer_t<locale_t>> locale_;
};

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
