#include "python/memory_stream.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include <sortie/error.hpp>

#include "python/raise_errors.hpp"

namespace sortie::python {
namespace {

void refuse_surplus(std::size_t records, std::size_t room) {
  if (records > room) throw Error("the array has no room for what was sorted: let it be as long as the input");
}

/// Turns the bytes of each four round. `bytes`: a multiple of four.
void swap_fours(std::byte* begin, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += sizeof(std::uint32_t)) {
    std::uint32_t word;
    std::memcpy(&word, begin + i, sizeof(word));
    word = __builtin_bswap32(word);
    std::memcpy(begin + i, &word, sizeof(word));
  }
}

std::size_t bytes_of(const RecordPlaces& places, const RecordShape& shape) {
  std::size_t bytes = shape.parts.empty() ? places.record_bytes : 0;
  for (const auto& [offset, length] : shape.parts) bytes += length;
  return bytes + (shape.has_index ? sizeof(std::uint64_t) : 0);
}

}  // namespace

RecordPlaces RecordPlaces::of(const HeldBuffer& buffer) {
  if (buffer->ndim != 1) {
    raise_value_error("an array of " + std::to_string(buffer->ndim) + " dimensions is no list of records");
  }
  return {static_cast<std::byte*>(buffer->buf), buffer->strides == nullptr ? buffer->itemsize : buffer->strides[0],
          static_cast<std::size_t>(buffer->itemsize), static_cast<std::size_t>(buffer->shape[0])};
}

std::span<const std::byte> RecordPlaces::extent() const {
  if (count == 0) return {};
  const std::ptrdiff_t last = stride * static_cast<std::ptrdiff_t>(count - 1);
  return {first + std::min<std::ptrdiff_t>(last, 0), static_cast<std::size_t>(std::abs(last)) + record_bytes};
}

void PassedMemory::pass(const std::byte* position) {
  constexpr std::ptrdiff_t kStep = 16 << 20;
  if (!is_file_ || position - held_ < kStep) return;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(held_) + page - 1) / page * page;
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(position) / page * page;
  held_ = position;
  // The system refuses where the program has locked its memory.
  is_file_ = ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED) == 0;
}

MemorySource::MemorySource(const RecordPlaces& places, RecordShape shape, bool is_file)
    : places_(places),
      shape_(std::move(shape)),
      passed_(places, is_file),
      record_(bytes_of(places_, shape_)),
      record_used_(record_.size()) {}

std::size_t MemorySource::read(std::span<std::byte> target) {
  if (places_.are_dense() && shape_.is_plain()) return read_plain(target);
  std::size_t filled = 0;
  while (filled < target.size()) {
    if (record_used_ < record_.size()) {
      const std::size_t bytes = std::min(record_.size() - record_used_, target.size() - filled);
      std::memcpy(target.data() + filled, record_.data() + record_used_, bytes);
      record_used_ += bytes;
      filled += bytes;
    } else if (index_ == places_.count) {
      break;
    } else if (target.size() - filled >= record_.size()) {
      make_record(target.data() + filled);
      filled += record_.size();
    } else {
      make_record(record_.data());
      record_used_ = 0;
    }
  }
  passed_.pass(places_.first + places_.stride * static_cast<std::ptrdiff_t>(index_));
  return filled;
}

std::size_t MemorySource::read_plain(std::span<std::byte> target) {
  const std::size_t bytes = std::min(target.size(), places_.count * places_.record_bytes - read_bytes_);
  std::copy_n(places_.first + read_bytes_, bytes, target.begin());
  read_bytes_ += bytes;
  passed_.pass(places_.first + read_bytes_);
  return bytes;
}

void MemorySource::make_record(std::byte* target) {
  const std::byte* const record = places_.first + places_.stride * static_cast<std::ptrdiff_t>(index_);
  std::byte* const begin = target;
  if (shape_.parts.empty()) target = std::copy_n(record, places_.record_bytes, target);
  for (const auto& [offset, bytes] : shape_.parts) target = std::copy_n(record + offset, bytes, target);
  if (shape_.is_swapped) swap_fours(begin, static_cast<std::size_t>(target - begin));
  if (shape_.has_index) {
    const std::uint64_t index = index_;
    std::memcpy(target, &index, sizeof(index));
  }
  ++index_;
}

MemorySink::MemorySink(const RecordPlaces& places, bool is_swapped, bool is_file)
    : places_(places), is_swapped_(is_swapped), passed_(places, is_file) {}

void MemorySink::write(std::span<const std::byte> records) {
  const std::size_t count = records.size() / places_.record_bytes;
  refuse_surplus(count, places_.count - index_);
  std::byte* place = places_.first + places_.stride * static_cast<std::ptrdiff_t>(index_);
  if (places_.are_dense() && !is_swapped_) {
    std::ranges::copy(records, place);
  } else {
    for (std::size_t i = 0; i < count; ++i, place += places_.stride) {
      std::memcpy(place, records.data() + i * places_.record_bytes, places_.record_bytes);
      if (is_swapped_) swap_fours(place, places_.record_bytes);
    }
  }
  index_ += count;
  passed_.pass(places_.first + places_.stride * static_cast<std::ptrdiff_t>(index_));
}

void IndexSink::write(std::span<const std::byte> records) {
  const std::size_t count = records.size() / record_bytes_;
  refuse_surplus(count, rest_.count);
  const std::byte* index = records.data() + record_bytes_ - sizeof(std::int64_t);
  for (std::size_t i = 0; i < count; ++i, index += record_bytes_, rest_.first += rest_.stride) {
    std::memcpy(rest_.first, index, sizeof(std::int64_t));
  }
  rest_.count -= count;
}

}  // namespace sortie::python
