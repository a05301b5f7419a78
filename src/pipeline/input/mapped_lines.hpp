// The lines of the only input where they lie: mapped, not copied. Decorated lines refer to them until they are written.
// Made by the record reader, in place of reading.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/memory_region.hpp"
#include "pipeline/input/input_sequence.hpp"
#include "record/layout.hpp"

namespace sortie {

class MappedLines {
 public:
  /// Null if the input cannot be mapped. Precondition: inputs.size_of_only(). `inputs` must outlive the result.
  static std::unique_ptr<MappedLines> make(InputSequence& inputs, const Layout& layout);

  /// All whole lines. They belong to this object.
  std::span<const std::byte> all() const { return lines_; }

  /// The lines after those taken before: at least one line, about `bytes` bytes. Throws Error as check() does.
  std::span<const std::byte> take(std::size_t bytes);
  bool at_end() const { return taken_ == lines_.size(); }
  /// Offset in the input of the first line not taken.
  std::size_t taken_bytes() const { return taken_; }

  /// A sample of lines from all over the input.
  std::vector<std::byte> sample(std::size_t most_bytes) const;

  /// Must be called while lines are used: see InputMapping.
  void check() { mapping_->check(); }
  void discard() { mapping_->discard(); }

 private:
  MappedLines(const Layout& layout, MemoryRegion memory, InputSequence::Mapped mapped);

  Layout layout_;
  MemoryRegion memory_;  // its pages are those of the input
  std::unique_ptr<InputMapping> mapping_;
  std::span<const std::byte> lines_;
  std::size_t taken_ = 0;
};

}  // namespace sortie
