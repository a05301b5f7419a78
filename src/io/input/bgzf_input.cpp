// Inputs of BGZF, unpacked while they are read: blocks by all threads at once. BGZF is the packed form of genome files,
// a sequence of members of gzip, each of at most 64 KiB before and after it is packed (SAM/BAM format specification,
// section 4.1).
//
//   | gzip header, extra field "BC": length of the block | deflate | CRC-32 | length of the contents |
//
// Where a member is none of BGZF, the rest is unpacked as gzip.
#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/quote.hpp"
#include "base/release_memory.hpp"
#include "base/thread_team.hpp"
#include "io/input/bgzf_block.hpp"
#include "io/input/compression_format.hpp"
#include "io/input/packed_input.hpp"

namespace sortie {
namespace {

/// Blocks of a batch: several for each thread, so that threads of different speed end together, but no more than take 8
/// MiB with their contents.
constexpr std::size_t kBlocksOfThread = 4;
constexpr std::size_t kMostBatchBlocks = 64;

class BgzfInput final : public PackedInput {
 public:
  BgzfInput(ByteSource source, WarningSink warn)
      : BgzfInput(std::move(source), std::move(warn),
                  std::min(kBlocksOfThread * parallel_threads(), kMostBatchBlocks)) {}

  std::uint64_t unpacking_bytes() const override { return 2 * most_blocks_ * kMostBgzfBytes; }

 private:
  struct Block {
    BgzfBlock block;
    std::size_t begin = 0;  // of the contents among those of its batch
  };

  BgzfInput(ByteSource source, WarningSink warn, std::size_t most_blocks)
      : PackedInput(std::move(source), most_blocks * kMostBgzfBytes, std::numeric_limits<std::size_t>::max()),
        warn_(std::move(warn)),
        most_blocks_(most_blocks) {}

  std::size_t unpack(std::span<std::byte> target) override;
  void next_batch();
  bool take_block(std::span<const std::byte>& packed);
  void unpack_batch(std::span<std::byte> target) const;
  void end_blocks();
  std::size_t give_contents(std::span<std::byte> target);

  WarningSink warn_;
  const std::size_t most_blocks_;    // of a batch
  std::vector<Block> blocks_;        // a batch, not yet unpacked
  std::size_t batch_bytes_ = 0;      // contents of these
  std::vector<std::byte> contents_;  // of a batch that was unpacked
  std::size_t given_ = 0;            // of contents_
  bool ends_in_marker_ = false;
  std::unique_ptr<Input> rest_;  // from the first member on that is no block
};

std::size_t BgzfInput::unpack(std::span<std::byte> target) {
  if (given_ < contents_.size()) return give_contents(target);
  if (rest_) {
    const std::size_t bytes = rest_->read(target);
    ended_ = bytes < target.size();
    return bytes;
  }
  next_batch();
  if (batch_bytes_ > 0 && batch_bytes_ <= target.size()) {
    unpack_batch(target);
    return batch_bytes_;
  }
  contents_.resize(batch_bytes_);
  given_ = 0;
  unpack_batch(contents_);
  return 0;
}

std::size_t BgzfInput::give_contents(std::span<std::byte> target) {
  const std::size_t bytes = std::min(target.size(), contents_.size() - given_);
  if (bytes > 0) std::memcpy(target.data(), contents_.data() + given_, bytes);
  given_ += bytes;
  return bytes;
}

// Fills blocks_. If no block is left, rest_ takes what follows.
void BgzfInput::next_batch() {
  blocks_.clear();
  batch_bytes_ = 0;
  bool may_have_more = fill();
  while (blocks_.size() < most_blocks_) {
    if (take_block(left_)) continue;
    if (!blocks_.empty() || !may_have_more) break;
    may_have_more = fill();
  }
  if (blocks_.empty()) end_blocks();
}

// Takes a block from the front of `packed`, if all of it is there.
bool BgzfInput::take_block(std::span<const std::byte>& packed) {
  const std::optional<BgzfBlock> block = front_bgzf_block(packed);
  if (!block) return false;
  if (block->contents_bytes > kMostBgzfBytes) throw_damaged(path());
  blocks_.push_back({*block, batch_bytes_});
  batch_bytes_ += block->contents_bytes;
  ends_in_marker_ = block->contents_bytes == 0;
  packed = packed.subspan(block->bytes);
  return true;
}

void BgzfInput::unpack_batch(std::span<std::byte> target) const {
  const std::size_t ranges = std::min(blocks_.size(), kBlocksOfThread * parallel_threads());
  parallel_for(0, ranges, [&](std::size_t i) {
    BgzfUnpacker unpacker;
    const std::size_t end = (i + 1) * blocks_.size() / ranges;
    for (std::size_t at = i * blocks_.size() / ranges; at < end; ++at) {
      const Block& block = blocks_[at];
      const std::span<std::byte> contents = target.subspan(block.begin, block.block.contents_bytes);
      if (!unpacker.unpack(block.block, contents)) throw_damaged(path());
    }
  });
}

// What follows the last block is no block, or cut short: unpacking it as gzip says which.
void BgzfInput::end_blocks() {
  if (left_.empty() && !ends_in_marker_ && warn_) {
    warn_(quote_path(path()) + ": the empty block is missing that ends a file of BGZF: it may be cut short");
  }
  rest_ = make_member_input(std::move(source_), make_gzip_unpacker(path()), std::move(warn_), left_);
  left_ = {};
  release_memory(packed_);
  release_memory(contents_);
  given_ = 0;
}

}  // namespace

std::unique_ptr<Input> make_bgzf_input(ByteSource source, WarningSink warn) {
  return std::make_unique<BgzfInput>(std::move(source), std::move(warn));
}

}  // namespace sortie
