// Sets the process's locale during a test. tools/setup makes the locales that tests need.
#pragma once

#include <clocale>

namespace sortie::test {

class InLocale {
 public:
  explicit InLocale(const char* name) : is_set_(std::setlocale(LC_ALL, name) != nullptr) {}
  ~InLocale() { std::setlocale(LC_ALL, "C"); }
  InLocale(const InLocale&) = delete;
  InLocale& operator=(const InLocale&) = delete;

  /// Whether the machine has it.
  bool is_set() const { return is_set_; }

 private:
  bool is_set_;
};

}  // namespace sortie::test
