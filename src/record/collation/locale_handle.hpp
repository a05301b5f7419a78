// The C library's locale as it was when a sort began: a copy, so that neither setlocale() nor uselocale() of any thread
// changes the order in the middle of a sort. The text locale takes it; everything that asks the C library about text
// passes it.
#pragma once

#include <clocale>
#include <memory>
#include <string_view>
#include <type_traits>

namespace sortie {

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

}  // namespace sortie
