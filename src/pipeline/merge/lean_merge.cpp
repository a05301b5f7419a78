#include "pipeline/merge/lean_merge.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "entries/loser_tree.hpp"

namespace sortie {
namespace {

/// Shorter records are passed on together.
constexpr std::size_t kBatchBytes = 64 << 10;
constexpr std::size_t kLeastMerged = 2;

class InputHead {
 public:
  InputHead(const ExactOrder& order, BufferedInput& input) : order_(&order), input_(&input) { find_record(); }

  bool exhausted() const { return record_.empty(); }
  std::uint64_t word() const { return 0; }
  /// The record may be changed. Call before advance().
  std::span<std::byte> take() { return input_->take_first_record(); }
  int compare_tail(const InputHead& other) const { return order_->compare(record_, other.record_); }

  void advance() {
    input_->pass(record_.size());
    find_record();
  }

 private:
  void find_record() { record_ = input_->rest().empty() ? std::span<std::byte>() : input_->first_record(); }

  const ExactOrder* order_;
  BufferedInput* input_;
  std::span<std::byte> record_;  // the first one of the rest
};

class Batch {
 public:
  explicit Batch(const MergedConsumer& consumer) : consumer_(consumer), memory_(kBatchBytes) {}

  void add(std::span<std::byte> record) {
    if (record.size() > memory_.size() - size_) deliver();
    if (record.size() > memory_.size()) return give(record);
    std::ranges::copy(record, memory_.begin() + static_cast<std::ptrdiff_t>(size_));
    size_ += record.size();
  }

  void deliver() {
    if (size_ > 0) give(std::span(memory_).first(std::exchange(size_, 0)));
  }

  bool is_enough() const { return is_enough_; }

 private:
  void give(std::span<std::byte> records) {
    if (!is_enough_) is_enough_ = !consumer_(records);
  }

  const MergedConsumer& consumer_;
  std::vector<std::byte> memory_;
  std::size_t size_ = 0;
  bool is_enough_ = false;
};

}  // namespace

bool merge_lean(const ExactOrder& order, std::deque<BufferedInput>& inputs, const Resources& resources,
                const MergedConsumer& consumer) {
  const auto must_do_with_less = [&] { return inputs.size() > kLeastMerged && resources.are_short(kLeastMerged); };
  for (BufferedInput& input : inputs) input.become_lean();
  for (BufferedInput& input : inputs) {
    input.pass(0);
    if (must_do_with_less()) return false;
  }
  std::vector<InputHead> heads;
  heads.reserve(inputs.size());
  for (BufferedInput& input : inputs) heads.emplace_back(order, input);
  if (heads.empty()) return true;
  LoserTree<InputHead> tree(std::move(heads));
  Batch batch(consumer);
  while (!tree.top().exhausted() && !batch.is_enough() && !must_do_with_less()) {
    batch.add(tree.top().take());
    tree.advance();
  }
  const bool is_done = tree.top().exhausted();
  batch.deliver();
  return is_done || batch.is_enough();
}

}  // namespace sortie
