// Inputs of BGZF, unpacked while they are read: blocks by all threads at once. BGZF is the packed form of genome files,
// a sequence of members of gzip, each of at most 64 KiB before and after it is packed (SAM/BAM format specification,
// section 4.1). Made by make_compressed_input() only.
//
//   | gzip header, extra field "BC": length of the block | deflate | CRC-32 | length of the contents |
//
// Where a member is none of BGZF, the rest is unpacked as gzip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/input/byte_source.hpp"
#include "io/input/input.hpp"
#include "io/input/member_input.hpp"

namespace sortie {

class BgzfInput final : public Input {
 public:
  /// Warns by `warn`, which may be empty, if the empty block is missing that marks the end.
  BgzfInput(ByteSource source, WarningSink warn);

  const std::string& path() const override { return path_; }
  std::size_t read(std::span<std::byte> target) override;
  std::optional<std::uint64_t> size() const override { return std::nullopt; }
  std::uint64_t unpacking_bytes() const override;

 private:
  struct Block {
    std::span<const std::byte> packed;  // deflate
    std::uint32_t checksum = 0;
    std::size_t contents_bytes = 0;
    std::size_t begin = 0;  // of the contents among those of its batch
  };

  void next_batch();
  bool fill();
  bool take_block(std::span<const std::byte>& packed);
  void unpack(std::span<std::byte> target) const;
  void end_blocks();
  std::size_t give_contents(std::span<std::byte> target);

  ByteSource source_;
  WarningSink warn_;
  std::string path_;
  const std::size_t most_blocks_;  // of a batch
  std::vector<std::byte> packed_;
  std::span<const std::byte> left_;  // of packed_: not yet in a block
  std::vector<Block> blocks_;        // a batch, not yet unpacked
  std::size_t batch_bytes_ = 0;      // contents of these
  std::vector<std::byte> contents_;  // of a batch that was unpacked
  std::size_t given_ = 0;            // of contents_
  bool ends_in_marker_ = false;
  std::unique_ptr<MemberInput> rest_;  // from the first member on that is no block
};

}  // namespace sortie
