#include "record/text/key_texts.hpp"

#include "record/csv/quoted_records.hpp"
#include "record/json/json_text.hpp"
#include "record/text/text_locale.hpp"

namespace sortie {

KeyTexts::KeyTexts(const TextOrder& order)
    : order_(order), finder_(order, order.locale ? current_text_locale() : c_text_locale()), json_finder_(order) {}

std::vector<KeyText> KeyTexts::of(std::string_view line) const {
  if (order_.json) return of_json(line);
  if (order_.csv) line = without_line_end(line);
  if (order_.keys.empty()) return {{std::string(line)}};
  UnquotedRecord unquoted;
  FieldFinder::Fields fields;
  finder_.find(line, fields, unquoted);
  std::vector<KeyText> texts;
  for (const TextKey& key : order_.keys) texts.push_back({std::string(finder_.key_text(fields, key))});
  return texts;
}

std::vector<KeyText> KeyTexts::of_json(std::string_view line) const {
  std::vector<JsonValue> values(order_.keys.size());
  json_finder_.find(line, values);
  std::vector<KeyText> texts;
  for (const JsonValue& value : values) {
    KeyText text{.bytes = {}, .type = value.type};
    if (value.has_escapes) {
      append_unescaped(value.text, text.bytes);
    } else if (value.type != JsonType::kMissing) {
      text.bytes = value.text;
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace sortie
