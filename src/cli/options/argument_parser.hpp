// Splits the command line into options with their values, and operands, as GNU programs do: short options may be
// joined, long ones shortened, options may follow operands. parse_command_line() interprets one argument after the
// other, so that of several mistakes the first one is reported.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "option/option_spec.hpp"

namespace sortie::cli {

struct Argument {
  enum class Kind : std::uint8_t { kOption, kOperand, kObsoleteKey };

  Kind kind = Kind::kOperand;
  const option::Spec* option = nullptr;  ///< for kOption
  std::string name = {};                 ///< for kOption: as called, but in full: "-S" or "--buffer-size"
  std::string value = {};                ///< value of the option, empty if it has none; the operand; "+1" of a key
  bool has_value = false;                ///< for kOption; the value may still be empty
  std::string key_end = {};              ///< "-2" of a key; empty if there is none
};

/// What the environment and the program's name say about the syntax.
struct ArgumentRules {
  bool operands_end_options = false;  ///< POSIXLY_CORRECT: what follows the first operand is an operand too
  bool obsolete_keys = false;         ///< "+1" is a key, not only "+1 -2"
  bool gnu_names_first = false;       ///< a shortened option of GNU sort counts before one of Sortie's own

  /// The rules according to POSIXLY_CORRECT and _POSIX2_VERSION; `program` is the name without folders.
  static ArgumentRules from_environment(std::string_view program);
};

class ArgumentReader {
 public:
  /// `words` are those after the program's name.
  ArgumentReader(std::vector<std::string> words, ArgumentRules rules);

  /// The next argument; nothing at the end. Throws UsageError.
  std::optional<Argument> next();

 private:
  std::optional<Argument> next_short_option();
  Argument next_long_option(std::string_view word);
  Argument next_operand();
  Argument option(const option::Spec& spec, std::string name, const std::optional<std::string>& value);
  void skip_obsolete_size();
  bool options_have_ended() const;
  bool key_end_follows() const;

  std::vector<std::string> words_;
  ArgumentRules rules_;
  std::size_t position_ = 0;   // index of the next word
  std::string short_options_;  // rest of joined short options
  bool ended_by_dashes_ = false;
  bool operand_seen_ = false;
  bool check_seen_ = false;
};

}  // namespace sortie::cli
