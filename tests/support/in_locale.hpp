// The process's locale for the time of a test. Where the machine lacks it the test is skipped, but in CI it fails
// there: tools/setup makes the locales that tests need.
#pragma once

#include <gtest/gtest.h>

#include <clocale>
#include <cstdlib>

namespace sortie::test {

class InLocale {
 public:
  explicit InLocale(const char* name) : is_set_(std::setlocale(LC_ALL, name) != nullptr) {}
  ~InLocale() { std::setlocale(LC_ALL, "C"); }
  InLocale(const InLocale&) = delete;
  InLocale& operator=(const InLocale&) = delete;

  bool is_set() const { return is_set_; }

 private:
  bool is_set_;
};

inline bool must_not_skip() { return std::getenv("CI") != nullptr; }

}  // namespace sortie::test

/// Ends the test unless `locale`, an InLocale, is set.
#define SORTIE_REQUIRE_LOCALE(locale)                                                    \
  if (!(locale).is_set()) {                                                              \
    if (sortie::test::must_not_skip()) FAIL() << "a locale is missing: run tools/setup"; \
    GTEST_SKIP() << "a locale is missing: run tools/setup";                              \
  }                                                                                      \
  static_assert(true)
