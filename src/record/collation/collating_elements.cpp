#include "record/collation/collating_elements.hpp"

#include <langinfo.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/bytes.hpp"

namespace sortie {

#if defined(__GLIBC__)

// `table` has for each byte the entry of the only element that begins with it, or minus the position in `extra` of a
// list of such elements:
//
//   element   | entry : 4 | bytes behind the first : 1 | those bytes | padding to 4 |
//   range     | minus an index in `indirect` : 4 | bytes behind the first : 1 | first of them | last of them | padding
//   |
//
// An element without bytes behind the first ends the list. The highest byte of an entry is the rule of the element,
// whose flags for each level are in `rules`.
struct CollatingElements::Tables {
  std::uint32_t levels;
  const unsigned char* rules;
  const std::int32_t* table;
  const unsigned char* extra;
  const std::int32_t* indirect;
};

namespace {

constexpr unsigned char kForward = 1;
constexpr std::size_t kAlignment = sizeof(std::int32_t);

template <class Value>
const Value* item(nl_item name, locale_t locale) {
  return reinterpret_cast<const Value*>(::nl_langinfo_l(name, locale));
}

/// Reads a number that is kept in the place of a pointer.
std::uint32_t number_item(nl_item name, locale_t locale) {
  union {
    const char* pointer;
    std::uint32_t number;
  } value{::nl_langinfo_l(name, locale)};
  return value.number;
}

const unsigned char* behind_padding(const unsigned char* bytes, std::size_t size) {
  return bytes + size + (kAlignment - (1 + size) % kAlignment) % kAlignment;
}

/// How many numbers there are from `from` to `to`, which are written in as many bytes, the highest first.
std::size_t count_range(std::string_view from, std::string_view to) {
  std::size_t distance = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    distance = (distance << 8) + static_cast<unsigned char>(to[i]) - static_cast<unsigned char>(from[i]);
  }
  return distance + 1;
}

}  // namespace

std::uint32_t CollatingElements::count_levels(locale_t locale) { return number_item(_NL_COLLATE_NRULES, locale); }

CollatingElements::CollatingElements(locale_t locale) {
  if (std::string_view(::nl_langinfo_l(_NL_COLLATE_CODESET, locale)) == "UTF-8") {
    charset_ = Charset::kUtf8;
  } else if (number_item(_NL_CTYPE_MB_CUR_MAX, locale) == 1) {
    charset_ = Charset::kSingleBytes;
  }
  const Tables tables{.levels = count_levels(locale),
                      .rules = item<unsigned char>(_NL_COLLATE_RULESETS, locale),
                      .table = item<std::int32_t>(_NL_COLLATE_TABLEMB, locale),
                      .extra = item<unsigned char>(_NL_COLLATE_EXTRAMB, locale),
                      .indirect = item<std::int32_t>(_NL_COLLATE_INDIRECTMB, locale)};
  if (tables.levels == 0) return;
  read(tables);
  first_level_is_plain_ = first_levels_are_forward(tables);
}

// Rules are numbered without gaps. One that no element has counts, too: it would cost time, and never give a wrong key.
bool CollatingElements::first_levels_are_forward(const Tables& tables) const {
  const std::size_t rule_count = (static_cast<std::uint32_t>(greatest_entry_) >> 24) + 1;
  for (std::size_t rule = 0; rule < rule_count; ++rule) {
    if (tables.rules[rule * tables.levels] != kForward) return false;
  }
  return true;
}

void CollatingElements::read(const Tables& tables) {
  for (unsigned first = 1; first < 256; ++first) {
    if (tables.table[first] >= 0) {
      add(static_cast<unsigned char>(first), {}, tables.table[first]);
    } else {
      read_list(tables, static_cast<unsigned char>(first));
    }
  }
}

void CollatingElements::read_list(const Tables& tables, unsigned char first) {
  const unsigned char* at = tables.extra - tables.table[first];
  while (true) {
    const auto entry = load_as<std::int32_t>(reinterpret_cast<const std::byte*>(at));
    at += sizeof entry;
    const std::size_t size = *at++;
    const auto* const bytes = reinterpret_cast<const char*>(at);
    if (entry >= 0) {
      add(first, {bytes, size}, entry);
      if (size == 0) return;
      at = behind_padding(at, size);
    } else {
      add_range(first, {bytes, size}, {bytes + size, size}, tables.indirect - entry);
      at = behind_padding(at, 2 * size);
    }
  }
}

/// Whether an element of the byte `first` and so many behind it is longer than a character.
bool CollatingElements::is_joined(unsigned char first, std::size_t rest_bytes) const {
  const std::size_t character_bytes = charset_ == Charset::kUtf8 ? utf8_bytes(first) : 1;
  return charset_ != Charset::kOther && 1 + rest_bytes > character_bytes;
}

/// Adds the element of the bytes `first` and `rest`.
void CollatingElements::add(unsigned char first, std::string_view rest, std::int32_t entry) {
  greatest_entry_ = std::max(greatest_entry_, entry);
  if (!is_joined(first, rest.size())) return;
  joined_.emplace_back(1, static_cast<char>(first)).append(rest);
  begins_within_character_ =
      begins_within_character_ || (charset_ == Charset::kUtf8 && utf8_bytes(first) == 1 && first >= 0x80);
}

/// Adds the elements from `from` to `to`, which count up in their last bytes.
void CollatingElements::add_range(unsigned char first, std::string_view from, std::string_view to,
                                  const std::int32_t* entries) {
  if (!is_joined(first, from.size())) {  // 51,000 characters in en_US: a loop of vectors, as nothing else is changed
    std::int32_t greatest = 0;
    for (const std::int32_t entry : std::span(entries, count_range(from, to))) greatest = std::max(greatest, entry);
    greatest_entry_ = std::max(greatest_entry_, greatest);
    return;
  }
  std::string bytes(from);
  for (std::size_t i = 0;; ++i) {
    add(first, bytes, entries[i]);
    if (bytes == to) return;
    std::size_t last = bytes.size();
    while (last > 0 && ++bytes[last - 1] == '\0') --last;
    if (last == 0) return;
  }
}

#else

struct CollatingElements::Tables {};

std::uint32_t CollatingElements::count_levels(locale_t) { return 0; }

CollatingElements::CollatingElements(locale_t) {}

#endif

}  // namespace sortie
