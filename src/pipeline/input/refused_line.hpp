// A line of which no keys can be made ends a sort, and is named by its input and its number there. Thrown by
// KeyedReader; whoever has it read an input from some line on sets the number right.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <sortie/error.hpp>

namespace sortie {

struct LinePlace {
  std::string input;          ///< a name of it for messages
  const char* word = "line";  ///< what it is: a line or a record
  std::uint64_t number = 0;   ///< from 1
  std::string path = {};      ///< of the input
};

/// "input 'x': line 5".
inline std::string name_of(const LinePlace& place) {
  return place.input + ": " + place.word + " " + std::to_string(place.number);
}

class RefusedLine : public Error {
 public:
  /// `reason`: goes on behind the name of the line.
  RefusedLine(const LinePlace& place, std::string reason, Remedy remedy)
      : Error(name_of(place) + " " + reason, remedy), place_(place), reason_(std::move(reason)) {}

  /// The same line of an input with so many more lines in front.
  RefusedLine behind(std::uint64_t lines) const {
    LinePlace place = place_;
    place.number += lines;
    return {place, reason_, remedy()};
  }

 private:
  LinePlace place_;
  std::string reason_;
};

}  // namespace sortie
