// Records in memory as the source and sink of a sort. Pages of a mapped file are given back when they have been read or
// written: their bytes stay in the file, and the process does not grow by it.
#pragma once

#include <cstddef>
#include <span>

namespace sortie::python {

/// Gives whole pages back as work goes on through memory. Only for shared mappings of files: other memory would lose
/// its bytes.
class PageReturn {
 public:
  PageReturn(std::span<std::byte> memory, bool is_on) : next_(memory.data()), is_on_(is_on) {}
  /// All before `done` is not needed any more for now.
  void advance(const std::byte* done);

 private:
  const std::byte* next_;
  bool is_on_;
};

class MemorySource {
 public:
  MemorySource(std::span<std::byte> memory, bool gives_pages_back) : rest_(memory), pages_(memory, gives_pages_back) {}
  /// As RecordSource.
  std::size_t read(std::span<std::byte> target);

 private:
  std::span<std::byte> rest_;
  PageReturn pages_;
};

class MemorySink {
 public:
  MemorySink(std::span<std::byte> memory, bool gives_pages_back) : rest_(memory), pages_(memory, gives_pages_back) {}
  /// As RecordSink. Throws Error if there is no room.
  void write(std::span<const std::byte> records);

 private:
  std::span<std::byte> rest_;
  PageReturn pages_;
};

}  // namespace sortie::python
