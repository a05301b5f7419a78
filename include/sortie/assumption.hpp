// What a sort had to assume because its input or its options did not say it. Each time is a guess, which is counted.
// All guesses of one kind about one thing are an assumption: it is reported once, with its first place and the remedy,
// and refused by SortOptions::strict.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <sortie/error.hpp>

namespace sortie {

struct Assumption {
  std::string kind;                ///< a word for programs, for example "unread-key"
  std::string message;             ///< one line for people: what was assumed of how many, the first place, the remedy
  std::uint64_t count = 0;         ///< records, fields or inputs of which it was assumed
  std::uint64_t of = 0;            ///< how many there are in all; 0 if that says nothing
  std::string first_place;         ///< FILE:LINE, or "FILE: record N", of the first; empty if it has no place
  Remedy remedy = Remedy::kOther;  ///< what the last words of `message` advise

  friend bool operator==(const Assumption&, const Assumption&) = default;
};

/// What a shard (shard.hpp) assumed, in words that total_assumptions() completes when all shards are known.
struct ShardAssumption {
  std::string kind;
  std::string subject;  ///< what it is about; those of one kind and subject are one
  std::string some;     ///< the message if it was assumed of some records; {count} and {of} stand for their numbers
  std::string all;      ///< the message if it was assumed of all
  bool only_if_all = false;  ///< there is nothing to tell unless it was assumed of all records of all shards
  std::uint64_t count = 0;
  std::uint64_t of = 0;
  std::string first_place;
  /// Another kind: there is nothing to tell unless some shard has that about the same subject. That kind by itself may
  /// have no message.
  std::string only_with = {};
};

/// What all shards of a sort assumed. `parts`: those of all shards and of the header of all inputs, in turn: the first
/// of a kind and subject knows the first place. `records`: of all shards, those that assumed nothing included.
std::vector<Assumption> total_assumptions(std::span<const ShardAssumption> parts, std::uint64_t records);

}  // namespace sortie
