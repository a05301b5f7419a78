#include "engine/cpu/number_run_former.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/size.hpp"
#include "base/thread_team.hpp"
#include "engine/cpu/cell_buckets.hpp"
#include "engine/cpu/number_ranges.hpp"
#include "engine/cpu/number_scatter.hpp"
#include "engine/cpu/parts_ahead.hpp"
#include "entries/parallel_quicksort.hpp"
#include "entries/splitters.hpp"
#include "entries/vector_sort.hpp"

namespace sortie {
namespace {

/// Smaller arrays may stay in a cache while they are scattered and sorted.
constexpr std::size_t kLeastStreamedBytes = 32 << 20;

constexpr std::size_t kNumberPieceBytes = 16 << 20;

// A small input gets no more memory than it fills, and room to see its end.
std::size_t number_bytes(const FormationBudget& budget, std::size_t number_size) {
  const std::uint64_t most = round_down(budget.host_bytes / 2, number_size);
  if (budget.expected_bytes == 0 || budget.expected_bytes >= kLeastHugeBytes) return most;
  return std::min(most, round_up(budget.expected_bytes, kPageBytes) + kPageBytes);
}

/// A bucket that is so many times as large as others, because samples have told too little, is cut up for all threads.
/// Fewer numbers are sorted in a tenth of a second.
constexpr std::size_t kTimesTooLarge = 4;
constexpr std::size_t kLeastTooLarge = 8 << 20;

template <class Code, class Buckets, class Scatter>
void scatter_numbers(std::span<const Code> numbers, ArrayCodec<Code> codec, const Buckets& buckets, Scatter scatter) {
  for_each_stretch(numbers, [&](std::span<const Code> stretch) {
    const auto& finder = buckets.finder();
    codec.with_encoding([&](const auto& encode) {
      for (const Code number : stretch) {
        const Code code = encode(number);
        scatter.append(finder.bucket_of(code), code);
      }
    });
  });
  scatter.finish();
}

}  // namespace

template <class Code>
ScatteredNumbers<Code>::ScatteredNumbers(std::span<const Code> numbers, FunctionRef<std::span<Code>()> target,
                                         const ArrayCodec<Code>& codec)
    : codec_(codec) {
  if (numbers.empty()) return;
  const std::size_t wanted = wanted_buckets(numbers.size());
  std::vector<std::uint64_t> sample = sorted_sample(numbers, codec, sample_stride(numbers.size()));
  if (const std::optional<CellBuckets> buckets = CellBuckets::sharing(sample, wanted)) {
    scatter(numbers, target, *buckets);
  } else {
    has_equality_buckets_ = true;
    scatter(numbers, target, Splitters(std::move(sample), std::min(wanted, Splitters::kMaxSplitters)));
  }
}

template <class Code>
std::size_t ScatteredNumbers<Code>::sample_stride(std::size_t count) {
  return Splitters::sample_stride(count, wanted_buckets(count));
}

template <class Code>
template <class Buckets>
void ScatteredNumbers<Code>::scatter(std::span<const Code> numbers, FunctionRef<std::span<Code>()> target,
                                     const Buckets& buckets) {
  const NumberRanges<Code> shares(numbers);
  NumberPositions positions = position_numbers(shares, codec_, buckets);
  begins_ = std::move(positions.begins);
  codes_ = target();
  parallel_for(0, shares.count(), [&](std::size_t share) {
    const std::vector<std::size_t>& begins = positions.begins_of_share[share];
    if (codes_.size_bytes() < kLeastStreamedBytes) {
      scatter_numbers(shares[share], codec_, buckets, DirectScatter<Code>(codes_, begins));
    } else {
      scatter_numbers(shares[share], codec_, buckets, StreamedScatter<Code>(codes_, begins));
    }
  });
}

template <class Code>
void ScatteredNumbers<Code>::sort_bucket(std::size_t number) const {
  const std::span<Code> codes = bucket(number);
  throw_if_stopped();
  if (!has_equality_buckets_ || !Splitters::is_equality_bucket(number)) {
    const std::size_t most = std::max(kLeastTooLarge, kTimesTooLarge * codes_.size() / bucket_count());
    const auto sort_rest = [](std::span<Code> rest) {
      throw_if_stopped();
      vector_sort(rest);
    };
    parallel_quicksort(codes, std::less<>(), sort_rest, quicksort_end(codes.size(), most));
  }
  if (codec_.is_identity()) return;
  for_each_stretch(codes, [codec = codec_](std::span<Code> stretch) {
    codec.with_decoding([stretch](const auto& decode) { std::ranges::transform(stretch, stretch.begin(), decode); });
  });
}

template <class Code>
std::span<Code> ScatteredNumbers<Code>::sort(std::size_t begin, std::size_t end, Look look) const {
  parallel_for(begin, end, [&](std::size_t number) {
    sort_bucket(number);
    if (!bucket(number).empty()) look(bucket(number));
  });
  return codes_.subspan(begins_[begin], begins_[end] - begins_[begin]);
}

template class ScatteredNumbers<std::uint32_t>;
template class ScatteredNumbers<std::uint64_t>;

namespace {

// Some buckets are sorted while those before them are passed on.
template <class Code>
class NumberSortedRun : public SortedRun {
 public:
  /// `numbers` stay where they are until they are scattered, and `sorted` is as long. `slot`: of it.
  NumberSortedRun(std::span<const Code> numbers, std::span<Code> sorted, const ArrayCodec<Code>& codec,
                  std::uint64_t part_bytes, SlotPool::Slot slot)
      : slot_(std::move(slot)), read_(numbers), sorted_(sorted), codec_(codec), part_bytes_(part_bytes) {}

  std::uint64_t record_count() const override { return read_.size(); }
  std::uint64_t byte_count() const override { return read_.size_bytes(); }

  /// Scatters the numbers to their buckets: where the consumer has room for all of them, or here.
  void scatter(const PartConsumer& consumer) {
    const auto target = [&] { return target_of(consumer); };
    numbers_.emplace(read_, target, codec_);
  }

  void drain(const PartConsumer& consumer) override {
    if (!numbers_) scatter(consumer);
    constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();  // they are sorted where they lie
    make_parts_ahead(
        kAnyNumber, [&](std::size_t) { return sort_next(consumer); },
        [&](const SortedBuckets& sorted) { deliver(sorted, consumer); });
  }

 private:
  std::span<Code> target_of(const PartConsumer& consumer) {
    const std::span<std::byte> room = consumer.room(0, byte_count(), true);
    if (room.empty() || reinterpret_cast<std::uintptr_t>(room.data()) % alignof(Code) != 0) return sorted_;
    steps_ = kStepsInRoom;
    return {reinterpret_cast<Code*>(room.data()), read_.size()};
  }

  /// Buckets are sorted in so many steps, while those of the step before are passed on, but not fewer for each thread.
  /// At the end of a step threads wait for each other: there are few where passing on takes no time.
  static constexpr std::size_t kSteps = 8;
  static constexpr std::size_t kStepsInRoom = 2;
  static constexpr std::size_t kBucketsOfThread = 4;

  /// The buckets of one step.
  struct SortedBuckets {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::span<Code> numbers = {};

    bool empty() const { return numbers.empty(); }
    std::size_t size_bytes() const { return numbers.size_bytes(); }
  };

  /// Returns the next buckets that hold numbers; none behind the last.
  SortedBuckets sort_next(const PartConsumer& consumer) {
    if (next_bucket_ == numbers_->bucket_count()) return {};
    const std::byte* const first_byte = std::as_bytes(numbers_->bucket(0)).data();
    const auto look = [&](std::span<const Code> bucket) {
      for_each_piece(bucket, [&](std::span<const Code> piece) {
        consumer.look(std::as_bytes(piece), static_cast<std::uint64_t>(std::as_bytes(piece).data() - first_byte));
      });
    };
    SortedBuckets sorted;
    while (sorted.empty() && next_bucket_ < numbers_->bucket_count()) {
      const std::size_t count = numbers_->bucket_count();
      const std::size_t step = std::max(kBucketsOfThread * parallel_threads(), divide_up(count, steps_));
      sorted.begin = next_bucket_;
      sorted.end = next_bucket_ += std::min(count - next_bucket_, step);
      sorted.numbers = numbers_->sort(sorted.begin, sorted.end, look);
    }
    return sorted;
  }

  // Parts end where buckets do, or pieces of these: what has been looked at comes as a whole.
  void deliver(const SortedBuckets& sorted, const PartConsumer& consumer) const {
    std::span<Code> part = sorted.numbers.first(0);
    const auto pass_on = [&] {
      if (!part.empty()) consumer(std::as_writable_bytes(part));
    };
    for (std::size_t bucket = sorted.begin; bucket < sorted.end; ++bucket) {
      for_each_piece(numbers_->bucket(bucket), [&](std::span<Code> piece) {
        if (part.size() + piece.size() > most_numbers()) {
          pass_on();
          part = piece.first(0);
        }
        part = {part.data(), part.size() + piece.size()};
      });
    }
    pass_on();
  }

  /// Calls `visit` with pieces of a bucket, none of which is longer than a part.
  template <class Number, class Visit>
  void for_each_piece(std::span<Number> bucket, const Visit& visit) const {
    while (!bucket.empty()) {
      const std::span<Number> piece = bucket.first(std::min(bucket.size(), most_numbers()));
      visit(piece);
      bucket = bucket.subspan(piece.size());
    }
  }

  std::size_t most_numbers() const { return std::max<std::size_t>(1, part_bytes_ / sizeof(Code)); }

  SlotPool::Slot slot_;
  std::span<const Code> read_;
  std::span<Code> sorted_;
  ArrayCodec<Code> codec_;
  std::optional<ScatteredNumbers<Code>> numbers_;  ///< none before they are scattered
  std::uint64_t part_bytes_;
  std::size_t steps_ = kSteps;
  std::size_t next_bucket_ = 0;
};

}  // namespace

template <class Code>
NumberRunFormer<Code>::NumberRunFormer(const RecordOrder& order, const FormationBudget& budget)
    : codec_(order.plan().parts[0]),
      part_bytes_(budget.part_bytes),
      input_(number_bytes(budget, sizeof(Code))),
      sorted_(input_.size()) {}

template <class Code>
std::span<std::byte> NumberRunFormer<Code>::next_piece() {
  is_whole_ = false;
  return input_.bytes().subspan(used_bytes_, std::min(kNumberPieceBytes, input_.size() - used_bytes_));
}

template <class Code>
std::span<std::byte> NumberRunFormer<Code>::next_whole_piece(std::uint64_t bytes, std::uint64_t) {
  const std::uint64_t whole_pages = round_up(bytes, kPageBytes);
  if (used_bytes_ > 0 || input_.size() < whole_pages) return {};
  is_whole_ = true;
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
  const std::span<const Code> read(reinterpret_cast<Code*>(input_.data()), count);
  const std::span<Code> sorted(reinterpret_cast<Code*>(sorted_.data()), count);
  auto run = std::make_unique<NumberSortedRun<Code>>(read, sorted, codec_, part_bytes_, std::move(slot));
  if (!is_whole_) run->scatter({});  // the next numbers will be read over these
  used_bytes_ = 0;
  return run;
}

template class NumberRunFormer<std::uint32_t>;
template class NumberRunFormer<std::uint64_t>;

}  // namespace sortie
