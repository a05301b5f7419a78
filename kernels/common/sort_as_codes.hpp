// From numbers of any type and either direction to unsigned codes that ascend, for the entries of sorts that know
// nothing else.
#pragma once

#include <type_traits>

#include "kernels/common/key_codec.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// The keys' bits.
template <RadixKey Key>
CodeOf<Key>* as_codes(Key* keys) {
  return reinterpret_cast<CodeOf<Key>*>(keys);
}

template <RadixKey Key>
KeyCodec<CodeOf<Key>> codec_of(SortOrder order) {
  return make_key_codec<CodeOf<Key>>(kKindOf<Key>, order == SortOrder::kDescending);
}

/// Calls sort(bits of the keys, codec); PlainKeys for the order that unsigned integers have by themselves.
template <RadixKey Key, class Sort>
void sort_as_codes(Key* keys, SortOrder order, const Sort& sort) {
  if constexpr (std::is_unsigned_v<Key>) {
    if (order == SortOrder::kAscending) return sort(keys, PlainKeys{});
  }
  sort(as_codes(keys), codec_of<Key>(order));
}

}  // namespace sortie::kernels
