#include "pipeline/parts/part_list.hpp"

#include <nlohmann/json.hpp>

#include "base/base64.hpp"

namespace sortie {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

/// Text that is no UTF-8 becomes an object with its bytes in base64.
Json text_json(const std::string& text) {
  Json json = text;
  try {
    static_cast<void>(json.dump());
  } catch (const Json::type_error&) {
    json = {{"base64", to_base64(text)}};
  }
  return json;
}

Json key_json(const KeyText& key) { return key.type == JsonType::kMissing ? Json() : text_json(key.bytes); }

Json keys_json(const std::vector<KeyText>& keys) {
  Json json = Json::array();
  for (const KeyText& key : keys) json.push_back(key_json(key));
  return json;
}

void add_totals(Json& json, const RecordTotals& totals, std::uint64_t file_bytes, bool has_checksums) {
  json["records"] = totals.records;
  json["bytes"] = totals.bytes;
  json["file_bytes"] = file_bytes;
  if (has_checksums) json["checksum"] = to_string(totals.checksum);
}

Json part_json(const PartFacts& part, bool has_checksums) {
  Json json;
  json["file"] = text_json(part.file);
  add_totals(json, part.totals, part.file_bytes, has_checksums);
  if (!part.first_keys.empty()) json["first_key"] = keys_json(part.first_keys);
  if (!part.last_keys.empty()) json["last_key"] = keys_json(part.last_keys);
  return json;
}

}  // namespace

std::string to_manifest(const std::vector<PartFacts>& parts, bool has_checksums) {
  RecordTotals all;
  std::uint64_t file_bytes = 0;
  std::string list;
  for (const PartFacts& part : parts) {
    list += (list.empty() ? "\n    " : ",\n    ") + part_json(part, has_checksums).dump();
    all += part.totals;
    file_bytes += part.file_bytes;
  }
  Json json;
  json["version"] = kVersion;
  add_totals(json, all, file_bytes, has_checksums);
  std::string text = json.dump();
  text.pop_back();  // the brace
  return text + ",\n  \"parts\": [" + list + "\n  ]}\n";
}

}  // namespace sortie
