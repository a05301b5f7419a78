// Keys of a shuffle, for formats that make them: a hash of the seed and of the number of the record among all inputs.
// So a seed gives one order, whether records are carried through the sort or their places are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <sortie/text_order.hpp>

namespace sortie::formats {

class ShuffleKeys {
 public:
  /// Without a seed one is made up.
  explicit ShuffleKeys(const std::optional<RandomSeed>& seed);

  /// 16 bytes. Two records have equal keys with a probability of 2^-128; they keep the order of the inputs.
  std::vector<std::byte> key(std::uint64_t number) const;

 private:
  RandomSeed seed_;
};

}  // namespace sortie::formats
