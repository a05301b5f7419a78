// Sorts of many segments beside CUB's two: DeviceSegmentedSort, which tells short segments from long ones, and
// DeviceSegmentedRadixSort, which gives each a block. Segments are from a million tiny ones to a single one, of one
// length or of very different ones. Calls are those that a program makes, with all that the host does for them.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include <sortie/cuda/device_segmented_sort.hpp>
#include <sortie/error.hpp>

#include "bench/kernels/families.hpp"
#include "bench/kernels/sort_arrays.cuh"

namespace sortie::bench {
namespace {

/// The lengths of some segments, and what to call them.
struct Regime {
  std::string name;
  std::vector<std::uint64_t> lengths;
};

Regime equal_lengths(unsigned log2_segments, unsigned log2_length) {
  return {"2^" + std::to_string(log2_segments) + "x2^" + std::to_string(log2_length),
          std::vector<std::uint64_t>(std::size_t{1} << log2_segments, std::uint64_t{1} << log2_length)};
}

/// 2^17 segments of 2^24 items in all, or a little more: segment r has as many as a rank r has by Zipf's law.
Regime zipf_lengths() {
  constexpr std::uint64_t kSegments = std::uint64_t{1} << 17;
  constexpr double kItems = 1 << 24;
  Regime regime{"Zipf", {}};
  double harmonic = 0;
  for (std::uint64_t rank = 1; rank <= kSegments; ++rank) harmonic += 1.0 / static_cast<double>(rank);
  for (std::uint64_t rank = 1; rank <= kSegments; ++rank) {
    regime.lengths.push_back(static_cast<std::uint64_t>(kItems / harmonic / static_cast<double>(rank)) + 1);
  }
  std::ranges::shuffle(regime.lengths, std::mt19937_64(1));
  return regime;
}

/// 2^20 segments, of which one in 16 has 1 to 255 items.
Regime mostly_empty() {
  Regime regime{"2^20, most empty", {}};
  std::mt19937_64 random(1);
  for (unsigned i = 0; i < 1U << 20; ++i) regime.lengths.push_back(random() % 16 == 0 ? random() % 255 + 1 : 0);
  return regime;
}

std::vector<Regime> all_regimes() {
  return {equal_lengths(20, 3),  equal_lengths(17, 6),  equal_lengths(14, 8), equal_lengths(14, 10),
          equal_lengths(12, 12), equal_lengths(10, 16), equal_lengths(3, 22), equal_lengths(0, 26),
          zipf_lengths(),        mostly_empty()};
}

/// The beginnings of segments and the end of the last one. Ours have 64 bits; CUB is the faster for 32.
template <class Offset>
Array<Offset> offsets_of(const Regime& regime, cudaStream_t stream) {
  std::vector<Offset> host{0};
  for (const std::uint64_t length : regime.lengths) host.push_back(static_cast<Offset>(host.back() + length));
  Array<Offset> offsets(host.size());
  check_cuda(cudaMemcpyAsync(offsets.data(), host.data(), host.size() * sizeof(Offset), cudaMemcpyDefault, stream),
             "uploading offsets");
  check_cuda(cudaStreamSynchronize(stream), "uploading offsets");
  return offsets;
}

/// One regime with items of one type.
template <class Key, class Value>
class SegmentRow {
 public:
  SegmentRow(BenchRun& run, const Regime& regime)
      : run_(run),
        segment_count_(static_cast<std::uint32_t>(regime.lengths.size())),
        offsets_(offsets_of<std::uint64_t>(regime, run.stream())),
        cub_offsets_(offsets_of<std::int32_t>(regime, run.stream())),
        count_(sum(regime.lengths)),
        keys_(count_),
        alternate_(count_),
        values_(kHasValues ? count_ : 0),
        alternate_values_(kHasValues ? count_ : 0) {}

  Measurement measure(const std::string& operation) const {
    Measurement row{operation, KeyDistribution::kUniform, count_, 2 * count_ * (sizeof(Key) + kValueBytes)};
    row.milliseconds = time_ours();
    row.peers = {{"CUB segmented", time_cub<true>()}, {"CUB segmented radix", time_cub<false>()}};
    return row;
  }

 private:
  static constexpr bool kHasValues = !std::is_same_v<Value, NoValue>;
  static constexpr std::size_t kValueBytes = kHasValues ? sizeof(Value) : 0;

  static std::uint64_t sum(const std::vector<std::uint64_t>& lengths) {
    std::uint64_t items = 0;
    for (const std::uint64_t length : lengths) items += length;
    return items;
  }

  void fill(cudaStream_t stream) const {
    fill_keys(KeyDistribution::kUniform, reinterpret_cast<BitsOf<Key>*>(keys_.data()), count_, stream);
    if constexpr (kHasValues) fill_positions(values_.data(), count_, stream);
  }

  double time(const BenchRun::Work& work) const {
    return run_.milliseconds([this](cudaStream_t s) { fill(s); }, work);
  }

  double time_ours() const {
    const cuda::Keys keys(keys_.data());
    cuda::Values values;
    if constexpr (kHasValues) values = cuda::Values(values_.data());
    const std::size_t bytes = cuda::segmented_sort_scratch_bytes(keys.type, kValueBytes, count_);
    const DeviceBuffer area(bytes);
    return time([&](cudaStream_t s) {
      const cuda::Status status = cuda::segmented_sort(keys, values, count_, {offsets_.data(), segment_count_},
                                                       cuda::Order::kAscending, cuda::Scratch(area.data(), bytes), s);
      if (!status.ok()) throw Error(std::string("segmented sort: ") + std::string(status.message()));
    });
  }

  template <bool kTellsLengthsApart>
  cudaError_t call_cub(void* area, std::size_t& bytes, cudaStream_t s) const {
    const std::int32_t* const begins = cub_offsets_.data();
    const auto count = static_cast<std::int64_t>(count_);
    cub::DoubleBuffer<Key> keys(keys_.data(), alternate_.data());
    cub::DoubleBuffer<Value> values(values_.data(), alternate_values_.data());
    if constexpr (kTellsLengthsApart && kHasValues) {
      return cub::DeviceSegmentedSort::StableSortPairs(area, bytes, keys, values, count, segment_count_, begins,
                                                       begins + 1, s);
    } else if constexpr (kTellsLengthsApart) {
      return cub::DeviceSegmentedSort::SortKeys(area, bytes, keys, count, segment_count_, begins, begins + 1, s);
    } else if constexpr (kHasValues) {
      return cub::DeviceSegmentedRadixSort::SortPairs(area, bytes, keys, values, count, segment_count_, begins,
                                                      begins + 1, 0, 8 * sizeof(Key), s);
    } else {
      return cub::DeviceSegmentedRadixSort::SortKeys(area, bytes, keys, count, segment_count_, begins, begins + 1, 0,
                                                     8 * sizeof(Key), s);
    }
  }

  template <bool kTellsLengthsApart>
  double time_cub() const {
    std::size_t bytes = 0;
    check_cuda(call_cub<kTellsLengthsApart>(nullptr, bytes, run_.stream()), "CUB's scratch");
    const DeviceBuffer area(bytes);
    return time([&](cudaStream_t s) {
      std::size_t given = bytes;
      check_cuda(call_cub<kTellsLengthsApart>(area.data(), given, s), "CUB's segmented sort");
    });
  }

  BenchRun& run_;
  std::uint32_t segment_count_;
  Array<std::uint64_t> offsets_;
  Array<std::int32_t> cub_offsets_;
  std::uint64_t count_;
  Array<Key> keys_;
  Array<Key> alternate_;
  Array<Value> values_;
  Array<Value> alternate_values_;
};

/// A table of all rows: a line per regime, a column per type of items.
class SegmentTable {
 public:
  template <class Key, class Value = NoValue>
  void add(BenchRun& run, const Regime& regime, const std::string& items) {
    const std::string operation = "segmented " + items + " " + regime.name;
    if (!run.wants(operation)) return;
    const Measurement row = SegmentRow<Key, Value>(run, regime).measure(operation);
    run.add(row);
    char text[64];
    std::snprintf(text, sizeof text, "%10.0f %6.2f %6.2f", 1e3 * row.milliseconds,
                  row.peers[0].milliseconds / row.milliseconds, row.peers[1].milliseconds / row.milliseconds);
    if (line_.empty()) line_ = regime.name + std::string(18 - std::min<std::size_t>(18, regime.name.size()), ' ');
    line_ += "  " + items + text;
  }

  void end_line() {
    if (!line_.empty()) lines_.push_back(std::move(line_));
    line_.clear();
  }

  void print() const {
    if (lines_.empty()) return;
    std::printf("\nsegmented sorts: us, times as fast as cub::DeviceSegmentedSort, cub::DeviceSegmentedRadixSort\n");
    for (const std::string& line : lines_) std::printf("%s\n", line.c_str());
  }

 private:
  std::string line_;
  std::vector<std::string> lines_;
};

}  // namespace

void bench_segmented_sorts(BenchRun& run) {
  SegmentTable table;
  for (const Regime& regime : all_regimes()) {
    table.add<std::uint32_t>(run, regime, "u32");
    table.add<std::uint64_t>(run, regime, "u64");
    table.add<float, std::uint32_t>(run, regime, "f32+u32");
    table.add<std::uint32_t, std::uint64_t>(run, regime, "u32+u64");
    table.add<std::uint64_t, std::uint32_t>(run, regime, "u64+u32");
    table.add<std::int64_t, std::uint64_t>(run, regime, "i64+u64");
    table.end_line();
  }
  table.print();
}

}  // namespace sortie::bench
