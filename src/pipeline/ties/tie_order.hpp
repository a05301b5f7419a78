// Puts encoded lines whose keys agree up to an open rank into the order of strcoll(), and fills in their ranks, so that
// bytes order them from then on. Works on lines in memory; TieStage finds them.
//
//   | e-a rank - position 1 | e-a rank - position 2 | e-a rank - position 3 |     lines "E", "e", "E"
//   | e-a rank 1 position 2 | e-a rank 2 position 1 | e-a rank 2 position 3 |
//
// It works key by key: lines are put in order by the texts of their first collated key. Those with equal texts, and
// equal keys up to the next collated one, are put in order by the texts of that, and so on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/parallel.hpp"
#include "base/thread_team.hpp"
#include "record/collation/collated_text.hpp"
#include "record/layout.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {

/// The texts of tied lines, and their ranks by strcoll(), which is asked only about texts that differ.
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

/// A stable sort for expensive comparisons, such as strcoll(): O(n log n) of them for any input, by all threads if
/// there is much to compare. Throws Stopped.
template <class Value, class Less>
void stable_merge_sort(std::span<Value> values, const Less& less) {
  constexpr std::size_t kLeastShared = 4096;
  if (values.size() < kLeastShared) {
    std::stable_sort(values.begin(), values.end(), [&](const Value& a, const Value& b) {
      throw_if_stopped();
      return less(a, b);
    });
    return;
  }
  const std::span<Value> front = values.first(values.size() / 2);
  const std::span<Value> back = values.subspan(front.size());
  run_with_background([&] { stable_merge_sort(front, less); }, [&] { stable_merge_sort(back, less); });
  const std::vector<Value> sorted_front(front.begin(), front.end());
  auto target = values.begin();
  auto next_back = back.begin();
  for (const Value& value : sorted_front) {
    throw_if_stopped();
    while (next_back != back.end() && less(*next_back, value)) *target++ = *next_back++;
    *target++ = value;
  }
}

class TieOrder {
 public:
  /// `codec` made the lines. It must collate and outlive this.
  explicit TieOrder(const RecordCodec& codec) : codec_(codec), layout_(layout_of(codec.sorted_format())) {}

  const RecordCodec& codec() const { return codec_; }
  const Layout& layout() const { return layout_; }

  /// Whether the keys of two lines agree up to the first rank.
  bool are_tied(Record a, Record b) const { return agree_up_to(a, b, 0); }

  /// Whether `lines` have the same texts in all collated keys as `first`; if so, their bytes order them. Precondition:
  /// they are tied to it.
  bool have_texts_of(Record first, std::span<const std::byte> lines) const;

  /// Whether two lines are equal apart from what stands in front of them; if so, all their texts are equal.
  bool are_same_line(Record a, Record b) const;

  /// Orders lines that are tied and come in the order of their bytes. Parallel if they are many. Asks strcoll()
  /// O(n log n) times.
  void order(std::span<std::byte> lines) const;

  /// Marks all ranks of a line as open.
  void open_ranks(std::span<std::byte> line) const;
  /// Fills in the ranks of a line that follows `before`, whose ranks are filled in. `before` is empty for the very
  /// first line.
  void rank_behind(Record before, std::span<std::byte> line) const;

 private:
  using Lines = std::span<std::span<std::byte>>;

  void order_by_text(Lines lines, std::size_t rank) const;
  void order_classes(Lines lines, std::size_t rank) const;
  bool have_one_text(Lines lines, std::size_t rank) const;
  bool have_same_texts(Record a, Record b) const;
  bool agree_up_to(Record a, Record b, std::size_t rank) const;

  const RecordCodec& codec_;
  Layout layout_;
};

}  // namespace sortie
