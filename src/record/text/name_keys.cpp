#include "record/text/name_keys.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "record/text/byte_words.hpp"

namespace sortie {
namespace {

// A text is read as parts of other bytes and runs of digits in turn:
//
//   | bytes | kNumber, length, digits by twos | bytes | kNumber, ... | kEnd |
//
// The end of a text counts as a number of zero with nothing behind it: "a" and "a0" are equal. So a run of zeros before
// the end is left out. A run of zeros before a '~', which comes before the end, is a mark of its own.
enum Mark : unsigned char { kTilde = key_byte(0), kZeroBeforeTilde, kEnd, kNumber, kFirstCode };

constexpr std::size_t kLongNumber = kKeyBytes - 1;  // digits; below, a length is one byte
constexpr unsigned kLengthBits = 6;                 // in each byte of a longer length

constexpr bool is_letter(char c) { return ('A' <= c && c <= 'Z') || ('a' <= c && c <= 'z'); }

/// The codes of bytes outside of numbers: '~', then letters, then all others.
constexpr std::array<unsigned char, 256> make_codes() {
  std::array<unsigned char, 256> codes{};
  unsigned code = kFirstCode;
  for (const bool letters : {true, false}) {
    for (unsigned byte = 0; byte < codes.size(); ++byte) {
      const char c = static_cast<char>(byte);
      if (!is_digit(c) && c != '~' && is_letter(c) == letters) {
        codes[byte] = static_cast<unsigned char>(code++);
        while (code == '\n' || code == '\n' + 1) {
          ++code;  // escaped when the key is written
        }
      }
    }
  }
  codes['~'] = kTilde;
  return codes;
}
constexpr std::array<unsigned char, 256> kCodes = make_codes();

void put(unsigned char code, std::string& out) { out.push_back(static_cast<char>(code)); }
void put_rank(std::size_t rank, std::string& out) { put(key_byte(static_cast<unsigned>(rank)), out); }

/// `digits`: without leading zeros. More digits make a greater number.
void append_number(std::string_view digits, std::string& out) {
  put(kNumber, out);
  put_rank(std::min(digits.size(), kLongNumber), out);
  if (digits.size() >= kLongNumber) {
    for (int shift = 60; shift >= 0; shift -= kLengthBits) {
      put_rank(digits.size() >> shift & ((1U << kLengthBits) - 1), out);
    }
  }
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const auto tens = static_cast<std::size_t>(digits[i] - '0');
    const auto ones = static_cast<std::size_t>(i + 1 < digits.size() ? digits[i + 1] - '0' : 0);
    put_rank(tens * 10 + ones, out);
  }
}

/// Appends the key of `rest` as a whole, without regard to suffixes.
void append_parts(std::string_view rest, std::string& out) {
  while (!rest.empty()) {
    if (!is_digit(rest.front())) {
      put(kCodes[static_cast<unsigned char>(rest.front())], out);
      rest.remove_prefix(1);
      continue;
    }
    std::string_view digits = take_digits(rest);
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    if (!digits.empty() || (!rest.empty() && rest.front() != '~')) {
      append_number(digits, out);
    } else if (!rest.empty()) {
      put(kZeroBeforeTilde, out);
    }
  }
  put(kEnd, out);
}

/// The length of `text` without its suffixes. A suffix is a '.', a letter or '~', then letters, digits and '~'; all at
/// the end of `text` count.
std::size_t length_without_suffixes(std::string_view text) {
  std::size_t begin = text.size();
  for (std::size_t i = text.size(); i-- > 0;) {
    const char c = text[i];
    if (c == '.') {
      if (i + 1 == begin || is_digit(text[i + 1])) {
        break;
      }
      begin = i;
    } else if (!is_letter(c) && !is_digit(c) && c != '~') {
      break;
    }
  }
  return begin;
}

bool ends_in_zero(std::string_view text) {
  const std::size_t last = text.find_last_not_of('0');
  return last + 1 != text.size() && (last == text.npos || !is_digit(text[last]));
}

/// "." comes first, then "..", other texts that begin with a dot, and all others.
std::size_t position_of(std::string_view text) {
  if (text.front() != '.') {
    return 3;
  }
  return text == "." ? 0 : text == ".." ? 1 : 2;
}

/// Kinds of chromosomes, in the order of their keys.
enum class NameKind : char { kNumber = '1', kX, kY, kMitochondrion, kOther };

NameKind kind_of(std::string_view name) {
  for (const std::string_view prefix : {"chr", "Chr", "CHR"}) {
    if (!name.starts_with(prefix)) continue;
    name.remove_prefix(prefix.size());
    break;
  }
  if (!name.empty() && std::ranges::all_of(name, is_digit)) return NameKind::kNumber;
  if (name == "X") return NameKind::kX;
  if (name == "Y") return NameKind::kY;
  return name == "M" || name == "MT" ? NameKind::kMitochondrion : NameKind::kOther;
}

/// Less than the bytes of alleles.
constexpr char kBetweenAlleles = '\x10';

constexpr char kListed = '1';
constexpr char kOther = '2';

}  // namespace

void append_version_key(std::string_view text, std::string& out) {
  if (text.empty()) {
    return;
  }
  put_rank(position_of(text), out);
  const std::string_view stem = text.substr(0, length_without_suffixes(text));
  append_parts(stem, out);
  // Equal stems continue alike, except for a run of zeros at their end: that may be equal to nothing, and yet the text
  // behind it is not compared with the text behind nothing.
  std::string_view suffix = text.substr(stem.size());
  if (ends_in_zero(stem)) {
    suffix = text.substr(stem.size() - 1);
  }
  append_parts(suffix, out);
}

void append_karyotype_key(std::string_view name, std::string& out) {
  out += static_cast<char>(kind_of(name));
  append_version_key(name, out);
}

void append_alleles_key(std::string_view alleles, std::string& out) {
  if (alleles == ".") return;
  for (const char c : alleles) {
    const bool is_upper = 'A' <= c && c <= 'Z';
    out += c == ',' ? kBetweenAlleles : static_cast<char>(is_upper ? c - 'A' + 'a' : c);
  }
}

ListedNames::ListedNames(const std::vector<std::string>& names) {
  for (const std::string& name : names) positions_.try_emplace(name, positions_.size());
}

void ListedNames::append_key(std::string_view name, std::string& out) const {
  const auto found = positions_.find(name);
  if (found == positions_.end()) {
    out += kOther;
    return append_version_key(name, out);
  }
  out += kListed;
  append_version_key(std::to_string(found->second), out);
}

}  // namespace sortie
