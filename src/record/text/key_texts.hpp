// The texts of keys as they stand in a line, for people and programs that want to know what a line was ordered by. Used
// for the names and the manifest of parts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sortie/text_order.hpp>

#include "record/json/json_finder.hpp"
#include "record/text/field_finder.hpp"

namespace sortie {

struct KeyText {
  std::string bytes;                  ///< of a string of JSON: what it stands for; of a share: its name
  JsonType type = JsonType::kString;  ///< of a value of JSON; kMissing also for a comment, which has no keys
};

class KeyTexts {
 public:
  /// The columns of the order must have been found. Uses the C library's locale as it is set.
  explicit KeyTexts(const TextOrder& order);

  /// One for each key; the whole line if there are none. `line` is without its delimiter.
  std::vector<KeyText> of(std::string_view line) const;

  /// The same of a group, from the texts that GroupState::key_texts() has.
  std::vector<KeyText> of_group(std::string_view key_texts) const;

 private:
  std::vector<KeyText> of_json(std::string_view line) const;
  void name_shares(std::vector<KeyText>& texts) const;

  TextOrder order_;
  FieldFinder finder_;
  JsonFinder json_finder_;
};

}  // namespace sortie
