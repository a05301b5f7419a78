// The texts of tied lines, and their ranks by strcoll(), which is asked only about texts that differ. Used to order
// ties.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "record/collation/collated_text.hpp"
#include "record/collation/locale_handle.hpp"

namespace sortie {

class TieTexts {
 public:
  /// Adds the text of the next line.
  void add(std::string_view text);

  /// Returns the rank of each text, in the order in which they were added. Texts that strcoll() finds equal have the
  /// same rank. Parallel if they are many. Call once.
  std::vector<std::uint64_t> rank(const LocaleHandle& locale, bool descending);

 private:
  /// A text, with a NUL behind it.
  struct Text {
    std::size_t begin;
    std::size_t size;
    std::size_t number;  // in the order in which they were added
  };
  /// A range of texts with the same bytes.
  struct Repeats {
    std::size_t begin;
    std::size_t end;
  };

  std::vector<Repeats> find_repeats();
  std::string_view bytes_of(const Text& text) const { return {bytes_.data() + text.begin, text.size}; }
  TerminatedText first_of(const Repeats& repeats) const;

  std::string bytes_;
  std::vector<Text> texts_;
};

}  // namespace sortie
