#include "pipeline/merge/buffered_input.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <sortie/error.hpp>

#include "base/release_memory.hpp"
#include "record/record_order.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

/// A buffer may have 1/kFitShare more than what is in it.
constexpr std::size_t kFitShare = 16;

}  // namespace

BufferedInput::BufferedInput(std::shared_ptr<MergeSource> source, OrderScan scan, const RecordCodec& codec,
                             const ExactOrder& order, const Options& options, Resources& resources, DisorderSink sink)
    : source_(std::move(source)),
      scan_(std::move(scan)),
      codec_(codec),
      order_(order),
      options_(options),
      claim_(resources),
      sink_(std::move(sink)) {}

bool BufferedInput::wants_more() const {
  if (rest_.empty()) return true;
  return !next_is_longer_ && !source_->may_wait() && rest_.size() <= options_.buffer_bytes / 2;
}

void BufferedInput::read_on(std::uint64_t window) {
  std::size_t bytes = options_.buffer_bytes;
  while (source_ != nullptr && wants_more()) {
    Buffer& buffer = free_buffer(window, bytes);
    std::copy(rest_.begin(), rest_.end(), buffer.memory.data());
    const PieceSource::Piece piece = source_->read(buffer.memory.bytes().subspan(rest_.size()), ~std::uint64_t{0});
    next_is_longer_ = piece.status == PieceSource::Status::kTooSmall;
    if (piece.status == PieceSource::Status::kEnd) {
      source_.reset();
      claim_memory();
    } else if (piece.status == PieceSource::Status::kRecords) {
      look_at(buffer.memory.bytes().subspan(rest_.size(), piece.bytes), piece.input_bytes);
      rest_ = buffer.memory.bytes().first(rest_.size() + piece.bytes);
      current_ = &buffer;
      if (is_lean_) fit_buffer();
      if (source_->at_end()) source_.reset();
      return claim_memory();
    } else if (rest_.empty()) {
      bytes = larger_buffer_bytes(bytes, piece.bytes);
    }
  }
}

BufferedInput::Buffer& BufferedInput::free_buffer(std::uint64_t window, std::size_t bytes) {
  const auto is_free = [&](const Buffer& buffer) { return &buffer != current_ && buffer.free_from <= window; };
  const auto found = std::ranges::find_if(buffers_, is_free);
  Buffer& buffer = found != buffers_.end() ? *found : buffers_.emplace_back();
  // Gives back the memory that a long record took.
  for (Buffer& other : buffers_) {
    if (&other != &buffer && is_free(other) && other.memory.size() > options_.buffer_bytes) other.memory = {};
  }
  if (buffer.memory.size() != bytes) {
    buffer.memory = MemoryRegion();
    buffer.memory = MemoryRegion(bytes);
  }
  return buffer;
}

// `known_bytes`: how much of the record is known.
std::size_t BufferedInput::larger_buffer_bytes(std::size_t bytes, std::size_t known_bytes) const {
  const std::size_t larger = std::max(known_bytes, bytes + bytes / 2);
  if (bytes < options_.longest_record_bytes) return std::min(larger, options_.longest_record_bytes);
  throw Error(source_->position() + ": a record is longer than the memory for reading; raise the memory budget",
              Remedy::kMoreMemory);
}

// Gives back what a buffer that grew for a long record has more than that takes.
void BufferedInput::fit_buffer() {
  if (current_->memory.size() <= std::max(options_.buffer_bytes, rest_.size() + rest_.size() / kFitShare)) return;
  MemoryRegion fitting(rest_.size());
  std::memcpy(fitting.data(), rest_.data(), rest_.size());
  current_->memory = MemoryRegion();
  current_->memory = std::move(fitting);
  rest_ = current_->memory.bytes();
}

// Checks the order of the next records, and finds out which record comes last so far.
void BufferedInput::look_at(std::span<const std::byte> records, std::uint64_t input_bytes) {
  if (in_order_) {
    if (const auto disorder = scan_.next(records, input_bytes)) {
      in_order_ = false;
      sink_(*disorder);
    }
  }
  if (is_lean_) return scan_.give_back_last();
  last_in_order_ = in_order_ ? last_record(order_.layout(), records) : last_of(records);
  if (in_order_ || last_in_order_.data() == last_bytes_.data()) return;
  last_bytes_ = std::vector<std::byte>(last_in_order_.begin(), last_in_order_.end());
  last_in_order_ = last_bytes_;
}

// The one that comes last of these and of all that came before.
Record BufferedInput::last_of(std::span<const std::byte> records) const {
  Record last = last_in_order_;
  for_each_record(order_.layout(), records, [&](const std::byte* data, std::uint64_t stored) {
    const Record record(data, static_cast<std::size_t>(stored));
    if (last.empty() || order_.compare(last, record) < 0) last = record;
  });
  return last;
}

// Records are looked at only where a long one may be among them.
void BufferedInput::claim_memory() {
  std::uint64_t held = last_bytes_.capacity() + scan_.held_bytes();
  for (const Buffer& buffer : buffers_) held += buffer.memory.size();
  if (source_) {
    if (held + source_->held_bytes() > options_.planned_bytes) source_->give_back();
    held += source_->held_bytes();
  }
  claim_.set(held - std::min(held, options_.planned_bytes));
  if (claim_.bytes() == 0 || rest_.empty()) return;
  const Record first = sortie::first_record(order_.layout(), rest_);
  claim_.resources().meet_record(codec_.original_bytes(first));
}

void BufferedInput::become_lean() {
  is_lean_ = true;
  options_.planned_bytes = options_.lean_bytes;
  if (!rest_.empty()) scan_.give_back_last();
  last_in_order_ = {};
  release_memory(last_bytes_);
  for (Buffer& buffer : buffers_) {
    buffer.free_from = 0;
    if (&buffer != current_ || rest_.empty()) buffer.memory = {};
  }
  if (!rest_.empty()) fit_buffer();
  claim_memory();
}

void BufferedInput::pass(std::size_t bytes) {
  rest_ = rest_.subspan(bytes);
  if (!rest_.empty()) return;
  current_ = nullptr;
  read_on(0);
  if (!rest_.empty()) return;
  buffers_.clear();
  scan_.give_back_last();
  claim_memory();
}

std::span<std::byte> BufferedInput::first_record() const {
  const std::span<std::byte> memory = current_->memory.bytes();
  const auto offset = static_cast<std::size_t>(rest_.data() - memory.data());
  return memory.subspan(offset, sortie::first_record(order_.layout(), rest_).size());
}

std::span<std::byte> BufferedInput::take_first_record() {
  const std::span<std::byte> record = first_record();
  if (record.size() == rest_.size()) scan_.set_last(record);
  return record;
}

template <class Wanted>
std::size_t BufferedInput::bytes_with(const Wanted& wanted) const {
  return in_order_ ? partition_records(order_.layout(), rest_, wanted) : leading_bytes(order_.layout(), rest_, wanted);
}

std::size_t BufferedInput::bytes_before(Record key) const {
  return bytes_with([&](Record record) { return order_.compare(record, key) < 0; });
}

std::size_t BufferedInput::bytes_through(Record key) const {
  return bytes_with([&](Record record) { return order_.compare(record, key) <= 0; });
}

std::span<const std::byte> BufferedInput::take(std::size_t bytes, std::uint64_t window) {
  if (bytes == 0) return {};
  const std::span<const std::byte> taken = rest_.first(bytes);
  rest_ = rest_.subspan(bytes);
  current_->free_from = window + options_.windows;
  return taken;
}

std::optional<Window> InputWindows::next() {
  for (BufferedInput& input : inputs_) {
    input.read_on(number_);
    if (is_short()) return std::nullopt;
  }
  const std::optional<std::size_t> bounding = bounding_input();
  Window window;
  window.in_order = order_.is_by_bytes();
  window.ranges.reserve(inputs_.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    BufferedInput& input = inputs_[i];
    std::size_t bytes = input.rest().size();
    if (bounding && i != *bounding && bytes > 0) {
      const Record last = inputs_[*bounding].last_in_order();
      bytes = i < *bounding ? input.bytes_through(last) : input.bytes_before(last);
    }
    if (bytes > 0 && !input.in_order()) window.in_order = false;
    window.ranges.push_back(input.take(bytes, number_));
    window.bytes += bytes;
  }
  ++number_;
  return window.bytes == 0 ? std::nullopt : std::optional(std::move(window));
}

// The input whose last record so far comes first, among those that are not read whole; nothing if all are read whole.
std::optional<std::size_t> InputWindows::bounding_input() const {
  std::optional<std::size_t> bounding;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i].is_read_whole()) continue;
    if (!bounding || order_.compare(inputs_[i].last_in_order(), inputs_[*bounding].last_in_order()) < 0) bounding = i;
  }
  return bounding;
}

}  // namespace sortie
