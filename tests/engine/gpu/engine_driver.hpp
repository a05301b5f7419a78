// Feeds a GPU engine as the pipeline does, with pieces of whole records. Another thread drains each run while the next
// one is fed.
#pragma once

#include <cstring>
#include <future>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "engine/engine.hpp"
#include "engine/gpu/sample_records.hpp"
#include "record/record_scan.hpp"

namespace sortie::test {

/// Drains a run and returns its bytes. Throws if a part is longer than promised and holds more than one record.
inline ByteVector drained(SortedRun& run, const Layout& layout, std::uint64_t part_bytes) {
  ByteVector bytes;
  run.drain([&](std::span<std::byte> part) {
    const bool whole = whole_records(layout, part) == part.size() && !part.empty();
    if (!whole) throw std::runtime_error("part does not hold whole records");
    if (part.size() > part_bytes && count_records(layout, part) > 1) throw std::runtime_error("part is too long");
    bytes.insert(bytes.end(), part.begin(), part.end());
  });
  if (bytes.size() != run.byte_count()) throw std::runtime_error("run has a wrong byte count");
  if (count_records(layout, bytes) != run.record_count()) throw std::runtime_error("run has a wrong record count");
  return bytes;
}

/// The input of a run and its output.
struct FormedRun {
  ByteVector input;
  std::future<ByteVector> output;
};

class FormerDriver {
 public:
  FormerDriver(RunFormer& former, const Format& format, std::uint64_t part_bytes)
      : former_(former), layout_(layout_of(format)), part_bytes_(part_bytes) {}

  std::vector<FormedRun> form_runs(std::span<const std::byte> input) {
    std::vector<FormedRun> runs;
    while (!input.empty()) {
      const std::size_t run_bytes = feed_run(input);
      if (run_bytes == 0) throw std::runtime_error("a run took nothing");
      FormedRun run;
      run.input.assign(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(run_bytes));
      run.output = std::async(std::launch::async, [this, sorted = former_.finish_run()]() mutable {
        const std::unique_ptr<SortedRun> owned = std::move(sorted);
        return drained(*owned, layout_, part_bytes_);
      });
      runs.push_back(std::move(run));
      input = input.subspan(run_bytes);
    }
    return runs;
  }

  /// Feeds one run. Returns the number of input bytes that it took.
  std::size_t feed_run(std::span<const std::byte> input) {
    std::size_t run_bytes = 0;
    while (run_bytes < input.size()) {
      const std::span<const std::byte> rest = input.subspan(run_bytes);
      std::span<std::byte> piece = former_.next_piece();
      if (piece.empty()) break;
      std::size_t bytes = fitting_bytes(rest, piece.size(), former_.max_piece_records());
      if (bytes == 0) {
        bytes = stored_length(layout_, rest.data(), rest.data() + rest.size());
        piece = former_.next_large_piece(bytes);
        if (piece.empty()) break;
      }
      std::memcpy(piece.data(), rest.data(), bytes);
      former_.commit_piece(bytes, count_records(layout_, rest.first(bytes)));
      run_bytes += bytes;
    }
    return run_bytes;
  }

 private:
  /// The length of the whole records at the front of `input` that fit in `room` bytes, at most `most_records` of them.
  std::size_t fitting_bytes(std::span<const std::byte> input, std::size_t room, std::uint64_t most_records) const {
    std::size_t bytes = whole_records(layout_, input.first(std::min(room, input.size())));
    if (count_records(layout_, input.first(bytes)) <= most_records) return bytes;
    bytes = 0;
    for (std::uint64_t i = 0; i < most_records; ++i) {
      bytes += stored_length(layout_, input.data() + bytes, input.data() + input.size());
    }
    return bytes;
  }

  RunFormer& former_;
  Layout layout_;
  std::uint64_t part_bytes_;
};

}  // namespace sortie::test
