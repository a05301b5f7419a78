#include "formats/tar/tar_inputs.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include <sortie/error.hpp>

#include "base/parallel.hpp"
#include "base/quote.hpp"

namespace sortie::formats::tar {
namespace {

constexpr std::size_t kLeastWindowBytes = 4 << 10;
constexpr std::size_t kLeastLargeWindowBytes = 64 << 10;
constexpr std::size_t kMostWindowBytes = 1 << 20;
/// A longer window is read by several threads.
constexpr std::size_t kWindowReadBytes = 128 << 10;
/// Memory grows with what is there, not with what a header claims.
constexpr std::uint64_t kPieceBytes = 256 << 10;
/// A record of a sort holds less than 4 GiB; its payload has some bytes beside those of the sample.
constexpr std::uint64_t kMostCarriedBytes = std::numeric_limits<std::uint32_t>::max() - (64U << 10);

}  // namespace

PlacedTar::PlacedTar(PlacedFiles& files, std::uint32_t input, std::uint64_t buffer_bytes)
    : files_(files),
      input_(input),
      bytes_(files.bytes(input)),
      most_window_bytes_(
          static_cast<std::size_t>(std::clamp<std::uint64_t>(buffer_bytes, kLeastLargeWindowBytes, kMostWindowBytes))) {
}

// Headers of small files are near each other: as long as one window goes on where the last one ended, a read finds
// more of them.
void PlacedTar::fill() {
  const bool goes_on = at_ - (window_begin_ + window_bytes_) < kLeastWindowBytes;
  window_.resize(goes_on ? std::clamp(2 * window_.size(), kLeastWindowBytes, most_window_bytes_) : kLeastWindowBytes);
  window_begin_ = at_;
  window_bytes_ = static_cast<std::size_t>(std::min<std::uint64_t>(window_.size(), bytes_ - at_));
  parallel_for_ranges(0, window_bytes_, kWindowReadBytes, [this](std::size_t begin, std::size_t end) {
    files_.read(input_, window_begin_ + begin, std::span(window_).subspan(begin, end - begin));
  });
}

std::size_t PlacedTar::read(std::span<std::byte> target) {
  std::size_t done = 0;
  while (done < target.size() && at_ < bytes_) {
    if (at_ < window_begin_ || at_ >= window_begin_ + window_bytes_) fill();
    const auto begin = static_cast<std::size_t>(at_ - window_begin_);
    const std::size_t bytes = std::min(target.size() - done, window_bytes_ - begin);
    std::memcpy(target.data() + done, window_.data() + begin, bytes);
    done += bytes;
    at_ += bytes;
  }
  return done;
}

std::uint64_t PlacedTar::pass_over(std::uint64_t bytes) {
  bytes = std::min(bytes, bytes_ - at_);
  at_ += bytes;
  return bytes;
}

std::span<std::byte> CarriedTar::extend(std::size_t bytes) {
  if (held_.size() + bytes > kMostCarriedBytes) {
    throw Error("input " + quote_path(path()) +
                ": a sample of 4 GiB or more, which only a plain file may have; "
                "unpack the archive first");
  }
  const std::size_t begin = held_.size();
  held_.resize(begin + bytes);
  return std::span(held_).subspan(begin);
}

std::size_t CarriedTar::read(std::span<std::byte> target) {
  const std::size_t bytes = input_->read(target);
  if (bytes > 0) std::memcpy(extend(bytes).data(), target.data(), bytes);
  return bytes;
}

std::uint64_t CarriedTar::pass_over(std::uint64_t bytes) {
  std::uint64_t done = 0;
  while (done < bytes) {
    const auto wanted = static_cast<std::size_t>(std::min(bytes - done, kPieceBytes));
    const std::size_t read = input_->read(extend(wanted));
    held_.resize(held_.size() - (wanted - read));
    done += read;
    if (read < wanted) break;
  }
  return done;
}

std::vector<std::byte> CarriedTar::take(std::uint64_t begin, std::uint64_t end) {
  const auto from = held_.begin() + static_cast<std::ptrdiff_t>(begin - held_begin_);
  const auto to = held_.begin() + static_cast<std::ptrdiff_t>(end - held_begin_);
  std::vector<std::byte> taken;
  if (to - from > held_.end() - to) {
    // Mostly little is behind a sample: the header that showed its end.
    std::vector<std::byte> rest(to, held_.end());
    held_.erase(to, held_.end());
    held_.erase(held_.begin(), from);
    taken = std::exchange(held_, std::move(rest));
  } else {
    taken.assign(from, to);
    held_.erase(held_.begin(), to);
  }
  held_begin_ = end;
  return taken;
}

}  // namespace sortie::formats::tar
