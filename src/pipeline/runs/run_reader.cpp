#include "pipeline/runs/run_reader.hpp"

#include <string>
#include <utility>

namespace sortie {

PieceSource::Piece RunReader::read(std::span<std::byte> target, std::uint64_t) {
  if (at_end()) return {Status::kEnd};
  Piece piece{Status::kRecords};
  std::size_t end = next_;
  for (; end < run_.blocks.size(); ++end) {
    const BlockInfo& block = run_.blocks[end];
    if (block.record_bytes > target.size() - piece.bytes) break;
    piece.bytes += static_cast<std::size_t>(block.record_bytes);
    piece.records += block.record_count;
  }
  if (end == next_) return {Status::kTooSmall, static_cast<std::size_t>(run_.blocks[next_].record_bytes)};
  const BlockRange range{&run_, std::exchange(next_, end), end, target.first(piece.bytes)};
  read_blocks({&range, 1});
  release_blocks(run_, range.begin, range.end);
  piece.input_bytes = piece.bytes;
  return piece;
}

std::string RunReader::position() const {
  return "run " + std::to_string(run_.identity.run_number) + " at block " + std::to_string(next_);
}

}  // namespace sortie
