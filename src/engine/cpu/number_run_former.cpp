#include "engine/cpu/number_run_former.hpp"

#include <algorithm>

#include "base/size.hpp"
#include "engine/cpu/number_sort.hpp"

namespace sortie {
namespace {

constexpr std::size_t kNumberPieceBytes = 16 << 20;

class NumberSortedRun : public SortedRun {
 public:
  NumberSortedRun(std::span<std::byte> numbers, std::size_t number_bytes, std::uint64_t part_bytes,
                  std::shared_ptr<void> lease)
      : lease_(std::move(lease)),
        numbers_(numbers),
        number_bytes_(number_bytes),
        part_bytes_(std::max<std::uint64_t>(number_bytes, round_down(part_bytes, number_bytes))) {}

  std::uint64_t record_count() const override { return numbers_.size() / number_bytes_; }
  std::uint64_t byte_count() const override { return numbers_.size(); }

  void drain(const PartConsumer& consumer) override {
    for (std::size_t at = 0; at < numbers_.size(); at += part_bytes_) {
      consumer(numbers_.subspan(at, std::min<std::size_t>(part_bytes_, numbers_.size() - at)));
    }
  }

 private:
  std::shared_ptr<void> lease_;
  std::span<std::byte> numbers_;
  std::size_t number_bytes_;
  std::uint64_t part_bytes_;
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
void NumberRunFormer<Code>::commit_piece(std::size_t bytes, std::uint64_t) {
  used_bytes_ += bytes;
}

template <class Code>
std::unique_ptr<SortedRun> NumberRunFormer<Code>::finish_run() {
  gate_.wait_until_open();
  const std::size_t count = used_bytes_ / sizeof(Code);
  sort_numbers<Code>({reinterpret_cast<Code*>(input_.data()), count}, {reinterpret_cast<Code*>(sorted_.data()), count},
                     codec_);
  const std::span<std::byte> numbers = sorted_.bytes().first(used_bytes_);
  used_bytes_ = 0;
  return std::make_unique<NumberSortedRun>(numbers, sizeof(Code), part_bytes_, gate_.close());
}

template class NumberRunFormer<std::uint32_t>;
template class NumberRunFormer<std::uint64_t>;

}  // namespace sortie
