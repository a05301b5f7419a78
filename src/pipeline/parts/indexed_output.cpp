#include "pipeline/parts/indexed_output.hpp"

#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "io/output/file_set.hpp"
#include "io/output/packed_output.hpp"
#include "io/output/passing_output.hpp"
#include "record/places/place_index.hpp"
#include "record/places/place_reader.hpp"

namespace sortie {
namespace {

/// An index is small, and read often.
constexpr int kIndexLevel = 6;

/// Bytes of a line in messages.
constexpr std::size_t kMostShownBytes = 60;

/// Where the blocks of a BGZF file begin. Each write() is one block.
class BlockStarts {
 public:
  void add(std::size_t block_bytes) {
    if (blocks_ % kBlocksPerMark == 0) marks_.push_back(file_bytes_);
    less_one_.push_back(static_cast<std::uint16_t>(block_bytes - 1));
    file_bytes_ += block_bytes;
    ++blocks_;
  }

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
};

class BlockCounter final : public PassingOutput {
 public:
  BlockCounter(std::unique_ptr<Output> target, BlockStarts& starts) : PassingOutput(std::move(target)), starts_(starts) {}

  void write(std::span<const std::byte> block) override {
    starts_.add(block.size());
    target().write(block);
  }

 private:
  BlockStarts& starts_;
};

class IndexedOutput final : public Output {
 public:
  IndexedOutput(FileSystem& files, const std::string& path, const IndexOptions& options, int level,
                std::uint64_t most_bytes, TemporaryNames* names)
      : options_(options),
        index_path_(index_path(path, options.form)),
        files_(files, names, 2),
        packed_(make_bgzf_output(std::make_unique<BlockCounter>(files_.begin(path), starts_), level)),
        index_(options, kBgzfContentsBytes, most_bytes) {}

  void write(std::span<const std::byte> bytes) override {
    add_lines({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    packed_->write(bytes);
  }
  void expect(std::uint64_t bytes) override { packed_->expect(bytes); }
  void write_around_cache() override { packed_->write_around_cache(); }
  void finish() override;

 private:
  void add_lines(std::string_view bytes);
  void add_line(std::string_view line, std::size_t bytes);

  IndexOptions options_;
  std::string index_path_;
  BlockStarts starts_;
  FileSet files_;
  std::unique_ptr<Output> packed_;
  PlaceIndex index_;
  std::string begun_;  // the line whose end has not come
  std::uint64_t offset_ = 0;
  std::uint64_t lines_ = 0;
};

void IndexedOutput::add_lines(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) {
      begun_.append(bytes);
      return;
    }
    const std::string_view rest = bytes.substr(0, end);
    if (begun_.empty()) {
      add_line(rest, rest.size() + 1);
    } else {
      begun_.append(rest);
      add_line(begun_, begun_.size() + 1);
      begun_.clear();
    }
    bytes.remove_prefix(end + 1);
  }
}

void IndexedOutput::add_line(std::string_view line, std::size_t bytes) {
  const std::uint64_t begin = std::exchange(offset_, offset_ + bytes);
  ++lines_;
  if (lacks_place(options_.file, line)) return;
  try {
    index_.add(place_of(options_.file, line), begin, offset_);
  } catch (const Error& error) {
    throw Error("the output cannot be indexed: its line " + std::to_string(lines_) + ", " +
                    quote_word(line.substr(0, kMostShownBytes)) + ", " + error.what(),
                error.remedy());
  }
}

void IndexedOutput::finish() {
  if (!begun_.empty()) add_line(begun_, begun_.size());
  packed_->finish();
  const std::unique_ptr<Output> packed_index = make_bgzf_output(files_.begin(index_path_), kIndexLevel);
  index_.write([this](std::uint64_t offset) { return starts_.virtual_offset(offset); },
               [&](std::span<const std::byte> bytes) { packed_index->write(bytes); });
  packed_index->finish();
  files_.put_in_place();
}

}  // namespace

std::string index_path(const std::string& output, IndexForm form) {
  return output + (form == IndexForm::kTbi ? ".tbi" : ".csi");
}

std::unique_ptr<Output> make_indexed_output(FileSystem& files, const std::string& path, const IndexOptions& options,
                                            int level, std::uint64_t most_bytes, TemporaryNames* names) {
  // So that nobody sorts for an index that cannot be written.
  FileSet(files, names, 1).begin(index_path(path, options.form));
  return std::make_unique<IndexedOutput>(files, path, options, level, most_bytes, names);
}

}  // namespace sortie
