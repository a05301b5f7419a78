// Keys as they are written. What a word means is known once all options are: a field, a column, or a value of JSON.
#pragma once

#include <vector>

#include <sortie/text_keys.hpp>

#include "option/request.hpp"

namespace sortie::option {

/// Takes the words of an option that gives keys. Under the name `sort` a word that is no KEYDEF is refused at once.
void add_keys(Request& request, const Value& value);

/// Takes "+POS1 -POS2", GNU sort's older form.
void add_obsolete_key(Request& request, const std::string& begin, const std::string& end);

/// All keys, in their order. Throws Error for words that are none of records of this form.
std::vector<KeyDefinition> keys_of(const Request& request);

/// The key of SortOptions::keep_best. Precondition: it is asked for.
TextKey best_key_of(const Request& request);

/// The key of SortOptions::parts, which comes before all others, added to an order that has all but locale and seed.
/// `whole_line_counts`: as add_first_key() has it. If shares are asked for, it is read as one of them.
void add_split_key(TextOrder& order, const Request& request, bool whole_line_counts);

}  // namespace sortie::option
