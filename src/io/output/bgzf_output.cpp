// Packs an output as BGZF with all threads: a sequence of small members of gzip, of which programs for genomes (tabix,
// bcftools, samtools) find and unpack each by itself. See bgzf_input.cpp for the form.
#include <algorithm>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include <libdeflate.h>

#include "base/bytes.hpp"
#include "base/parallel.hpp"
#include "io/output/batch_output.hpp"

namespace sortie {
namespace {

/// Blocks of a batch: so many for each thread that threads of different speed end together, and that little time is
/// lost between two batches, but no more than take 32 MiB before and after they are packed, in two batches.
constexpr std::size_t kBlocksPerThread = 16;
constexpr std::size_t kMostBlocks = 128;

/// gzip with an extra field of 6 bytes: "BC", the length of what follows, and the length of the block less one.
constexpr std::byte kBlockHeader[] = {
    std::byte{0x1f}, std::byte{0x8b}, std::byte{8}, std::byte{4}, {}, {}, {}, {}, {}, std::byte{0xff}, std::byte{6}, {},
    std::byte{'B'},  std::byte{'C'},  std::byte{2}, {},           {}, {}};
constexpr std::size_t kBlockTrailerBytes = 8;

/// A thread's own.
class BlockPacker {
 public:
  explicit BlockPacker(int level) : library_(::libdeflate_alloc_compressor(level)) {
    if (library_ == nullptr) throw std::bad_alloc();
  }
  ~BlockPacker() { ::libdeflate_free_compressor(library_); }
  BlockPacker(const BlockPacker&) = delete;
  BlockPacker& operator=(const BlockPacker&) = delete;

  void pack(std::span<const std::byte> contents, std::vector<std::byte>& block) {
    constexpr std::size_t kHeader = sizeof kBlockHeader;
    block.resize(kHeader + ::libdeflate_deflate_compress_bound(library_, contents.size()) + kBlockTrailerBytes);
    std::ranges::copy(kBlockHeader, block.begin());
    const std::size_t made =
        ::libdeflate_deflate_compress(library_, contents.data(), contents.size(), block.data() + kHeader,
                                      block.size() - kHeader - kBlockTrailerBytes);
    block.resize(kHeader + made + kBlockTrailerBytes);
    store_as(block.data() + kHeader - 2, static_cast<std::uint16_t>(block.size() - 1));
    std::byte* const trailer = block.data() + kHeader + made;
    store_as(trailer, static_cast<std::uint32_t>(::libdeflate_crc32(0, contents.data(), contents.size())));
    store_as(trailer + 4, static_cast<std::uint32_t>(contents.size()));
  }

 private:
  libdeflate_compressor* library_;
};

class BgzfPacker final : public BatchPacker {
 public:
  explicit BgzfPacker(int level) : level_(level) {}

 private:
  std::size_t pack(PieceBatch& batch, bool) override {
    const std::size_t blocks = batch.pieces();
    const std::size_t ranges = std::min(blocks, kBlocksPerThread * parallel_threads());
    parallel_for(0, ranges, [&](std::size_t range) {
      BlockPacker& packer = packer_of_thread();
      const std::size_t end = (range + 1) * blocks / ranges;
      for (std::size_t i = range * blocks / ranges; i < end; ++i) packer.pack(batch.piece(i), batch.packed(i));
    });
    return blocks;
  }

  // An empty block marks the end. Programs know it by all of its bytes, so that it is made here: deflate with its fixed
  // code, and nothing but the end of its contents.
  void write_end(Output& target) override {
    std::vector<std::byte> end(std::begin(kBlockHeader), std::end(kBlockHeader));
    end[sizeof kBlockHeader - 2] = std::byte{27};
    end.insert(end.end(), {std::byte{3}, {}});
    end.resize(end.size() + kBlockTrailerBytes);
    target.write(end);
  }

  // It is large: to make one for each block would take a tenth of the time.
  BlockPacker& packer_of_thread() {
    std::optional<BlockPacker>& packer = packers_.local();
    if (!packer) packer.emplace(level_);
    return *packer;
  }

  int level_;
  OnePerThread<std::optional<BlockPacker>> packers_;
};

}  // namespace

std::unique_ptr<Output> make_bgzf_output(std::unique_ptr<Output> target, int level) {
  const PieceSizes sizes{kBgzfContentsBytes, 0, std::min(kBlocksPerThread * parallel_threads(), kMostBlocks)};
  return std::make_unique<BatchOutput>(std::move(target), sizes, std::make_unique<BgzfPacker>(level));
}

}  // namespace sortie
