#include "formats/alignments/tag_key.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

#include "base/bytes.hpp"

namespace sortie::formats::alignments {
namespace {

// The order of types. None is a byte that keys are escaped for.
constexpr std::byte kNone{'0'};
constexpr std::byte kCharacter{'1'};
constexpr std::byte kArray{'2'};
constexpr std::byte kText{'3'};
constexpr std::byte kNumber{'4'};

template <class Value>
double number_as(const Tag& tag) {
  return static_cast<double>(load_as<Value>(tag.value.data()));
}

/// All whole numbers of a tag are doubles.
double number_of(const Tag& tag) {
  switch (tag.type) {
    case 'c':
      return number_as<std::int8_t>(tag);
    case 'C':
      return number_as<std::uint8_t>(tag);
    case 's':
      return number_as<std::int16_t>(tag);
    case 'S':
      return number_as<std::uint16_t>(tag);
    case 'i':
      return number_as<std::int32_t>(tag);
    case 'I':
      return number_as<std::uint32_t>(tag);
    case 'f':
      return number_as<float>(tag);
    default:
      return number_as<double>(tag);
  }
}

/// What is no number comes last.
std::uint64_t ordered_bits(double number) {
  if (std::isnan(number)) return ~std::uint64_t{0};
  if (number == 0) number = 0;  // of -0, too
  const auto bits = std::bit_cast<std::uint64_t>(number);
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

}  // namespace

void append_tag_key(const AlignmentRecord& record, std::string_view name, std::vector<std::byte>& key) {
  const std::optional<Tag> tag = find_tag(record, name);
  if (!tag) return key.push_back(kNone);
  switch (tag->type) {
    case 'A':
      key.insert(key.end(), {kCharacter, tag->value[0]});
      return;
    case 'B':
      key.push_back(kArray);
      return;
    case 'Z':
    case 'H':
      key.push_back(kText);
      key.insert(key.end(), tag->value.begin(), tag->value.end());
      return;
    default: {
      key.push_back(kNumber);
      const std::uint64_t bits = ordered_bits(number_of(*tag));
      for (int shift = 56; shift >= 0; shift -= 8) key.push_back(static_cast<std::byte>(bits >> shift));
    }
  }
}

}  // namespace sortie::formats::alignments
