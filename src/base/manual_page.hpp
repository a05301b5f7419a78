// A manual page in the man macros of roff, made of the same tables as a help text. The command and its tools write
// theirs at build time, by --help=man.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace sortie {

/// Appends words to `text`, whose last line ends in column `indent`, and a newline. Lines are as wide as `columns` if
/// words are not wider. Every further line is indented to there.
void append_wrapped(std::string& text, std::string_view words, std::size_t columns, std::size_t indent);

/// The page grows from its head on; what is added comes behind what is there. Texts are plain: they are escaped here.
class ManualPage {
 public:
  /// A page of section 1 that begins with the section NAME. `purpose`: a few words without a verb's subject.
  ManualPage(std::string_view name, std::string_view purpose);

  /// Adds a section for each form of the command, told as in a help text: "[OPTION]... FILE".
  void add_synopsis(std::initializer_list<std::string_view> forms);
  void begin_section(std::string_view title);
  void begin_subsection(std::string_view title);
  void add_paragraph(std::string_view text);
  /// Adds an entry of a list: `names` in bold, separated by commas, then `value` as in a help text: "FILE", "[=HOW]",
  /// or nothing.
  void add_option(std::span<const std::string> names, std::string_view value, std::string_view text);
  /// Adds an entry of a list: a command and what it does.
  void add_example(std::string_view command, std::string_view meaning);
  /// Adds the last section: names of other pages of section 1.
  void add_references(std::span<const std::string_view> names);

  const std::string& text() const { return text_; }

 private:
  void add_words(std::string_view words);

  std::string name_;
  std::string text_;
};

}  // namespace sortie
