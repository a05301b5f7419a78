#include "kernels/pack_sorted.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/device_array.hpp"
#include "kernels/packing/packed_format.hpp"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kPieceCodes = 8 * kPackedBlockCodes;

struct alignas(kLineBytes) Line {
  std::byte bytes[kLineBytes];
};

/// Packs codes on the device, and on the host those pieces that are worth it.
template <class Code>
struct RoundTrip {
  explicit RoundTrip(const std::vector<Code>& codes) {
    const CudaStream stream;
    const DeviceArray<Code> array(codes, stream);
    const DeviceArray<Line> packed(divide_up(codes.size() * sizeof(Code), kLineBytes) + 1, stream);
    const DeviceArray<std::uint32_t> device_lines(divide_up(codes.size(), kPieceCodes) + 1, stream);
    pack_sorted(array.data(), codes.size(), kPieceCodes, reinterpret_cast<std::byte*>(packed.data()),
                device_lines.data(), stream.handle());
    const std::vector<std::uint32_t> lines = device_lines.download();
    const std::vector<Line> pieces = packed.download();
    untouched_behind = pieces.back().bytes[kLineBytes - 1] == std::byte{kPoison} && lines.back() == 0xa5a5a5a5;
    numbers = codes;
    for (std::uint64_t begin = 0, i = 0; begin < codes.size(); begin += kPieceCodes, ++i) {
      const std::uint64_t count = std::min(kPieceCodes, codes.size() - begin);
      if (packed_piece_bytes(count, sizeof(Code), lines[i]) == kNotWorthPacking) {
        ++not_worth;
        continue;
      }
      std::fill_n(numbers.begin() + static_cast<std::ptrdiff_t>(begin), count, Code{0});
      unpack_numbers({FieldKind::kUnsigned, sizeof(Code), false},
                     reinterpret_cast<const std::byte*>(pieces.data()) + begin * sizeof(Code), count, 0,
                     packed_blocks(count), reinterpret_cast<std::byte*>(numbers.data() + begin));
    }
  }

  std::vector<Code> numbers;
  unsigned not_worth = 0;
  bool untouched_behind = false;
};

template <class Code>
void expect_round_trip(const std::vector<Code>& codes) {
  const RoundTrip<Code> trip(codes);
  EXPECT_TRUE(trip.numbers == codes);
  EXPECT_TRUE(trip.untouched_behind);
}

/// Codes with differences around 2^bits.
template <class Code>
std::vector<Code> ascending_codes(std::uint64_t count, unsigned bits) {
  std::vector<Code> codes = make_keys<Code>(Distribution::kUniform, count, 71);
  Code sum = 0;
  for (Code& code : codes) code = sum += static_cast<Code>(bits == 0 ? 0 : code >> (8 * sizeof(Code) - bits));
  return codes;
}

TEST(PackSortedGpu, UnpacksToTheSameCodes) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t count : {1ULL, 64ULL, 511ULL, 512ULL, 513ULL, 4096ULL, 4097ULL, 100'003ULL}) {
    for (const unsigned bits : {0U, 1U, 2U, 7U, 12U}) {
      SCOPED_TRACE(std::to_string(count) + " codes, steps of " + std::to_string(bits) + " bits, seed 71");
      expect_round_trip(ascending_codes<std::uint32_t>(count, bits));
      expect_round_trip(ascending_codes<std::uint64_t>(count, bits));
      expect_round_trip(ascending_codes<std::uint64_t>(count, bits + 28));
    }
  }
}

TEST(PackSortedGpu, UnpacksAllDistributions) {
  SORTIE_REQUIRE_GPU();
  for (const Distribution distribution : kAllDistributions) {
    SCOPED_TRACE(to_string(distribution) + ", seed 72");
    std::vector<std::uint32_t> narrow = make_keys<std::uint32_t>(distribution, 1'000'003, 72);
    std::ranges::sort(narrow);
    expect_round_trip(narrow);
    std::vector<std::uint64_t> wide = make_keys<std::uint64_t>(distribution, 1'000'003, 72);
    std::ranges::sort(wide);
    expect_round_trip(wide);
  }
}

TEST(PackSortedGpu, CodesFarApartAreNotWorthIt) {
  SORTIE_REQUIRE_GPU();
  std::vector<std::uint64_t> codes = make_keys<std::uint64_t>(Distribution::kUniform, 2 * kPieceCodes, 73);
  std::fill_n(codes.begin(), kPieceCodes, 5);
  std::ranges::sort(codes);
  const RoundTrip<std::uint64_t> trip(codes);
  EXPECT_EQ(trip.not_worth, 1);
  EXPECT_TRUE(trip.numbers == codes);
}

TEST(PackSortedGpu, OutliersWidenTheirOwnBlockAlone) {
  SORTIE_REQUIRE_GPU();
  std::vector<std::uint64_t> codes(kPieceCodes);
  for (std::uint64_t i = 0; i < kPieceCodes; ++i) codes[i] = i + (i >= 1000 ? std::uint64_t{1} << 60 : 0);
  const CudaStream stream;
  const DeviceArray<std::uint64_t> array(codes, stream);
  const DeviceArray<Line> packed(kPieceCodes * sizeof(std::uint64_t) / kLineBytes, stream);
  const DeviceArray<std::uint32_t> lines(1, stream);
  pack_sorted(array.data(), kPieceCodes, kPieceCodes, reinterpret_cast<std::byte*>(packed.data()), lines.data(),
              stream.handle());
  EXPECT_EQ(lines.download()[0], 7 * 4 + 61);
}

TEST(PackSortedGpu, NothingIsPackedFromNothing) {
  SORTIE_REQUIRE_GPU();
  const CudaStream stream;
  pack_sorted(static_cast<const std::uint32_t*>(nullptr), 0, kPieceCodes, nullptr, nullptr, stream.handle());
  stream.synchronize();
}

}  // namespace
}  // namespace sortie::kernels
