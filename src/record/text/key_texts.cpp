#include "record/text/key_texts.hpp"

#include "record/aggregate/state_bytes.hpp"
#include "record/csv/quoted_records.hpp"
#include "record/json/json_text.hpp"
#include "record/text/normal_form.hpp"
#include "record/text/share_key.hpp"
#include "record/text/text_locale.hpp"

namespace sortie {
namespace {

KeyText text_of(const JsonValue& value) {
  KeyText text{.bytes = {}, .type = value.type};
  if (value.has_escapes) {
    append_unescaped(value.text, text.bytes);
  } else if (value.type != JsonType::kMissing) {
    text.bytes = value.text;
  }
  return text;
}

}  // namespace

KeyTexts::KeyTexts(const TextOrder& order)
    : order_(order), finder_(order, order.locale ? current_text_locale() : c_text_locale()), json_finder_(order) {}

std::vector<KeyText> KeyTexts::of(std::string_view line) const {
  if (order_.json) return of_json(line);
  if (order_.csv) line = without_line_end(line);
  if (order_.keys.empty()) return {{std::string(line)}};
  if (is_comment(order_, line))
    return std::vector<KeyText>(order_.keys.size(), {.bytes = {}, .type = JsonType::kMissing});
  if (order_.record_start) line = line.substr(0, line.find('\n'));
  UnquotedRecord unquoted;
  FieldFinder::Fields fields;
  finder_.find(line, fields, unquoted);
  std::vector<KeyText> texts;
  for (const TextKey& key : order_.keys) texts.push_back({std::string(finder_.key_text(fields, key))});
  name_shares(texts);
  return texts;
}

// What a key of shares says of a record is the share.
void KeyTexts::name_shares(std::vector<KeyText>& texts) const {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const TextKey& key = order_.keys[i];
    if (key.kind != TextKind::kShare) continue;
    std::string normal;
    append_normal_form(texts[i].bytes, key.normal, normal);
    texts[i] = {key.shares[share_of_text(normal, key.shares)].name};
  }
}

std::vector<KeyText> KeyTexts::of_json(std::string_view line) const {
  std::vector<JsonValue> values(order_.keys.size());
  json_finder_.find(line, values);
  std::vector<KeyText> texts;
  texts.reserve(values.size());
  for (const JsonValue& value : values) texts.push_back(text_of(value));
  name_shares(texts);
  return texts;
}

std::vector<KeyText> KeyTexts::of_group(std::string_view key_texts) const {
  std::vector<KeyText> texts;
  for (StateReader reader(key_texts); !reader.at_end();) {
    const std::string_view text = reader.text();
    texts.push_back(order_.json ? text_of(value_of_text(text)) : KeyText{std::string(text)});
  }
  return texts;
}

}  // namespace sortie
