#include "engine/cpu/number_run_former.hpp"

#include <algorithm>
#include <utility>

#include "base/size.hpp"

namespace sortie {
namespace {

constexpr std::size_t kNumberPieceBytes = 16 << 20;

}  // namespace

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
