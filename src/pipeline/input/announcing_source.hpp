// Passes records on and announces to the output how many bytes have been read: an input whose size nobody knows, as a
// pipe, tells little by little how long the output will be, and its space is prepared while more is read. What no
// longer fits one run is not announced: runs that are stored may need the space first. Used by JobAttempt.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "io/output/output.hpp"
#include "pipeline/input/piece_source.hpp"

namespace sortie {

class AnnouncingSource final : public PieceSource {
 public:
  /// `bytes`: what the output has beside records. `most_bytes`: more are not announced. Precondition: the output will
  /// show all bytes of all records.
  AnnouncingSource(PieceSource& source, Output& output, std::uint64_t bytes, std::uint64_t most_bytes)
      : source_(source), output_(output), bytes_(bytes), most_bytes_(most_bytes) {}

  /// Also throws Error if the output has too little space.
  Piece read(std::span<std::byte> target, std::uint64_t max_records) override {
    const Piece piece = source_.read(target, max_records);
    bytes_ += piece.input_bytes;
    if (bytes_ - announced_bytes_ >= kStepBytes && bytes_ <= most_bytes_) output_.expect(announced_bytes_ = bytes_);
    return piece;
  }

  RecordTotals kept_back() const override { return source_.kept_back(); }
  Assumptions::Counted assumed() const override { return source_.assumed(); }
  bool at_end() const override { return source_.at_end(); }
  bool may_wait() const override { return source_.may_wait(); }
  std::string position() const override { return source_.position(); }

 private:
  /// To extend a file for each small piece would be slow.
  static constexpr std::uint64_t kStepBytes = 64 << 20;

  PieceSource& source_;
  Output& output_;
  std::uint64_t bytes_;
  const std::uint64_t most_bytes_;
  std::uint64_t announced_bytes_ = 0;
};

}  // namespace sortie
