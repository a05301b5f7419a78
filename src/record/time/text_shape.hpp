// Shapes of texts, as short lines of characters, and what takes a text that has one. Shapes are taken apart when they
// are compiled: a shape is as fast as a function that asks for its parts. time_grammar.hpp says what their letters
// mean.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "record/time/time_cursor.hpp"

namespace sortie {

/// A literal as an argument of a template.
template <std::size_t kSize>
struct ShapeText {
  constexpr ShapeText(const char (&literal)[kSize]) { std::copy_n(literal, kSize, text); }
  constexpr std::string_view view() const { return {text, kSize - 1}; }

  char text[kSize]{};
};

/// One part of a shape, which takes something if it is repeated without limit: what stands from `begin` to `end`, how
/// often, and where the next part begins.
struct ShapePart {
  char prefix = '\0';  ///< '!' or '&', which take nothing
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t least = 1;
  std::size_t most = 1;
  std::size_t next = 0;
};

/// Where the character ends that begins at `at`, or what stands in brackets there.
constexpr std::size_t end_of_shape_unit(std::string_view shape, std::size_t at) {
  if (shape[at] == '[') return shape.find(']', at) + 1;
  if (shape[at] == '<') return shape.find('>', at) + 1;
  if (shape[at] != '(') return at + 1;
  std::size_t end = at + 1;
  while (shape[end] != ')') end = end_of_shape_unit(shape, end);
  return end + 1;
}

/// Where the alternative ends that begins at `begin`.
constexpr std::size_t end_of_alternative(std::string_view shape, std::size_t begin) {
  while (begin < shape.size() && shape[begin] != '|') begin = end_of_shape_unit(shape, begin);
  return begin;
}

constexpr ShapePart shape_part_at(std::string_view shape, std::size_t begin) {
  ShapePart part;
  if (shape[begin] == '!' || shape[begin] == '&') part.prefix = shape[begin++];
  part.begin = begin;
  part.end = part.next = end_of_shape_unit(shape, begin);
  const char repeat = part.end < shape.size() ? shape[part.end] : '\0';
  if (repeat == '?' || repeat == '*' || repeat == '+') {
    part.least = repeat == '+' ? 1 : 0;
    part.most = repeat == '?' ? 1 : std::string_view::npos;
    ++part.next;
  }
  if (repeat == '{') {
    std::size_t count = 0;
    part.least = std::string_view::npos;
    for (++part.next; shape[part.next] != '}'; ++part.next) {
      if (shape[part.next] == ',') part.least = count;
      count = shape[part.next] == ',' ? 0 : count * 10 + static_cast<std::size_t>(shape[part.next] - '0');
    }
    part.most = count;
    part.least = std::min(part.least, count);
    ++part.next;
  }
  return part;
}

/// Takes one byte if it suits.
inline bool take_byte(TimeCursor& cursor, bool suits) {
  if (!suits || cursor.is_at_end()) return false;
  cursor.skip(1);
  return true;
}

/// What the grammar has for a letter; take_time_rule() is that for a name between < and >.
template <char kLetter>
bool take_time_letter(TimeCursor& cursor);

constexpr std::size_t index_of_time_rule(std::string_view name);

template <std::size_t kRule>
bool take_time_rule(TimeCursor& cursor);

/// Takes the alternatives of a shape; each but the last has one behind it. Shape::kText is its text.
template <typename Shape, std::size_t kBegin, std::size_t kEnd>
struct ShapeReader {
  static bool take_alternatives(TimeCursor& cursor) {
    constexpr std::size_t kMiddle = end_of_alternative(Shape::kText.substr(0, kEnd), kBegin);
    const std::size_t begin = cursor.taken();
    if (ShapeReader<Shape, kBegin, kMiddle>::take_parts(cursor)) return true;
    cursor.go_back(begin);
    if constexpr (kMiddle < kEnd) return ShapeReader<Shape, kMiddle + 1, kEnd>::take_alternatives(cursor);
    return false;
  }

  static bool take_parts(TimeCursor& cursor) {
    if constexpr (kBegin < kEnd) {
      constexpr ShapePart kPart = shape_part_at(Shape::kText.substr(0, kEnd), kBegin);
      using Unit = ShapeReader<Shape, kPart.begin, kPart.end>;
      if constexpr (kPart.prefix == '\0' && kPart.least == 1 && kPart.most == 1) {
        if (!Unit::take_unit(cursor)) return false;
      } else {
        const std::size_t begin = cursor.taken();
        std::size_t count = 0;
        while (count < kPart.most && Unit::take_unit(cursor)) ++count;
        if ((count >= kPart.least) == (kPart.prefix == '!')) return false;
        if constexpr (kPart.prefix != '\0') cursor.go_back(begin);
      }
      return ShapeReader<Shape, kPart.next, kEnd>::take_parts(cursor);
    }
    return true;
  }

  static bool take_unit(TimeCursor& cursor) {
    constexpr char kLetter = Shape::kText[kBegin];
    if constexpr (kLetter == '(') {
      return ShapeReader<Shape, kBegin + 1, kEnd - 1>::take_alternatives(cursor);
    } else if constexpr (kLetter == '<') {
      return take_time_rule<index_of_time_rule(Shape::kText.substr(kBegin + 1, kEnd - kBegin - 2))>(cursor);
    } else if constexpr (kLetter == '[') {
      constexpr std::string_view kBytes = Shape::kText.substr(kBegin + 1, kEnd - kBegin - 2);
      const char next = cursor.peek();
      return [&]<std::size_t... kAt>(std::index_sequence<kAt...>) {
        return take_byte(cursor, ((next == kBytes[kAt]) || ...));
      }
      (std::make_index_sequence<kBytes.size()>());
    } else {
      return take_time_letter<kLetter>(cursor);
    }
  }
};

}  // namespace sortie
