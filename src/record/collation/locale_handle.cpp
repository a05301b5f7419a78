#include "record/collation/locale_handle.hpp"

#include <langinfo.h>

#include <new>

namespace sortie {

LocaleHandle::LocaleHandle(locale_t locale) {
  if (locale == locale_t{}) throw std::bad_alloc();
  locale_.reset(locale, ::freelocale);
}

LocaleHandle LocaleHandle::current() { return LocaleHandle(::duplocale(::uselocale(locale_t{}))); }

LocaleHandle LocaleHandle::c() { return LocaleHandle(::newlocale(LC_ALL_MASK, "C", locale_t{})); }

std::string_view LocaleHandle::name(int category) const {
  return ::nl_langinfo_l(_NL_LOCALE_NAME(category), locale_.get());
}

}  // namespace sortie
