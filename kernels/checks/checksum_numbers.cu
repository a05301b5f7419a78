#include "kernels/checks/checksum_packs.cuh"
#include "kernels/checksum_records.hpp"

namespace sortie::kernels {
namespace {

/// Mixes numbers as base/checksum.cpp does.
template <class Number>
struct NumberItem {
  using Value = Number;

  __device__ static std::uint64_t mix(std::uint64_t value) {
    value = (value ^ value >> 33) * 0xff51afd7ed558ccd;
    value = (value ^ value >> 33) * 0xc4ceb9fe1a85ec53;
    return value ^ value >> 33;
  }

  __device__ static Checksum hash(Number number) {
    return {mix(number + 0x9e3779b97f4a7c15), mix(number ^ 0xd6e8feb86659fd93)};
  }
};

}  // namespace

void add_number_checksum(const std::uint32_t* numbers, std::uint64_t count, Checksum* sum, cudaStream_t stream) {
  launch_pack_checksum(numbers, count, NumberItem<std::uint32_t>(), sum, stream);
}

void add_number_checksum(const std::uint64_t* numbers, std::uint64_t count, Checksum* sum, cudaStream_t stream) {
  launch_pack_checksum(numbers, count, NumberItem<std::uint64_t>(), sum, stream);
}

}  // namespace sortie::kernels
