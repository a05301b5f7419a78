#include "tools/check/file_scan.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "record/layout.hpp"
#include "tools/check/block_reader.hpp"
#include "tools/common/ordered_pipeline.hpp"

namespace sortie::tools {
namespace {

struct Block {
  std::vector<std::byte> buffer;
  std::span<const std::byte> records;
  Tally tally;
};

/// Adds up the blocks' tallies and compares the records on either side of each block boundary.
class BlockJoiner {
 public:
  BlockJoiner(const CheckedOrder& order, ScanDepth depth) : order_(order), depth_(depth) {}

  void append(const Block& block) {
    if (depth_ == ScanDepth::kOrder) compare_with_last(block.records);
    total_ += block.tally;
  }

  const Tally& total() const { return total_; }

 private:
  void compare_with_last(std::span<const std::byte> records) {
    const Layout& layout = order_.layout();
    const Record first = records.first(first_records(layout, records, 1));
    if (total_.records != 0) total_.note_order(order_.compare(last_record_, first), total_.records);
    const std::span<const std::byte> last = last_record(layout, records);
    last_record_.assign(last.begin(), last.end());
  }

  const CheckedOrder& order_;
  ScanDepth depth_;
  Tally total_;
  std::vector<std::byte> last_record_;
};

}  // namespace

Tally scan_input(Input& input, const CheckedOrder& order, const ScanOptions& options) {
  const unsigned workers = worker_threads(options.threads);
  BlockReader reader(input, order.layout(), options.block_bytes);
  BlockJoiner joiner(order, options.depth);
  std::vector<Block> blocks(workers + 2);

  const auto read_block = [&](Block& block) {
    block.records = reader.next(block.buffer);
    return !block.records.empty();
  };
  const auto tally_block = [&](Block& block) {
    const bool judge = options.depth == ScanDepth::kOrder;
    block.tally = judge ? tally_order(order, block.records) : tally_contents(order.layout(), block.records);
  };
  run_in_order(workers, blocks, read_block, tally_block, [&](const Block& block) { joiner.append(block); });
  return joiner.total();
}

}  // namespace sortie::tools
