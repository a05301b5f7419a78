#include "formats/bgzf/block_reader.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include <sortie/error.hpp>

#include "base/parallel.hpp"
#include "base/quote.hpp"
#include "base/size.hpp"
#include "base/thread_team.hpp"

namespace sortie::formats {
namespace {

std::unique_ptr<File> standing_at(std::unique_ptr<File> file, std::uint64_t offset) {
  if (offset != 0) file->set_position(offset);
  return file;
}

}  // namespace

BlockReader::BlockReader(std::unique_ptr<File> file, std::size_t most_blocks, std::uint64_t begin)
    : source_(standing_at(std::move(file), begin)),
      most_blocks_(most_blocks),
      packed_(divide_up(most_blocks, 2) * kMostBgzfBytes),
      ahead_(packed_.size()),
      file_offset_(begin) {}

bool BlockReader::read(RawBytes& contents) {
  take_blocks();
  if (blocks_.empty()) return false;
  std::size_t bytes = 0;
  for (const BgzfBlock& block : blocks_) bytes += block.contents_bytes;
  const std::size_t before = contents.size();
  contents.resize(before + bytes);
  run_with_background([&] { unpack(std::span(contents).subspan(before)); }, [&] { read_ahead(); });
  places_.insert(places_.end(), batch_.begin(), batch_.end());
  return true;
}

// What is left of a batch moves to the front of the next one. The blocks of the batch stay where they are.
void BlockReader::read_ahead() {
  if (!left_.empty()) std::memcpy(ahead_.data(), left_.data(), left_.size());
  const std::size_t known = left_.size();
  const std::size_t got = source_has_ended_ ? 0 : source_.read(std::span(ahead_).subspan(known));
  source_has_ended_ = got < ahead_.size() - known;
  ahead_bytes_ = known + got;
  is_ahead_ = true;
}

bool BlockReader::fill() {
  if (!is_ahead_) read_ahead();
  is_ahead_ = false;
  const bool has_more = ahead_bytes_ > left_.size();
  std::swap(packed_, ahead_);
  left_ = std::span<const std::byte>(packed_).first(ahead_bytes_);
  return has_more;
}

// The blocks lie in packed_ until the next call.
void BlockReader::take_blocks() {
  blocks_.clear();
  batch_.clear();
  bool may_have_more = fill();
  while (blocks_.size() < most_blocks_) {
    const std::optional<BgzfBlock> block = front_bgzf_block(left_);
    if (!block) {
      if (!blocks_.empty() || !may_have_more) break;
      may_have_more = fill();
      continue;
    }
    if (block->contents_bytes > kMostBgzfBytes) refuse_damage(file_offset_);
    blocks_.push_back(*block);
    batch_.push_back({contents_end_, file_offset_});
    contents_end_ += block->contents_bytes;
    ends_in_marker_ = block->contents_bytes == 0;
    file_offset_ += block->bytes;
    left_ = left_.subspan(block->bytes);
  }
  if (blocks_.empty() && (!left_.empty() || !ends_in_marker_)) refuse_rest();
}

void BlockReader::unpack(std::span<std::byte> target) const {
  constexpr std::size_t kRangesOfThread = 4;
  const std::uint64_t begin = batch_.front().contents_offset;
  const std::size_t ranges = std::min(blocks_.size(), kRangesOfThread * parallel_threads());
  parallel_for(0, ranges, [&](std::size_t i) {
    BgzfUnpacker unpacker;
    const std::size_t end = (i + 1) * blocks_.size() / ranges;
    for (std::size_t at = i * blocks_.size() / ranges; at < end; ++at) {
      const std::size_t place = static_cast<std::size_t>(batch_[at].contents_offset - begin);
      if (!unpacker.unpack(blocks_[at], target.subspan(place, blocks_[at].contents_bytes))) {
        refuse_damage(batch_[at].file_offset);
      }
    }
  });
}

void BlockReader::refuse_damage(std::uint64_t file_offset) const {
  throw Error("input " + quote_path(path()) + " is damaged: the block of BGZF at offset " +
              std::to_string(file_offset) + " cannot be unpacked, or its checksum is another; get the file once more");
}

void BlockReader::refuse_rest() const {
  const std::string begin = "input " + quote_path(path());
  if (left_.empty() || may_begin_bgzf_block(left_)) {
    throw Error(begin + " is cut short at offset " + std::to_string(file_offset_ + left_.size()) +
                (left_.empty() ? ": the empty block of BGZF that ends such a file is missing"
                               : ": the block of BGZF at offset " + std::to_string(file_offset_) + " is not whole") +
                "; get the file once more");
  }
  throw Error(begin + ": what stands at offset " + std::to_string(file_offset_) +
              " is no block of BGZF: pack the file by bgzip, or get it once more");
}

VirtualOffset BlockReader::virtual_offset_of(std::uint64_t contents_offset) const {
  const auto behind = std::ranges::upper_bound(places_, contents_offset, {}, &Place::contents_offset);
  if (behind == places_.begin()) return {0, contents_offset};
  const Place& place = *std::prev(behind);
  return {place.file_offset, contents_offset - place.contents_offset};
}

std::string BlockReader::place_of(std::uint64_t contents_offset) const {
  const VirtualOffset place = virtual_offset_of(contents_offset);
  return std::to_string(place.block) + ":" + std::to_string(place.byte);
}

std::optional<std::uint64_t> BlockReader::begin_of_block(std::uint64_t file_offset) const {
  const auto found = std::ranges::find(batch_, file_offset, &Place::file_offset);
  if (found == batch_.end()) return std::nullopt;
  return found->contents_offset;
}

void BlockReader::forget_before(std::uint64_t contents_offset) {
  while (places_.size() > 1 && places_[1].contents_offset <= contents_offset) places_.pop_front();
}

}  // namespace sortie::formats
