// The value of one option: a word of the command line, or an object of Python. Entries of the catalogue read it as what
// the option needs. Each function throws an error that names the option, the value and what it may be.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/quote.hpp"
#include "option/door.hpp"

namespace sortie::option {

/// A word that an option takes, and what it stands for.
template <class Choice>
struct Word {
  std::string_view word;
  Choice choice;
};

template <const auto& kWords>
struct JoinedWords {
  static constexpr std::size_t size() {
    std::size_t bytes = 0;
    for (const auto& word : kWords) bytes += word.word.size() + 1;
    return bytes - 1;
  }
  static constexpr std::array<char, size()> make() {
    std::array<char, size()> text{};
    std::size_t end = 0;
    for (const auto& word : kWords) {
      if (end != 0) text[end++] = ' ';
      for (const char letter : word.word) text[end++] = letter;
    }
    return text;
  }
  static constexpr std::array<char, size()> kText = make();
};

/// The words of an array of Word, with blanks between: a value for Spec::values.
template <const auto& kWords>
inline constexpr std::string_view kJoinedWords{JoinedWords<kWords>::kText.data(), JoinedWords<kWords>::kText.size()};

class Value {
 public:
  virtual ~Value() = default;

  virtual Door door() const = 0;
  bool is_word() const { return door() != Door::kPython; }
  /// As the caller wrote it, but in full: "-S", "--buffer-size", "memory".
  virtual const std::string& name() const = 0;

  /// Whether there is a text: a word behind the option of a command line, a str in Python.
  virtual bool is_text() const = 0;
  /// Whether it is True or False in Python.
  virtual bool is_flag() const = 0;
  /// On a command line an option without a word is set. `expected`: for the message about another type in Python.
  virtual bool as_flag(const char* expected = "True or False") const = 0;
  /// At least 1. `meaning_of_none`: what Python's None stands for. A word that is too large stands for the largest.
  virtual std::uint64_t as_count(const char* meaning_of_none) const = 0;
  /// The same, or 0: as GNU sort reads numbers, in its words, and as any int of Python that is not negative.
  virtual std::uint64_t as_gnu_count() const = 0;
  /// A whole number from `least` to `most`. `reason`: why another is refused, "give a number from 1 to 9".
  virtual std::uint64_t as_number(std::uint64_t least, std::uint64_t most, const std::string& reason) const = 0;
  /// The same of numbers that may be negative.
  virtual std::int64_t as_integer(const std::string& reason) const = 0;
  /// Bytes, one at least. `example`: what messages give for one. A word without a unit is one of `plain_unit`.
  virtual std::uint64_t as_size(const char* example, char plain_unit) const = 0;
  virtual std::string as_text() const = 0;
  virtual std::string as_bytes() const = 0;
  /// A word is one text; Python has a str, or any number of them.
  virtual std::vector<std::string> as_texts() const = 0;
  virtual std::string as_path() const = 0;
  /// The same, but no empty one of Python, which the library takes for none.
  virtual std::string as_path_or_none() const = 0;
  virtual std::vector<std::string> as_paths() const = 0;
  /// "0,1", or an int of Python, or any number of them.
  virtual std::vector<int> as_numbers() const = 0;

  /// `words`: an array of Word.
  template <class Words>
  auto as_choice(const Words& words) const {
    const std::string text = as_text();
    std::string known;
    for (const auto& [word, choice] : words) {
      if (word == text) return choice;
      known.append(known.empty() ? "" : ", ").append(word);
    }
    refuse(text, "known are " + known);
  }

  /// One of two words, which Python has as True or False.
  template <class Words>
  bool as_switch(const Words& words) const {
    return is_word() ? as_choice(words) : as_flag();
  }

  /// As parsed_word() does.
  template <class Parse>
  auto parsed(const std::string& word, const Parse& parse) const {
    return parsed_word(door(), name(), word, parse);
  }

  /// "invalid value 'WORD' for NAME: REASON"
  [[noreturn]] void refuse(const std::string& word, const std::string& reason) const {
    refuse_value(door(), word, name(), reason);
  }
};

/// The number in a part of the value's text, at least 1; the largest one for one that is too large.
std::uint64_t count_in(std::string_view text, const Value& value);

/// Throws WordError in the words of GNU programs. `known`: the words, each quoted and with what separates them.
[[noreturn]] void refuse_word(const Value& value, bool is_ambiguous, const std::string& known);

/// Takes words as the options of GNU programs do: shortened, if it is clear which one is meant. Words of equal choice
/// must stand together, as they do in the message. Throws WordError.
template <class Words>
auto shortened_choice(const Value& value, const Words& words) {
  const std::string text = value.as_text();
  const auto* found = static_cast<decltype(words.data())>(nullptr);
  const auto* before = found;
  bool is_ambiguous = false;
  std::string known;
  for (const auto& word : words) {
    if (word.word == text) return word.choice;
    if (word.word.starts_with(text)) {
      is_ambiguous |= found != nullptr && found->choice != word.choice;
      found = &word;
    }
    const bool is_synonym = before != nullptr && before->choice == word.choice;
    known.append(is_synonym ? ", " : "\n  - ").append(quote_word(word.word));
    before = &word;
  }
  if (found == nullptr || is_ambiguous) refuse_word(value, is_ambiguous, known);
  return found->choice;
}

}  // namespace sortie::option
