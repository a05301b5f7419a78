#include "pipeline/check_position.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "base/size.hpp"

namespace sortie {
namespace {

/// What GNU sort keeps for each line, on machines with 64 bits.
constexpr std::uint64_t kLineBytes = 32;
constexpr std::uint64_t kLeastBufferBytes = 256 << 10;
constexpr std::uint64_t kReadBytes = 256 << 10;

// GNU sort's buffer, which has text at its front and lines at its back. Each read is as long as would fit if every byte
// were a line, and reading ends when the two meet. Then the unfinished line at the end moves to the front.
//
//   | text ->            free            <- lines |
class LineBuffer {
 public:
  LineBuffer(File& file, char delimiter, std::uint64_t bytes)
      : file_(file), delimiter_(std::byte(delimiter)), bytes_(round_down(bytes, kLineBytes) + kLineBytes) {}

  /// Reads until the buffer is full and at least one line is complete. The buffer grows for a longer line.
  void fill() {
    text_begin_ = lines_end_;
    lines_ = 0;
    while (!has_ended_ && lines_ == 0) {
      while (!has_ended_ && free_bytes() > kLineBytes + 1) read((free_bytes() - 1) / (kLineBytes + 1));
      if (lines_ == 0) bytes_ += (bytes_ / kLineBytes / 2 + 1) * kLineBytes;
    }
  }

  bool has_ended() const { return has_ended_; }
  std::uint64_t lines_end() const { return lines_end_; }
  std::uint64_t read_end() const { return read_end_; }

 private:
  std::uint64_t free_bytes() const { return bytes_ - (read_end_ - text_begin_) - lines_ * kLineBytes; }

  void read(std::uint64_t bytes) {
    for (std::uint64_t left = bytes; left > 0 && !has_ended_;) {
      const std::span<std::byte> piece = std::span(piece_).first(std::min<std::uint64_t>(left, kReadBytes));
      const std::size_t got = file_.read_at(read_end_, piece);
      has_ended_ = got < piece.size();
      find_lines(piece.first(got));
      left -= got;
    }
  }

  void find_lines(std::span<const std::byte> text) {
    for (auto at = text.begin(); (at = std::find(at, text.end(), delimiter_)) != text.end();) {
      ++at;
      ++lines_;
      lines_end_ = read_end_ + static_cast<std::uint64_t>(at - text.begin());
    }
    read_end_ += text.size();
  }

  File& file_;
  std::byte delimiter_;
  std::uint64_t bytes_;
  std::vector<std::byte> piece_ = std::vector<std::byte>(kReadBytes);
  std::uint64_t text_begin_ = 0;
  std::uint64_t lines_end_ = 0;  // end of the complete lines
  std::uint64_t read_end_ = 0;
  std::uint64_t lines_ = 0;  // number of lines in the buffer
  bool has_ended_ = false;
};

}  // namespace

std::uint64_t position_after_check(File& file, char delimiter, std::uint64_t line_end, std::uint64_t buffer_bytes) {
  LineBuffer buffer(file, delimiter, std::max(buffer_bytes, kLeastBufferBytes));
  while (!buffer.has_ended() && buffer.lines_end() < line_end) buffer.fill();
  return buffer.read_end();
}

}  // namespace sortie
