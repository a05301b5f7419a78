#include "pipeline/merge/unsorted_merge.hpp"

#include <utility>
#include <vector>

#include "entries/loser_tree.hpp"
#include "entries/part_maker.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

// The rest of one range.
class Head {
 public:
  Head(const ExactOrder& order, std::span<const std::byte> range) : order_(&order), rest_(range) { find_record(); }

  bool exhausted() const { return rest_.empty(); }
  std::uint64_t word() const { return 0; }
  Record record() const { return record_; }
  const std::byte* range_end() const { return rest_.data() + rest_.size(); }
  int compare_tail(const Head& other) const { return order_->compare(record(), other.record()); }

  void advance() {
    rest_ = rest_.subspan(record_.size());
    find_record();
  }

 private:
  void find_record() {
    if (!rest_.empty()) record_ = first_record(order_->layout(), rest_);
  }

  const ExactOrder* order_;
  std::span<const std::byte> rest_;
  Record record_;  // the first one of the rest
};

}  // namespace

std::unique_ptr<MergedWindow> merge_unsorted(const ExactOrder& order,
                                             std::span<const std::span<const std::byte>> ranges, HostWindows& windows) {
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
