#include "engine/cpu/number_run_former.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/size.hpp"
#include "base/thread_team.hpp"
#include "entries/parallel_quicksort.hpp"
#include "entries/splitters.hpp"
#include "entries/vector_sort.hpp"

namespace sortie {
namespace {

/// One splitter for so many numbers, so that small arrays have few buckets.
constexpr std::size_t kBucketNumbers = 1 << 12;

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

constexpr std::size_t kNumberPieceBytes = 16 << 20;

/// Numbers between questions whether the sort is to stop.
constexpr std::size_t kNumbersBetweenStops = 1 << 20;

/// A bucket that is so many times as large as others, because samples have told too little, is cut up for all threads.
/// Fewer numbers are sorted in a tenth of a second.
constexpr std::size_t kTimesTooLarge = 4;
constexpr std::size_t kLeastTooLarge = 8 << 20;

/// Calls `body` with stretches of the numbers in turn.
template <class Number, class Body>
void for_each_stretch(std::span<Number> numbers, const Body& body) {
  for (std::size_t begin = 0; begin < numbers.size(); begin += kNumbersBetweenStops) {
    throw_if_stopped();
    body(numbers.subspan(begin, std::min(kNumbersBetweenStops, numbers.size() - begin)));
  }
}

}  // namespace

template <class Code>
void deal_numbers(std::span<const Code> numbers, const ArrayCodec<Code>& codec, const Splitters& splitters,
                  std::span<std::size_t> positions, std::span<Code> target) {
  for_each_stretch(numbers, [&](std::span<const Code> stretch) {
    for (const Code number : stretch) {
      const Code code = codec.encode(number);
      target[std::min(positions[splitters.bucket_of(code)]++, target.size() - 1)] = code;
    }
  });
}

template void deal_numbers(std::span<const std::uint32_t>, const ArrayCodec<std::uint32_t>&, const Splitters&,
                           std::span<std::size_t>, std::span<std::uint32_t>);
template void deal_numbers(std::span<const std::uint64_t>, const ArrayCodec<std::uint64_t>&, const Splitters&,
                           std::span<std::size_t>, std::span<std::uint64_t>);

template <class Code>
DealtNumbers<Code>::DealtNumbers(std::span<const Code> numbers, std::span<Code> target, const ArrayCodec<Code>& codec)
    : codes_(target), codec_(codec) {
  if (numbers.empty()) return;
  const auto encode = [&](Code number) { return codec.encode(number); };
  const Splitters splitters = sample_splitters(numbers, encode);
  const std::size_t range_count = numbers.size() < kLeastSharedNumbers ? 1 : 4 * parallel_threads();
  const auto range = [&](std::size_t r) {
    const auto begin_of = [&](std::size_t index) {
      return static_cast<std::size_t>(static_cast<unsigned __int128>(numbers.size()) * index / range_count);
    };
    return numbers.subspan(begin_of(r), begin_of(r + 1) - begin_of(r));
  };
  std::vector<std::vector<std::size_t>> positions(range_count, std::vector<std::size_t>(splitters.bucket_count()));
  parallel_for(0, range_count, [&](std::size_t r) {
    for_each_stretch(range(r), [&](std::span<const Code> stretch) {
      for (const Code number : stretch) ++positions[r][splitters.bucket_of(encode(number))];
    });
  });
  begins_ = turn_counts_into_positions(positions);
  parallel_for(0, range_count,
               [&](std::size_t r) { deal_numbers<Code>(range(r), codec, splitters, positions[r], target); });
}

template <class Code>
void DealtNumbers<Code>::sort_bucket(std::size_t bucket) const {
  const std::span<Code> codes = codes_.subspan(begins_[bucket], begins_[bucket + 1] - begins_[bucket]);
  throw_if_stopped();
  if (!Splitters::is_equality_bucket(bucket)) {
    const std::size_t most = std::max(kLeastTooLarge, kTimesTooLarge * codes_.size() / bucket_count());
    const auto sort_rest = [](std::span<Code> rest) {
      throw_if_stopped();
      vector_sort(rest);
    };
    parallel_quicksort(codes, std::less<>(), sort_rest, quicksort_end(codes.size(), most));
  }
  for_each_stretch(codes, [&](std::span<Code> stretch) {
    std::ranges::transform(stretch, stretch.begin(), [&](Code code) { return codec_.decode(code); });
  });
}

template <class Code>
std::span<Code> DealtNumbers<Code>::sort(std::size_t begin, std::size_t end) const {
  parallel_for(begin, end, [&](std::size_t bucket) { sort_bucket(bucket); });
  return codes_.subspan(begins_[begin], begins_[end] - begins_[begin]);
}

template class DealtNumbers<std::uint32_t>;
template class DealtNumbers<std::uint64_t>;

namespace {

// Some buckets are sorted while those before them are passed on.
template <class Code>
class NumberSortedRun : public SortedRun {
 public:
  NumberSortedRun(DealtNumbers<Code> numbers, std::uint64_t count, std::uint64_t part_bytes, SlotPool::Slot slot)
      : slot_(std::move(slot)), numbers_(std::move(numbers)), count_(count), part_bytes_(part_bytes) {}

  std::uint64_t record_count() const override { return count_; }
  std::uint64_t byte_count() const override { return count_ * sizeof(Code); }

  void drain(const PartConsumer& consumer) override {
    std::span<Code> sorted = sort_next();
    while (!sorted.empty()) {
      std::span<Code> next;
      run_with_background([&] { pass_on(sorted, consumer); }, [&] { next = sort_next(); });
      sorted = next;
    }
  }

 private:
  /// Buckets for each thread that are sorted at a time. Every other bucket is that of a splitter, and nearly empty.
  static constexpr std::size_t kBucketsOfThread = 4;

  /// Returns the next numbers in order; none behind the last.
  std::span<Code> sort_next() {
    std::span<Code> sorted;
    while (sorted.empty() && next_bucket_ < numbers_.bucket_count()) {
      const std::size_t left = numbers_.bucket_count() - next_bucket_;
      const std::size_t begin = next_bucket_;
      next_bucket_ += std::min(left, kBucketsOfThread * parallel_threads());
      sorted = numbers_.sort(begin, next_bucket_);
    }
    return sorted;
  }

  void pass_on(std::span<Code> sorted, const PartConsumer& consumer) const {
    const std::size_t part = std::max<std::size_t>(1, part_bytes_ / sizeof(Code));
    for (std::size_t begin = 0; begin < sorted.size(); begin += part) {
      consumer(std::as_writable_bytes(sorted.subspan(begin, std::min(part, sorted.size() - begin))));
    }
  }

  SlotPool::Slot slot_;
  DealtNumbers<Code> numbers_;
  std::uint64_t count_;
  std::uint64_t part_bytes_;
  std::size_t next_bucket_ = 0;
};

}  // namespace

template <class Code>
NumberRunFormer<Code>::NumberRunFormer(const RecordOrder& order, const FormationBudget& budget)
    : codec_(order.plan().parts[0]),
      part_bytes_(budget.part_bytes),
      input_(round_down(budget.host_bytes / 2, sizeof(Code))),
      sorted_(input_.size()) {}

template <class Code>
std::span<std::byte> NumberRunFormer<Code>::next_piece() {
  return input_.bytes().subspan(used_bytes_, std::min(kNumberPieceBytes, input_.size() - used_bytes_));
}

template <class Code>
std::span<std::byte> NumberRunFormer<Code>::next_whole_piece(std::uint64_t bytes, std::uint64_t) {
  const std::uint64_t whole_pages = round_up(bytes, kPageBytes);
  if (used_bytes_ > 0 || input_.size() < whole_pages) return {};
  return input_.bytes().first(whole_pages);
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
  DealtNumbers<Code> dealt(read, {reinterpret_cast<Code*>(sorted_.data()), count}, codec_);
  used_bytes_ = 0;
  return std::make_unique<NumberSortedRun<Code>>(std::move(dealt), count, part_bytes_, std::move(slot));
}

template class NumberRunFormer<std::uint32_t>;
template class NumberRunFormer<std::uint64_t>;

}  // namespace sortie
