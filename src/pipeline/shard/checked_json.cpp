#include "pipeline/shard/checked_json.hpp"

#include "base/base64.hpp"
#include "base/whole_number.hpp"
#include "pipeline/checkpoint/manifest.hpp"

namespace sortie::checked_json {

std::string bytes_of(const Json& json) {
  const std::optional<std::string> bytes = from_base64(json.get_ref<const std::string&>());
  if (!bytes) throw Error("bytes that are not in base64");
  return *bytes;
}

std::uint64_t count_of(const Json& json) {
  if (!json.is_number_unsigned()) throw Error("a number that is negative, too large, or no integer");
  return json;
}

std::uint64_t hex_of(const Json& json) {
  const auto& digits = json.get_ref<const std::string&>();
  const std::optional<std::uint64_t> value = whole_number<std::uint64_t>(digits, 16);
  if (!value) throw Error("a checksum that is no hexadecimal number");
  return *value;
}

Checksum checksum_of(const Json& json) {
  WordCursor cursor(json.get_ref<const std::string&>());
  const Checksum checksum = cursor.checksum();
  if (!cursor.complete()) throw Error("a checksum that has not 32 hexadecimal digits");
  return checksum;
}

}  // namespace sortie::checked_json
