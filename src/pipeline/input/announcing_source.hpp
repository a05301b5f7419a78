// Passes records on and announces to the output how many bytes have been read: an input whose size nobody knows, as a
// pipe, tells little by little how long the output will be, and its space is prepared while more is read. Used by
// JobAttempt.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "io/output/output.hpp"
#include "pipeline/input/piece_source.hpp"

namespace sortie {

class AnnouncingSource final : public PieceSource {
 public:
  /// `bytes`: what the output has beside records. Precondition: the output will show all bytes of all records.
  AnnouncingSource(PieceSource& source, Output& output, std::uint64_t bytes)
      : source_(source), output_(output), bytes_(bytes) {}

  /// Throws Error if the output has too little space, too.
  Piece read(std::span<std::byte> target, std::uint64_t max_records) override {
    const Piece piece = source_.read(target, max_records);
    bytes_ += piece.input_bytes;
    if (bytes_ - announced_bytes_ >= kStepBytes) output_.expect(announced_bytes_ = bytes_);
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
  std::uint64_t announced_bytes_ = 0;
};

}  // namespace sortie
