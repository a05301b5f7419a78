#include "table/row_feeder.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "base/parallel.hpp"

namespace sortie::table {
namespace {

/// Few enough that what a column reads of them is still in the cache when the next one writes.
constexpr std::int64_t kEncodedRows = 1024;
constexpr std::uint64_t kPieceBytes = 4 << 20;
constexpr std::size_t kMostStrips = 256;

}  // namespace

void RowFeeder::feed(const ArrowArray& batch) {
  for (std::int64_t first = 0; first < batch.length;) {
    make_strips(batch, first);
    parallel_for(0, strip_count_, [&](std::size_t i) { encoder_.measure(batch, strips_[i]); });
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < strip_count_; ++i) {
      first += static_cast<std::int64_t>(strips_[i].count);
      bytes += strips_[i].record_bytes;
      add(batch, strips_[i]);
    }
    send(batch);
    const std::uint64_t fitting = kPieceBytes * strip_count_ / std::max<std::uint64_t>(bytes, 1);
    strips_at_once_ = std::clamp<std::size_t>(fitting, std::min(parallel_threads(), kMostStrips), kMostStrips);
  }
}

void RowFeeder::make_strips(const ArrowArray& batch, std::int64_t first) {
  if (strips_.size() < strips_at_once_) strips_.resize(strips_at_once_);
  strip_count_ = 0;
  for (; strip_count_ < strips_at_once_ && first < batch.length; ++strip_count_) {
    strips_[strip_count_].first = first;
    strips_[strip_count_].count = static_cast<std::size_t>(std::min(kEncodedRows, batch.length - first));
    first += kEncodedRows;
  }
}

/// A strip goes into several pieces if it must.
void RowFeeder::add(const ArrowArray& batch, const RowStrip& strip) {
  if (piece_bytes_ > 0 && piece_bytes_ + strip.record_bytes > kPieceBytes) send(batch);
  if (strip.record_bytes <= kPieceBytes) {
    parts_.push_back({&strip, 0, strip.count, piece_bytes_});
    piece_bytes_ += strip.record_bytes;
    return;
  }
  std::size_t begin = 0;
  while (begin < strip.count) {
    std::size_t end = begin;
    std::uint64_t bytes = 0;
    do {
      bytes += encoder_.record_bytes(strip, end++);
    } while (end < strip.count && bytes + encoder_.record_bytes(strip, end) <= kPieceBytes);
    parts_.push_back({&strip, begin, end, 0});
    piece_bytes_ = bytes;
    send(batch);
    begin = end;
  }
}

void RowFeeder::send(const ArrowArray& batch) {
  if (parts_.empty()) return;
  if (piece_.size() < piece_bytes_) piece_.resize(piece_bytes_);
  parallel_for(0, parts_.size(), [&](std::size_t i) {
    const Part& part = parts_[i];
    encoder_.write(batch, *part.strip, part.begin, part.end, piece_.data() + part.offset);
  });
  take_(std::span(piece_).first(piece_bytes_));
  parts_.clear();
  piece_bytes_ = 0;
}

}  // namespace sortie::table
