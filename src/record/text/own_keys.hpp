// Keys that GNU sort does not have: times, fields of CSV, values of JSON, chromosomes. They are no part of what scripts
// rely on, so that an order with one of them is stable by itself, and what cannot be read is told.
#pragma once

#include <sortie/text_order.hpp>

namespace sortie {

bool is_own_key(const TextOrder& order, const TextKey& key);

/// Whether lines with equal keys are ordered by their bytes, as GNU sort does it. If not, they keep the order in which
/// they came. Lines without keys have no other order.
bool has_last_resort(const TextOrder& order);

}  // namespace sortie
