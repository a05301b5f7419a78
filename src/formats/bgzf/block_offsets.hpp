// An output of BGZF that knows where its blocks lie: for indexes, which tell places by virtual offsets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "io/output/output.hpp"

namespace sortie::formats {

class BlockOffsets {
 public:
  /// `level`: of deflate; 0: the usual one.
  BlockOffsets(std::unique_ptr<Output> target, int level);
  ~BlockOffsets();
  BlockOffsets(const BlockOffsets&) = delete;
  BlockOffsets& operator=(const BlockOffsets&) = delete;

  void write(std::span<const std::byte> contents) { packed_->write(contents); }
  /// Ends the file and puts it in its place.
  void finish() { packed_->finish(); }

  /// Where the byte at `contents_offset` is: the offset of its block, shifted by 16 bits, and that in its contents. Of
  /// the end of the contents, too. Precondition: finish() has been called.
  std::uint64_t virtual_offset(std::uint64_t contents_offset) const;

 private:
  class Counter;

  Counter* counter_;  // in packed_
  std::unique_ptr<Output> packed_;
};

}  // namespace sortie::formats
