#include "io/output/parallel_writer.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/parallel.hpp"
#include "base/seconds_since.hpp"
#include "base/size.hpp"
#include "base/thread_team.hpp"

namespace sortie {
namespace {

/// With fewer threads mapped memory has never been faster: not worth a trial.
constexpr std::size_t kLeastThreads = 4;

/// Bytes that a thread prepares at a time: for small pages the file is locked meanwhile.
constexpr std::uint64_t kStrideBytes = 64 << 20;

/// One thread makes huge pages for so many of the team. 10 GB with 16: in 0.6 s by 8, in 0.8 by 4, in 1.2 by 2.
constexpr std::size_t kTeamThreadsPerPreparer = 2;

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

// What ended in the middle of a huge page has small pages there: the next piece begins where the huge page does.
void SpacePreparer::extend_to(std::uint64_t bytes, bool wants_huge) {
  std::uint64_t more_bytes = 0;
  {
    const std::scoped_lock lock(mutex_);
    if (bytes <= wanted_bytes_) return;
    if (wants_huge && taken_bytes_ == wanted_bytes_) {
      taken_bytes_ = round_down(taken_bytes_, kHugePageBytes);
      huge_bytes_ -= wanted_bytes_ - taken_bytes_;  // counted again with what follows
    }
    wanted_bytes_ = bytes;
    more_bytes = bytes - taken_bytes_;
    wants_huge_ = wants_huge && !is_huge_refused_;
  }
  const std::size_t most = wants_huge ? std::max<std::size_t>(1, parallel_threads() / kTeamThreadsPerPreparer) : 1;
  const auto useful =
      static_cast<std::size_t>(std::min<std::uint64_t>({most, most_threads_, divide_up(more_bytes, kStrideBytes)}));
  while (workers_.size() < useful) workers_.emplace_back();
  for (Worker& worker : workers_) {
    worker.prepared = worker.thread.post_outside_team([this] {
      for (Range range = take_range(); range.begin < range.end; range = take_range()) prepare(range);
    });
  }
}

std::uint64_t SpacePreparer::huge_bytes() {
  const std::scoped_lock lock(mutex_);
  return huge_bytes_ == wanted_bytes_ && !has_failed_ ? huge_bytes_ : 0;
}

bool SpacePreparer::wait() {
  for (Worker& worker : workers_) {
    if (worker.prepared.valid()) worker.prepared.wait();
  }
  return !has_failed_;
}

SpacePreparer::Range SpacePreparer::take_range() {
  const std::scoped_lock lock(mutex_);
  if (has_failed_ || is_stopping_) return {};
  const std::uint64_t begin = taken_bytes_;
  taken_bytes_ = std::min(wanted_bytes_, round_down(begin, kStrideBytes) + kStrideBytes);
  return {begin, taken_bytes_};
}

void SpacePreparer::prepare(const Range& range) {
  if (!wants_huge_ || !prepare_huge(range)) prepare_small(range);
  if (!wants_huge_) return;
  const std::scoped_lock lock(mutex_);
  huge_bytes_ += range.end - range.begin;
}

// What is less than a huge page at the end has small ones. Returns false if all of it has.
bool SpacePreparer::prepare_huge(const Range& range) {
  const std::uint64_t begin = round_up(range.begin, kHugePageBytes);
  const std::uint64_t end = round_down(range.end, kHugePageBytes);
  if (begin >= end) return false;
  if (!file_.prepare_huge_pages(begin, end - begin)) {
    is_huge_refused_ = true;
    wants_huge_ = false;
    return false;
  }
  if (range.begin < begin) prepare_small({range.begin, begin});
  if (end < range.end) prepare_small({end, range.end});
  return true;
}

void SpacePreparer::prepare_small(const Range& range) {
  const std::scoped_lock lock(small_pages_mutex_);
  if (!has_failed_) has_failed_ = !file_.prepare_space(range.begin, range.end - range.begin);
}

bool ParallelWriter::may_make_huge_pages(std::uint64_t bytes) {
  return parallel_threads() >= kLeastThreads && bytes >= kLeastHugeBytes;
}

ParallelWriter::ParallelWriter(File& file, std::uint64_t least_huge_bytes, std::size_t most_preparers)
    : file_(file),
      threads_(parallel_threads()),
      may_map_(threads_ >= kLeastThreads),
      always_maps_(may_map_ && file.lies_in_memory()),
      least_huge_bytes_(least_huge_bytes),
      preparer_(file, most_preparers) {}

void ParallelWriter::reserve(std::uint64_t bytes) {
  if (bytes <= reserved_bytes_) return;
  if (file_.allocate(bytes)) {
    reserved_bytes_ = bytes;
    if (may_map_) preparer_.extend_to(bytes, always_maps_ && bytes >= least_huge_bytes_);
  } else {
    may_map_ = false;
  }
}

void ParallelWriter::write_at(std::uint64_t offset, std::span<const std::byte> part) {
  if (lies_at(offset, part)) return expect_intact_view();
  const bool maps = can_map(offset, part.size());
  const auto begin = std::chrono::steady_clock::now();
  if (maps) {
    write_slices(offset, part);
  } else {
    file_.write_at(offset, part);
  }
  choice_.record(maps ? WriteWay::kMapped : WriteWay::kCalls, part.size(), seconds_since(begin));
}

std::span<std::byte> ParallelWriter::early_room(std::uint64_t offset, std::uint64_t bytes, bool waits) {
  if (waits) preparer_.wait();
  const std::uint64_t huge_bytes = preparer_.huge_bytes();
  if (huge_bytes == 0) return {};
  std::call_once(is_viewed_, [&] {
    view_ = file_.writable_view(huge_bytes);
    viewed_bytes_ = view_.bytes().empty() ? 0 : huge_bytes;
  });
  if (offset + bytes > viewed_bytes_ || !view_.is_intact()) return {};
  return view_.bytes().subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(bytes));
}

// A page that cannot be had after all takes all others away, and write_at() says why: what was copied before is the
// file's, and each thread looks after its copy.
bool ParallelWriter::write_early(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (lies_at(offset, bytes)) {
    expect_intact_view();
    return true;
  }
  const std::span<std::byte> room = early_room(offset, bytes.size(), false);
  if (room.empty()) return false;
  std::memcpy(room.data(), bytes.data(), bytes.size());
  return view_.is_intact();
}

// Whether the bytes were made in the view, where they belong.
bool ParallelWriter::lies_at(std::uint64_t offset, std::span<const std::byte> bytes) const {
  return offset + bytes.size() <= viewed_bytes_ && bytes.data() == view_.bytes().data() + offset;
}

// What was made in a view that is no longer the file's is lost.
void ParallelWriter::expect_intact_view() const {
  if (view_.is_intact()) return;
  throw Error("the file system of the output has no memory left for it; free some, or write to another one");
}

// What has been viewed is known: it was viewed for bytes before `end`.
void ParallelWriter::finish_early(std::uint64_t end) {
  const std::uint64_t whole_pages = round_down(std::min(end, viewed_bytes_.load()), kHugePageBytes);
  if (whole_pages <= let_go_bytes_) return;
  view_.let_go(let_go_bytes_, whole_pages);
  let_go_bytes_ = whole_pages;
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
