#include "formats/tar/tar_walk.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace sortie::formats::tar {
namespace {

constexpr std::string_view kCutOff = "; the archive is cut off";

/// The contents of a GNU long name end in a zero byte.
std::string long_name_of(std::span<const std::byte> contents) {
  const auto end = std::ranges::find(contents, std::byte{});
  return {reinterpret_cast<const char*>(contents.data()), static_cast<std::size_t>(end - contents.begin())};
}

}  // namespace

bool TarWalk::read_block(std::span<std::byte> block) {
  const std::size_t bytes = bytes_.read(block);
  if (bytes == 0) return false;
  if (bytes < block.size()) {
    refuse(place(offset_),
           "the file ends after " + std::to_string(bytes) + " of the 512 bytes of a block" + std::string(kCutOff));
  }
  offset_ += bytes;
  return true;
}

std::optional<TarEntry> TarWalk::next() {
  Extensions extensions;
  std::uint64_t begin = offset_;
  std::array<std::byte, kBlockBytes> block;
  while (!has_ended_) {
    const std::uint64_t offset = offset_;
    if (!read_block(block))
      refuse(place(offset), "the two blocks of zeros at its end are missing; the archive is cut off");
    if (is_zero_block(block)) {
      if (extensions.are_there) refuse(place(begin), "a header announces an entry, but the archive ends");
      check_end(offset);
      break;
    }
    TarHeader header = read_header(block, place(offset));
    if (header.kind == EntryKind::kGlobalPax) {
      take_global(header, offset, block, extensions);
      begin = offset_;
      continue;
    }
    if (header.kind != EntryKind::kFile && header.kind != EntryKind::kNoFile) {
      take_extension(header, offset, extensions);
      continue;
    }
    has_entries_ = true;
    TarEntry entry{.begin = begin, .is_file = header.kind == EntryKind::kFile};
    entry.name = std::move(header.name);
    if (extensions.long_name) entry.name = std::move(*extensions.long_name);
    if (extensions.pax.path) entry.name = std::move(*extensions.pax.path);
    entry.content_begin = offset_;
    if (entry.is_file) entry.content_bytes = extensions.pax.size.value_or(header.content_bytes);
    pass_contents(entry.content_bytes, offset);
    entry.end = offset_;
    return entry;
  }
  return std::nullopt;
}

std::vector<std::byte> TarWalk::read_contents(const TarHeader& header, std::uint64_t header_offset) {
  if (header.content_bytes > kMostExtensionBytes) {
    refuse(place(header_offset), "a header of " + std::to_string(header.content_bytes) +
                                     " bytes for a name or for pax records is impossible; the file is damaged");
  }
  std::vector<std::byte> contents(in_blocks(header.content_bytes));
  const std::size_t bytes = bytes_.read(contents);
  if (bytes < contents.size()) {
    refuse(place(header_offset), "the file ends within a name or pax records" + std::string(kCutOff));
  }
  offset_ += bytes;
  return contents;
}

void TarWalk::take_extension(const TarHeader& header, std::uint64_t offset, Extensions& extensions) {
  const std::vector<std::byte> contents = read_contents(header, offset);
  const auto said = std::span(contents).first(header.content_bytes);
  extensions.are_there = true;
  if (header.kind == EntryKind::kLongName) extensions.long_name = long_name_of(said);
  if (header.kind != EntryKind::kPax) return;
  PaxRecords pax = read_pax_records(said, place(offset));
  if (pax.path) extensions.pax.path = std::move(pax.path);
  if (pax.size) extensions.pax.size = pax.size;
}

void TarWalk::take_global(const TarHeader& header, std::uint64_t offset, std::span<const std::byte> block,
                          const Extensions& extensions) {
  if (has_entries_ || extensions.are_there) {
    refuse(place(offset),
           "a global pax header holds for all that follows, so that entries cannot move across it; "
           "pack the files again");
  }
  const std::vector<std::byte> contents = read_contents(header, offset);
  const PaxRecords said = read_pax_records(std::span(contents).first(header.content_bytes), place(offset));
  if (said.path || said.size) {
    refuse(place(offset), "a global pax header gives all entries one name or size; pack the files again");
  }
  if (global_headers_.size() + contents.size() > kMostExtensionBytes) {
    refuse(place(offset), "there are too many global pax headers; the file is damaged");
  }
  global_headers_.insert(global_headers_.end(), block.begin(), block.end());
  global_headers_.insert(global_headers_.end(), contents.begin(), contents.end());
}

void TarWalk::pass_contents(std::uint64_t bytes, std::uint64_t header_offset) {
  const std::uint64_t passed = bytes_.pass_over(in_blocks(bytes));
  if (passed < in_blocks(bytes)) {
    refuse(place(header_offset), "the entry has " + std::to_string(bytes) + " bytes, but the file ends after " +
                                     std::to_string(std::min(passed, bytes)) + " of them" + std::string(kCutOff));
  }
  offset_ += passed;
}

// Programs fill the last record of an archive with zeros, some of them not up to the end of a block.
void TarWalk::check_end(std::uint64_t offset) {
  has_ended_ = true;
  std::array<std::byte, kBlockBytes> block;
  if (!read_block(block)) {
    refuse(place(offset), "only one block of zeros is at its end, not two" + std::string(kCutOff));
  }
  if (!is_zero_block(block)) refuse_behind_end(offset_ - kBlockBytes);
  for (std::size_t bytes = bytes_.read(block); bytes > 0; bytes = bytes_.read(block)) {
    if (!is_zero_block(std::span(block).first(bytes))) refuse_behind_end(offset_);
    offset_ += bytes;
  }
}

void TarWalk::refuse_behind_end(std::uint64_t offset) const {
  refuse(place(offset),
         "bytes follow the end of the archive; join archives with tar --concatenate, "
         "or name them one by one");
}

}  // namespace sortie::formats::tar
