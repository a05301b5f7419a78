#include "tools/gen/text_words.hpp"

#include <array>
#include <charconv>
#include <string_view>

namespace sortie::tools {
namespace {

constexpr std::array<std::string_view, 16> kSyllables{"an", "be",  "cor", "da", "el",  "fi", "gro", "in",
                                                      "ka", "lom", "mi",  "no", "per", "qu", "sta", "tu"};
constexpr std::uint64_t kMaxSyllables = 4;
constexpr unsigned kSyllableBits = 4;

}  // namespace

void append_word(MixStream& random, std::string& text) {
  // The common bits of two draws make short words of early syllables the most frequent.
  const std::uint64_t bits = random.next();
  const std::uint64_t count = 1 + (bits & (bits >> 8) & (kMaxSyllables - 1));
  std::uint64_t choice = (bits >> 16) & (bits >> 40);
  for (std::uint64_t i = 0; i < count; ++i, choice >>= kSyllableBits) {
    text += kSyllables[choice & (kSyllables.size() - 1)];
  }
}

void append_ordered_letters(std::uint64_t code, std::string& text) {
  constexpr std::uint64_t kLetters = 26;
  constexpr int kDigits = 14;  // 26^14 > 2^64
  for (int i = 0; i < kDigits; ++i, code *= kLetters) {
    text += static_cast<char>('a' + scale_fraction(code, kLetters));
  }
}

void append_hex(std::uint64_t code, std::string& text) {
  for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[code >> shift & 15];
}

void append_decimal(std::uint64_t number, std::size_t width, std::string& text) {
  std::array<char, 20> digits;
  const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  const auto length = static_cast<std::size_t>(end - digits.data());
  if (length < width) text.append(width - length, '0');
  text.append(digits.data(), length);
}

}  // namespace sortie::tools
