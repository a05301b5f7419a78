#include "run/program_run_storage.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "base/release_memory.hpp"

namespace sortie {
namespace {

/// The capacity of a pipe.
constexpr std::size_t kPieceBytes = 64 << 10;
/// A program that writes this many times as much as it reads does not compress, and may never end.
constexpr std::uint64_t kMostGrowth = 4;
constexpr std::uint64_t kAlwaysAllowed = 1 << 20;

}  // namespace

ProgramRunStorage::ProgramRunStorage(std::string program, std::shared_ptr<RunStorage> packed)
    : program_(std::move(program)), packed_(std::move(packed)) {}

std::uint64_t ProgramRunStorage::reserve(std::uint64_t bytes) { return std::exchange(end_, end_ + bytes); }

void ProgramRunStorage::write([[maybe_unused]] std::uint64_t offset, std::span<const std::byte> bytes) {
  assert(offset == written_bytes_);
  if (!writing_) writing_.emplace(program_, FilterProcess::Work::kCompress);
  made_.resize(kPieceBytes);
  while (!bytes.empty()) {
    const FilterProcess::Moved moved = writing_->pump(bytes, made_);
    bytes = bytes.subspan(moved.taken);
    written_bytes_ += moved.taken;
    store(std::span(made_).first(moved.made));
    if (!bytes.empty() && (writing_->output_has_ended() || !writing_->takes_input())) refuse_to_go_on();
  }
}

// The program takes no more input. If it has failed, complete() throws an error that says more.
void ProgramRunStorage::refuse_to_go_on() {
  complete();
  throw Error("compress program " + quote_word(program_) +
              " stopped before it had read its whole input; it must read to the end");
}

void ProgramRunStorage::complete() {
  if (!writing_) return;
  writing_->end_input();
  while (!writing_->output_has_ended()) store(std::span(made_).first(writing_->pump({}, made_).made));
  writing_->finish();
  writing_.reset();
  release_memory(made_);
}

void ProgramRunStorage::store(std::span<const std::byte> made) {
  if (made.empty()) return;
  packed_bytes_ += made.size();
  if (packed_bytes_ > kMostGrowth * written_bytes_ + kAlwaysAllowed) {
    throw Error(quote_word(program_) + " writes several times as much as it reads; name a program that compresses");
  }
  const std::uint64_t offset = packed_->append(made);
  if (extents_.empty() || extents_.back().offset + extents_.back().bytes != offset) extents_.push_back({offset, 0});
  extents_.back().bytes += made.size();
}

void ProgramRunStorage::read(std::uint64_t offset, std::span<std::byte> target) const {
  const std::scoped_lock lock(mutex_);
  if (reading_ && reading_->position > offset) reading_.reset();
  if (!reading_) reading_.emplace(program_);
  skip_to(*reading_, offset);
  read_all(*reading_, target);
  if (reading_->position < end_) return;
  check_end(*reading_);
  reading_.reset();
}

void ProgramRunStorage::skip_to(Reading& reading, std::uint64_t offset) const {
  std::vector<std::byte> skipped;
  while (reading.position < offset) {
    skipped.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kPieceBytes, offset - reading.position)));
    read_all(reading, skipped);
  }
}

void ProgramRunStorage::read_all(Reading& reading, std::span<std::byte> target) const {
  while (!target.empty()) {
    const std::size_t bytes = read_some(reading, target);
    if (bytes == 0) {
      reading.process.finish();
      refuse();
    }
    target = target.subspan(bytes);
    reading.position += bytes;
  }
}

// Returns how many bytes came; 0 when the output has ended.
std::size_t ProgramRunStorage::read_some(Reading& reading, std::span<std::byte> target) const {
  while (!reading.process.output_has_ended()) {
    if (reading.taken == reading.fetched.size() && reading.process.takes_input()) fetch(reading);
    const FilterProcess::Moved moved = reading.process.pump(std::span(reading.fetched).subspan(reading.taken), target);
    reading.taken += moved.taken;
    if (moved.made > 0) return moved.made;
  }
  return 0;
}

// Fetches the next piece of the stored bytes.
void ProgramRunStorage::fetch(Reading& reading) const {
  Position& next = reading.next;
  if (next.extent == extents_.size()) return reading.process.end_input();
  const Extent& extent = extents_[next.extent];
  reading.fetched.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kPieceBytes, extent.bytes - next.bytes)));
  packed_->read(extent.offset + next.bytes, reading.fetched);
  reading.taken = 0;
  next.bytes += reading.fetched.size();
  if (next.bytes == extent.bytes) next = {next.extent + 1, 0};
}

// Throws Error if more follows, or the program has failed.
void ProgramRunStorage::check_end(Reading& reading) const {
  std::byte more{};
  if (read_some(reading, {&more, 1}) != 0) refuse();
  reading.process.finish();
}

void ProgramRunStorage::refuse() const {
  throw Error("compress program " + quote_word(program_) +
              " does not give back, with -d, what it was given; name another one");
}

void ProgramRunStorage::release(std::uint64_t, std::uint64_t) noexcept {
  const std::scoped_lock lock(mutex_);
  // Without a reader the whole run has been read.
  const Position end = reading_ ? reading_->next : Position{extents_.size(), 0};
  while (released_ < end) {
    const Extent& extent = extents_[released_.extent];
    const bool whole = released_.extent < end.extent;
    const std::uint64_t bytes = (whole ? extent.bytes : end.bytes) - released_.bytes;
    packed_->release(extent.offset + released_.bytes, bytes);
    released_ = whole ? Position{released_.extent + 1, 0} : end;
  }
}

std::string ProgramRunStorage::remedy() const {
  return "check the compress program " + quote_word(program_) + ", disk and memory, then sort again";
}

}  // namespace sortie
