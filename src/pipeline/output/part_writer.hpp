// Writes parts of the output, on the calling thread or on one of its own, so that the caller can work on the next part
// meanwhile; cuts the output off behind its first records. Each finisher that writes owns one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <future>
#include <limits>
#include <span>

#include "base/task_thread.hpp"
#include "io/output/output.hpp"
#include "observe/observer.hpp"
#include "pipeline/scan/key_comparison.hpp"
#include "record/layout.hpp"
#include "record/record_scan.hpp"
#include "record/record_totals.hpp"

namespace sortie {

/// Cuts the output off behind its first records.
class RecordLimit {
 public:
  /// `most_records`: the largest integer if there is no limit.
  RecordLimit(const Format& format, std::uint64_t most_records, bool checksum)
      : format_(format), layout_(layout_of(format)), left_(most_records), checksum_(checksum) {}

  /// Returns the beginning of `part` that is within the limit. `part`: whole records, the next ones of the output.
  std::span<std::byte> apply(std::span<std::byte> part) {
    if (!is_limited()) return part;
    const std::size_t bytes = first_records(layout_, part, left_);
    left_ -= count_records(layout_, part.first(bytes));
    if (bytes < part.size()) dropped_ += totals_of(format_, part.subspan(bytes), checksum_);
    return part.first(bytes);
  }

  /// The same for records whose lengths are known: records of several lines without their keys cannot be told apart.
  std::span<std::byte> apply(std::span<std::byte> part, std::span<const std::uint64_t> lengths) {
    if (!is_limited()) return part;
    std::size_t kept_bytes = 0;
    std::size_t at = 0;
    for (const std::uint64_t length : lengths) {
      const Record record = part.subspan(at, static_cast<std::size_t>(length));
      at += record.size();
      if (left_ == 0) {
        dropped_ += totals_of_one(record, checksum_);
      } else {
        --left_;
        kept_bytes = at;
      }
    }
    return part.first(kept_bytes);
  }

  bool is_limited() const { return left_ != std::numeric_limits<std::uint64_t>::max(); }
  bool is_full() const { return left_ == 0; }

  /// Totals of the records cut off.
  const RecordTotals& dropped() const { return dropped_; }

 private:
  Format format_;
  Layout layout_;
  std::uint64_t left_;
  bool checksum_;
  RecordTotals dropped_;
};

/// Bytes of the slices into which `part` is cut, so that one slice is written while all threads work on the next.
inline std::size_t slice_bytes_of(std::span<const std::byte> part) {
  constexpr std::size_t kSlices = 4;
  constexpr std::size_t kLeastSliceBytes = 2 << 20;
  constexpr std::size_t kMostSliceBytes = 32 << 20;
  return std::clamp(part.size() / kSlices, kLeastSliceBytes, kMostSliceBytes);
}

class PartWriter {
 public:
  /// A smaller part is written before another thread would wake up.
  static constexpr std::size_t kLeastSharedBytes = 1 << 20;

  PartWriter(Output& output, Observer& observer) : output_(output), observer_(observer) {}

  /// Writes on the calling thread. Precondition: no write is in progress.
  void write(std::span<const std::byte> part) {
    const auto span = observer_.span("write", part.size());
    output_.write(part);
  }

  /// Waits for the write in progress, then starts to write `part`, which must not change before wait().
  void begin(std::span<const std::byte> part) {
    wait();
    written_ = thread_.post([this, part] { write(part); });
  }

  /// Waits for the write in progress. Rethrows what the output threw; then no further write may begin.
  void wait() {
    if (written_.valid()) written_.get();
  }

  /// Calls work(), which may begin writes, and waits for these even if work() throws: the caller may then change the
  /// parts.
  template <class Work>
  void wait_after(const Work& work) {
    std::exception_ptr failure;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    wait();
    if (failure) std::rethrow_exception(failure);
  }

 private:
  Output& output_;
  Observer& observer_;
  std::future<void> written_;  // of the part that was begun; not valid if none is
  TaskThread thread_{[this] { observer_.name_thread("output writer"); }};
};

}  // namespace sortie
