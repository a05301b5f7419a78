// Which keys and aggregates of an order guesses are counted about (base/guess_counts.hpp), and what these are called.
// Keys as GNU sort has them are read in silence, as scripts rely on, unless the sort is strict. All others are ours:
// times, keys in CSV and JSON, positions in genomes, and what groups aggregate.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sortie/grouping.hpp>
#include <sortie/options.hpp>
#include <sortie/text_order.hpp>

namespace sortie {

// Keys that GNU sort does not have are no part of what scripts rely on, so that an order with one of them is stable by
// itself, and what cannot be read is told.

bool is_own_key(const TextOrder& order, const TextKey& key);

/// Whether lines with equal keys are ordered by their bytes, as GNU sort does it. If not, they keep the order in which
/// they came. Lines without keys have no other order.
bool has_last_resort(const TextOrder& order);

/// What guesses about quotes are about.
inline constexpr std::string_view kQuotesSubject = "quotes";

/// One for each key, then one for each aggregate but counts, then kQuotesSubject if nobody has said what quotes mean.
/// An empty one is of a key about which guesses are not counted. `order`: as the options have it, so that columns still
/// have their names. `grouping`: null if records are not grouped. `all_keys`: keys of GNU sort count as well, as they
/// do with a grouping: the sort is strict, or makes a part of each value.
std::vector<std::string> guess_subjects(const TextOrder& order, const Grouping* grouping, bool all_keys);

/// Those of a sort with these options. None for records that are no lines, or that are shuffled unread.
std::vector<std::string> guess_subjects(const SortOptions& options);

/// Whether any of them is counted.
bool counts_guesses(const SortOptions& options);

}  // namespace sortie
