// What -d, -i and -f make of the bytes of a key before it is compared: some do not count, lower case counts as upper
// case. The key writer builds its tables from it; keys of other kinds than text are read from filtered text.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include <sortie/text_order.hpp>

#include "record/text/text_locale.hpp"

namespace sortie {

struct TextFilter {
  TextLocale::ByteSet counts{};
  std::array<unsigned char, 256> counts_as{};
  bool active = false;  ///< some byte does not count as itself

  /// Whether all that it does is upper_case_ascii().
  bool folds_ascii_only() const;

  TextFilter(const TextKey& key, const TextLocale& locale);

  /// Replaces `filtered` by what counts of `text`.
  void apply(std::string_view text, std::string& filtered) const;
};

}  // namespace sortie
