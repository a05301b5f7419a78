#include "formats/places/place_copier.hpp"

#include <algorithm>
#include <cstring>

#include "base/parallel.hpp"

namespace sortie::formats {
namespace {

constexpr std::size_t kBuffers = 2;
constexpr std::uint64_t kLeastBufferBytes = 64 << 10;
/// For each thread that fills a buffer: enough for a few reads, and little enough to be in the cache until it is
/// written.
constexpr std::uint64_t kThreadBytes = 1 << 20;
/// A longer stretch is read by several threads.
constexpr std::size_t kReadBytes = 256 << 10;

}  // namespace

PlaceCopier::PlaceCopier(PlacedFiles& files, std::uint64_t buffer_bytes) : files_(files) {
  const std::uint64_t most = std::max<std::uint64_t>(parallel_threads(), 1) * kThreadBytes;
  const auto bytes = static_cast<std::size_t>(std::max(std::min(buffer_bytes / kBuffers, most), kLeastBufferBytes));
  for (std::size_t i = 0; i < kBuffers; ++i) buffers_.emplace_back(bytes);
}

void PlaceCopier::append(const Place& place) {
  for (std::uint64_t done = 0; done < place.bytes;) {
    if (room() == 0) fill_and_write();
    const auto bytes =
        static_cast<std::size_t>(std::min<std::uint64_t>({place.bytes - done, room(), std::uint64_t{kReadBytes}}));
    add_read({place.input, place.offset + done, used_, bytes});
    used_ += bytes;
    done += bytes;
  }
}

// Records that stand side by side in the input as well are read at once.
void PlaceCopier::add_read(const Read& read) {
  if (!reads_.empty()) {
    Read& last = reads_.back();
    const bool follows = last.input == read.input && last.offset + last.bytes == read.offset &&
                         last.begin + last.bytes == read.begin && last.bytes + read.bytes <= kReadBytes;
    if (follows) {
      last.bytes += read.bytes;
      return;
    }
  }
  reads_.push_back(read);
}

void PlaceCopier::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    if (room() == 0) fill_and_write();
    const std::size_t taken = std::min(bytes.size(), room());
    std::memcpy(buffers_[filled_].data() + used_, bytes.data(), taken);
    used_ += taken;
    bytes = bytes.subspan(taken);
  }
}

void PlaceCopier::fill_and_write() {
  const std::span<std::byte> buffer = buffers_[filled_].bytes();
  parallel_for_ranges(0, reads_.size(), 1, [&](std::size_t i, std::size_t end) {
    PlacedFiles::Reader reader(files_);
    for (; i < end; ++i) {
      const Read& read = reads_[i];
      reader.read(read.input, read.offset, buffer.subspan(read.begin, read.bytes));
    }
  });
  reads_.clear();
  wait();
  written_ =
      thread_.post([this, bytes = buffer.first(used_), events = std::exchange(events_, {})] { write(bytes, events); });
  filled_ = (filled_ + 1) % kBuffers;
  used_ = 0;
}

void PlaceCopier::wait() {
  if (written_.valid()) written_.get();
}

void PlaceCopier::begin_output(std::function<Output&()> open) {
  events_.push_back({used_, [this, open = std::move(open)] { output_ = &open(); }});
}

void PlaceCopier::write(std::span<const std::byte> bytes, std::span<const Event> events) {
  std::size_t done = 0;
  const auto write_up_to = [&](std::size_t end) {
    if (end > done) output_->write(bytes.subspan(done, end - done));
    done = end;
  };
  for (const Event& event : events) {
    write_up_to(event.at);
    event.act();
  }
  write_up_to(bytes.size());
}

void PlaceCopier::finish() {
  if (used_ > 0 || !events_.empty()) fill_and_write();
  wait();
}

}  // namespace sortie::formats
