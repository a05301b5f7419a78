#include "pipeline/merge/heads_merge.hpp"

#include <utility>
#include <vector>

#include "entries/gather.hpp"
#include "entries/loser_tree.hpp"

namespace sortie {
namespace {

// The rest of one range.
class Head {
 public:
  Head(const ExactOrder& order, std::span<const std::byte> range)
      : order_(&order), at_(range.data()), end_(range.data() + range.size()) {
    find_record();
  }

  bool exhausted() const { return at_ == end_; }
  std::uint64_t word() const { return 0; }
  Record record() const { return {at_, stored_bytes_}; }
  const std::byte* range_end() const { return end_; }
  int compare_tail(const Head& other) const { return order_->compare(record(), other.record()); }

  void advance() {
    at_ += stored_bytes_;
    find_record();
  }

 private:
  void find_record() {
    if (at_ != end_) stored_bytes_ = static_cast<std::size_t>(stored_length(order_->layout(), at_, end_));
  }

  const ExactOrder* order_;
  const std::byte* at_;
  const std::byte* end_;
  std::size_t stored_bytes_ = 0;
};

}  // namespace

std::unique_ptr<MergedWindow> merge_heads(const ExactOrder& order, std::span<const std::span<const std::byte>> ranges,
                                          HostWindows& windows) {
  std::vector<Head> heads;
  std::uint64_t bytes = 0;
  for (const auto& range : ranges) {
    bytes += range.size();
    if (!range.empty()) heads.emplace_back(order, range);
  }
  std::unique_ptr<HostWindow> window = windows.begin(bytes);
  if (heads.empty()) return window;
  LoserTree<Head> tree(std::move(heads));
  std::byte* target = window->bytes().data();
  const std::byte* const target_end = target + bytes;
  while (!tree.top().exhausted()) {
    const Record record = tree.top().record();
    copy_record(record, tree.top().range_end(), target, target_end);
    target += record.size();
    tree.advance();
  }
  return window;
}

}  // namespace sortie
