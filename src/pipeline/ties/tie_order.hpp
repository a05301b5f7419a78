// Puts decorated lines whose keys agree up to an open rank into the order of strcoll(), and fills in their ranks, so
// that their bytes order them from then on. Works on lines in memory; TieStage finds them.
//
//   | e-a rank - place 1 | e-a rank - place 2 | e-a rank - place 3 |     lines "E", "e", "E"
//   | e-a rank 1 place 2 | e-a rank 2 place 1 | e-a rank 2 place 3 |
//
// It works key by key: lines are put in order by the texts of their first collated key. Those with equal texts, and
// equal keys up to the next collated one, are put in order by the texts of that, and so on.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "record/layout.hpp"
#include "record/text/line_decorator.hpp"

namespace sortie {

class TieOrder {
 public:
  /// `decorator` made the lines. It must collate and outlive this.
  explicit TieOrder(const LineDecorator& decorator)
      : decorator_(decorator), layout_(layout_of(decorator.decorated_format())) {}

  const LineDecorator& decorator() const { return decorator_; }
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

  const LineDecorator& decorator_;
  Layout layout_;
};

}  // namespace sortie
