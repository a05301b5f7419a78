// Bytes that wait until it is known which part they belong to: in memory, or in scratch space if they are many. Used by
// parts of an output alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "io/files/scratch.hpp"
#include "record/layout.hpp"

namespace sortie {

class WaitingBytes {
 public:
  explicit WaitingBytes(ScratchSpace& scratch) : scratch_(scratch) {}

  void append(std::span<const std::byte> bytes);
  std::uint64_t size() const { return file_bytes_ + memory_.size(); }
  bool empty() const { return size() == 0; }

  /// Calls visit(records) for all bytes in turn, in pieces of whole records, and forgets them. Precondition: they are
  /// whole records.
  void release(const Layout& layout, const std::function<void(std::span<const std::byte>)>& visit);

 private:
  void spill();

  ScratchSpace& scratch_;
  std::vector<std::byte> memory_;
  std::unique_ptr<File> file_;  // null as long as all fits in memory
  std::uint64_t file_bytes_ = 0;
};

}  // namespace sortie
