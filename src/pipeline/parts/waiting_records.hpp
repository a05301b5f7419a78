// Records that wait until it is known which part they belong to: in memory, or in scratch space if they are many. Used
// by parts of an output alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "io/files/scratch.hpp"
#include "pipeline/parts/part_records.hpp"
#include "record/layout.hpp"

namespace sortie {

class WaitingRecords {
 public:
  /// `are_listed`: they are not of a layout.
  WaitingRecords(ScratchSpace& scratch, const Layout& layout, bool are_listed);

  void append(const PartRecords& records);
  /// Bytes of the records.
  std::uint64_t size() const { return record_bytes_; }
  bool empty() const { return record_bytes_ == 0; }

  /// Calls visit(records) for all of them in turn, in pieces, and forgets them.
  void release(const std::function<void(const PartRecords&)>& visit);

 private:
  void store(std::span<const std::byte> bytes);
  void spill();
  void visit_stored(std::span<const std::byte> bytes, const std::function<void(const PartRecords&)>& visit);
  void read_again(const std::function<void(const PartRecords&)>& visit);

  ScratchSpace& scratch_;
  bool are_listed_;
  Layout layout_;  // of what is stored: listed records are in frames
  std::uint64_t record_bytes_ = 0;
  std::vector<std::byte> framed_;  // scratch
  FramedRecords frames_;
  std::vector<std::byte> memory_;
  std::unique_ptr<File> file_;  // null as long as all fits in memory
  std::uint64_t file_bytes_ = 0;
};

}  // namespace sortie
