// The value of one argument in Python, read as what the library's option is. A value of another type raises TypeError
// that names the argument; a word that is not known throws Error.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

namespace sortie::python {

/// An argument has a value that it cannot have. In Python a ValueError, too.
class ArgumentError : public Error {
 public:
  using Error::Error;
};

/// "invalid value 'WORD' for NAME: REASON", with the word as a line can show it.
ArgumentError invalid_value(const std::string& word, const std::string& name, const std::string& reason);

/// Calls `parse`, which takes a word of the argument `name` apart. Throws its Error with the name.
template <class Parse>
auto parse_word_of(const char* name, const std::string& word, const Parse& parse) {
  try {
    return parse();
  } catch (const Error& error) {
    throw invalid_value(word, name, error.what());
  }
}

class OptionValue {
 public:
  OptionValue(std::string name, nanobind::handle value) : name_(std::move(name)), value_(value) {}

  const std::string& name() const { return name_; }

  bool as_flag(const char* expected = "True or False") const;
  std::uint64_t as_count() const;
  /// `meaning_of_none`: what the message for 0 says of None.
  std::uint64_t as_count_above_zero(const char* meaning_of_none) const;
  /// Bytes, one at least: an int, or a str with a unit: "4GB" and the like count by thousands, "4GiB" and "4G" by 1024.
  std::uint64_t as_size() const;
  std::string as_text() const;
  /// The name of a column, which is UTF-8 whatever the encoding of file names.
  std::string as_column() const;
  /// A str, or any number of them.
  std::vector<std::string> as_texts() const;
  /// One character or byte.
  char as_byte() const;
  std::string as_bytes() const;
  /// str, bytes or os.PathLike.
  std::string as_path() const;
  /// The same, but no empty one, which the library takes for none.
  std::string as_path_or_none() const;
  std::vector<std::string> as_paths() const;
  /// An int, or any number of them.
  std::vector<int> as_numbers() const;
  bool is_text() const;
  bool is_flag() const;

  template <class Value>
  Value as_choice(std::initializer_list<std::pair<std::string_view, Value>> choices) const {
    const std::string word = as_text();
    std::string known;
    for (const auto& [choice, value] : choices) {
      if (choice == word) return value;
      known.append(known.empty() ? "" : ", ").append(choice);
    }
    refuse(word, "known are " + known);
  }

  /// Throws ArgumentError.
  [[noreturn]] void refuse(const std::string& word, const std::string& reason) const;

 private:
  [[noreturn]] void refuse_type(const char* expected) const;
  [[noreturn]] void refuse_item(const char* expected, nanobind::handle item) const;
  std::uint64_t count_in(nanobind::handle value) const;
  int number_in(nanobind::handle value) const;
  std::vector<nanobind::object> items(const char* expected) const;

  std::string name_;
  nanobind::handle value_;
};

}  // namespace sortie::python
