#include "formats/bgzf/block_offsets.hpp"

#include <algorithm>
#include <utility>

#include "base/bytes.hpp"
#include "io/output/compressed_output.hpp"
#include "io/output/passing_output.hpp"

namespace sortie::formats {

/// Blocks come one by one. All but the last hold as much as the first.
class BlockOffsets::Counter final : public PassingOutput {
 public:
  explicit Counter(std::unique_ptr<Output> target) : PassingOutput(std::move(target)) {}

  void write(std::span<const std::byte> block) override {
    if (offsets_.empty()) contents_of_block_ = load_as<std::uint32_t>(block.data() + block.size() - 4);
    offsets_.push_back(bytes_);
    bytes_ += block.size();
    target().write(block);
  }

  std::uint64_t virtual_offset(std::uint64_t contents_offset) const {
    const std::uint64_t block = contents_of_block_ == 0 ? 0 : contents_offset / contents_of_block_;
    // The last one is empty, and marks the end.
    const std::uint64_t known = std::min<std::uint64_t>(block, offsets_.size() - 1);
    return offsets_[static_cast<std::size_t>(known)] << 16 | (contents_offset - known * contents_of_block_);
  }

 private:
  std::vector<std::uint64_t> offsets_;
  std::uint64_t bytes_ = 0;
  std::uint64_t contents_of_block_ = 0;
};

BlockOffsets::BlockOffsets(std::unique_ptr<Output> target, int level) {
  auto counter = std::make_unique<Counter>(std::move(target));
  counter_ = counter.get();
  packed_ = compress_output(std::move(counter), CompressionFormat::kBgzf, {.level = level});
}

BlockOffsets::~BlockOffsets() = default;

std::uint64_t BlockOffsets::virtual_offset(std::uint64_t contents_offset) const {
  return counter_->virtual_offset(contents_offset);
}

}  // namespace sortie::formats
