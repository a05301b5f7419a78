// Turns numbers of any type and either direction into ascending unsigned codes. The entry points of sorts and merges
// use it, so that their kernels know nothing else.
#pragma once

#include <type_traits>

#include "kernels/common/key_codec.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// The keys' bits as unsigned integers.
template <SortKey Key>
CodeOf<Key>* as_codes(Key* keys) {
  return reinterpret_cast<CodeOf<Key>*>(keys);
}

template <SortKey Key>
KeyCodec<CodeOf<Key>> codec_of(SortOrder order) {
  return make_key_codec<CodeOf<Key>>(kKindOf<Key>, order == SortOrder::kDescending);
}

/// Calls use(codec). The codec is PlainKeys for unsigned keys in ascending order.
template <SortKey Key, class Use>
void with_codec(SortOrder order, const Use& use) {
  if constexpr (std::is_unsigned_v<Key>) {
    if (order == SortOrder::kAscending) return use(PlainKeys{});
  }
  use(codec_of<Key>(order));
}

}  // namespace sortie::kernels
