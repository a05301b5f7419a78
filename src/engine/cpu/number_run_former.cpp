#include "engine/cpu/number_run_former.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/size.hpp"
#include "base/thread_team.hpp"
#include "entries/splitters.hpp"
#include "entries/vector_sort.hpp"

namespace sortie {
namespace {

/// Numbers of a bucket that a core sorts in its first-level cache.
constexpr std::size_t kBucketNumbers = 1 << 12;

/// A larger bucket is dealt again before it is sorted. Dealing takes as long as four levels of quicksort.
constexpr std::size_t kMostBucketNumbers = 16 * kBucketNumbers;

/// With fewer numbers other threads would wake up too late to help.
constexpr std::size_t kLeastSharedNumbers = 1 << 15;

/// `encode`: makes a code of a number.
template <class Code, class Encode>
Splitters sample_splitters(std::span<const Code> numbers, const Encode& encode) {
  const std::size_t wanted = std::min(Splitters::kMaxSplitters, numbers.size() / kBucketNumbers);
  const std::size_t stride = Splitters::sample_stride(numbers.size(), wanted);
  std::vector<std::uint64_t> sample;
  for (std::size_t at = 0; at < numbers.size(); at += stride) sample.push_back(encode(numbers[at]));
  return Splitters(std::move(sample), wanted);
}

/// Deals the codes of `numbers` to buckets in `target`, which is as long and does not overlap them. Returns the begins
/// of the buckets, and the end of the last. Parallel, a range of numbers a turn.
template <class Code, class Encode>
std::vector<std::size_t> deal(std::span<const Code> numbers, std::span<Code> target, const Splitters& splitters,
                              std::size_t range_count, const Encode& encode) {
  const auto range = [&](std::size_t r) {
    const auto begin_of = [&](std::size_t index) {
      return static_cast<std::size_t>(static_cast<unsigned __int128>(numbers.size()) * index / range_count);
    };
    return numbers.subspan(begin_of(r), begin_of(r + 1) - begin_of(r));
  };
  std::vector<std::vector<std::size_t>> positions(range_count, std::vector<std::size_t>(splitters.bucket_count()));
  parallel_for(0, range_count, [&](std::size_t r) {
    for (const Code number : range(r)) ++positions[r][splitters.bucket_of(encode(number))];
  });
  std::vector<std::size_t> begins = turn_counts_into_positions(positions);
  parallel_for(0, range_count, [&](std::size_t r) {
    for (const Code number : range(r)) {
      const Code code = encode(number);
      target[positions[r][splitters.bucket_of(code)]++] = code;
    }
  });
  return begins;
}

/// Sorts codes in place, and writes what they stand for to `numbers`.
template <class Code>
void sort_in_cache(std::span<Code> codes, std::span<Code> numbers, bool are_equal, const ArrayCodec<Code>& codec) {
  if (!are_equal) vector_sort(codes);
  std::ranges::transform(codes, numbers.begin(), [&](Code code) { return codec.decode(code); });
}

/// Replaces more codes than a cache holds by their numbers in order. They are dealt to `room` first, which is as long
/// and does not overlap them.
template <class Code>
void sort_beyond_cache(std::span<Code> codes, std::span<Code> room, const ArrayCodec<Code>& codec) {
  const auto as_it_is = [](Code code) { return code; };
  const Splitters splitters = sample_splitters<Code>(codes, as_it_is);
  const std::vector<std::size_t> begins = deal<Code>(codes, room, splitters, 1, as_it_is);
  for (std::size_t bucket = 0; bucket + 1 < begins.size(); ++bucket) {
    throw_if_stopped();
    const std::size_t begin = begins[bucket];
    const std::size_t count = begins[bucket + 1] - begin;
    sort_in_cache(room.subspan(begin, count), codes.subspan(begin, count), Splitters::is_equality_bucket(bucket),
                  codec);
  }
}

constexpr std::size_t kNumberPieceBytes = 16 << 20;

}  // namespace

template <class Code>
void sort_numbers(std::span<const Code> numbers, std::span<Code> sorted, std::span<Code> room,
                  const ArrayCodec<Code>& codec) {
  if (numbers.empty()) return;
  const auto encode = [&](Code number) { return codec.encode(number); };
  const Splitters splitters = sample_splitters(numbers, encode);
  const std::size_t range_count = numbers.size() < kLeastSharedNumbers ? 1 : 4 * parallel_threads();
  const std::vector<std::size_t> begins = deal(numbers, sorted, splitters, range_count, encode);
  OnePerThread<std::vector<Code>> own_rooms;
  const auto room_for = [&](std::size_t begin, std::size_t count) {
    if (!room.empty()) return room.subspan(begin, count);
    std::vector<Code>& own_room = own_rooms.local();
    own_room.resize(std::max(own_room.size(), count));
    return std::span(own_room).first(count);
  };
  parallel_for(0, begins.size() - 1, [&](std::size_t bucket) {
    const std::size_t count = begins[bucket + 1] - begins[bucket];
    const std::span<Code> codes = sorted.subspan(begins[bucket], count);
    const bool are_equal = Splitters::is_equality_bucket(bucket);
    if (are_equal || count <= kMostBucketNumbers) return sort_in_cache(codes, codes, are_equal, codec);
    sort_beyond_cache(codes, room_for(begins[bucket], count), codec);
  });
}

template void sort_numbers(std::span<const std::uint32_t>, std::span<std::uint32_t>, std::span<std::uint32_t>,
                           const ArrayCodec<std::uint32_t>&);
template void sort_numbers(std::span<const std::uint64_t>, std::span<std::uint64_t>, std::span<std::uint64_t>,
                           const ArrayCodec<std::uint64_t>&);

template <class Code>
NumberRunFormer<Code>::NumberRunFormer(const RecordOrder& order, const FormationBudget& budget)
    : layout_(order.layout()),
      codec_(order.plan().parts[0]),
      part_bytes_(budget.part_bytes),
      input_(round_down(budget.host_bytes / 2, sizeof(Code))),
      sorted_(input_.size()) {}

template <class Code>
std::span<std::byte> NumberRunFormer<Code>::next_piece() {
  return input_.bytes().subspan(used_bytes_, std::min(kNumberPieceBytes, input_.size() - used_bytes_));
}

template <class Code>
void NumberRunFormer<Code>::commit_piece(std::size_t bytes, std::uint64_t) {
  used_bytes_ += bytes;
}

template <class Code>
std::unique_ptr<SortedRun> NumberRunFormer<Code>::finish_run() {
  SlotPool::Slot slot = sorted_use_.acquire();
  const std::size_t count = used_bytes_ / sizeof(Code);
  const std::span<Code> read(reinterpret_cast<Code*>(input_.data()), count);
  sort_numbers<Code>(read, {reinterpret_cast<Code*>(sorted_.data()), count}, read, codec_);
  const std::span<std::byte> numbers = sorted_.bytes().first(used_bytes_);
  used_bytes_ = 0;
  return std::make_unique<OrderedRun>(layout_, numbers, count, part_bytes_, std::move(slot));
}

template class NumberRunFormer<std::uint32_t>;
template class NumberRunFormer<std::uint64_t>;

}  // namespace sortie
