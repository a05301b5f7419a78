#include "record/collation/backward_elements.hpp"

#include <algorithm>
#include <cstring>
#include <cwchar>

#include "record/collation/collation_weight.hpp"
#include "record/collation/transformed_text.hpp"
#include "record/collation/unseen_weights.hpp"

namespace sortie {
namespace {

// How a known element is kept in a byte.
constexpr std::uint8_t kIsKnown = 0x80;
constexpr std::uint8_t kIsBackward = 0x40;
constexpr std::uint8_t kIsOfBytes = 0x20;
constexpr std::uint8_t kMostWeights = 0x1F;

std::string transformed_piece(const std::string& piece) {
  std::string transformed;
  append_transformed_piece(piece, transformed);
  return transformed;
}

/// Whether `transformed` is what the bytes of `character` give one by one, on the last level alone.
bool is_of_bytes(const std::string& character, const std::string& transformed) {
  std::string last;
  for (const char byte : character) {
    last += split_levels(transformed_piece({byte}))[3];
  }
  return character.size() > 1 && transformed == std::string(3, kLevelSeparator) + last;
}

/// The character that `text` begins with; of no bytes if there is none.
std::pair<wchar_t, std::size_t> first_character(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text.front());
  if (byte < 0x80) return {static_cast<wchar_t>(byte), 1};
  std::mbstate_t state{};
  wchar_t character = 0;
  const std::size_t bytes = std::mbrtowc(&character, text.data(), text.size(), &state);
  return {character, bytes <= text.size() ? bytes : 0};
}

}  // namespace

BackwardElements::BackwardElements() : known_(std::make_unique<std::atomic<std::uint8_t>[]>(kKnownCharacters + 256)) {
  any_ = try_out(" ").backward && try_out("1").backward && !try_out("a").backward;
}

bool BackwardElements::is_backward(std::string_view bytes) const {
  return any_ && try_out(std::string(bytes)).backward;
}

BackwardElements::Element BackwardElements::try_out(const std::string& bytes) {
  // With a '1' or a blank, both backward if any are, `bytes` makes a run. The last but one of it is what has a weight
  // if 'a' follows, and a blank, which has none, if blanks are put between. So the first text is less only if an
  // element was passed over; otherwise 'a' is greater than a blank.
  const std::string transformed = transformed_piece(bytes);
  const std::size_t weights = count_weights(split_levels(transformed)[1]);
  const std::string run = weights == 0 ? "1" + bytes : bytes + " ";
  return {.weights = static_cast<std::uint8_t>(std::min<std::size_t>(weights, kMostWeights)),
          .backward = std::strcoll((run + "a").c_str(), (run + "  a").c_str()) < 0,
          .of_bytes = is_of_bytes(bytes, transformed)};
}

BackwardElements::Element BackwardElements::element(std::size_t index, std::string_view bytes) const {
  std::uint8_t known = known_[index].load(std::memory_order_relaxed);
  if (known == 0) {
    const Element tried = try_out(std::string(bytes));
    known = static_cast<std::uint8_t>(kIsKnown | (tried.backward ? kIsBackward : 0) |
                                      (tried.of_bytes ? kIsOfBytes : 0) | tried.weights);
    known_[index].store(known, std::memory_order_relaxed);
  }
  return {.weights = static_cast<std::uint8_t>(known & kMostWeights),
          .backward = (known & kIsBackward) != 0,
          .of_bytes = (known & kIsOfBytes) != 0};
}

BackwardElements::Element BackwardElements::byte_element(char byte) const {
  return element(kKnownCharacters + static_cast<unsigned char>(byte), {&byte, 1});
}

std::string BackwardElements::seen_weights(std::string_view text, std::string_view second) const {
  if (!any_) {
    return std::string(second);
  }
  UnseenWeights unseen;
  while (!text.empty()) {
    const auto [character, character_bytes] = first_character(text);
    const std::size_t bytes = std::max<std::size_t>(character_bytes, 1);
    const std::size_t code = static_cast<char32_t>(character);
    Element met{.of_bytes = true};
    if (character_bytes != 0) {
      met =
          code < kKnownCharacters ? element(code, text.substr(0, bytes)) : try_out(std::string(text.substr(0, bytes)));
    }
    for (std::size_t i = 0; i < bytes; i = met.of_bytes ? i + 1 : bytes) {
      const Element part = met.of_bytes ? byte_element(text[i]) : met;
      unseen.add(part.backward, part.weights);
    }
    text.remove_prefix(bytes);
  }
  return unseen.seen(second);
}

}  // namespace sortie
