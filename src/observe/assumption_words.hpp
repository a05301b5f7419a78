// What is reported of each kind of guess: its word for programs, the message, when there is one, and the remedy. One
// table says all of it. Assumptions asks it for the guesses of a job, total_assumptions() for those of several
// processes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <sortie/assumption.hpp>
#include <sortie/options.hpp>

#include "base/guess_counts.hpp"
#include "observe/guess.hpp"

namespace sortie {

/// When guesses of a kind are reported.
enum class Reported : std::uint8_t {
  kAlways,
  kIfMixed,  ///< if kWrittenZone was counted of other records
  kNever,
  kIfAll,  ///< if there is no record without such a guess
};

Reported when_reported(GuessKind kind);

/// What is reported of guesses, as a shard reports it. `first`: one of them, with the position. `count`: of all of
/// them. `of`: how many there could be.
ShardAssumption words_of(const Guess& first, std::uint64_t count, std::uint64_t of);

/// What is reported of all guesses, each kind and subject of which is there once.
std::vector<Assumption> listed(const std::vector<ShardAssumption>& sums);

/// Throws Error if there are any: nothing may be assumed.
void refuse_assumptions(const std::vector<Assumption>& assumptions);
/// The same if the sort is strict.
void refuse_if_strict(const SortOptions& options, const std::vector<Assumption>& assumptions);

/// Takes what is assumed of an input as a whole: warns of it, or throws Error(refusal) if the sort is strict.
using GuessWarner = std::function<void(const std::string& warning, const std::string& refusal)>;
GuessWarner guess_warner(const SortOptions& options);

}  // namespace sortie
