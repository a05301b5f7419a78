// Records of a fixed length in an array's memory as a stream that a sort reads, and the same for what it gives back.
// The records may lie apart (views of NumPy), and their order alone may be asked for (argsort).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "python/arrays/number_buffer.hpp"

namespace sortie::python {

/// Where the records of an array of one dimension lie.
struct RecordPlaces {
  std::byte* first = nullptr;
  std::ptrdiff_t stride = 0;  // bytes from one to the next
  std::size_t record_bytes = 0;
  std::size_t count = 0;

  /// The places of the items of a buffer, got with PyBUF_STRIDES. Raises ValueError if it has not one dimension.
  static RecordPlaces of(const HeldBuffer& buffer);

  bool are_dense() const { return count < 2 || stride == static_cast<std::ptrdiff_t>(record_bytes); }
  /// All memory from the first byte of any record to the last one.
  std::span<const std::byte> extent() const;
};

/// What a record looks like to the sort.
struct RecordShape {
  /// Parts of it, as offset and bytes, one behind the other; none: all of it.
  std::vector<std::pair<std::size_t, std::size_t>> parts;
  /// Whether its number, from 0 on, stands behind it, in 8 bytes.
  bool has_index = false;
  /// Whether the bytes of each four are turned round: numbers of 32 bits become big-endian, and memcmp orders them.
  bool is_swapped = false;

  bool is_plain() const { return parts.empty() && !has_index && !is_swapped; }
};

/// Memory that is gone through from its begin. Whole pages of a shared mapping of a file are given back behind it:
/// their bytes stay in the file, and the process does not grow by them. Other memory would lose its bytes.
class PassedMemory {
 public:
  PassedMemory(const RecordPlaces& places, bool is_file)
      : held_(places.first), is_file_(is_file && places.are_dense()) {}

  /// `position`: all before it has been gone through.
  void pass(const std::byte* position);

 private:
  const std::byte* held_;  // from here on pages have not been given back
  bool is_file_;
};

class MemorySource {
 public:
  MemorySource(const RecordPlaces& places, RecordShape shape, bool is_file);

  /// As RecordSource.
  std::size_t read(std::span<std::byte> target);

 private:
  std::size_t read_plain(std::span<std::byte> target);
  /// The next record as the sort is to see it.
  void make_record(std::byte* target);

  RecordPlaces places_;
  RecordShape shape_;
  PassedMemory passed_;
  std::size_t index_ = 0;          // of the next record
  std::size_t read_bytes_ = 0;     // of dense records
  std::vector<std::byte> record_;  // one that did not fit a target, and what of it has been read
  std::size_t record_used_ = 0;
};

class MemorySink {
 public:
  MemorySink(const RecordPlaces& places, bool is_swapped, bool is_file);

  /// As RecordSink. Throws Error if there is no room.
  void write(std::span<const std::byte> records);

 private:
  RecordPlaces places_;
  bool is_swapped_;
  PassedMemory passed_;
  std::size_t index_ = 0;
};

/// Takes the numbers that MemorySource has put behind records of `record_bytes`, these included.
class IndexSink {
 public:
  /// `indexes`: where they go, 8 bytes each.
  IndexSink(const RecordPlaces& indexes, std::size_t record_bytes) : rest_(indexes), record_bytes_(record_bytes) {}

  /// As RecordSink.
  void write(std::span<const std::byte> records);

 private:
  RecordPlaces rest_;
  std::size_t record_bytes_;
};

}  // namespace sortie::python
