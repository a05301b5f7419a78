#include "engine/gpu/record_sorter.hpp"

#include "engine/gpu/number_sorter.hpp"
#include "engine/gpu/pair_sorter.hpp"

namespace sortie::gpu {
namespace {

constexpr std::uint64_t kBitonicMaxCount = 1 << 13;

}  // namespace

bool takes_bitonic(Algorithm algorithm, std::uint64_t count) {
  return algorithm == Algorithm::kBitonic || (algorithm == Algorithm::kAuto && count <= kBitonicMaxCount);
}

std::unique_ptr<RecordSorter> make_record_sorter(const Format& format, const RecordTraits& traits,
                                                 Algorithm algorithm) {
  if (traits.numbers()) return std::make_unique<NumberSorter>(format, algorithm);
  return std::make_unique<PairSorter>(format, algorithm);
}

}  // namespace sortie::gpu
