// A line of which no keys can be made ends a sort, and is named by its input and its number there. Thrown by
// KeyedReader; whoever has it read an input from some line on sets the number right.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <sortie/error.hpp>

namespace sortie {

struct LinePosition {
  std::string input;          ///< a name of it for messages
  const char* word = "line";  ///< what it is: a line or a record
  std::uint64_t number = 0;   ///< from 1
  std::string path = {};      ///< of the input
};

/// "input 'x': line 5".
inline std::string name_of(const LinePosition& position) {
  return position.input + ": " + position.word + " " + std::to_string(position.number);
}

class RefusedLine : public Error {
 public:
  /// `reason`: goes on behind the name of the line.
  RefusedLine(const LinePosition& position, std::string reason, Remedy remedy)
      : Error(name_of(position) + " " + reason, remedy), position_(position), reason_(std::move(reason)) {}

  /// The same line of an input with so many more lines in front.
  RefusedLine behind(std::uint64_t lines) const {
    LinePosition position = position_;
    position.number += lines;
    return {position, reason_, remedy()};
  }

 private:
  LinePosition position_;
  std::string reason_;
};

}  // namespace sortie
