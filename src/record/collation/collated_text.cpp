#include "record/collation/collated_text.hpp"

#include <langinfo.h>

#include <cstring>
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

int compare_collated(const LocaleHandle& locale, TerminatedText a, TerminatedText b) {
  if (a.size == b.size && std::memcmp(a.begin, b.begin, a.size) == 0) return 0;
  if (a.size == 0 || b.size == 0) return a.size == 0 ? -1 : 1;
  while (true) {
    if (const int order = ::strcoll_l(a.begin, b.begin, locale.get()); order != 0) return order < 0 ? -1 : 1;
    const std::size_t piece_of_a = std::strlen(a.begin);
    const std::size_t piece_of_b = std::strlen(b.begin);
    const bool a_ends = piece_of_a == a.size;
    const bool b_ends = piece_of_b == b.size;
    if (a_ends || b_ends) return a_ends == b_ends ? 0 : a_ends ? -1 : 1;
    a = {a.begin + piece_of_a + 1, a.size - piece_of_a - 1};
    b = {b.begin + piece_of_b + 1, b.size - piece_of_b - 1};
  }
}

int compare_collated(const LocaleHandle& locale, std::string_view a, std::string_view b) {
  if (a == b) return 0;
  const std::string terminated_a(a);
  const std::string terminated_b(b);
  return compare_collated(locale, TerminatedText{terminated_a.c_str(), a.size()},
                          TerminatedText{terminated_b.c_str(), b.size()});
}

void append_transformed_piece(const LocaleHandle& locale, const std::string& text, std::string& out) {
  constexpr std::size_t kUsualGrowth = 8;  // four levels, the last with three bytes a letter
  const std::size_t begin = out.size();
  std::size_t room = kUsualGrowth * text.size() + 16;
  out.resize(begin + room);
  std::size_t length = ::strxfrm_l(out.data() + begin, text.c_str(), room, locale.get());
  if (length >= room) {
    room = length + 1;
    out.resize(begin + room);
    length = ::strxfrm_l(out.data() + begin, text.c_str(), room, locale.get());
  }
  out.resize(begin + length);
}

void append_transformed(const LocaleHandle& locale, std::string_view text, std::string& out) {
  std::string terminated;
  while (!text.empty()) {
    const std::size_t nul = text.find('\0');
    append_transformed_piece(locale, terminated.assign(text.substr(0, nul)), out);
    out.push_back('\0');
    if (nul == text.npos) return;
    text.remove_prefix(nul + 1);
    if (text.empty()) out.push_back('\0');  // behind a NUL at the end there is an empty piece
  }
}

}  // namespace sortie
