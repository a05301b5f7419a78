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

constexpr std::size_t kBucketNumbers = 1 << 15;

template <class Code>
Splitters sample_splitters(std::span<const Code> numbers, const ArrayCodec<Code>& codec) {
  const std::size_t wanted = std::min(Splitters::kMaxSplitters, numbers.size() / kBucketNumbers);
  const std::size_t stride = Splitters::sample_stride(numbers.size(), wanted);
  std::vector<std::uint64_t> sample;
  for (std::size_t at = 0; at < numbers.size(); at += stride) sample.push_back(codec.encode(numbers[at]));
  return Splitters(std::move(sample), wanted);
}

constexpr std::size_t kNumberPieceBytes = 16 << 20;

}  // namespace

template <class Code>
void sort_numbers(std::span<const Code> numbers, std::span<Code> sorted, const ArrayCodec<Code>& codec) {
  if (numbers.empty()) return;
  const Splitters splitters = sample_splitters(numbers, codec);
  const std::size_t threads = parallel_threads();
  const std::size_t range_count = numbers.size() < kBucketNumbers ? 1 : 4 * threads;
  const auto range = [&](std::size_t r) {
    const auto begin_of = [&](std::size_t index) {
      return static_cast<std::size_t>(static_cast<unsigned __int128>(numbers.size()) * index / range_count);
    };
    return numbers.subspan(begin_of(r), begin_of(r + 1) - begin_of(r));
  };
  std::vector<std::vector<std::size_t>> positions(range_count, std::vector<std::size_t>(splitters.bucket_count()));
  parallel_for(0, range_count, [&](std::size_t r) {
    for (const Code number : range(r)) ++positions[r][splitters.bucket_of(codec.encode(number))];
  });
  const std::vector<std::size_t> begins = turn_counts_into_positions(positions);
  parallel_for(0, range_count, [&](std::size_t r) {
    for (const Code number : range(r)) {
      const Code code = codec.encode(number);
      sorted[positions[r][splitters.bucket_of(code)]++] = code;
    }
  });
  parallel_for(0, begins.size() - 1, [&](std::size_t bucket) {
    const std::span<Code> codes = sorted.subspan(begins[bucket], begins[bucket + 1] - begins[bucket]);
    if (!Splitters::is_equality_bucket(bucket)) vector_sort(codes);
    for (Code& code : codes) code = codec.decode(code);
  });
}

template void sort_numbers(std::span<const std::uint32_t>, std::span<std::uint32_t>, const ArrayCodec<std::uint32_t>&);
template void sort_numbers(std::span<const std::uint64_t>, std::span<std::uint64_t>, const ArrayCodec<std::uint64_t>&);

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
  sort_numbers<Code>({reinterpret_cast<Code*>(input_.data()), count}, {reinterpret_cast<Code*>(sorted_.data()), count},
                     codec_);
  const std::span<std::byte> numbers = sorted_.bytes().first(used_bytes_);
  used_bytes_ = 0;
  return std::make_unique<OrderedRun>(layout_, numbers, count, part_bytes_, std::move(slot));
}

template class NumberRunFormer<std::uint32_t>;
template class NumberRunFormer<std::uint64_t>;

}  // namespace sortie
