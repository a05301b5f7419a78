#include "formats/contents_source.hpp"

#include <algorithm>
#include <utility>

#include "base/raw_bytes.hpp"
#include "base/thread_team.hpp"
#include "formats/bgzf/block_reader.hpp"

namespace sortie::formats {
namespace {

/// Blocks of a batch: many for each thread, so that threads seldom wait for each other.
constexpr std::size_t kBlocksOfThread = 32;
constexpr std::size_t kMostBlocks = 256;

class BgzfSource final : public ContentsSource {
 public:
  BgzfSource(std::unique_ptr<File> file, std::size_t most_blocks) : blocks_(std::move(file), most_blocks) {}

  bool read(RawBytes& contents) override { return blocks_.read(contents); }
  std::string place_of(std::uint64_t contents_offset) const override {
    return "virtual offset " + blocks_.place_of(contents_offset);
  }
  void forget_before(std::uint64_t contents_offset) override { blocks_.forget_before(contents_offset); }

 private:
  BlockReader blocks_;
};

}  // namespace

std::size_t blocks_of_batch(std::uint64_t buffer_bytes) {
  const std::size_t useful = std::min(kBlocksOfThread * parallel_threads(), kMostBlocks);
  const std::size_t fitting = static_cast<std::size_t>(buffer_bytes / BlockReader::kBytesOfBlock);
  return std::clamp<std::size_t>(fitting, 1, useful);
}

std::unique_ptr<ContentsSource> make_bgzf_source(std::unique_ptr<File> file, std::uint64_t buffer_bytes) {
  return std::make_unique<BgzfSource>(std::move(file), blocks_of_batch(buffer_bytes));
}

}  // namespace sortie::formats
