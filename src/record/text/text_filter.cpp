#include "record/text/text_filter.hpp"

#include <algorithm>
#include <cstddef>

#include "record/text/byte_words.hpp"

namespace sortie {
namespace {

// -d goes before -i where both are given.
bool byte_counts(const TextKey& key, const TextLocale& locale, std::size_t byte) {
  if (key.dictionary) return locale.blank[byte] || locale.alphanumeric[byte];
  return !key.ignore_nonprinting || locale.printable[byte];
}

}  // namespace

TextFilter::TextFilter(const TextKey& key, const TextLocale& locale)
    : active(key.dictionary || key.ignore_nonprinting || key.fold_case) {
  for (std::size_t byte = 0; byte < counts.size(); ++byte) {
    counts[byte] = byte_counts(key, locale, byte);
    counts_as[byte] = key.fold_case ? locale.upper_case[byte] : static_cast<unsigned char>(byte);
  }
}

bool TextFilter::folds_ascii_only() const {
  const bool all_count = std::all_of(counts.begin(), counts.end(), [](bool byte_counts) { return byte_counts; });
  for (std::size_t byte = 0; byte < counts_as.size(); ++byte) {
    if (counts_as[byte] != upper_case_ascii(byte)) return false;
  }
  return all_count;
}

void TextFilter::apply(std::string_view text, std::string& filtered) const {
  filtered.clear();
  for (const char raw : text) {
    const auto byte = static_cast<unsigned char>(raw);
    if (counts[byte]) filtered += static_cast<char>(counts_as[byte]);
  }
}

}  // namespace sortie
