#include "tools/check/file_scan.hpp"

#include <vector>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_pipeline.h>

#include "tools/check/block_reader.hpp"

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
  BlockJoiner(const RecordOrder& order, ScanDepth depth) : order_(order), depth_(depth) {}

  void append(const Block& block) {
    if (depth_ == ScanDepth::kOrder) compare_with_last(block.records);
    total_ += block.tally;
  }

  const Tally& total() const { return total_; }

 private:
  void compare_with_last(std::span<const std::byte> records) {
    const Layout& layout = order_.layout();
    const std::uint64_t length = stored_length(layout, records.data(), records.data() + records.size());
    if (total_.records != 0) total_.note_order(order_.compare(last_record_, records.first(length)), total_.records);
    const std::span<const std::byte> last = last_record(layout, records);
    last_record_.assign(last.begin(), last.end());
  }

  static std::span<const std::byte> last_record(const Layout& layout, std::span<const std::byte> records) {
    if (!layout.delimited()) return records.last(static_cast<std::size_t>(layout.record_bytes));
    return records.subspan(whole_records(layout, records.first(records.size() - 1)));
  }

  const RecordOrder& order_;
  ScanDepth depth_;
  Tally total_;
  std::vector<std::byte> last_record_;
};

}  // namespace

Tally scan_input(Input& input, const RecordOrder& order, const ScanOptions& options) {
  namespace tbb = oneapi::tbb;
  const unsigned workers =
      options.threads != 0 ? options.threads : static_cast<unsigned>(tbb::info::default_concurrency());
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, workers);
  BlockReader reader(input, order.layout(), options.block_bytes);
  BlockJoiner joiner(order, options.depth);
  // Blocks leave in the order in which they come. There are as many tokens as blocks, so each block is free when its
  // turn comes.
  std::vector<Block> blocks(workers + 2);
  std::size_t turn = 0;

  const auto read_block = [&](tbb::flow_control& flow) -> Block* {
    Block& block = blocks[turn++ % blocks.size()];
    block.records = reader.next(block.buffer);
    if (block.records.empty()) flow.stop();
    return &block;
  };
  const auto tally_block = [&](Block* block) {
    const bool judge = options.depth == ScanDepth::kOrder;
    block->tally = judge ? tally_order(order, block->records) : tally_contents(order.layout(), block->records);
    return block;
  };
  tbb::parallel_pipeline(blocks.size(),
                         tbb::make_filter<void, Block*>(tbb::filter_mode::serial_in_order, read_block) &
                             tbb::make_filter<Block*, Block*>(tbb::filter_mode::parallel, tally_block) &
                             tbb::make_filter<Block*, void>(tbb::filter_mode::serial_in_order,
                                                            [&](const Block* block) { joiner.append(*block); }));
  return joiner.total();
}

}  // namespace sortie::tools
