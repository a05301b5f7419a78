// The arrays that a kernel reads items from and writes them to: keys, alone or with values.
#pragma once

#include "kernels/common/key_codec.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// For keys without values, Value is NoValue and the pointers to values are null.
template <class Key, class Value>
struct InOutArrays {
  const Key* keys_in;
  Key* keys_out;
  const Value* values_in;
  Value* values_out;
};

/// The arrays with numbers as unsigned integers of the same bits; kernels are compiled for these.
template <class Number, class Value>
InOutArrays<CodeOf<Number>, Value> bits_of(const InOutArrays<Number, Value>& arrays) {
  using Bits = CodeOf<Number>;
  return {reinterpret_cast<const Bits*>(arrays.keys_in), reinterpret_cast<Bits*>(arrays.keys_out), arrays.values_in,
          arrays.values_out};
}

}  // namespace sortie::kernels
