// Reads a file of BGZF block by block, on all threads, and knows where in the file each byte of its contents lies: for
// formats that tell a place by a virtual offset, "block:byte". Unlike an Input (bgzf_input.cpp), it takes nothing but
// whole blocks with the empty one at their end: a file that lacks it was cut short.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/raw_bytes.hpp"
#include "io/files/file.hpp"
#include "io/input/bgzf_block.hpp"
#include "io/input/byte_source.hpp"

namespace sortie::formats {

/// A place in a file of BGZF.
struct VirtualOffset {
  std::uint64_t block = 0;  ///< offset of the block in the file
  std::uint64_t byte = 0;   ///< of its contents, or of those behind it

  friend bool operator==(const VirtualOffset&, const VirtualOffset&) = default;
};

class BlockReader {
 public:
  /// Memory that a block of a batch takes, packed and unpacked.
  static constexpr std::size_t kBytesOfBlock = 2 * kMostBgzfBytes;

  /// `most_blocks`: of a batch, at least 1. `begin`: offset of the block that is read first; only a file that has
  /// offsets begins behind its front. What is told of contents counts from there.
  BlockReader(std::unique_ptr<File> file, std::size_t most_blocks, std::uint64_t begin = 0);

  const std::string& path() const { return source_.path(); }

  /// Appends the contents of the next blocks, and returns true; false at the end. Throws Error for what is no whole
  /// block, or damaged. Parallel.
  bool read(RawBytes& contents);

  /// The virtual offset of a byte of the contents, as messages tell it: "12345:678". Precondition: it has been read,
  /// and forget_before() was called with nothing behind it.
  std::string place_of(std::uint64_t contents_offset) const;
  VirtualOffset virtual_offset_of(std::uint64_t contents_offset) const;
  /// Where the contents of the block at this offset of the file begin; nothing unless the last read() has read it.
  std::optional<std::uint64_t> begin_of_block(std::uint64_t file_offset) const;
  /// Offset in the file of the next block.
  std::uint64_t file_offset() const { return file_offset_; }
  /// No place in front of this byte is asked for any more.
  void forget_before(std::uint64_t contents_offset);

 private:
  struct Place {
    std::uint64_t contents_offset;
    std::uint64_t file_offset;
  };

  void take_blocks();
  bool fill();
  void read_ahead();
  void unpack(std::span<std::byte> target) const;
  [[noreturn]] void refuse_rest() const;
  [[noreturn]] void refuse_damage(std::uint64_t file_offset) const;

  ByteSource source_;
  const std::size_t most_blocks_;
  std::vector<std::byte> packed_;
  std::span<const std::byte> left_;  // of packed_
  std::vector<std::byte> ahead_;     // what follows the batch
  std::size_t ahead_bytes_ = 0;
  bool is_ahead_ = false;          // it has been read
  std::uint64_t file_offset_ = 0;  // of left_
  std::vector<BgzfBlock> blocks_;  // a batch
  std::vector<Place> batch_;       // where they begin
  std::deque<Place> places_;       // of blocks whose contents are still asked for
  std::uint64_t contents_end_ = 0;
  bool source_has_ended_ = false;
  bool ends_in_marker_ = false;
};

}  // namespace sortie::formats
