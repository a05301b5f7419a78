#include "io/output/parallel_writer.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/parallel.hpp"
#include "base/seconds_since.hpp"
#include "base/size.hpp"
#include "base/thread_team.hpp"

namespace sortie {
namespace {

/// Bytes that one call prepares: the file is locked meanwhile.
constexpr std::uint64_t kStrideBytes = 32 << 20;

/// With fewer threads mapped memory has never been faster: not worth a trial.
constexpr std::size_t kLeastThreads = 4;

/// Bytes that one thread maps at a time, many times for each part, so that all threads end at about the same time.
/// Smaller mappings cost more than they carry: 16 threads write 15.8 GB/s by 2 MiB, 14.1 by 8 and 13.1 by 512 KiB.
constexpr std::uint64_t kSliceBytes = 2 << 20;

}  // namespace

WriteWay WriteWayChoice::next() const {
  if (calls_.bytes < kTrialBytes || mapped_.bytes < kTrialBytes) {
    return calls_.bytes <= mapped_.bytes ? WriteWay::kCalls : WriteWay::kMapped;
  }
  const double calls_rate = static_cast<double>(calls_.bytes) * mapped_.seconds;
  const double mapped_rate = static_cast<double>(mapped_.bytes) * calls_.seconds;
  return mapped_rate > calls_rate ? WriteWay::kMapped : WriteWay::kCalls;
}

void WriteWayChoice::record(WriteWay way, std::uint64_t bytes, double seconds) {
  Trial& trial = way == WriteWay::kCalls ? calls_ : mapped_;
  trial.bytes += bytes;
  trial.seconds += seconds;
}

void SpacePreparer::extend_to(std::uint64_t bytes) {
  if (bytes <= wanted_bytes_) return;
  const std::uint64_t begin = std::exchange(wanted_bytes_, bytes);
  prepared_ = thread_.post_outside_team([this, begin, bytes] { prepare(begin, bytes); });
}

bool SpacePreparer::wait() {
  if (prepared_.valid()) prepared_.wait();
  return !has_failed_;
}

void SpacePreparer::prepare(std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t at = begin; at < end && !has_failed_ && !is_stopping_; at += kStrideBytes) {
    has_failed_ = !file_.prepare_space(at, std::min(kStrideBytes, end - at));
  }
}

ParallelWriter::ParallelWriter(File& file)
    : file_(file),
      threads_(parallel_threads()),
      may_map_(threads_ >= kLeastThreads),
      always_maps_(may_map_ && file.lies_in_memory()),
      preparer_(file) {}

void ParallelWriter::reserve(std::uint64_t bytes) {
  if (bytes <= reserved_bytes_) return;
  if (file_.allocate(bytes)) {
    reserved_bytes_ = bytes;
    if (may_map_) preparer_.extend_to(bytes);
  } else {
    may_map_ = false;
  }
}

void ParallelWriter::write_at(std::uint64_t offset, std::span<const std::byte> part) {
  const bool maps = can_map(offset, part.size());
  const auto begin = std::chrono::steady_clock::now();
  if (maps) {
    write_slices(offset, part);
  } else {
    file_.write_at(offset, part);
  }
  choice_.record(maps ? WriteWay::kMapped : WriteWay::kCalls, part.size(), seconds_since(begin));
}

// Mapped bytes must have their space: the end of a part may lie beyond what was expected, if anything was.
bool ParallelWriter::can_map(std::uint64_t offset, std::size_t bytes) {
  if (!may_map_ || bytes <= kSliceBytes) return false;
  const bool maps = always_maps_ || choice_.next() == WriteWay::kMapped;
  if (maps) reserve(offset + bytes);
  may_map_ = may_map_ && preparer_.wait();
  return maps && may_map_;
}

// Slices meet at multiples of their size, so that no page has two writers. One thread at a time writes its slice by
// pwrite(), which takes no page faults: a sixth of the bytes go that way, and all are written in a tenth less time.
void ParallelWriter::write_slices(std::uint64_t offset, std::span<const std::byte> part) {
  const std::uint64_t end = offset + part.size();
  parallel_for(offset / kSliceBytes, divide_up(end, kSliceBytes), [&](std::uint64_t slice) {
    const std::uint64_t begin = std::max(offset, slice * kSliceBytes);
    const auto bytes = part.subspan(begin - offset, std::min(end, (slice + 1) * kSliceBytes) - begin);
    if (const std::unique_lock calls(calls_, std::try_to_lock); calls) {
      file_.write_at(begin, bytes);
    } else {
      file_.write_mapped_at(begin, bytes);
    }
  });
}

}  // namespace sortie
