// A JSON text that is one array, as lines: each of its elements becomes a line, while it is read and without holding
// more than a few bytes of it. The pipeline reads inputs of JSON Lines through this if they are such documents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sortie {

/// What the begin of an input of JSON shows of the whole.
enum class JsonShape : std::uint8_t {
  kLines,    ///< JSON Lines
  kArray,    ///< one array, whose elements are meant
  kUnknown,  ///< that depends on what follows
};

/// The shape of an input that begins with `text`, behind a byte order mark if it has one, and is no longer if `is_all`.
/// An array that begins on the first line and goes on behind it is a document, and so is one with nothing but blanks
/// behind it; arrays on lines of their own are JSON Lines. `keys_index`: all keys are of elements of arrays, so that an
/// array of other values is a record.
JsonShape json_shape(std::string_view text, bool is_all, bool keys_index);

class JsonElements {
 public:
  /// Takes the next bytes of the document, and appends what is known of lines to `out`: at most kMostHeldBytes more
  /// than it takes. White space with a newline in it, or of kMostHeldBytes and more, becomes one blank, or nothing
  /// behind an opening bracket and in front of a closing one or a comma; all else stays as it is. Returns false if the
  /// document is damaged.
  bool take(std::string_view text, std::string& out);
  /// The document has ended. Returns false if its array is not closed.
  bool finish();

  /// What is wrong, to be put behind the name of the line.
  const std::string& fault() const { return fault_; }
  /// The line of the document that was read last, from 1.
  std::uint64_t line() const { return line_; }

  static constexpr std::size_t kMostHeldBytes = 64;

 private:
  enum class State : std::uint8_t {
    kBeforeArray,
    kBeforeFirst,    // element, or the end of the array
    kBeforeElement,  // behind a comma
    kInElement,
    kInString,
    kInEscape,
    kBehindArray,
  };

  bool take_one(char byte, std::string& out);
  bool begin_element(char byte, std::string& out);
  bool take_in_element(char byte, std::string& out);
  bool refuse(std::string fault);
  void hold(char blank);
  void append_held(char next, std::string& out);

  State state_ = State::kBeforeArray;
  std::uint64_t depth_ = 0;    // of brackets within the element
  char last_ = 0;              // what was appended last
  std::string held_;           // blanks that nothing has followed yet
  bool is_shortened_ = false;  // they hold a newline, or are many
  std::uint64_t line_ = 1;
  std::string fault_;
};

}  // namespace sortie
