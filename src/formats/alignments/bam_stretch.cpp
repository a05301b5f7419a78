#include "formats/alignments/bam_stretch.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/quote.hpp"
#include "base/raw_bytes.hpp"
#include "formats/alignments/alignment_record.hpp"
#include "formats/bgzf/block_reader.hpp"

namespace sortie::formats::alignments {
namespace {

/// So many records without a fault, one behind the other, are no accident.
constexpr std::size_t kEnoughRecords = 16;
/// A block begins in the first part, and what follows it shows that it is one.
constexpr std::size_t kWindowBytes = 3 * kMostBgzfBytes;

/// Whether the fixed part of a record, with its length, may be one: bytes that are none seldom seem to be.
bool may_be_record(std::span<const std::byte> fixed, std::uint64_t bytes, std::size_t references) {
  const auto number = [&](std::size_t offset) { return load_as<std::int32_t>(fixed.data() + offset); };
  const auto is_reference = [&](std::int32_t reference) {
    return reference >= -1 && reference < static_cast<std::int64_t>(references);
  };
  const std::uint64_t name_bytes = std::to_integer<std::uint64_t>(fixed[12]);
  const std::uint64_t cigars = load_as<std::uint16_t>(fixed.data() + 16);
  const std::int32_t bases = number(20);
  if (bases < 0 || name_bytes == 0) return false;
  const std::uint64_t sequence = (std::uint64_t(bases) + 1) / 2 + std::uint64_t(bases);
  return is_reference(number(4)) && is_reference(number(24)) && number(8) >= -1 && number(28) >= -1 &&
         AlignmentRecord::kFixedBytes + name_bytes + 4 * cigars + sequence <= bytes;
}

/// What begins at a place, as far as it has been read.
enum class Finding : std::uint8_t { kRecords, kNone, kOpen };

Finding look_at(std::span<const std::byte> contents, bool is_all, std::size_t references) {
  std::size_t at = 0;
  for (std::size_t found = 0; found < kEnoughRecords; ++found) {
    if (at == contents.size() && is_all) return Finding::kRecords;
    if (contents.size() - at < AlignmentRecord::kFixedBytes) return is_all ? Finding::kNone : Finding::kOpen;
    const std::uint64_t bytes =
        AlignmentRecord::kLengthBytes + std::uint64_t{load_as<std::uint32_t>(contents.data() + at)};
    if (bytes > kMostSearchedBytes || !may_be_record(contents.subspan(at), bytes, references)) return Finding::kNone;
    if (bytes > contents.size() - at) return is_all ? Finding::kNone : Finding::kOpen;
    if (!fault_of(contents.subspan(at, static_cast<std::size_t>(bytes)), references).empty()) return Finding::kNone;
    at += static_cast<std::size_t>(bytes);
  }
  return Finding::kRecords;
}

class StretchSearch {
 public:
  StretchSearch(FileSystem& files, const std::string& path, const HeaderExtent& header)
      : files_(files), path_(path), references_(header.references), header_end_(find_header_end(header)) {}

  /// The first record in a block that begins at `offset` or behind it; nothing if no block does.
  std::optional<VirtualOffset> first_record(std::uint64_t offset) const {
    if (offset <= header_end_.block) return header_end_;
    const std::optional<std::uint64_t> block = first_block(offset);
    if (!block) return std::nullopt;
    return *block <= header_end_.block ? header_end_ : record_from(*block);
  }

 private:
  VirtualOffset find_header_end(const HeaderExtent& header) const {
    BlockReader blocks(files_.open_input(path_), 1);
    RawBytes contents;
    for (std::uint64_t bytes = 0; bytes <= header.contents_bytes; bytes += contents.size()) {
      contents.clear();
      if (!blocks.read(contents)) break;
    }
    return blocks.virtual_offset_of(header.contents_bytes);
  }

  std::optional<std::uint64_t> first_block(std::uint64_t offset) const {
    const std::unique_ptr<File> file = files_.open_input(path_);
    std::vector<std::byte> window(kWindowBytes);
    window.resize(file->read_at(offset, window));
    const std::span<const std::byte> bytes(window);
    for (std::size_t i = 0; i < std::min(bytes.size(), kMostBgzfBytes); ++i) {
      if (is_block(bytes.subspan(i))) return offset + i;
    }
    if (bytes.size() < kWindowBytes) return std::nullopt;
    throw Error("input " + quote_path(path_) + ": no block of BGZF begins at offset " + std::to_string(offset) +
                " or within 64 KiB behind it; get the file once more");
  }

  // The bytes may look like the begin of one by accident.
  static bool is_block(std::span<const std::byte> bytes) {
    const std::optional<BgzfBlock> block = front_bgzf_block(bytes);
    if (!block || block->contents_bytes > kMostBgzfBytes) return false;
    std::vector<std::byte> contents(block->contents_bytes);
    return BgzfUnpacker().unpack(*block, contents);
  }

  VirtualOffset record_from(std::uint64_t block) const {
    BlockReader blocks(files_.open_input(path_), 1, block);
    RawBytes contents;
    bool is_all = !blocks.read(contents);
    for (std::size_t at = 0; at <= contents.size();) {
      const Finding finding = look_at(std::span<const std::byte>(contents).subspan(at), is_all, references_);
      if (finding == Finding::kRecords) return blocks.virtual_offset_of(at);
      if (finding == Finding::kNone) {
        ++at;
      } else if (contents.size() < kMostSearchedBytes) {
        is_all = !blocks.read(contents);
      } else {
        break;
      }
    }
    throw Error("input " + quote_path(path_) + ": no record is found behind the block at offset " +
                std::to_string(block) + ", where a share of the file is to begin; sort the file by one process");
  }

  FileSystem& files_;
  const std::string& path_;
  const std::size_t references_;
  const VirtualOffset header_end_;
};

class BamStretch final : public ContentsSource {
 public:
  /// `end`: of the records; nothing for that of the file.
  BamStretch(std::unique_ptr<File> file, std::size_t most_blocks, VirtualOffset begin, std::optional<VirtualOffset> end)
      : blocks_(std::move(file), most_blocks, begin.block), unread_(begin.byte), dropped_(begin.byte), end_(end) {}

  bool read(RawBytes& contents) override {
    if (has_ended_) return false;
    const std::size_t before = contents.size();
    if (!blocks_.read(contents)) {
      if (end_) refuse_missing_end();
      return false;
    }
    const std::uint64_t batch_begin = std::exchange(contents_bytes_, contents_bytes_ + contents.size() - before);
    if (end_) find_end();
    if (contents_bytes_ > end_bytes_)
      contents.resize(before + static_cast<std::size_t>(end_bytes_ - std::min(end_bytes_, batch_begin)));
    has_ended_ = contents_bytes_ >= end_bytes_;
    const auto first = contents.begin() + static_cast<std::ptrdiff_t>(before);
    const std::uint64_t dropped = std::min<std::uint64_t>(unread_, contents.size() - before);
    contents.erase(first, first + static_cast<std::ptrdiff_t>(dropped));
    unread_ -= dropped;
    return true;
  }

  std::string place_of(std::uint64_t contents_offset) const override {
    return "virtual offset " + blocks_.place_of(contents_offset + dropped_);
  }
  void forget_before(std::uint64_t contents_offset) override { blocks_.forget_before(contents_offset + dropped_); }

 private:
  void find_end() {
    const auto begin = blocks_.begin_of_block(end_->block);
    if (begin) {
      end_bytes_ = *begin + end_->byte;
    } else if (blocks_.file_offset() > end_->block && end_bytes_ == kUnknown) {
      refuse_missing_end();
    }
  }

  [[noreturn]] void refuse_missing_end() const {
    throw Error("input " + quote_path(blocks_.path()) + ": the block of BGZF at offset " + std::to_string(end_->block) +
                ", where the next share of the file was taken to begin, is none; sort the file by one process");
  }

  static constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();

  BlockReader blocks_;
  std::uint64_t unread_;  // of the contents, in front of the first record
  const std::uint64_t dropped_;
  const std::optional<VirtualOffset> end_;
  std::uint64_t end_bytes_ = kUnknown;  // of the contents from the first block on
  std::uint64_t contents_bytes_ = 0;
  bool has_ended_ = false;
};

class NoRecords final : public ContentsSource {
 public:
  bool read(RawBytes& /*contents*/) override { return false; }
  std::string place_of(std::uint64_t /*contents_offset*/) const override { return {}; }
  void forget_before(std::uint64_t /*contents_offset*/) override {}
};

}  // namespace

std::unique_ptr<ContentsSource> open_bam_stretch(FileSystem& files, const std::string& path,
                                                 const InputStretch& stretch, const HeaderExtent& header,
                                                 std::uint64_t buffer_bytes) {
  const StretchSearch search(files, path, header);
  const std::optional<VirtualOffset> begin = search.first_record(stretch.begin);
  std::optional<VirtualOffset> end;
  if (stretch.end < files.status(path).bytes) end = search.first_record(stretch.end);
  if (!begin || begin == end) return std::make_unique<NoRecords>();
  return std::make_unique<BamStretch>(files.open_input(path), blocks_of_batch(buffer_bytes), *begin, end);
}

}  // namespace sortie::formats::alignments
