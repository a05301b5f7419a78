#include "pipeline/parts/part_list.hpp"

#include <algorithm>
#include <span>

#include <sortie/error.hpp>

#include "base/base64.hpp"
#include "base/json.hpp"
#include "base/release_memory.hpp"
#include "base/utf8.hpp"

namespace sortie {
namespace {

constexpr int kVersion = 1;

/// Memory for the list; what exceeds it goes to the file. So much is read of that at a time.
constexpr std::size_t kMostListedInMemory = 256 << 10;

/// Text that is no UTF-8 becomes an object with its bytes in base64.
Json text_json(const std::string& text) {
  return is_utf8(text) ? Json(text) : Json::object({{"base64", to_base64(text)}});
}

Json key_json(const KeyText& key) { return key.type == JsonType::kMissing ? Json() : text_json(key.bytes); }

void add_totals(Json& json, const RecordTotals& totals, std::uint64_t file_bytes, bool has_checksums) {
  json["records"] = totals.records;
  json["bytes"] = totals.bytes;
  json["file_bytes"] = file_bytes;
  if (has_checksums) json["checksum"] = to_string(totals.checksum);
}

/// The object without its last brace.
std::string open_object(const Json& json) {
  std::string text = json_text(json);
  text.pop_back();
  return text;
}

}  // namespace

void PartList::add(const PartSummary& part) {
  Json json;
  json["file"] = text_json(part.file);
  if (!part.split.empty()) json["split"] = text_json(part.split);
  add_totals(json, part.totals, part.file_bytes, has_checksums_);
  if (has_weights_) json["weight"] = part.weight;
  append((is_empty_ ? "\n    " : ",\n    ") + open_object(json));
  append_keys("first_key", part.first_keys);
  append_keys("last_key", part.last_keys);
  append("}");
  is_empty_ = false;
  all_ += part.totals;
  weight_ += part.weight;
  file_bytes_ += part.file_bytes;
}

// One key after another: a long one takes several times its memory.
void PartList::append_keys(std::string_view name, const std::vector<KeyText>& keys) {
  if (keys.empty()) return;
  append(",\"" + std::string(name) + "\":[");
  for (const KeyText& key : keys) {
    if (&key != &keys.front()) append(",");
    append(json_text(key_json(key)));
  }
  append("]");
}

void PartList::append(std::string_view text) {
  waiting_ += text;
  if (waiting_.size() > kMostListedInMemory) spill();
}

void PartList::spill() {
  if (!file_) file_ = scratch_.create();
  file_->write_at(stored_bytes_, std::as_bytes(std::span(waiting_)));
  stored_bytes_ += waiting_.size();
  release_memory(waiting_);
}

void PartList::write(Output& target) {
  const auto put = [&](std::string_view text) { target.write(std::as_bytes(std::span(text))); };
  Json json;
  json["version"] = kVersion;
  add_totals(json, all_, file_bytes_, has_checksums_);
  if (has_weights_) json["weight"] = weight_;
  if (!head_.seed.empty()) json["seed"] = head_.seed;
  for (const Share& share : head_.shares) json["shares"][share.name] = share.billionths / 1e9;
  put(open_object(json) + ",\n  \"parts\": [");
  std::vector<std::byte> piece(static_cast<std::size_t>(std::min<std::uint64_t>(kMostListedInMemory, stored_bytes_)));
  for (std::uint64_t at = 0; at < stored_bytes_; at += piece.size()) {
    piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), stored_bytes_ - at)));
    if (file_->read_at(at, piece) != piece.size()) throw Error("a scratch file has lost its end");
    target.write(piece);
  }
  put(waiting_);
  put("\n  ]}\n");
}

}  // namespace sortie
