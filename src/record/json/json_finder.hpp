// Finds the values of keys in a line of JSON Lines. It reads the line once from left to right, checks all of it as RFC
// 8259 has it, but for the encoding of its text, and remembers only what the keys ask for. A library would have to be
// loaded at every start: Debian has no archive of one that is as fast. The record codec asks it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/text_order.hpp>

#include "record/json/json_text.hpp"

namespace sortie {

/// In the order of keys without a type.
enum class JsonType : std::uint8_t { kFalse, kTrue, kNumber, kString, kArray, kObject, kMissing };

struct JsonValue {
  JsonType type = JsonType::kMissing;  ///< null is missing
  std::string_view text;               ///< as it stands in the line; a string without its quotes
  bool has_escapes = false;            ///< a string only
};

/// The text of a value as it stands in its line, a string with its quotes; "null" if it is missing. Precondition: the
/// value is in a line.
std::string_view whole_text(const JsonValue& value);
/// The value of a text that whole_text() has given.
JsonValue value_of_text(std::string_view text);

/// Why a line is not read as JSON.
struct JsonFault {
  const char* expected = nullptr;  ///< what should stand at `at`
  const char* at = nullptr;        ///< in the line, or its end
  bool has_too_many_levels = false;

  bool is_one() const { return expected != nullptr || has_too_many_levels; }
};

/// Says so in words that go on behind a name of the line: what was expected, where, and what stands there.
std::string description(const JsonFault& fault, std::string_view line);

class JsonFinder {
 public:
  /// Levels of objects and arrays; more are refused.
  static constexpr unsigned kMostLevels = 1024;

  /// Precondition: the keys are valid.
  explicit JsonFinder(const TextOrder& order);

  /// Sets one value for each key. The last of several members with one name counts. Returns what is wrong with the
  /// line, if anything is. Time: linear.
  JsonFault find(std::string_view line, std::span<JsonValue> values) const;

 private:
  friend class JsonScanner;

  /// A value on the way of some path.
  struct Node {
    struct Child {
      JsonStep step;
      std::size_t node;
    };
    std::vector<Child> members;
    std::vector<Child> elements;
    std::vector<std::size_t> keys;  // whose value this is
  };

  std::size_t child_of(std::size_t node, const JsonStep& step);

  std::vector<Node> nodes_;  // the first is the whole text
};

}  // namespace sortie
