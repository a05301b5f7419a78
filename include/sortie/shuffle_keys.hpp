// Keys of a shuffle, for whoever makes them: a hash of the seed and of the number of the record among all inputs. So a
// seed gives one order, whether records are carried through the sort, their places are, or rows of tables. For formats
// of files, and for the package's sort_table(shuffle=...).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <sortie/text_order.hpp>

namespace sortie {

class ShuffleKeys {
 public:
  /// Without a seed one is made up.
  explicit ShuffleKeys(const std::optional<RandomSeed>& seed);

  /// 16 bytes. Two records have equal keys with a probability of 2^-128; they keep the order of the inputs.
  std::vector<std::byte> key(std::uint64_t number) const;

  /// Writes the keys of records that follow one another as two words each, which are in the order of the bytes of
  /// key(): the first counts most. Precondition: both spans have one length.
  void write_words(std::uint64_t first_number, std::span<std::uint64_t> first_words,
                   std::span<std::uint64_t> second_words) const;

 private:
  RandomSeed seed_;
};

}  // namespace sortie
