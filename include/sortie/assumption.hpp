// What a sort had to assume because its input or its options did not say it: a guess is an event, which is counted,
// told once with its first place and the remedy, and refused by SortOptions::strict.
#pragma once

#include <cstdint>
#include <string>

namespace sortie {

struct Assumption {
  std::string kind;         ///< a word for programs, for example "unread-key"
  std::string message;      ///< one line for people: what was assumed of how many, the first place, the remedy
  std::uint64_t count = 0;  ///< records, fields or inputs of which it was assumed
  std::uint64_t of = 0;     ///< how many there are in all; 0 if that says nothing
  std::string first_place;  ///< FILE:LINE, or "FILE: record N", of the first; empty if it has no place

  friend bool operator==(const Assumption&, const Assumption&) = default;
};

}  // namespace sortie
