#include "tools/check/file_scan.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "record/layout.hpp"
#include "record/record_scan.hpp"
#include "tools/common/ordered_pipeline.hpp"

namespace sortie::tools {
namespace {

/// Cuts an input into blocks of whole records. For one thread.
class BlockReader {
 public:
  /// Both must outlive the reader. `block_bytes` > 0; a longer record gets a larger block.
  BlockReader(Input& input, const Layout& layout, std::size_t block_bytes);

  /// Reads the next records into `buffer`, which grows as needed. Returns an empty span at the end. A last line
  /// without a delimiter gets one, as in a sort. Throws Error if the input ends within a fixed-length or
  /// length-prefixed record.
  std::span<const std::byte> next(std::vector<std::byte>& buffer);

 private:
  std::size_t complete_last_record(std::vector<std::byte>& buffer, std::size_t filled) const;

  Input& input_;
  const Layout& layout_;
  std::size_t block_bytes_;
  std::vector<std::byte> carry_;  ///< the beginning of a record whose end is not read yet
  std::uint64_t offset_ = 0;      ///< where the next block begins in the input
};

BlockReader::BlockReader(Input& input, const Layout& layout, std::size_t block_bytes)
    : input_(input), layout_(layout), block_bytes_(block_bytes) {}

std::span<const std::byte> BlockReader::next(std::vector<std::byte>& buffer) {
  buffer.resize(std::max(buffer.size(), block_bytes_ + carry_.size()));
  std::copy(carry_.begin(), carry_.end(), buffer.begin());
  std::size_t filled = carry_.size();
  std::size_t whole = 0;
  while (whole == 0) {
    if (filled == buffer.size()) buffer.resize(2 * buffer.size());
    const std::size_t wanted = buffer.size() - filled;
    const std::size_t got = input_.read(std::span(buffer).subspan(filled));
    filled += got;
    whole = whole_records(layout_, std::span(buffer).first(filled));
    if (got < wanted && whole < filled) whole = filled = complete_last_record(buffer, filled);
    if (got < wanted) break;
  }
  carry_.assign(buffer.begin() + static_cast<std::ptrdiff_t>(whole),
                buffer.begin() + static_cast<std::ptrdiff_t>(filled));
  offset_ += whole;
  return std::span(buffer).first(whole);
}

std::size_t BlockReader::complete_last_record(std::vector<std::byte>& buffer, std::size_t filled) const {
  if (layout_.prefixed()) {
    const std::size_t whole = whole_records(layout_, std::span(buffer).first(filled));
    throw Error(quote_path(input_.path()) + " ends within the record at offset " + std::to_string(offset_ + whole) +
                "; is --format right?");
  }
  if (!layout_.delimited()) {
    const std::uint64_t stray = filled % layout_.record_bytes;
    throw Error(quote_path(input_.path()) + " ends with " + std::to_string(stray) + " stray bytes at offset " +
                std::to_string(offset_ + filled - stray) + ": its records are not all " +
                std::to_string(layout_.record_bytes) + " bytes long; is --format right?");
  }
  buffer.resize(std::max(buffer.size(), filled + 1));
  buffer[filled] = static_cast<std::byte>(layout_.delimiter);
  return filled + 1;
}

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
