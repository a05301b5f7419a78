#include "record/text/own_keys.hpp"

#include <algorithm>

namespace sortie {

bool is_own_key(const TextOrder& order, const TextKey& key) {
  return order.csv || order.json || key.kind == TextKind::kTime || key.kind == TextKind::kKaryotype ||
         key.kind == TextKind::kListed;
}

bool has_last_resort(const TextOrder& order) {
  if (!order.last_resort || order.csv || order.record_start) return false;
  return std::ranges::none_of(order.keys, [&](const TextKey& key) { return is_own_key(order, key); });
}

}  // namespace sortie
