#include "pipeline/parts/indexed_file.hpp"

#include <atomic>
#include <span>
#include <utility>
#include <vector>

#include "io/output/packed_output.hpp"
#include "io/output/passing_output.hpp"

namespace sortie {
namespace {

/// An index is small, and read often.
constexpr int kIndexLevel = 6;

}  // namespace

/// Where the blocks of a BGZF file begin. Each write() is one block.
class IndexedFile::BlockStarts {
 public:
  void add(std::size_t block_bytes) {
    if (blocks_ % kBlocksPerMark == 0) marks_.push_back(file_bytes_);
    less_one_.push_back(static_cast<std::uint16_t>(block_bytes - 1));
    file_bytes_ += block_bytes;
    ++blocks_;
    held_bytes_ = marks_.capacity() * sizeof(std::uint64_t) + less_one_.capacity() * sizeof(std::uint16_t);
  }

  /// Thread-safe.
  std::uint64_t held_bytes() const { return held_bytes_; }

  /// Where a byte of the contents is: the start of its block, and its place therein.
  std::uint64_t virtual_offset(std::uint64_t offset) const {
    const std::uint64_t block = offset / kBgzfContentsBytes;
    std::uint64_t start = block == blocks_ ? file_bytes_ : marks_[block / kBlocksPerMark];
    for (std::uint64_t i = block / kBlocksPerMark * kBlocksPerMark; block < blocks_ && i < block; ++i) {
      start += less_one_[i] + 1U;
    }
    return start << 16 | offset % kBgzfContentsBytes;
  }

 private:
  static constexpr std::uint64_t kBlocksPerMark = 64;

  std::vector<std::uint64_t> marks_;
  std::vector<std::uint16_t> less_one_;
  std::uint64_t blocks_ = 0;
  std::uint64_t file_bytes_ = 0;
  std::atomic<std::uint64_t> held_bytes_{0};
};

namespace {

/// Tells what it passes on, one block at a time.
template <class Starts>
class BlockCounter final : public PassingOutput {
 public:
  BlockCounter(std::unique_ptr<Output> target, Starts& starts) : PassingOutput(std::move(target)), starts_(starts) {}

  void write(std::span<const std::byte> block) override {
    starts_.add(block.size());
    target().write(block);
  }

 private:
  Starts& starts_;
};

}  // namespace

IndexedFile::IndexedFile(FileSystem& files, const std::string& path, int level, PlaceIndex index, TemporaryNames* names)
    : index_path_(path + std::string(index.suffix())),
      starts_(std::make_unique<BlockStarts>()),
      files_(files, names, 2),
      packed_(make_bgzf_output(std::make_unique<BlockCounter<BlockStarts>>(files_.begin(path), *starts_), level)),
      index_(std::move(index)) {
  // So that nobody sorts for an index that cannot be written.
  FileSet(files, names, 1).begin(index_path_);
}

IndexedFile::~IndexedFile() = default;

void IndexedFile::add(const Place& place, std::uint64_t begin, std::uint64_t end) {
  index_.set_bytes_beside(starts_->held_bytes());
  index_.add(place, begin, end);
}

void IndexedFile::add_without_place() {
  index_.set_bytes_beside(starts_->held_bytes());
  index_.add_without_place();
}

void IndexedFile::finish() {
  packed_->finish();
  std::unique_ptr<Output> output = files_.begin(index_path_);
  if (index_.is_packed()) output = make_bgzf_output(std::move(output), kIndexLevel);
  index_.write([this](std::uint64_t offset) { return starts_->virtual_offset(offset); },
               [&](std::span<const std::byte> bytes) { output->write(bytes); });
  output->finish();
  files_.put_in_place();
}

std::string index_path(const std::string& output, IndexForm form) {
  return output + (form == IndexForm::kTbi ? ".tbi" : ".csi");
}

}  // namespace sortie
