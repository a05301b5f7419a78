#include "engine/gpu/chunk/record_sorter.hpp"

#include "engine/gpu/chunk/number_sorter.hpp"
#include "engine/gpu/chunk/pair_sorter.hpp"

namespace sortie::gpu {
std::unique_ptr<RecordSorter> make_record_sorter(const Format& format, const RecordTraits& traits,
                                                 Algorithm algorithm) {
  if (traits.numbers()) return std::make_unique<NumberSorter>(format, algorithm);
  return std::make_unique<PairSorter>(format, algorithm);
}

}  // namespace sortie::gpu
